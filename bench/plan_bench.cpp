// plan_bench [--rounds N] [NAME=ROBOT:ARM]...
//
// Planning of an arm's motions before they start: through 5, 50 and 500 waypoints, in joint space
// and along a path of its tool, each with the check for collisions of the whole path.
//
//     joints  each waypoint uniform within ±0.6 rad of the pose in which the robot starts
//     tool    each waypoint uniform within ±(10, 20, 10) cm and ±0.2 rad about each axis of where
//             the tool is then; corners of 2 cm, so that it stops at none
//
// Waypoints come from a fixed seed; one whose way is refused is drawn again. The 500 are the 50 ten
// times around. ARM as in ik_bench.
//
// Prints a table in Markdown: medians of N plans (9 unless said), one thread.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "app/rig/robot_loading.h"
#include "bench/bench_arm.h"
#include "control/laws/tool_error.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/path_collision.h"
#include "control/planning/tool_trajectory.h"
#include "harness/config/robot_file.h"

namespace jointrig::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kJointWay = 0.6;  // [rad]
constexpr double kTurn = 0.2;      // [rad]
constexpr double kCorner = 0.02;   // [m]
const Eigen::Vector3d kBox{0.1, 0.2, 0.1};
constexpr int kMostDraws = 5000;
/// Where robosuite starts its UR5e: bent, so that the tool can go anywhere.
constexpr double kUr5eStart[] = {-0.470, -1.735, 2.480, -2.275, -1.590, -1.991};

struct Random {
  std::mt19937_64 bits{1};
  /// Uniform in [-most, most).
  double within(double most) {
    return most * (2.0 * static_cast<double>(bits() >> 11U) * 0x1.0p-53 - 1.0);
  }
};

/// So many waypoints: those that were drawn, once and again.
template <typename Waypoint>
std::vector<Waypoint> around(const std::vector<Waypoint>& drawn, std::size_t count) {
  std::vector<Waypoint> taken;
  for (std::size_t i = 0; i < count; ++i) taken.push_back(drawn[i % drawn.size()]);
  return taken;
}

/// The plan that is made again and again: waypoints that can be drawn anew, and the plan through as
/// many as were taken of them.
struct Task {
  std::function<void(std::size_t waypoint)> draw;
  std::function<void(std::size_t count)> take;
  std::function<JointPlan()> plan;
};

struct Times {
  double duration = 0.0;  ///< of the motion [s]
  double path = 0.0;      ///< to plan it [s]
  double check = 0.0;     ///< for collisions [s]
  std::size_t poses = 0;  ///< that the check looked at
};

class Bench {
 public:
  Bench(const NamedArm& which, int rounds);
  void print_rows();

 private:
  [[nodiscard]] Task through_joints(std::size_t count);
  [[nodiscard]] Task along_tool(std::size_t count);
  Times measure(const Task& task, std::size_t count);
  void make_free(const Task& task, std::size_t count);

  std::string name_;
  int rounds_;
  RobotConfig robot_;
  ArmConfig arm_;
  KinematicTree tree_;
  PathCollision collision_;
  std::vector<double> start_;
  RobotState state_;
  TrajectoryJoints joints_;
  ToolTrajectory tool_;
  Random random_;
};

RobotConfig loaded(const NamedArm& which) {
  const auto adjust = [&](RobotConfig& robot) {
    for (std::size_t i = 0; which.name == "ur5e" && i < std::size(kUr5eStart); ++i) {
      if (i < robot.joints.size()) robot.joints[i].q_start = kUr5eStart[i];
    }
  };
  return app::load_robot(harness::find_robot(which.file), adjust).config;
}

std::vector<JointIndex> rising(std::vector<JointIndex> joints) {
  std::sort(joints.begin(), joints.end());
  return joints;
}

JointSet set_of(const std::vector<JointIndex>& joints) {
  JointSet set;
  for (const JointIndex joint : joints) set.set(joint);
  return set;
}

Bench::Bench(const NamedArm& which, int rounds)
    : name_(which.name),
      rounds_(rounds),
      robot_(loaded(which)),
      arm_(arm_of(robot_, which.arm)),
      tree_(robot_),
      collision_(robot_),
      start_(start_positions(robot_)),
      joints_(TrajectoryJoints::of(robot_, set_of(arm_.joints))),
      tool_(robot_, tree_, tool_task(tree_, arm_).frames, rising(arm_.joints)) {
  state_.joints.resize(start_.size());
  for (std::size_t i = 0; i < start_.size(); ++i) state_.joints[i].q = start_[i];
}

