// ik_bench [--poses N] [--write FOLDER] [NAME=ROBOT:ARM]...
//
// ARM is an arm of the robot's file, or a site or body: then all joints that the robot has move it.
//
// Inverse kinematics of an arm's tool to reachable poses: those of N joint positions (10,000 unless
// said), each uniform within the joint's soft limits, from a fixed seed. Each search begins at the
// pose in which the robot starts, as a user's would; none knows the joint positions that made its
// goal.
//
// Prints JSON: the share that was solved, and the times of single calls in µs. --write puts limits,
// start and poses into FOLDER/NAME.json, for bench/peers; rotations column by column.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "app/rig/robot_loading.h"
#include "bench/bench_arm.h"
#include "control/planning/arm_tasks.h"
#include "harness/config/robot_file.h"

namespace jointrig::bench {
namespace {

struct Case {
  std::vector<double> q;  ///< of the arm's joints
  Placement goal;
};

/// Positions uniform within the ranges, and where the tool is there.
std::vector<Case> cases_of(const KinematicTree& tree, const IkTask& task, const ArmConfig& arm,
                           const std::vector<JointRange>& ranges, std::vector<double> q,
                           int count) {
  FrameKinematics kinematics(tree, {task.frames}, arm.joints);
  std::mt19937_64 random(1);
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) {
    Case one;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      const double share = static_cast<double>(random() >> 11U) * 0x1.0p-53;
      one.q.push_back(ranges[k].low + share * (ranges[k].high - ranges[k].low));
      q[arm.joints[k]] = one.q.back();
    }
    kinematics.update(q);
    one.goal = kinematics.pose(0);
    cases.push_back(one);
  }
  return cases;
}

double at(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

std::string list(std::span<const double> numbers) {
  std::string text = "[";
  for (const double number : numbers) {
    text += fmt::format("{}{:.17g}", text.size() > 1 ? "," : "", number);
  }
  return text + "]";
}

/// The same cases with their goals in the world.
std::vector<Case> in_world(const KinematicTree& tree, const ArmConfig& arm, std::vector<double> q,
                           std::vector<Case> cases) {
  const IkTask task = tool_task(tree, arm, ToolFrame::kWorld);
  FrameKinematics kinematics(tree, {task.frames}, {});
  for (Case& one : cases) {
    for (std::size_t k = 0; k < one.q.size(); ++k) q[arm.joints[k]] = one.q[k];
    kinematics.update(q);
    one.goal = kinematics.pose(0);
  }
  return cases;
}

void write(const std::string& path, const RobotConfig& robot, const ArmConfig& arm,
           const std::vector<JointRange>& ranges, const std::vector<Case>& cases) {
  std::ofstream out(path);
  std::string names;
  std::vector<double> low;
  std::vector<double> high;
  std::vector<double> start;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const JointConfig& joint = robot.joints[arm.joints[k]];
    names += fmt::format("{}\"{}\"", k > 0 ? "," : "", joint.name);
    low.push_back(ranges[k].low);
    high.push_back(ranges[k].high);
    start.push_back(joint.q_start);
  }
  out << fmt::format(
      "{{\"model\": \"{}\",\n\"tool\": \"{}\",\n\"joints\": [{}],\n\"low\": {},\n"
      "\"high\": {},\n\"start\": {},\n\"poses\": [\n",
      std::filesystem::absolute(robot.model_path).string(), arm.tool, names, list(low), list(high),
      list(start));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    out << fmt::format("{}{{\"q\": {}, \"position\": {}, \"rotation\": {}}}", i > 0 ? ",\n" : "",
                       list(cases[i].q), list(std::span(cases[i].goal.position.data(), 3)),
                       list(std::span(cases[i].goal.rotation.data(), 9)));
  }
  out << "\n]}\n";
}

std::string measure(const NamedArm& which, int count, const std::string& folder) {
  const harness::RobotSource source = harness::find_robot(which.file);
  const RobotConfig robot = app::load_robot(source).config;
  const KinematicTree tree(robot);
  const ArmConfig arm = arm_of(robot, which.arm);
  const IkTask task = tool_task(tree, arm);
  const std::vector<JointRange> ranges = soft_ranges(robot, arm.joints);
  const std::vector<double> start = start_positions(robot);
  const std::vector<Case> cases = cases_of(tree, task, arm, ranges, start, count);
  if (!folder.empty()) {
    write(folder + "/" + which.name + ".json", robot, arm, ranges,
          in_world(tree, arm, start, cases));
  }

  InverseKinematics ik(tree, {task}, arm.joints, ranges);
  std::vector<double> times;
  int solved = 0;
  double steps = 0.0;
  double starts = 0.0;
  for (const Case& one : cases) {
    const auto before = std::chrono::steady_clock::now();
    const IkResult& result = ik.solve(std::span(&one.goal, 1), start);
    const auto after = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(after - before).count());
    if (result.outcome == IkOutcome::kSolved) ++solved;
    steps += result.steps;
    starts += result.starts;
  }
  std::sort(times.begin(), times.end());
  const double share = 100.0 / static_cast<double>(cases.size());
  return fmt::format(
      R"("{}": {{"joints": {}, "poses": {}, "solved_percent": {:.2f}, "p50": {:.2f}, "p90": {:.2f}, )"
      R"("p99": {:.2f}, "max": {:.1f}, "steps": {:.1f}, "starts": {:.2f}}})",
      which.name, arm.joints.size(), cases.size(), share * solved, at(times, 0.5), at(times, 0.9),
      at(times, 0.99), times.back(), 0.01 * share * steps, 0.01 * share * starts);
}

}  // namespace
}  // namespace jointrig::bench

int main(int argc, char** argv) {
  using jointrig::bench::NamedArm;
  int count = 10'000;
  std::string folder;
  std::vector<NamedArm> robots;
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "--poses" && i + 1 < argc) {
        count = std::stoi(argv[++i]);
        continue;
      }
      if (word == "--write" && i + 1 < argc) {
        folder = argv[++i];
        continue;
      }
      const auto arm = jointrig::bench::named_arm(word);
      if (!arm) {
        std::cerr << "usage: ik_bench [--poses N] [--write FOLDER] [NAME=ROBOT:ARM]...\n";
        return 2;
      }
      robots.push_back(*arm);
    }
    if (robots.empty()) {
      robots = {{"franka", "franka", "arm"},
                {"sawyer", "sawyer", "right"},
                {"icub_left", "icub_upper_body", "left"}};
      if (const auto ur5e = jointrig::bench::published_ur5e()) robots.push_back(*ur5e);
    }
    std::cout << "{";
    for (std::size_t i = 0; i < robots.size(); ++i) {
      std::cout << (i > 0 ? ",\n " : "") << jointrig::bench::measure(robots[i], count, folder);
    }
    std::cout << "}\n";
  } catch (const std::exception& error) {
    std::cerr << "ik_bench: " << error.what() << "\n";
    return 1;
  }
}
