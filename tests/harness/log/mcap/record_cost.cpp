// Measures what recording costs: CPU time of the writing thread per message and per cycle of seven
// joints, and the size of the file, for each compression. Prints a table.
//
//     record_cost [folder for the logs, default .] [cycles, default 100000]

#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/log/mcap/mcap_writer.h"
#include "tests/harness/log/mcap/joint_signals.h"

namespace jointrig::harness {
namespace {

constexpr int kJoints = 7;
constexpr std::int64_t kPrepared = 4096;  // cycles of samples, gone round
constexpr int kRepeats = 5;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Cost {
  double seconds = 1e9;
  double bytes = 0;
};

Cost run(const std::string& path, const McapOptions& options, std::int64_t cycles,
         const std::vector<JointSample>& samples) {
  Cost best;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    McapWriter log(path, options);
    std::vector<StructChannel<JointSample>> channels;
    const auto schema = joint_sample_schema();
    for (int j = 0; j < kJoints; ++j) {
      channels.push_back(log.add_channel("/j/joint" + std::to_string(j), schema));
    }
    const double start = cpu_seconds();
    for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
      const auto* row = &samples[static_cast<std::size_t>(cycle % kPrepared * kJoints)];
      for (const auto& channel : channels) log.write(channel, cycle * 1'000'000, *row++);
    }
    const McapStatus status = log.close();
    best.seconds = std::min(best.seconds, cpu_seconds() - start);
    if (!status.ok) {
      std::fprintf(stderr, "%s\n", status.message.c_str());
      std::exit(2);
    }
    best.bytes = static_cast<double>(std::filesystem::file_size(path));
    std::filesystem::remove(path);
  }
  return best;
}

void report(const std::string& folder, std::int64_t cycles) {
  JointSignals signals;
  std::vector<JointSample> samples;
  for (std::int64_t cycle = 0; cycle < kPrepared; ++cycle) {
    for (int j = 0; j < kJoints; ++j) samples.push_back(signals.at(cycle, j));
  }
  const double messages = static_cast<double>(cycles) * kJoints;
  const double raw =
      messages * static_cast<double>(mcap::kMessageOverhead + joint_sample_schema().encoded_size());
  std::printf("%-6s %-4s %8s %10s %10s %8s %8s\n", "", "crc", "chunk", "ns/message", "ns/cycle",
              "MB/s", "ratio");
  for (const auto compression : {Compression::kNone, Compression::kLz4, Compression::kZstd}) {
    for (const bool crc : {false, true}) {
      for (const std::size_t kib : {256, 1024, 4096}) {
        McapOptions options;
        options.compression = compression;
        options.chunk_crc = crc;
        options.chunk_bytes = kib * 1024;
        const Cost cost = run(folder + "/record_cost.mcap", options, cycles, samples);
        const std::string word(to_string(compression));
        std::printf("%-6s %-4s %7zuK %10.1f %10.0f %8.0f %8.2f\n",
                    word.empty() ? "none" : word.c_str(), crc ? "yes" : "no", kib,
                    cost.seconds / messages * 1e9, cost.seconds / static_cast<double>(cycles) * 1e9,
                    raw / cost.seconds * 1e-6, raw / cost.bytes);
      }
    }
  }
}

}  // namespace
}  // namespace jointrig::harness

int main(int argc, char** argv) {
  jointrig::harness::report(argc > 1 ? argv[1] : ".", argc > 2 ? std::atoll(argv[2]) : 100'000);
  return 0;
}
