// The C++ half of the tests in Python (foreign_reader_test.py): writes logs and does to them what
// jointrig does.
//
//     record_tool samples LOG EXPECTED COMPRESSION   a log, and each value in it as text
//     record_tool endless LOG                        records in real time until killed
//     record_tool recover LOG OUT
//     record_tool csv LOG OUT [SELECTION...]

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "harness/log/mcap/csv_export.h"
#include "harness/log/mcap/mcap_recover.h"
#include "harness/log/mcap/mcap_writer.h"
#include "tests/harness/log/mcap/joint_signals.h"

namespace jointrig::harness {
namespace {

constexpr std::int64_t kPeriodNs = 1'000'000;

/// One of each type, in an order that needs padding.
struct AllTypes {
  TimeStamp stamp;
  bool on = false;
  std::int8_t i8 = 0;
  std::uint8_t u8 = 0;
  std::int16_t i16 = 0;
  std::uint16_t u16 = 0;
  std::int32_t i32 = 0;
  std::uint32_t u32 = 0;
  std::int64_t i64 = 0;
  std::uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
  std::array<double, 3> force = {};
  std::array<std::uint16_t, 2> pair = {};
};

StructSchema<AllTypes> all_types_schema() {
  using S = AllTypes;
  StructSchema<S> schema("jointrig_msgs/msg/AllTypes");
  schema.field("stamp", &S::stamp).field("on", &S::on).field("f64", &S::f64, "rad", "comment");
  schema.field("i8", &S::i8).field("u8", &S::u8).field("i16", &S::i16).field("u16", &S::u16);
  schema.field("i32", &S::i32).field("u32", &S::u32).field("i64", &S::i64).field("u64", &S::u64);
  schema.field("f32", &S::f32, "N·m").field("force", &S::force, "N").field("pair", &S::pair);
  return schema;
}

AllTypes all_types(int i) {
  constexpr double kOdd[] = {0.0, -0.0, 5e-324, std::numeric_limits<double>::infinity(), 0.1};
  AllTypes s;
  s.stamp = to_stamp(i * kPeriodNs);
  s.on = i % 2 == 1;
  s.i8 = static_cast<std::int8_t>(i - 100);
  s.u8 = static_cast<std::uint8_t>(i * 3);
  s.i16 = static_cast<std::int16_t>(-300 * i);
  s.u16 = static_cast<std::uint16_t>(65535 - i);
  s.i32 = -100'000 * i;
  s.u32 = 4'000'000'000U + static_cast<std::uint32_t>(i);
  s.i64 = std::numeric_limits<std::int64_t>::min() + i;
  s.u64 = std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(i);
  s.f32 = 0.1F * static_cast<float>(i);
  s.f64 = kOdd[i % 5];
  s.force = {0.1 * i, -1e300, 1e-300};
  s.pair = {static_cast<std::uint16_t>(i), 7};
  return s;
}

/// Lines of "topic time_ns field value", doubles in hexadecimal so that no bit gets lost.
class Expected {
 public:
  explicit Expected(const std::string& path) : file_(std::fopen(path.c_str(), "w")) {}
  ~Expected() { std::fclose(file_); }
  Expected(const Expected&) = delete;
  Expected& operator=(const Expected&) = delete;

  void number(const char* topic, std::int64_t time, const char* field, double value) {
    std::fprintf(file_, "%s %" PRId64 " %s f:%a\n", topic, time, field, value);
  }
  void integer(const char* topic, std::int64_t time, const char* field, std::int64_t value) {
    std::fprintf(file_, "%s %" PRId64 " %s i:%" PRId64 "\n", topic, time, field, value);
  }
  void natural(const char* topic, std::int64_t time, const char* field, std::uint64_t value) {
    std::fprintf(file_, "%s %" PRId64 " %s i:%" PRIu64 "\n", topic, time, field, value);
  }
  void text(const char* topic, std::int64_t time, const char* field, std::string_view value) {
    std::fprintf(file_, "%s %" PRId64 " %s s:%.*s\n", topic, time, field,
                 static_cast<int>(value.size()), value.data());
  }

