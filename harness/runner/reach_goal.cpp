#include "harness/runner/reach_goal.h"

#include <algorithm>
#include <cmath>

#include "control/core/text.h"
#include "control/laws/tool_error.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/measure.h"
#include "harness/runner/move_run.h"

namespace jointrig::harness {
namespace {

/// A choice: several solutions to take the nearest of.
constexpr int kCandidates = 10;
/// Error of a quaternion's length: a choice, room for numbers written with three digits.
constexpr double kNearUnit = 1e-3;

bool is_unit(const std::vector<BoundValue>& quaternion) {
  double sum = 0.0;
  for (const BoundValue& part : quaternion) sum += part.value() * part.value();
  return std::abs(std::sqrt(sum) - 1.0) <= kNearUnit;
}

/// Errors that can be told before the run.
void check_quaternion(const std::vector<Text>& written, const std::vector<BoundValue>& numbers) {
  const bool is_fixed = std::all_of(numbers.begin(), numbers.end(),
                                    [](const BoundValue& number) { return number.is_fixed(); });
  if (numbers.size() != 4 || !is_fixed || is_unit(numbers)) return;
  throw FileError(written.front().spot, "an orientation is a quaternion of length 1");
}

IkTask task_of(const ReachTarget& target, const ArmConfig& arm, const Binder& binder) {
  try {
    IkTask task = tool_task(binder.tree(), arm, target.frame);
    const bool is_free = target.tool.orientation.empty() && target.tool.turn.empty();
    task.free = is_free ? FreeRotation::kAll : target.free_rotation;
    return task;
  } catch (const FileError&) {
    throw;
  } catch (const std::runtime_error& error) {  // the model
    throw FileError(target.tool.arm.spot, error.what());
  }
}

std::vector<JointIndex> list_of(const JointSet& joints) {
  std::vector<JointIndex> list;
  for (std::size_t i = 0; i < kMaxJoints; ++i) {
    if (joints.test(i)) list.push_back(static_cast<JointIndex>(i));
  }
  return list;
}

}  // namespace

BoundReach::BoundReach(const ReachGoal& goal, const Binder& binder) {
  const RobotConfig& config = binder.config();
  JointSet moved = binder.joints(goal.with);
  std::vector<IkTask> tasks;
  std::vector<FramePair> pairs;
  for (const ReachTarget& target : goal.tools) {
    const ArmIndex index = arm_named(target.tool.arm, config);
    const ArmConfig& arm = config.arms[index];
    moved |= joints_of(arm);
    tasks.push_back(task_of(target, arm, binder));
    pairs.push_back(tasks.back().frames);
    Tool tool{
        index, arm.name, {}, {}, target.tool.position.empty(), target.tool.orientation.empty()};
    for (const Text& text : tool.is_by ? target.tool.by : target.tool.position) {
      tool.position.push_back(binder.value(text, 0, "m"));
    }
    for (const Text& text : tool.is_turn ? target.tool.turn : target.tool.orientation) {
      tool.orientation.push_back(binder.value(text, 0, tool.is_turn ? "rad" : "1"));
    }
    check_quaternion(target.tool.orientation, tool.orientation);
    tools_.push_back(std::move(tool));
  }
  joints_ = list_of(moved);
  posture_ = binder.targets(goal.posture, kPositionUnits);
  for (std::size_t i = 0; i < posture_.size(); ++i) {
    if (moved.test(posture_[i].joint)) continue;
    throw FileError(
        goal.posture.front().name.spot,
        config.joints[posture_[i].joint].name +
            " isn't moved here: the arm has no such joint, and \"with\" doesn't name it");
  }
  floats_ = binder.tree().floats();
  IkOptions options;
  options.candidates = kCandidates;
  options.leads_to_posture = true;
  solver_.emplace(binder.tree(), tasks, joints_, soft_ranges(config, joints_), options);
  kinematics_.emplace(binder.tree(), pairs, std::vector<JointIndex>{});
  q_.resize(config.joints.size());
  near_to_.resize(joints_.size());
  goals_.resize(tools_.size());
}

// Takes where the robot is.
void BoundReach::look(const StepScene& scene) noexcept {
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = scene.snapshot->joints[i].state.q;
  for (std::size_t i = 0; i < tools_.size(); ++i) {
    const Placement offset = placement_of(scene.snapshot->arms[tools_[i].arm].offset);
    solver_->set_offset(i, offset);
    kinematics_->set_offset(i, offset);
  }
  if (floats_) {
    const BaseState& base = scene.snapshot->base;
    const Placement there = placement_of(ToolPose{base.position, base.orientation});
    solver_->set_base(there);
    kinematics_->set_base(there);
  }
  kinematics_->update(q_);
}

Placement BoundReach::goal_of(const Tool& tool, const Placement& now) const noexcept {
  const auto number = [](const std::vector<BoundValue>& list, std::size_t i) {
    return list[i].value();
  };
  Placement goal = now;
  Eigen::Vector3d position;
  for (std::size_t i = 0; i < 3; ++i) {
    position[static_cast<Eigen::Index>(i)] = number(tool.position, i);
  }
  goal.position = tool.is_by ? Eigen::Vector3d(now.position + position) : position;
  if (tool.orientation.size() == 4) {
    goal.rotation =
        placement_of(ToolPose{{},
                              {number(tool.orientation, 0), number(tool.orientation, 1),
                               number(tool.orientation, 2), number(tool.orientation, 3)}})
            .rotation;
    if (!is_unit(tool.orientation)) goal.rotation.setConstant(std::nan(""));
  } else if (tool.orientation.size() == 3) {
    const Eigen::Vector3d turn(number(tool.orientation, 0), number(tool.orientation, 1),
                               number(tool.orientation, 2));
    goal.rotation = rotation_of(turn) * now.rotation;
  }
  return goal;
}

const IkResult& BoundReach::solve(const StepScene& scene) noexcept {
  look(scene);
  for (std::size_t i = 0; i < tools_.size(); ++i) {
    goals_[i] = goal_of(tools_[i], kinematics_->pose(i));
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) near_to_[k] = q_[joints_[k]];
  for (const BoundTarget& target : posture_) {
    const auto found = std::find(joints_.begin(), joints_.end(), target.joint);
    near_to_[static_cast<std::size_t>(found - joints_.begin())] = target.value.value();
  }
  result_ = &solver_->solve(goals_, q_, near_to_);
  return *result_;
}

double BoundReach::distance(const StepScene& scene) noexcept {
  look(scene);
  double furthest = 0.0;
  for (std::size_t i = 0; i < tools_.size(); ++i) {
    const double off = (kinematics_->pose(i).position - goals_[i].position).norm();
    furthest = std::max(furthest, off);
  }
  return furthest;
}

std::string BoundReach::tools() const {
  return (tools_.size() > 1 ? "the tools of " : "the tool of ") +
         joined(tools_, ", ", [](const Tool& tool) { return tool.name; });
}

std::string BoundReach::sentence(const RobotConfig& config) const {
  const auto at = [&](JointIndex joint) {
    return config.joints[joint].name + " = " +
           position_text(result_->q[joint], config.joints[joint]);
  };
  if (result_->outcome == IkOutcome::kSolved) return joined(joints_, ", ", at);
  if (result_->outcome == IkOutcome::kNotFinite) {
    return "a goal that is no number, or an orientation that is no quaternion of length 1";
  }
  std::size_t worst = 0;
  const auto size = [&](std::size_t i) {
    return result_->errors[i].position + 0.3 * result_->errors[i].rotation;
  };
  for (std::size_t i = 1; i < tools_.size(); ++i) {
    if (size(i) > size(worst)) worst = i;
  }
  const IkError& error = result_->errors[worst];
  std::string text =
      "no joint positions bring " + tools() + " there; the nearest leave " +
      (tools_.size() > 1 ? "that of " + tools_[worst].name + " " : "it ") +
      shown_unit("mm").text(error.position) +
      (tools_[worst].orientation.empty() ? "" : " and " + shown_unit("deg").text(error.rotation)) +
      " off";
  if (result_->outcome == IkOutcome::kJointLimits) {
    const BeyondLimit& beyond = result_->beyond;
    const JointConfig& joint = config.joints[beyond.joint];
    text += ": " + joint.name + " would have to be at " + position_text(beyond.q, joint) +
            ", beyond " + position_text(beyond.limit, joint);
  }
  return text;
}

}  // namespace jointrig::harness
