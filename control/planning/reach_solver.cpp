#include "control/planning/reach_solver.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "control/laws/tool_error.h"
#include "control/planning/arm_tasks.h"

namespace jointrig {
namespace {

/// A choice: several solutions to take the nearest of.
constexpr int kCandidates = 10;
/// Error of a quaternion's length: a choice, room for numbers written with three digits.
constexpr double kNearUnit = 1e-3;

double length_of(const std::array<double, 4>& q) noexcept {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

Eigen::Vector3d vector_of(const std::array<double, 3>& numbers) noexcept {
  return {numbers[0], numbers[1], numbers[2]};
}

/// Joints of the arms, and those beside them.
JointSet moved_joints(const AskedReach& asked, const RobotConfig& robot) {
  JointSet moved = asked.with;
  for (const AskedPose& tool : asked.tools) {
    for (const JointIndex joint : robot.arms[tool.arm].joints) moved.set(joint);
  }
  return moved;
}

/// @param now  pose of the tool
Placement goal_of(const AskedPose& asked, const Placement& now) noexcept {
  Placement goal = now;
  if (asked.position) goal.position = vector_of(*asked.position);
  if (asked.by) goal.position += vector_of(*asked.by);
  if (asked.orientation) {
    goal.rotation = placement_of(ToolPose{{}, *asked.orientation}).rotation;
    if (!is_orientation(*asked.orientation)) {
      goal.rotation.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
  if (asked.turn) goal.rotation = rotation_of(vector_of(*asked.turn)) * now.rotation;
  return goal;
}

template <std::size_t kSize>
void check_numbers(const std::optional<std::array<double, kSize>>& numbers, const char* what,
                   const std::string& arm) {
  if (!numbers) return;
  for (const double number : *numbers) {
    if (std::isfinite(number)) continue;
    throw std::invalid_argument(
        fmt::format("reach: {} of arm {} has {}: give finite numbers", what, arm, number));
  }
}

void check_pose(const AskedPose& asked, const std::string& arm) {
  if (asked.frame == ToolFrame::kTool) {
    throw std::invalid_argument(
        fmt::format("reach: frame of arm {} is tool: give base or world", arm));
  }
  if (asked.position.has_value() == asked.by.has_value()) {
    throw std::invalid_argument(fmt::format("reach: arm {} has {}: give position or by", arm,
                                            asked.by ? "position and by" : "no place"));
  }
  if (asked.orientation && asked.turn) {
    throw std::invalid_argument(
        fmt::format("reach: arm {} has orientation and turn: give one of them", arm));
  }
  if (asked.free_rotation != FreeRotation::kNone && !asked.holds_rotation()) {
    throw std::invalid_argument(
        fmt::format("reach: free_rotation of arm {} goes with orientation or turn: without them "
                    "the tool turns as it likes",
                    arm));
  }
  check_numbers(asked.position, "position", arm);
  check_numbers(asked.by, "by", arm);
  check_numbers(asked.orientation, "orientation", arm);
  check_numbers(asked.turn, "turn", arm);
  if (asked.orientation && !is_orientation(*asked.orientation)) {
    throw std::invalid_argument(
        fmt::format("reach: orientation of arm {} has a length of {:.4g}: give a quaternion w x y "
                    "z of length 1",
                    arm, length_of(*asked.orientation)));
  }
}

}  // namespace

bool is_orientation(const std::array<double, 4>& quaternion) noexcept {
  return std::abs(length_of(quaternion) - 1.0) <= kNearUnit;
}

void check_reach(const AskedReach& asked, const RobotConfig& robot) {
  if (asked.tools.empty()) {
    throw std::invalid_argument("reach: no arm is named: give at least one with its pose");
  }
  for (std::size_t i = 0; i < asked.tools.size(); ++i) {
    const AskedPose& tool = asked.tools[i];
    const std::string& arm = robot.arms.at(tool.arm).name;
    for (std::size_t k = 0; k < i; ++k) {
      if (asked.tools[k].arm != tool.arm) continue;
      throw std::invalid_argument(
          fmt::format("reach: arm {} is named twice: give one pose for its tool", arm));
    }
    check_pose(tool, arm);
  }
  const JointSet moved = moved_joints(asked, robot);
  for (const AskedReach::Posture& near : asked.posture) {
    const std::string& joint = robot.joints.at(near.joint).name;
    if (!moved.test(near.joint)) {
      throw std::invalid_argument(
          fmt::format("reach: posture names {}, which isn't moved here: the arms have no such "
                      "joint, and it isn't named beside them",
                      joint));
    }
    if (std::isfinite(near.q)) continue;
    throw std::invalid_argument(
        fmt::format("reach: posture of {} is {}: give a finite number", joint, near.q));
  }
}

ReachSolver::ReachSolver(const RobotConfig& robot, const KinematicTree& tree,
                         const AskedReach& asked)
    : floats_(tree.floats()) {
  std::vector<IkTask> tasks;
  std::vector<FramePair> pairs;
  for (const AskedPose& tool : asked.tools) {
    arms_.push_back(tool.arm);
    IkTask& task = tasks.emplace_back(tool_task(tree, robot.arms[tool.arm], tool.frame));
    task.free = tool.holds_rotation() ? tool.free_rotation : FreeRotation::kAll;
    pairs.push_back(task.frames);
  }
  const JointSet moved = moved_joints(asked, robot);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (moved.test(i)) joints_.push_back(static_cast<JointIndex>(i));
  }
  IkOptions options;
  options.candidates = kCandidates;
  options.leads_to_posture = true;
  solver_.emplace(tree, tasks, joints_, soft_ranges(robot, joints_), options);
  kinematics_.emplace(tree, pairs, std::vector<JointIndex>{});
  q_.resize(robot.joints.size());
  near_to_.resize(joints_.size());
  goals_.resize(arms_.size());
}

// Takes where the robot is.
void ReachSolver::look(const Snapshot& now) noexcept {
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = now.joints[i].state.q;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const Placement offset = placement_of(now.arms[arms_[i]].offset);
    solver_->set_offset(i, offset);
    kinematics_->set_offset(i, offset);
  }
  if (floats_) {
    const Placement there = placement_of(ToolPose{now.base.position, now.base.orientation});
    solver_->set_base(there);
    kinematics_->set_base(there);
  }
  kinematics_->update(q_);
}

const IkResult& ReachSolver::solve(const AskedReach& asked, const Snapshot& now) noexcept {
  look(now);
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    goals_[i] = goal_of(asked.tools[i], kinematics_->pose(i));
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) near_to_[k] = q_[joints_[k]];
  for (const AskedReach::Posture& near : asked.posture) {
    const auto found = std::find(joints_.begin(), joints_.end(), near.joint);
    near_to_[static_cast<std::size_t>(found - joints_.begin())] = near.q;
  }
  result_ = &solver_->solve(goals_, q_, near_to_);
  return *result_;
}

double ReachSolver::distance(const Snapshot& now) noexcept {
  look(now);
  double furthest = 0.0;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    furthest = std::max(furthest, (kinematics_->pose(i).position - goals_[i].position).norm());
  }
  return furthest;
}

}  // namespace jointrig
