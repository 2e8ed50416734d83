#include "harness/log/mcap/mcap_reader.h"

#include <unistd.h>

#include "tests/harness/log/mcap/log_fixture.h"

namespace jointrig::harness {
namespace {

class McapReaderTest : public LogTest {};

std::string sentence_of(const std::string& path) {
  try {
    const McapReader reader(path);
    read_all(reader);
  } catch (const LogFileError& error) {
    return error.what();
  }
  return "";
}

TEST_F(McapReaderTest, FindsWhatWasWrittenInEveryCompression) {
  for (const auto compression : {Compression::kNone, Compression::kLz4, Compression::kZstd}) {
    SCOPED_TRACE(to_string(compression));
    const std::string file = path("log.mcap");
    write_small_log(file, compression);
    const McapReader reader(file);
    EXPECT_TRUE(reader.contents().complete);
    EXPECT_EQ(reader.contents().profile, "ros2");
    EXPECT_EQ(reader.contents().chunks.size(), 3U);
    EXPECT_EQ(reader.contents().metadata.at(0).values.at("robot"), "panda");
    const auto model = reader.attachment("model.xml");
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(model.data()), model.size()), "<mujoco/>");
    EXPECT_THROW(reader.attachment("other.xml"), LogFileError);

    const auto seen = read_all(reader);
    ASSERT_EQ(seen.size(), 3U * (4 * 2 + 1));
    EXPECT_EQ(seen[2].topic, "/a");
    EXPECT_EQ(seen[2].time_ns, 1'000'000);
    EXPECT_EQ(seen[2].sequence, 1U);
    double value = 0;
    ASSERT_EQ(seen[2].data.size(), kCdrHeaderBytes + sizeof value);
    std::memcpy(&value, seen[2].data.data() + kCdrHeaderBytes, sizeof value);
    EXPECT_EQ(value, 1'000'001.0);
  }
}

TEST_F(McapReaderTest, FindsTheSameWithoutTheIndex) {
  const std::string file = path("log.mcap");
  write_small_log(file, Compression::kLz4);
  const std::string bytes = contents_of(file);
  write_file(path("unfinished.mcap"), bytes.substr(0, bytes.size() - 30));  // in the footer

  const McapReader whole(file);
  const McapReader unfinished(path("unfinished.mcap"));
  EXPECT_FALSE(unfinished.contents().complete);
  EXPECT_EQ(read_all(unfinished), read_all(whole));
  EXPECT_EQ(unfinished.contents().channels.size(), whole.contents().channels.size());
  EXPECT_EQ(unfinished.contents().attachments.size(), whole.contents().attachments.size());
}

TEST_F(McapReaderTest, FiltersChannelsAndTimes) {
  const std::string file = path("log.mcap");
  write_small_log(file, Compression::kNone);
  const McapReader reader(file);
  ReadFilter filter;
  filter.channels = {reader.find("/b")->id};
  filter.from_ns = 2'000'000;
  filter.to_ns = 6'000'000;
  const auto seen = read_all(reader, filter);
  ASSERT_EQ(seen.size(), 5U);  // both ends included
  EXPECT_EQ(seen.front().topic, "/b");
  EXPECT_EQ(seen.front().time_ns, 2'000'000);
  EXPECT_EQ(seen.back().time_ns, 6'000'000);
  EXPECT_EQ(reader.find("/c"), nullptr);
}

TEST_F(McapReaderTest, OrdersByTimeAcrossChunksThatOverlap) {
  const std::string file = path("log.mcap");
  McapWriter log(file);
  const auto channel = log.add_channel("/a", number_schema());
  for (const std::int64_t t : {5, 1, 9, 3}) log.write(channel, t, Number{});
  log.flush();
  for (const std::int64_t t : {8, 4, 3, 12}) log.write(channel, t, Number{});
  log.flush();
  for (const std::int64_t t : {20, 10}) log.write(channel, t, Number{});
  log.close();

  const McapReader reader(file);
  std::vector<std::int64_t> times;
  reader.for_each_in_time({}, [&](const mcap::StoredMessage& message) {
    times.push_back(message.log_time_ns);
    return true;
  });
  EXPECT_EQ(times, (std::vector<std::int64_t>{1, 3, 3, 4, 5, 8, 9, 10, 12, 20}));
}

