#include "harness/log/mcap/mcap_writer.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "harness/log/mcap/mcap_recover.h"
#include "tests/harness/log/mcap/log_fixture.h"

namespace jointrig::harness {
namespace {

class McapWriterTest : public LogTest {};

/// Limits the size of files that this process writes, as a full disk would.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
};

TEST_F(McapWriterTest, RefusesATopicGivenTwiceAndASecondMeaningOfAName) {
  McapWriter log(path("log.mcap"));
  log.add_channel("/a", number_schema());
  EXPECT_THROW(log.add_channel("/a", number_schema()), std::invalid_argument);
  EXPECT_THROW(log.add_channel("", number_schema()), std::invalid_argument);
  StructSchema<Number> other("jointrig_msgs/msg/Number");
  other.field("angle", &Number::value);
  EXPECT_THROW(log.add_channel("/b", other), std::invalid_argument);
}

TEST_F(McapWriterTest, ThrowsWithThePathWhenTheFileCannotBeCreated) {
  try {
    const McapWriter log(path("no/such/folder.mcap"));
    FAIL() << "created a file in a folder that isn't there";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("no/such/folder.mcap"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos);
  }
}

TEST_F(McapWriterTest, LeavesTheLogItReplacesToWhoeverReadsIt) {
  write_small_log(path("log.mcap"), Compression::kNone);
  const std::string before = contents_of(path("log.mcap"));
  std::ifstream reader(path("log.mcap"), std::ios::binary);

  McapWriter log(path("log.mcap"));
  log.close();

  std::ostringstream read;
  read << reader.rdbuf();
  EXPECT_EQ(read.str(), before);
  EXPECT_LT(contents_of(path("log.mcap")).size(), before.size());
}

TEST_F(McapWriterTest, WritesThroughALinkWithoutReplacingIt) {
  std::filesystem::create_symlink("/dev/null", path("log.mcap"));
  McapWriter log(path("log.mcap"));
  EXPECT_TRUE(log.close().ok);
  EXPECT_TRUE(std::filesystem::is_symlink(path("log.mcap")));
}

TEST_F(McapWriterTest, ClosesAChunkThatIsFullAndOneThatIsOld) {
  McapOptions options;
  options.compression = Compression::kNone;
  options.chunk_bytes = 1000;
  options.chunk_age = std::chrono::hours(1);
  McapWriter full(path("full.mcap"), options);
  const auto a = full.add_channel("/a", number_schema());
  const auto before = std::filesystem::file_size(path("full.mcap"));
  for (int i = 0; i < 40; ++i) full.write(a, i, Number{});
  EXPECT_GT(std::filesystem::file_size(path("full.mcap")), before);

  options.chunk_bytes = std::size_t{1} << 20;
  options.chunk_age = std::chrono::milliseconds(20);
  McapWriter old(path("old.mcap"), options);
  const auto b = old.add_channel("/b", number_schema());
  old.write(b, 0, Number{});
  const auto start = std::filesystem::file_size(path("old.mcap"));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(std::filesystem::file_size(path("old.mcap")), start);
  old.poll();
  EXPECT_GT(std::filesystem::file_size(path("old.mcap")), start);
}

TEST_F(McapWriterTest, HasLargerChunksInALargerFileAndLosesNoneOfItsMessages) {
  constexpr std::int64_t kMessages = 2000;
  McapOptions options;
  options.compression = Compression::kNone;
  options.chunk_bytes = 1000;
  options.chunks_before_growth = 5;
  options.largest_chunk_bytes = 4000;
  options.chunk_age = std::chrono::hours(1);
  McapWriter log(path("log.mcap"), options);
  const auto a = log.add_channel("/a", number_schema());
  for (std::int64_t i = 0; i < kMessages; ++i) log.write(a, i, Number{});
  ASSERT_TRUE(log.close().ok);

  const McapReader reader(path("log.mcap"));
  EXPECT_EQ(reader.contents().message_counts.at(a.id), kMessages);
  const mcap::LogSource file(path("log.mcap"));
  std::vector<std::size_t> largest{0, 0, 0};  // to 5 kB, to 10 kB, from there to the end
  for (const mcap::ChunkPlace& chunk : reader.contents().chunks) {
    std::size_t& most = largest[std::min<std::size_t>(chunk.offset / 5000, 2)];
    most = std::max(most, mcap::read_chunk(file, chunk).bytes.size());
  }
  EXPECT_LE(largest[0], 1000U);
  EXPECT_GT(largest[1], 1000U);
  EXPECT_LE(largest[1], 2000U);
  EXPECT_GT(largest[2], 3000U);
  EXPECT_LE(largest[2], 4000U);
}

TEST_F(McapWriterTest, ClosesOldChunksWhileMessagesComeWithoutPoll) {
  McapOptions options;
  options.chunk_age = std::chrono::milliseconds(1);
  options.chunk_bytes = std::size_t{64} << 20;
  McapWriter log(path("log.mcap"), options);
  const auto a = log.add_channel("/a", number_schema());
  const auto write_80_kib = [&] {
    for (int i = 0; i < 2000; ++i) log.write(a, i, Number{});
  };
  const auto before = std::filesystem::file_size(path("log.mcap"));
  write_80_kib();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  write_80_kib();
  EXPECT_GT(std::filesystem::file_size(path("log.mcap")), before);
}

TEST_F(McapWriterTest, TakesMessagesLargerThanAChunk) {
  McapOptions options;
  options.chunk_bytes = 1000;
  McapWriter log(path("log.mcap"), options);
  const auto events = log.add_channel<LogView>("/events");
  const std::string novel(100'000, 'x');
  EXPECT_TRUE(log.write(events, 1, LogView{{}, LogLevel::kInfo, "a", "short", "", "", 0}));
  EXPECT_TRUE(log.write(events, 2, LogView{{}, LogLevel::kInfo, "a", novel, "", "", 0}));
  EXPECT_TRUE(log.write(events, 3, LogView{{}, LogLevel::kInfo, "a", "short", "", "", 0}));
  ASSERT_TRUE(log.close().ok);
  const auto seen = read_all(McapReader(path("log.mcap")));
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_NE(seen[1].data.find(novel), std::string::npos);
}

TEST_F(McapWriterTest, CountsMessagesOfAnUnknownChannelAndAfterTheEndAsLost) {
  McapWriter log(path("log.mcap"));
  const auto a = log.add_channel("/a", number_schema());
  const std::array<std::byte, 4> cdr{};
  EXPECT_FALSE(log.write(ChannelId{7}, 0, cdr));
  EXPECT_FALSE(log.write(ChannelId{0}, 0, cdr));
  EXPECT_TRUE(log.write(a, 0, Number{}));
  log.close();
  EXPECT_FALSE(log.write(a, 1, Number{}));
  EXPECT_EQ(log.status().written, 1U);
  EXPECT_EQ(log.status().lost, 3U);
}

TEST_F(McapWriterTest, SaysOnceThatTheDiskIsFullAndCountsWhatIsLost) {
  std::vector<std::string> told;
  McapOptions options;
  options.chunk_bytes = 1000;
  options.on_failure = [&](const std::string& sentence) { told.push_back(sentence); };
  McapWriter log("/dev/full", options);
  const auto a = log.add_channel("/a", number_schema());
  for (int i = 0; i < 500; ++i) EXPECT_FALSE(log.write(a, i, Number{}));
  EXPECT_FALSE(log.attach("a", "text/plain", "a"));
  const McapStatus status = log.close();
  EXPECT_FALSE(status.ok);
  EXPECT_EQ(status.written, 0U);
  EXPECT_EQ(status.lost, 500U);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told[0].find("/dev/full"), std::string::npos);
  EXPECT_NE(told[0].find("No space left on device"), std::string::npos);
  EXPECT_NE(status.message.find("500"), std::string::npos) << status.message;
}

TEST_F(McapWriterTest, LeavesAWholeLogOfWhatFittedOnTheDisk) {
  const std::string file = path("log.mcap");
  McapOptions options;
  options.compression = Compression::kNone;
  options.chunk_bytes = 10'000;
  McapStatus status;
  {
    const FileSizeLimit limit(64 * 1024);
    McapWriter log(file, options);
    const auto a = log.add_channel("/a", number_schema());
    for (int i = 0; i < 5000; ++i) log.write(a, i, Number{static_cast<double>(i)});
    status = log.close();
  }
  EXPECT_FALSE(status.ok);
  EXPECT_NE(status.message.find("File too large"), std::string::npos) << status.message;
  EXPECT_EQ(status.written + status.lost, 5000U);
  EXPECT_GT(status.written, 500U);

  const McapReader reader(file);
  EXPECT_TRUE(reader.contents().complete);
  const auto seen = read_all(reader);
  ASSERT_EQ(seen.size(), status.written);
  EXPECT_EQ(seen.back().sequence, status.written - 1);
}

TEST_F(McapWriterTest, LeavesARecoverableLogWhenNotEvenTheIndexFits) {
  const std::string file = path("log.mcap");
  McapOptions options;
  options.compression = Compression::kNone;
  McapStatus status;
  {
    McapWriter log(file, options);
    const auto a = log.add_channel("/a", number_schema());
    for (int i = 0; i < 100; ++i) log.write(a, i, Number{});
    log.flush();
    const FileSizeLimit limit(std::filesystem::file_size(file));
    status = log.close();
  }
  EXPECT_FALSE(status.ok);
  EXPECT_EQ(status.written, 100U);
  EXPECT_EQ(status.lost, 0U);
  const RecoverReport report = recover_mcap(file);
  EXPECT_EQ(report.messages, 100U);
  EXPECT_TRUE(McapReader(report.output).contents().complete);
}

TEST_F(McapWriterTest, WritesTheSameBytesForTheSameMessages) {
  for (const char* name : {"one.mcap", "two.mcap"}) {
    write_small_log(path(name), Compression::kLz4);
  }
  EXPECT_EQ(contents_of(path("one.mcap")), contents_of(path("two.mcap")));
}

}  // namespace
}  // namespace jointrig::harness
