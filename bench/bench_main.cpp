// jointrig_bench [--robot NAME=ROBOT]... [options of Google Benchmark]
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>
#include <sys/utsname.h>

#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench.h"

namespace jointrig::bench {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  }
  return "unknown CPU";
}

/// Notes that table.py writes below the table.
void describe_machine() {
  utsname system{};
  uname(&system);
  benchmark::AddCustomContext("cpu", cpu_model());
  benchmark::AddCustomContext("kernel", std::string{system.sysname} + " " + system.release);
  benchmark::AddCustomContext("mujoco", mj_versionString());
#ifdef __clang__
  benchmark::AddCustomContext("compiler", __VERSION__);
#else
  benchmark::AddCustomContext("compiler", "GCC " __VERSION__);
#endif
}

struct BenchRobot {
  std::string name;
  std::string robot;  ///< as `jointrig run` takes it: a name, a robot.yaml or an MJCF
};

/// Takes `--robot NAME=ROBOT` out of the arguments; empty where there is none.
std::vector<BenchRobot> take_robots(int& count, char** arguments) {
  std::vector<BenchRobot> robots;
  int kept = 1;
  for (int i = 1; i < count; ++i) {
    if (std::string_view{arguments[i]} != "--robot" || i + 1 == count) {
      arguments[kept++] = arguments[i];
      continue;
    }
    const std::string given = arguments[++i];
    const std::size_t equals = given.find('=');
    if (equals == std::string::npos) {
      throw std::runtime_error("--robot " + given +
                               ": expected NAME=ROBOT, a name, a robot.yaml or an MJCF");
    }
    robots.push_back({given.substr(0, equals), given.substr(equals + 1)});
  }
  count = kept;
  return robots;
}

void register_all(const std::shared_ptr<const Take>& take) {
  register_floor(take);
  register_cycle(take);
  register_simulation(take);
}

int run(int count, char** arguments) {
  std::vector<BenchRobot> robots = take_robots(count, arguments);
  const bool are_own = robots.empty();
  if (are_own) robots = {{"franka", "franka"}, {"icub_upper_body", "icub_upper_body"}};
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  describe_machine();
  for (const BenchRobot& robot : robots) {
    const auto take = record_take(robot.name, robot.robot);
    register_all(take);
    if (take->config.arms.empty()) continue;
    register_all(record_arm_take(robot.name + "_cartesian", robot.robot));
  }
  if (are_own) register_all(record_standing_take("icub_stands", "icub"));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace jointrig::bench

int main(int count, char** arguments) {
  try {
    return jointrig::bench::run(count, arguments);
  } catch (const std::exception& problem) {
    std::cerr << "jointrig_bench: " << problem.what() << '\n';
    return 2;
  }
}
