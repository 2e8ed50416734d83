#include "harness/log/mcap/mcap_cursor.h"

#include <algorithm>
#include <random>

#include "tests/harness/log/mcap/log_fixture.h"

namespace jointrig::harness {
namespace {

class McapCursorTest : public LogTest {
 protected:
  /// Chunks that overlap in time, messages out of order, times that come more than once.
  void write_mixed_log(const std::string& file) {
    McapOptions options;
    options.compression = Compression::kLz4;
    McapWriter log(file, options);
    std::vector<StructChannel<Number>> channels;
    for (const char* topic : {"/a", "/b", "/rare"}) {
      channels.push_back(log.add_channel(topic, number_schema()));
    }
    std::mt19937 random(14);
    for (int chunk = 0; chunk < 12; ++chunk) {
      for (int i = 0; i < 40; ++i) {
        const auto channel = chunk == 3 && i == 0 ? 2U : static_cast<unsigned>(i) % 2U;
        const std::int64_t time_ns = 10 * chunk + static_cast<int>(random() % 25U);
        log.write(channels[channel], time_ns, Number{static_cast<double>(100 * chunk + i)});
      }
      log.flush();
    }
    ASSERT_TRUE(log.close().ok);
  }
};

std::string text_of(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

/// All messages in order of time, by the other way of reading.
std::vector<Seen> sorted(const McapReader& reader) {
  std::vector<Seen> all = read_all(reader);
  std::stable_sort(all.begin(), all.end(),
                   [](const Seen& a, const Seen& b) { return a.time_ns < b.time_ns; });
  return all;
}

TEST_F(McapCursorTest, ReadsTheSameFromAnyTimeInSteps) {
  write_mixed_log(path("log.mcap"));
  const McapReader reader(path("log.mcap"));
  const std::vector<Seen> all = sorted(reader);
  McapCursor cursor(reader);
  for (const std::int64_t from : {0, 1, 57, 130, 20, 500, 0}) {
    SCOPED_TRACE(from);
    std::vector<Seen> expected = all;
    std::erase_if(expected, [&](const Seen& one) { return one.time_ns < from; });
    cursor.seek(from);
    std::vector<Seen> seen;
    for (std::int64_t to = from; to < 200; to += 7) {
      while (const mcap::StoredMessage* message = cursor.next(to)) {
        EXPECT_LE(message->log_time_ns, to);
        seen.push_back({reader.contents().channels.at(message->channel).topic, message->log_time_ns,
                        message->sequence, text_of(message->data)});
      }
    }
    EXPECT_EQ(seen, expected);
  }
}

TEST_F(McapCursorTest, FindsTheLatestOfEachChannelWithAndWithoutTheIndex) {
  write_mixed_log(path("log.mcap"));
  const std::string bytes = contents_of(path("log.mcap"));
  write_file(path("cut.mcap"), bytes.substr(0, bytes.size() - 30));  // in the footer
  for (const char* name : {"log.mcap", "cut.mcap"}) {
    SCOPED_TRACE(name);
    const McapReader reader(path(name));
    const std::vector<Seen> all = sorted(reader);
    std::set<ChannelId> channels;
    for (const auto& [id, channel] : reader.contents().channels) channels.insert(id);
    for (std::int64_t time = -1; time < 160; ++time) {
      std::map<std::string, Seen> expected;
      for (const Seen& one : all) {
        if (one.time_ns <= time) expected[one.topic] = one;
      }
      const auto latest = latest_messages(reader, channels, time);
      ASSERT_EQ(latest.size(), expected.size()) << time;
      for (const auto& [id, message] : latest) {
        const Seen& one = expected.at(reader.contents().channels.at(id).topic);
        EXPECT_EQ(message.time_ns, one.time_ns) << time;
        EXPECT_EQ(text_of(message.data), one.data) << time;
      }
    }
    EXPECT_TRUE(latest_messages(reader, {}, 100).empty());
  }
}

TEST_F(McapCursorTest, KnowsTheChannelsOfEachChunkWithAndWithoutTheIndex) {
  write_mixed_log(path("log.mcap"));
  const std::string bytes = contents_of(path("log.mcap"));
  write_file(path("cut.mcap"), bytes.substr(0, bytes.size() - 30));
  for (const char* name : {"log.mcap", "cut.mcap"}) {
    const McapReader reader(path(name));
    ASSERT_EQ(reader.contents().chunks.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_EQ(reader.contents().chunks[i].channels.size(), i == 3 ? 3U : 2U) << name << i;
    }
  }
}

}  // namespace
}  // namespace jointrig::harness
