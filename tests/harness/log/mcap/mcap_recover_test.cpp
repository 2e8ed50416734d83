#include "harness/log/mcap/mcap_recover.h"

#include <unistd.h>

#include "tests/harness/log/mcap/log_fixture.h"

namespace jointrig::harness {
namespace {

class RecoverTest : public LogTest {};

/// Offset behind the n-th chunk record, from the index.
std::size_t end_of_chunk(const McapReader& reader, std::size_t n) {
  const mcap::ChunkPlace& place = reader.contents().chunks.at(n);
  return static_cast<std::size_t>(place.offset + place.length);
}

TEST_F(RecoverTest, LeavesAWholeLogAlone) {
  write_small_log(path("log.mcap"), Compression::kLz4);
  const RecoverReport report = recover_mcap(path("log.mcap"));
  EXPECT_TRUE(report.was_whole);
  EXPECT_FALSE(std::filesystem::exists(path("log.recovered.mcap")));
}

TEST_F(RecoverTest, GivesBackAllThatAnUnfinishedLogHolds) {
  write_small_log(path("log.mcap"), Compression::kLz4);
  const McapReader whole(path("log.mcap"));
  write_file(path("cut.mcap"), contents_of(path("log.mcap")).substr(0, end_of_chunk(whole, 2)));

  const RecoverReport report = recover_mcap(path("cut.mcap"));
  EXPECT_FALSE(report.was_whole);
  EXPECT_EQ(report.chunks, 3U);
  EXPECT_EQ(report.dropped_bytes, 0U);
  const McapReader again(report.output);
  EXPECT_TRUE(again.contents().complete);
  EXPECT_EQ(again.contents().chunks.size(), 3U);
  EXPECT_EQ(read_all(again), read_all(whole));
  EXPECT_EQ(again.contents().metadata.size(), 1U);
  EXPECT_EQ(again.attachment("model.xml"), whole.attachment("model.xml"));
}

TEST_F(RecoverTest, DropsADamagedChunkAndKeepsTheOthers) {
  write_small_log(path("log.mcap"), Compression::kLz4);
  std::string bytes = contents_of(path("log.mcap"));
  const std::size_t inside = end_of_chunk(McapReader(path("log.mcap")), 1) - 10;
  bytes[inside] = static_cast<char>(bytes[inside] ^ 0x10);
  write_file(path("log.mcap"), bytes);

  const RecoverReport report = recover_mcap(path("log.mcap"));
  EXPECT_EQ(report.damaged_chunks, 1U);
  EXPECT_EQ(report.chunks, 2U);
  EXPECT_EQ(report.messages, 2U * 9);
  // The gap stays visible: later messages keep their numbers.
  EXPECT_EQ(read_all(McapReader(report.output)).back().sequence, 2U);
  EXPECT_NE(report.sentence().find("1 damaged"), std::string::npos);
}

TEST_F(RecoverTest, RefusesToWriteOverItsSource) {
  write_small_log(path("log.mcap"), Compression::kNone);
  EXPECT_THROW(recover_mcap(path("log.mcap"), path("log.mcap")), LogFileError);
  EXPECT_THROW(recover_mcap(path("none.mcap")), LogFileError);
}

/// All lengths to which a log can be cut: no crash, whole messages are kept, and the result is a
/// whole log with a beginning of the messages.
void cut_everywhere(const std::string& file, const std::string& cut_file,
                    const std::string& output) {
  const std::string bytes = contents_of(file);
  const McapReader whole(file);
  const auto all = read_all(whole);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    write_file(cut_file, bytes.substr(0, size));
    if (size < mcap::kMagic.size()) {
      EXPECT_THROW(recover_mcap(cut_file, output), LogFileError);
      EXPECT_THROW(McapReader reader(cut_file), LogFileError);
      continue;
    }
    std::size_t sure = 0;  // messages in the chunks that are all there
    for (std::size_t n = 0; n < whole.contents().chunks.size(); ++n) {
      if (end_of_chunk(whole, n) <= size) sure += 9;
    }
    std::filesystem::remove(output);
    const RecoverReport report = recover_mcap(cut_file, output);
    ASSERT_FALSE(report.was_whole);
    ASSERT_GE(report.messages, sure);
    const McapReader recovered(output);
    ASSERT_TRUE(recovered.contents().complete);
    const auto kept = read_all(recovered);
    ASSERT_EQ(kept.size(), report.messages);
    ASSERT_TRUE(std::equal(kept.begin(), kept.end(), all.begin()));
    // The reader reads from the cut log the same messages that recover keeps.
    ASSERT_EQ(read_all(McapReader(cut_file)), kept);
  }
}

TEST_F(RecoverTest, StandsACutAtEveryByteWithoutCompression) {
  write_small_log(path("log.mcap"), Compression::kNone);
  cut_everywhere(path("log.mcap"), path("cut.mcap"), path("out.mcap"));
}

TEST_F(RecoverTest, StandsACutAtEveryByteOfLz4) {
  write_small_log(path("log.mcap"), Compression::kLz4);
  cut_everywhere(path("log.mcap"), path("cut.mcap"), path("out.mcap"));
}

TEST_F(RecoverTest, StandsACutAtEveryByteOfZstd) {
  write_small_log(path("log.mcap"), Compression::kZstd);
  cut_everywhere(path("log.mcap"), path("cut.mcap"), path("out.mcap"));
}

TEST_F(RecoverTest, KeepsTheMessagesOfAChunkThatWasCut) {
  write_small_log(path("log.mcap"), Compression::kNone, /*chunks=*/1, /*messages=*/100);
  const std::size_t end = end_of_chunk(McapReader(path("log.mcap")), 0);
  write_file(path("cut.mcap"), contents_of(path("log.mcap")).substr(0, end - 2000));
  const RecoverReport report = recover_mcap(path("cut.mcap"));
  EXPECT_EQ(report.chunks, 0U);
  EXPECT_EQ(report.messages, report.salvaged);
  EXPECT_GT(report.salvaged, 100U);
  EXPECT_LT(report.salvaged, 200U);
}

TEST_F(RecoverTest, NeverCrashesOnABitThatFlipped) {
  for (const auto compression : {Compression::kNone, Compression::kLz4}) {
    write_small_log(path("log.mcap"), compression);
    const std::string bytes = contents_of(path("log.mcap"));
    std::size_t recovered = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
      write_file(path("damaged.mcap"), damaged);
      std::filesystem::remove(path("out.mcap"));
      try {
        recover_mcap(path("damaged.mcap"), path("out.mcap"));
        read_all(McapReader(path("damaged.mcap")));
        ++recovered;
      } catch (const LogFileError&) {
        // A sentence is as good as a log.
      }
    }
    EXPECT_GT(recovered, bytes.size() / 3 / 4);
  }
}

}  // namespace
}  // namespace jointrig::harness
