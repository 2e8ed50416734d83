// target_bench [NAME=ROBOT:PART]...
//
// The reference stage of joints that go to targets (control/motion/online_motion.h): planning one
// for one joint, and per cycle for 7 and 41 joints
//
//     step      the references move on, no new target
//     replaced  each joint gets a new target in each cycle, alone
//     moves     the same without targets: moves on minimum-jerk paths move on
//
// and of whole robots the time that Loop::step needs more, on the kinematic backend, when a command
// replaces the targets of all joints of a part in each cycle, synchronised.
//
// Prints JSON, in ns; medians of 200 rounds.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "app/rig/robot_loading.h"
#include "control/exchange/robot_client.h"
#include "control/motion/reference_generator.h"
#include "harness/config/robot_file.h"

namespace jointrig::bench {
namespace {

constexpr double kDt = 1e-3;
constexpr int kRounds = 200;
constexpr int kCycles = 100;
constexpr JointLimits kLimits{
    .q_min = -2.9, .q_max = 2.9, .soft_margin = 0.02, .v_max = 2.0, .a_max = 10.0};

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

/// Median time of a cycle [ns].
double cycle_time(const std::function<void(int)>& cycle) {
  std::vector<double> times;
  int number = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kCycles; ++i) cycle(number++);
    const auto end = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::nano>(end - begin).count() / kCycles);
  }
  return median(std::move(times));
}

OnlineWish wish_of(int i, std::size_t joint) {
  const double goal = 2.0 * std::sin(0.7 * i + 1.3 * static_cast<double>(joint));
  return {.target = {.q = goal}, .bounds = {1.0, 10.0, 200.0}, .patience = 0.2, .group = 0};
}

double planning() {
  JerkProfile profile;
  return cycle_time([&](int i) {
    const MotionState start{.q = std::sin(1.1 * i), .v = std::cos(0.9 * i), .a = std::sin(3.0 * i)};
    profile.plan(start, wish_of(i, 0).target, {1.0, 10.0, 200.0});
  });
}

enum class Load { kStep, kReplaced, kMoves };

double stage(std::size_t joints, Load load) {
  std::vector<ReferenceGenerator> all(joints);
  for (ReferenceGenerator& one : all) one.start(0.0, 0.0);
  return cycle_time([&](int i) {
    for (std::size_t k = 0; k < joints; ++k) {
      JerkProfile profile;
      const bool is_new = load == Load::kReplaced || (load == Load::kStep && i % 500 == 0);
      const OnlineWish wish = wish_of(i, k);
      if (is_new && all[k].draft(wish, kLimits, 0.0, profile).is_kept()) {
        all[k].go_to_target(wish, kLimits, profile);
      }
      if (load == Load::kMoves && i % 500 == 0) all[k].move(wish.target.q, 1.0, kLimits);
      all[k].advance(kDt, kLimits);
    }
  });
}

struct Robot {
  std::string name, file, part;
};

/// Time of a step without and with a command for all joints of the part in each cycle.
std::pair<double, double> robot_times(const Robot& robot) {
  app::RigOptions options;
  options.backend = BackendKind::kKinematic;
  app::Rig rig(app::load_robot(harness::find_robot(robot.file)).config, options);
  rig.start();
  RobotClient client(rig.stack().config(), rig.stack().inbox(), "bench");
  rig.loop().step();
  const JointSet part = client.select(robot.part);
  client.set_mode(client.select("all"), ModeRequest::kPosition);
  for (int i = 0; i < 300; ++i) rig.loop().step();
  std::vector<double> home;
  for (std::size_t i = 0; i < rig.stack().config().joints.size(); ++i) {
    if (part.test(i)) home.push_back(rig.stack().snapshot().joints[i].reference.q);
  }
  const double without = cycle_time([&](int) { rig.loop().step(); });
  const double with = cycle_time([&](int cycle) {
    SetJointTarget command;
    command.joints = part;
    for (std::size_t k = 0; k < home.size(); ++k) {
      const double way = 0.02 * std::sin(0.01 * cycle + static_cast<double>(k));
      command.values.push_back({.q = home[k] + way});
    }
    client.post(command);
    rig.loop().step();
  });
  return {without, with};
}

Robot robot_from(const std::string& text) {
  const std::size_t equal = text.find('=');
  const std::size_t colon = text.rfind(':');
  if (equal == std::string::npos || colon == std::string::npos || colon < equal) {
    throw std::invalid_argument("\"" + text + "\" is no NAME=ROBOT:PART");
  }
  return {text.substr(0, equal), text.substr(equal + 1, colon - equal - 1), text.substr(colon + 1)};
}

int run(const std::vector<std::string>& args) {
  std::vector<Robot> robots;
  for (const std::string& arg : args) robots.push_back(robot_from(arg));
  if (robots.empty()) robots = {{"franka", "franka", "arm"}, {"icub", "icub_upper_body", "all"}};
  fmt::print("{{\n  \"plan_of_one_joint_ns\": {:.0f}", planning());
  for (const std::size_t joints : {std::size_t{7}, std::size_t{41}}) {
    fmt::print(
        ",\n  \"{} joints\": {{\"step_ns\": {:.0f}, \"replaced_ns\": {:.0f}, \"moves_ns\": "
        "{:.0f}}}",
        joints, stage(joints, Load::kStep), stage(joints, Load::kReplaced),
        stage(joints, Load::kMoves));
  }
  for (const Robot& robot : robots) {
    const auto [without, with] = robot_times(robot);
    fmt::print(",\n  \"{}\": {{\"cycle_ns\": {:.0f}, \"cycle_with_targets_ns\": {:.0f}}}",
               robot.name, without, with);
  }
  fmt::print("\n}}\n");
  return 0;
}

}  // namespace
}  // namespace jointrig::bench

int main(int argc, char** argv) {
  try {
    return jointrig::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
