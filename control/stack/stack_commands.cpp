// Commands for arms, sensors and protections: what is refused, and where the others go.

#include <algorithm>

#include "control/safety/arm_admission.h"
#include "control/stack/stack.h"

namespace jointrig {

Refusal Stack::examine_arm(const Command& command) const noexcept {
  if (const Refusal r = check_arm_shape(command, arms_.controls().size())) return r;
  const ArmSetup& setup = arms_.setups()[command.arm];
  const bool grasps = command.kind == CommandKind::kSetCuff && command.numbers[0] > 0.0;
  const bool moves_it = command.kind == CommandKind::kSetToolTarget ||
                        command.kind == CommandKind::kStreamToolTarget || grasps;
  for (const JointIndex joint : setup.config.joints) {
    if (!moves_it) break;
    const JointControl& control = state_.joints[joint];
    if (control.machine().fault()) return {RejectReason::kBoardFaulted, joint, 0.0, 0.0};
    if (!takes(control.machine().mode(), command.kind)) {
      return {RejectReason::kWrongMode, joint, 0.0, 0.0};
    }
    if (const RejectReason r = control.why_held(); r != RejectReason::kNone) {
      return {r, joint, 0.0, 0.0};
    }
  }
  if (moves_it && !grasps && arms_.controls()[command.arm].guided()) {
    return {RejectReason::kGuided, kNoJoint, 0.0, 0.0};
  }
  if (const Refusal r = check_force_sensor(command)) return r;
  return arms_.controls()[command.arm].check(setup, command, *model_);
}

/// Mode cartesian is entered by all joints of an arm at once, and left so, but for idle.
Refusal Stack::check_arm_modes(const Command& command) const noexcept {
  if (command.kind != CommandKind::kSetMode) return {};
  const ControlMode wanted = requested_mode(command.request);
  if (wanted == ControlMode::kIdle) return {};
  const bool enters = wanted == ControlMode::kCartesian;
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    if (!command.joints.test(i)) continue;
    if (enters && arms_.arm_of(i) == kNoArm) {
      return {RejectReason::kUnknownArm, static_cast<JointIndex>(i), 0.0, 0.0};
    }
    const bool leaves = !enters && state_.joints[i].machine().mode() == ControlMode::kCartesian;
    if (!enters && !leaves) continue;
    for (const JointIndex mate : arms_.setups()[arms_.arm_of(i)].config.joints) {
      const bool stays = state_.joints[mate].machine().mode() == ControlMode::kCartesian;
      if (!command.joints.test(mate) && (enters || stays)) {
        return {RejectReason::kIncompleteArm, mate, 0.0, 0.0};
      }
    }
  }
  return {};
}

void Stack::take_for_arms(const Command& command) noexcept {
  if (is_for_arm(command.kind)) {
    arms_.controls()[command.arm].take(arms_.setups()[command.arm], command);
    take_for_sensor(command);
    return;
  }
  if (command.kind != CommandKind::kStop && command.kind != CommandKind::kSetPosture) return;
  for (std::size_t i = 0; i < arms_.controls().size(); ++i) {
    const std::vector<JointIndex>& joints = arms_.setups()[i].config.joints;
    const bool is_meant = std::any_of(joints.begin(), joints.end(),
                                      [&](JointIndex joint) { return command.joints.test(joint); });
    if (is_meant && command.kind == CommandKind::kStop) arms_.controls()[i].stop();
  }
  if (command.kind != CommandKind::kSetPosture) return;
  std::size_t next = 0;
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    if (!command.joints.test(i)) continue;
    const double q = command.values[next++].a;
    const std::vector<JointIndex>& joints = arms_.setups()[arms_.arm_of(i)].config.joints;
    const auto place = std::find(joints.begin(), joints.end(), i);
    arms_.controls()[arms_.arm_of(i)].set_posture(static_cast<std::size_t>(place - joints.begin()),
                                                  q);
  }
}

Refusal Stack::check_force_sensor(const Command& command) const noexcept {
  const bool sets_filter = command.kind == CommandKind::kSetForceFilter;
  if (!sets_filter && command.kind != CommandKind::kTareForceSensor) return {};
  if (!forces_.has_sensor(command.arm)) return {RejectReason::kNoForceSensor, kNoJoint, 0.0, 0.0};
  if (sets_filter) {
    const double most = 0.5 / to_seconds(config_.period_ns);  // Nyquist's
    const double hz = command.numbers[0];
    if (hz < 0.0) return {RejectReason::kOutOfRange, kNoJoint, hz, 0.0};
    if (hz > most) return {RejectReason::kOutOfRange, kNoJoint, hz, most};
    return {};
  }
  const ForceSensorState now = forces_.sensing(command.arm).state();
  if (now == ForceSensorState::kGood) return {};
  return {RejectReason::kSensorFaulty, kNoJoint, static_cast<double>(now), 0.0};
}

void Stack::take_for_sensor(const Command& command) noexcept {
  ForceSensing& sensing = forces_.sensing(command.arm);
  if (command.kind == CommandKind::kTareForceSensor) sensing.tare();
  if (command.kind == CommandKind::kSetForceFilter) sensing.set_filter(command.numbers[0]);
}

/// What the robot's file doesn't have can't be switched.
Refusal Stack::check_protection(const JointValue& value) const noexcept {
  if (const Refusal r = jointrig::check_protection(value)) return r;
  const bool has = static_cast<Protection>(value.a) == Protection::kCollisionAvoidance
                       ? config_.avoidance.has_value()
                       : config_.detection.has_value();
  return has ? Refusal{} : Refusal{RejectReason::kUnsupported, kNoJoint, 0.0, 0.0};
}

void Stack::take_suppression(std::size_t joint, const JointValue& value,
                             std::uint16_t sender) noexcept {
  const auto what = static_cast<Suppressible>(value.a);
  if (!protections_.suppress(joint, what, sender)) return;
  Event e = event(EventKind::kSuppressed, joint);
  e.detail = static_cast<std::uint8_t>(what);
  e.value = e.limit = kSuppressionTime;
  events_.publish(e);
}

}  // namespace jointrig
