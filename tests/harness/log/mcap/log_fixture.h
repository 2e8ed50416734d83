#pragma once
/// Small logs for the tests of readers and writers.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "harness/log/mcap/mcap_reader.h"
#include "harness/log/mcap/mcap_writer.h"
#include "tests/harness/log/mcap/joint_signals.h"

namespace jointrig::harness {

/// A folder of the test's own, gone afterwards.
class LogTest : public testing::Test {
 protected:
  LogTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("jointrig_") + info->test_suite_name() + "_" + info->name() + "_" +
               std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~LogTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

struct Number {
  double value = 0;
};

inline StructSchema<Number> number_schema() {
  StructSchema<Number> schema("jointrig_msgs/msg/Number");
  schema.field("value", &Number::value, "rad");
  return schema;
}

inline std::string contents_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);  // emptying a file instead makes ext4 wait for the disk
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A few chunks with two channels of numbers, an event, an attachment and metadata.
inline void write_small_log(const std::string& path, Compression compression, int chunks = 3,
                            int messages = 4) {
  McapOptions options;
  options.compression = compression;
  McapWriter log(path, options);
  const auto a = log.add_channel("/a", number_schema());
  const auto b = log.add_channel("/b", number_schema());
  const auto events = log.add_channel<LogView>("/events");
  ASSERT_TRUE(log.add_metadata("run", {{"seed", "1"}, {"robot", "panda"}}));
  std::int64_t t = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    for (int i = 0; i < messages; ++i, t += 1'000'000) {
      log.write(a, t, Number{1.0 + static_cast<double>(t)});
      log.write(b, t, Number{-1.0 - static_cast<double>(t)});
    }
    log.write(events, t, LogView{to_stamp(t), LogLevel::kWarn, "test", "chunk ends", "", "", 0});
    log.flush();
    if (chunk == 0) log.attach("model.xml", "application/xml", "<mujoco/>", t);
  }
  ASSERT_TRUE(log.close().ok);
}

struct Seen {
  std::string topic;
  std::int64_t time_ns = 0;
  std::uint32_t sequence = 0;
  std::string data;
  friend bool operator==(const Seen&, const Seen&) = default;
};

inline std::vector<Seen> read_all(const McapReader& reader, const ReadFilter& filter = {}) {
  std::vector<Seen> seen;
  reader.for_each(filter, [&](const mcap::StoredMessage& message) {
    seen.push_back(
        {reader.contents().channels.at(message.channel).topic, message.log_time_ns,
         message.sequence,
         std::string(reinterpret_cast<const char*>(message.data.data()), message.data.size())});
    EXPECT_EQ(message.publish_time_ns, message.log_time_ns);
    return true;
  });
  return seen;
}

}  // namespace jointrig::harness
