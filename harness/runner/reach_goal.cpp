#include "harness/runner/reach_goal.h"

#include <algorithm>
#include <array>

#include "control/planning/arm_tasks.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/move_run.h"
#include "harness/runner/reach_answer.h"

namespace jointrig::harness {
namespace {

template <std::size_t kSize>
std::array<double, kSize> present(const std::vector<BoundValue>& list) noexcept {
  std::array<double, kSize> numbers{};
  for (std::size_t i = 0; i < std::min(kSize, list.size()); ++i) numbers[i] = list[i].value();
  return numbers;
}

/// Errors that can be told before the run.
void check_quaternion(const std::vector<Text>& written, const std::vector<BoundValue>& numbers) {
  const bool is_fixed = std::all_of(numbers.begin(), numbers.end(),
                                    [](const BoundValue& number) { return number.is_fixed(); });
  if (numbers.size() != 4 || !is_fixed || is_orientation(present<4>(numbers))) return;
  throw FileError(written.front().spot, "an orientation is a quaternion of length 1");
}

void check_tool(const Text& written, const AskedPose& asked, const Binder& binder) {
  try {
    static_cast<void>(tool_task(binder.tree(), binder.config().arms[asked.arm], asked.frame));
  } catch (const FileError&) {
    throw;
  } catch (const std::runtime_error& error) {  // the model
    throw FileError(written.spot, error.what());
  }
}

/// With all numbers 0.
AskedReach asked_by(const ReachGoal& goal, const Binder& binder) {
  AskedReach asked;
  asked.with = binder.joints(goal.with);
  for (const ReachTarget& target : goal.tools) {
    AskedPose& pose = asked.tools.emplace_back();
    pose.arm = arm_named(target.tool.arm, binder.config());
    pose.frame = target.frame;
    pose.free_rotation = target.free_rotation;
    if (target.tool.position.empty()) {
      pose.by.emplace();
    } else {
      pose.position.emplace();
    }
    if (!target.tool.orientation.empty()) {
      pose.orientation.emplace();
    } else if (!target.tool.turn.empty()) {
      pose.turn.emplace();
    }
    check_tool(target.tool.arm, pose, binder);
  }
  return asked;
}

}  // namespace

BoundReach::BoundReach(const ReachGoal& goal, const Binder& binder)
    : posture_(binder.targets(goal.posture, kPositionUnits)),
      asked_(asked_by(goal, binder)),
      tools_text_(tools_text(asked_, binder.config())),
      solver_(binder.config(), binder.tree(), asked_) {
  for (std::size_t i = 0; i < goal.tools.size(); ++i) {
    const ToolTarget& target = goal.tools[i].tool;
    const bool is_turn = asked_.tools[i].turn.has_value();
    Tool& tool = tools_.emplace_back();
    for (const Text& text : target.position.empty() ? target.by : target.position) {
      tool.position.push_back(binder.value(text, 0, "m"));
    }
    for (const Text& text : is_turn ? target.turn : target.orientation) {
      tool.orientation.push_back(binder.value(text, 0, is_turn ? "rad" : "1"));
    }
    check_quaternion(target.orientation, tool.orientation);
  }
  for (const BoundTarget& target : posture_) {
    const std::vector<JointIndex>& moved = solver_.joints();
    if (std::find(moved.begin(), moved.end(), target.joint) == moved.end()) {
      throw FileError(
          goal.posture.front().name.spot,
          binder.config().joints[target.joint].name +
              " isn't moved here: the arm has no such joint, and \"with\" doesn't name it");
    }
    asked_.posture.push_back({target.joint, 0.0});
  }
}

const IkResult& BoundReach::solve(const StepScene& scene) noexcept {
  for (std::size_t i = 0; i < tools_.size(); ++i) {
    const Tool& tool = tools_[i];
    AskedPose& pose = asked_.tools[i];
    (pose.position ? *pose.position : *pose.by) = present<3>(tool.position);
    if (pose.orientation) pose.orientation = present<4>(tool.orientation);
    if (pose.turn) pose.turn = present<3>(tool.orientation);
  }
  for (std::size_t i = 0; i < posture_.size(); ++i) {
    asked_.posture[i].q = posture_[i].value.value();
  }
  return solver_.solve(asked_, *scene.snapshot);
}

std::string BoundReach::sentence(const RobotConfig& config) const {
  return reach_sentence(solver_, asked_, config);
}

}  // namespace jointrig::harness