 private:
  std::FILE* file_;
};

void expect(Expected& out, const char* topic, std::int64_t time, const AllTypes& s) {
  out.integer(topic, time, "stamp.sec", s.stamp.sec);
  out.natural(topic, time, "stamp.nanosec", s.stamp.nanosec);
  out.integer(topic, time, "on", s.on ? 1 : 0);
  out.number(topic, time, "f64", s.f64);
  out.integer(topic, time, "i8", s.i8);
  out.natural(topic, time, "u8", s.u8);
  out.integer(topic, time, "i16", s.i16);
  out.natural(topic, time, "u16", s.u16);
  out.integer(topic, time, "i32", s.i32);
  out.natural(topic, time, "u32", s.u32);
  out.integer(topic, time, "i64", s.i64);
  out.natural(topic, time, "u64", s.u64);
  out.number(topic, time, "f32", static_cast<double>(s.f32));
  for (const std::size_t i : {0U, 1U, 2U}) {
    out.number(topic, time, ("force[" + std::to_string(i) + "]").c_str(), s.force.at(i));
  }
  out.natural(topic, time, "pair[0]", s.pair[0]);
  out.natural(topic, time, "pair[1]", s.pair[1]);
}

int samples(const std::string& path, const std::string& expected_path,
            const std::string& compression) {
  McapOptions options;
  options.compression = compression_from(compression).value();
  options.chunk_bytes = 20'000;  // several chunks
  McapWriter log(path, options);
  Expected out(expected_path);
  log.add_metadata("run", {{"robot", "arm"}, {"seed", "42"}});
  log.attach("scenario.yaml", "application/yaml", "steps: []\n", 5);
  const auto all = log.add_channel("/all_types", all_types_schema(), {{"joint", "elbow"}});
  const auto joints = log.add_channel<JointStateView>("/joint_states");
  const auto events = log.add_channel<LogView>("/events");
  const std::vector<std::string> names = {"elbow", "wrist_°"};
  for (int i = 0; i < 200; ++i) {
    const std::int64_t t = i * kPeriodNs;
    const AllTypes s = all_types(i);
    log.write(all, t, s);
    expect(out, "/all_types", t, s);
    if (i % 10 == 0) {
      const std::vector<double> q = {0.1 * i, -1.0 / (i + 1)};
      const std::vector<double> v = {1.0 * i, 2.0};
      log.write(joints, t, JointStateView{s.stamp, "base", names, q, v, {}});
      out.integer("/joint_states", t, "header.stamp.sec", s.stamp.sec);
      out.text("/joint_states", t, "header.frame_id", "base");
      for (const std::size_t k : {0U, 1U}) {
        const std::string index = "[" + std::to_string(k) + "]";
        out.text("/joint_states", t, ("name" + index).c_str(), names[k]);
        out.number("/joint_states", t, ("position" + index).c_str(), q[k]);
        out.number("/joint_states", t, ("velocity" + index).c_str(), v[k]);
      }
    }
    if (i % 50 == 0) {
      log.write(
          events, t,
          LogView{s.stamp, LogLevel::kError, "elbow", "39 N·m, more than 38", "a.yaml", "", 7});
      out.integer("/events", t, "level", 40);
      out.text("/events", t, "name", "elbow");
      out.text("/events", t, "msg", "39 N·m, more than 38");
      out.text("/events", t, "file", "a.yaml");
      out.text("/events", t, "function", "");
      out.integer("/events", t, "line", 7);
    }
  }
  return log.close().ok ? 0 : 1;
}

/// Prints the time of the last message about ten times a second.
int endless(const std::string& path) {
  McapWriter log(path);
  JointSignals signals;
  std::vector<StructChannel<JointSample>> channels;
  for (const char* topic : {"/j/elbow", "/j/wrist"}) {
    channels.push_back(log.add_channel(topic, joint_sample_schema()));
  }
  auto start = std::chrono::steady_clock::now();
  for (std::int64_t cycle = 0;; ++cycle) {
    int joint = 0;
    for (const auto& channel : channels) {
      log.write(channel, cycle * kPeriodNs, signals.at(cycle, joint++));
    }
    log.poll();
    if (cycle % 100 == 0) std::cout << cycle * kPeriodNs << std::endl;
    // A stop of the machine is not caught up: the log's time never outruns the clock's.
    const auto due = start + std::chrono::nanoseconds((cycle + 1) * kPeriodNs);
    const auto now = std::chrono::steady_clock::now();
    if (now > due) start += now - due;
    std::this_thread::sleep_until(due);
  }
}

int run(const std::vector<std::string>& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb == "samples") return samples(arguments.at(1), arguments.at(2), arguments.at(3));
  if (verb == "endless") return endless(arguments.at(1));
  if (verb == "recover") {
    std::cout << recover_mcap(arguments.at(1), arguments.at(2)).sentence() << "\n";
    return 0;
  }
  if (verb == "csv") {
    CsvOptions options;
    options.select.assign(arguments.begin() + 3, arguments.end());
    export_csv(arguments.at(1), options, arguments.at(2));
    return 0;
  }
  std::cerr << "record_tool: no verb '" << verb << "'\n";
  return 2;
}

}  // namespace
}  // namespace jointrig::harness

int main(int argc, char** argv) {
  try {
    return jointrig::harness::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
