#include "harness/runner/target_step.h"

#include <algorithm>

#include "harness/runner/command_steps.h"
#include "harness/runner/move_run.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

constexpr std::string_view kAccelerationUnits = joint_units(QuantityKind::kAcceleration);
constexpr std::string_view kJerkUnits = joint_units(QuantityKind::kJerk);

/// Goals, or velocities without goals, by rising joint.
std::vector<BoundTarget> targets_of(const TargetStep& step, const Binder& binder) {
  const bool has_goals = !step.goals.empty();
  return has_goals ? binder.targets(step.goals, kPositionUnits)
                   : binder.targets(step.velocities, kSpeedUnits);
}

/// Ends once all joints are at their goals; for what ends in motion once it is accepted.
class TargetRun final : public MoveRun {
 public:
  TargetRun(const TargetStep& step, BoundJointTarget target, const Binder& binder)
      : MoveRun(targets_of(step, binder), {.speed = {}, .duration = 0.0, .within = step.within},
                step.wait && !target.ends_in_motion(), step.timeout, binder),
        target_(std::move(target)) {}

 private:
  Command command(std::size_t i, const StepScene& scene) const override {
    Command command = MoveRun::command(i, scene);
    command.request = target_.make();
    return command;
  }

  BoundJointTarget target_;
};

}  // namespace

TargetStep read_target(const YamlNode& node) {
  TargetStep step;
  const auto text = [&](std::string_view key) -> std::optional<Text> {
    const YamlNode* value = node.find(key);
    return value != nullptr ? std::optional(read_text(*value)) : std::nullopt;
  };
  const auto each = [&](std::string_view key) -> std::optional<EachValue> {
    const YamlNode* value = node.find(key);
    return value != nullptr ? std::optional(read_each(*value)) : std::nullopt;
  };
  if (const YamlNode* goals = node.find("joints")) step.goals = read_targets(*goals);
  if (const YamlNode* speeds = node.find("velocities")) step.velocities = read_targets(*speeds);
  if (step.goals.empty() && step.velocities.empty()) {
    throw node.error("a target needs \"joints\" with goals, or \"velocities\", or both");
  }
  step.speed = each("speed");
  step.acceleration = each("acceleration");
  step.jerk = each("jerk");
  step.within = text("within");
  if (const YamlNode* word = node.find("synchronise")) parse(word->text(), step.synchronise);
  if (const YamlNode* word = node.find("shape")) parse(word->text(), step.shape);
  if (const YamlNode* wait = node.find("wait")) step.wait = wait->boolean();
  step.timeout = read_seconds(node, "timeout", step.timeout);
  if (step.goals.empty() && step.speed) {
    throw FileError(node.key_spot("speed"), "a velocity has no use for \"speed\"");
  }
  return step;
}

BoundJointTarget::BoundJointTarget(const TargetStep& step, const Binder& binder)
    : targets_(targets_of(step, binder)) {
  const bool has_goals = !step.goals.empty();
  blank_.target = has_goals ? TargetKind::kPosition : TargetKind::kVelocity;
  blank_.synchronise = step.synchronise;
  blank_.shape = step.shape;
  ends_in_motion_ = !step.velocities.empty();
  std::vector<BoundTarget> ends;
  if (has_goals) ends = binder.targets(step.velocities, kSpeedUnits);
  for (const BoundTarget& target : targets_) {
    const auto end = std::find_if(ends.begin(), ends.end(), [&](const BoundTarget& one) {
      return one.joint == target.joint;
    });
    blank_.joints.set(target.joint);
    velocities_.push_back(end != ends.end() ? std::move(end->value) : BoundValue(0.0));
  }
  speeds_ = binder.values(step.speed, blank_.joints, kSpeedUnits, 0.0);
  accelerations_ = binder.values(step.acceleration, blank_.joints, kAccelerationUnits, 0.0);
  jerks_ = binder.values(step.jerk, blank_.joints, kJerkUnits, 0.0);
  for (const BoundTarget& end : ends) {
    if (!blank_.joints.test(end.joint)) {
      throw FileError(
          step.velocities.front().name.spot,
          binder.config().joints[end.joint].name + " has a velocity, but no goal among \"joints\"");
    }
  }
}

Request BoundJointTarget::make() const {
  SetJointTarget command = blank_;
  const bool is_velocity = command.target == TargetKind::kVelocity;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    const double number = targets_[i].value.value();
    command.values.push_back({.q = is_velocity ? 0.0 : number,
                              .v = is_velocity ? number : velocities_[i].value(),
                              .speed = speeds_[i].value(),
                              .acceleration = accelerations_[i].value(),
                              .jerk = jerks_[i].value()});
  }
  return command;
}

std::unique_ptr<StepRun> make_command_step(const TargetStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  BoundJointTarget target(step, binder);
  needs.commanded |= target.joints();
  return std::make_unique<TargetRun>(step, std::move(target), binder);
}

}  // namespace jointrig::harness