Task Bench::through_joints(std::size_t count) {
  struct Path {
    TrajectoryStart start;
    std::vector<JointWaypoint> drawn, taken;
  };
  const auto path = std::make_shared<Path>();
  path->drawn.resize(count);
  for (const JointIndex joint : joints_.index) path->start.q.push_back(start_[joint]);
  const auto draw = [this, path](std::size_t k) {
    path->drawn[k].q = path->start.q;
    for (std::size_t j = 0; j < joints_.index.size(); ++j) {
      const JointLimits& limits = joints_.limits[j];
      double& q = path->drawn[k].q[j];
      q = std::clamp(q + random_.within(kJointWay), limits.q_min + 2.0 * limits.soft_margin,
                     limits.q_max - 2.0 * limits.soft_margin);
    }
  };
  const auto take = [path](std::size_t n) { path->taken = around(path->drawn, n); };
  return {draw, take, [this, path] { return plan_through(joints_, path->start, path->taken); }};
}

Task Bench::along_tool(std::size_t count) {
  struct Path {
    std::vector<ToolWaypoint> drawn, taken;
  };
  const auto path = std::make_shared<Path>();
  path->drawn.resize(count);
  const ToolLimits most = ToolLimits::of(arm_);
  const Placement home = tool_.tool(start_);
  const auto draw = [this, path, most, home](std::size_t k) {
    ToolWaypoint& to = path->drawn[k];
    to.limits = most;
    to.corner_distance = kCorner;
    to.pose = home;
    Eigen::Vector3d turn;
    for (int axis = 0; axis < 3; ++axis) {
      to.pose.position[axis] += random_.within(kBox[axis]);
      turn[axis] = random_.within(kTurn);
    }
    to.pose.rotation = rotation_of(turn) * home.rotation;
  };
  const auto take = [path](std::size_t n) { path->taken = around(path->drawn, n); };
  return {draw, take, [this, path, most] { return tool_.plan(start_, path->taken, most); }};
}

/// Draws waypoints anew until the path through them, and on to the first one, is free.
void Bench::make_free(const Task& task, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) task.draw(k);
  for (int i = 0; i < kMostDraws; ++i) {
    task.take(count + 1);
    const JointPlan plan = collision_.checked(task.plan(), state_);
    if (!plan.failure()) return;
    const std::size_t waypoint = std::max<std::size_t>(plan.failure().waypoint, 1) - 1;
    task.draw(waypoint % count);
    // The way before leads through its own waypoint, too.
    if (i % 4 == 3 && waypoint > 0) task.draw(waypoint - 1);
  }
  throw std::runtime_error(name_ + ": no free path was found");
}

Times Bench::measure(const Task& task, std::size_t count) {
  task.take(count);
  Times times;
  std::vector<double> paths;
  std::vector<double> checks;
  for (int i = 0; i < rounds_; ++i) {
    const auto begin = Clock::now();
    const JointPlan plan = task.plan();
    const auto planned = Clock::now();
    const bool is_free = !collision_.first_on(plan, state_);
    const auto end = Clock::now();
    if (!is_free) throw std::logic_error("a free path is no longer free");
    paths.push_back(std::chrono::duration<double>(planned - begin).count());
    checks.push_back(std::chrono::duration<double>(end - planned).count());
    times.duration = plan.duration();
    times.poses = collision_.poses();
  }
  times.path = median(std::move(paths));
  times.check = median(std::move(checks));
  return times;
}

void Bench::print_rows() {
  for (const bool is_tool : {false, true}) {
    for (const std::size_t drawn : {5U, 50U}) {
      const Task task = is_tool ? along_tool(drawn) : through_joints(drawn);
      make_free(task, drawn);
      for (std::size_t count = drawn; count != 0; count = count == 50 ? 500 : 0) {
        const Times times = measure(task, count);
        fmt::print("| {}, {} | {} | {:.1f} s | {:.2f} ms | {:.2f} ms | {} | {:.2f} % |\n", name_,
                   is_tool ? "tool" : "joints", count, times.duration, 1e3 * times.path,
                   1e3 * times.check, times.poses,
                   100.0 * (times.path + times.check) / times.duration);
        std::cout.flush();
      }
    }
  }
}

int run(const std::vector<std::string>& words) {
  int rounds = 9;
  std::vector<NamedArm> arms;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--rounds" && i + 1 < words.size()) {
      rounds = std::max(1, std::stoi(words[++i]));
    } else if (const auto arm = named_arm(words[i])) {
      arms.push_back(*arm);
    } else {
      fmt::print(stderr, "usage: plan_bench [--rounds N] [NAME=ROBOT:ARM]...\n");
      return 2;
    }
  }
  if (arms.empty()) {
    arms = {{"franka", "franka", "arm"}, {"sawyer", "sawyer", "right"}};
    if (const auto ur5e = published_ur5e()) arms.push_back(*ur5e);
  }
  fmt::print(
      "| arm, path | waypoints | motion | plan | check | poses looked at | of the motion |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const NamedArm& arm : arms) Bench(arm, rounds).print_rows();
  return 0;
}

}  // namespace
}  // namespace jointrig::bench

int main(int argc, char** argv) {
  try {
    return jointrig::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "plan_bench: {}\n", error.what());
    return 1;
  }
}
