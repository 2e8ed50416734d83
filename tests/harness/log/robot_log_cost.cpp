// Measures what logging costs a cycle, in CPU time: with a thread of the log's own the loop's side
// (push) and the thread's, apart from each other; without one all of it in push. And the size of
// the file. Prints a table.
//
//     robot_log_cost [folder for the logs, default .] [cycles, default 60000]

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "harness/log/log_record.h"
#include "harness/log/log_writer.h"

namespace jointrig::harness {
namespace {

constexpr int kRepeats = 5;
constexpr std::uint64_t kBlock = 256;  // cycles

double cpu_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

RobotConfig robot(std::size_t joints) {
  RobotConfig config;
  config.name = "measured";
  for (std::size_t i = 0; i < joints; ++i) {
    config.joints.emplace_back();
    config.joints.back().name = "joint" + std::to_string(i);
  }
  return config;
}

/// A joint that moves smoothly in position mode on a board that takes torque.
JointSnapshot sample(double t, std::size_t joint) {
  const double w = 1.0 + 0.3 * static_cast<double>(joint);
  JointSnapshot j;
  j.reference = {std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t), 0.0, 0.0};
  j.state.q = std::round((j.reference.q + 1e-3 * std::sin(40.0 * t)) * 5e5) / 5e5;
  j.state.v = j.reference.v + 1e-3 * std::cos(40.0 * t);
  j.state.tau = 10.0 * std::sin(w * t + 0.3);
  j.state.current_A = j.state.tau / 3.8;
  j.state.temperature_C = 25.0 + 0.01 * t;
  j.state.supply_V = 48.0;
  j.state.status = BoardStatus::kEnabled;
  j.setpoint.drive = DriveMode::kTorque;
  j.setpoint.tau = j.state.tau + 1e-4 * std::sin(77.0 * t);
  j.stiffness = 100.0;
  j.damping = 5.0;
  j.mode = JointMode::kPosition;
  j.moving = true;
  return j;
}

/// A block of cycles, one after the other in memory.
std::vector<JointSnapshot> prepared(std::size_t joints) {
  std::vector<JointSnapshot> samples;
  for (std::uint64_t i = 0; i < kBlock; ++i) {
    for (std::size_t j = 0; j < joints; ++j) {
      samples.push_back(sample(static_cast<double>(i) * 1e-3, j));
    }
  }
  return samples;
}

struct Cost {
  double loop_ns = 1e9;
  double writer_ns = 1e9;
  double alone_ns = 1e9;
  double megabytes_per_minute = 0;
};

/// The state in which the stack leaves a cycle: all of it is still in the cache.
void fill(Snapshot& snapshot, RobotState& state, std::uint64_t cycle, const JointSnapshot* from) {
  snapshot.cycle = state.cycle = cycle;
  snapshot.time_ns = state.time_ns = static_cast<TimeNs>(cycle) * 1'000'000;
  for (std::size_t j = 0; j < snapshot.joints.size(); ++j) {
    snapshot.joints[j] = from[j];
    state.joints[j] = from[j].state;
  }
}

/// Runs `use` on each cycle of a block and gives the CPU time of this thread.
template <typename Use>
double time_block(Snapshot& snapshot, RobotState& state, std::uint64_t first,
                  const std::vector<JointSnapshot>& samples, Use use) {
  const double start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  for (std::uint64_t i = 0; i < kBlock; ++i) {
    fill(snapshot, state, first + i, &samples[i * snapshot.joints.size()]);
    use();
  }
  return cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

/// Blocks that fit the ring, with a rest between for the log's thread: no side waits for the other.
/// The filling is timed alone and taken off; the thread's time is that of the process less this
/// one's.
Cost measure_once(const std::string& path, std::size_t joints, std::uint64_t blocks,
                  const RobotLogOptions& options) {
  const std::vector<JointSnapshot> samples = prepared(joints);
  Snapshot snapshot;
  RobotState state;
  snapshot.joints.resize(joints);
  state.joints.resize(joints);
  EventRing events;
  CommandInbox inbox;
  double filling = 1e9;
  for (int i = 0; i < 20; ++i) {
    filling = std::min(filling, time_block(snapshot, state, 0, samples, [] {
                         asm volatile("" ::: "memory");
                       }));
  }
  double loop = 0;
  const double all_start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const double mine_start = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  RobotLog log(path, robot(joints), events, inbox, options);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    loop +=
        time_block(snapshot, state, block * kBlock, samples, [&] { log.push(snapshot, state); }) -
        filling;
    std::this_thread::sleep_for(std::chrono::milliseconds(6));
  }
  const double mine = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - mine_start;
  log.close();
  const double writer = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - all_start - mine;
  const auto cycles = static_cast<double>(blocks * kBlock);
  const auto bytes = static_cast<double>(std::filesystem::file_size(path));
  std::filesystem::remove(path);
  Cost cost;
  cost.megabytes_per_minute = bytes * 1e-6 / cycles * 60'000.0;
  if (options.own_thread) {
    cost.loop_ns = loop / cycles * 1e9;
    cost.writer_ns = writer / cycles * 1e9;
  } else {
    cost.alone_ns = loop / cycles * 1e9;
  }
  return cost;
}

Cost measure(const std::string& path, std::size_t joints, std::uint64_t blocks,
             Compression compression, bool crc) {
  RobotLogOptions options;
  options.ring_cycles = 4 * kBlock;
  options.file.compression = compression;
  options.file.chunk_crc = crc;
  Cost best;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (const bool own_thread : {true, false}) {
      options.own_thread = own_thread;
      const Cost cost = measure_once(path, joints, blocks, options);
      best.loop_ns = std::min(best.loop_ns, cost.loop_ns);
      best.writer_ns = std::min(best.writer_ns, cost.writer_ns);
      best.alone_ns = std::min(best.alone_ns, cost.alone_ns);
      best.megabytes_per_minute = cost.megabytes_per_minute;
    }
  }
  return best;
}

void report(const std::string& folder, std::uint64_t cycles) {
  std::printf("%6s %-5s %-4s %14s %16s %16s %14s\n", "joints", "", "crc", "loop ns/cycle",
              "thread ns/cycle", "alone ns/cycle", "MB/sim minute");
  for (const std::size_t joints : {7u, 41u}) {
    for (const auto compression : {Compression::kNone, Compression::kLz4, Compression::kZstd}) {
      for (const bool crc : {false, true}) {
        const Cost cost =
            measure(folder + "/robot_log_cost.mcap", joints,
                    std::max<std::uint64_t>(1, cycles * 7 / joints / kBlock), compression, crc);
        const std::string word(to_string(compression));
        std::printf("%6zu %-5s %-4s %14.0f %16.0f %16.0f %14.1f\n", joints,
                    word.empty() ? "none" : word.c_str(), crc ? "yes" : "no", cost.loop_ns,
                    cost.writer_ns, cost.alone_ns, cost.megabytes_per_minute);
      }
    }
  }
}

}  // namespace
}  // namespace jointrig::harness

int main(int argc, char** argv) {
  jointrig::harness::report(argc > 1 ? argv[1] : ".",
                            argc > 2 ? static_cast<std::uint64_t>(std::atoll(argv[2])) : 60'000);
  return 0;
}