TEST_F(McapReaderTest, StopsWhenToldTo) {
  write_small_log(path("log.mcap"), Compression::kLz4);
  const McapReader reader(path("log.mcap"));
  int visits = 0;
  const auto stop_at_third = [&](const mcap::StoredMessage&) { return ++visits < 3; };
  reader.for_each({}, stop_at_third);
  EXPECT_EQ(visits, 3);
  visits = 0;
  reader.for_each_in_time({}, stop_at_third);
  EXPECT_EQ(visits, 3);
}

TEST_F(McapReaderTest, NoticesADamagedChunk) {
  const std::string file = path("log.mcap");
  write_small_log(file, Compression::kNone);
  std::string bytes = contents_of(file);
  const double value = 1.0 + 5e6;  // of channel /a at 5 ms
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&value), 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  write_file(file, bytes);
  EXPECT_NE(sentence_of(file).find("is damaged"), std::string::npos);
}

TEST_F(McapReaderTest, SaysWhatIsWrongWithFilesThatAreNoLogs) {
  write_file(path("empty.mcap"), "");
  EXPECT_NE(sentence_of(path("empty.mcap")).find("is empty"), std::string::npos);
  write_file(path("text.mcap"), "time,q\n0,1\n");
  EXPECT_NE(sentence_of(path("text.mcap")).find("is not an MCAP log"), std::string::npos);
  EXPECT_NE(sentence_of(path("none.mcap")).find("No such file"), std::string::npos);
  EXPECT_NE(sentence_of("/dev/null").find("no regular file"), std::string::npos);
}

TEST_F(McapReaderTest, SaysWhichChannelOfAForeignFileItCannotDecode) {
  const std::string file = path("log.mcap");
  McapWriter log(file);
  log.add_channel("/json", {0, "Thing", "jsonschema", "{}"}, "json");
  log.close();
  const McapReader reader(file);
  try {
    reader.schema_of(*reader.find("/json"));
    FAIL() << "a JSON channel was taken for ROS 2 messages";
  } catch (const LogFileError& error) {
    EXPECT_NE(std::string(error.what()).find("'/json'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("jsonschema"), std::string::npos) << error.what();
  }
}

TEST_F(McapReaderTest, PassesOverMessagesOfChannelsThatTheLogDoesNotName) {
  const std::string file = path("log.mcap");
  write_small_log(file, Compression::kNone);
  std::string bytes = contents_of(file);
  // Makes an unknown record of channel /b's, which the chunk without a CRC then lacks.
  const std::size_t topic = bytes.find("/b");
  const std::size_t record = topic - 4 - 2 - 2 - mcap::kRecordHeaderBytes;
  ASSERT_EQ(bytes.at(record), static_cast<char>(mcap::Opcode::kChannel));
  bytes[record] = '\x7F';
  const std::uint64_t chunk = McapReader(file).contents().chunks.at(0).offset;
  const std::size_t crc = static_cast<std::size_t>(chunk) + mcap::kRecordHeaderBytes + 3 * 8;
  bytes.replace(crc, 4, std::string(4, '\0'));
  write_file(path("damaged.mcap"), bytes.substr(0, bytes.size() - 30));  // and no index

  const McapReader reader(path("damaged.mcap"));
  EXPECT_EQ(reader.find("/b"), nullptr);
  EXPECT_EQ(read_all(reader).size(), 3U * (4 + 1));
}

TEST_F(McapReaderTest, RefusesMessagesOutsideOfChunks) {
  // Magic, header, then a bare message record, as another writer may leave it.
  std::vector<std::byte> bytes;
  mcap::RecordBuilder record(bytes);
  record.bytes(std::as_bytes(std::span(mcap::kMagic)));
  record.begin(mcap::Opcode::kHeader);
  record.text("");
  record.text("other");
  record.end();
  record.begin(mcap::Opcode::kMessage);
  record.bytes(std::vector<std::byte>(mcap::kMessageFieldBytes));
  record.end();
  write_file(path("foreign.mcap"), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  EXPECT_NE(sentence_of(path("foreign.mcap")).find("outside of chunks"), std::string::npos);
}

}  // namespace
}  // namespace jointrig::harness
