// The stack's arms: what of a cycle is theirs.

#include <algorithm>
#include <cmath>

#include "control/safety/arm_admission.h"
#include "control/stack/stack.h"

namespace jointrig {
namespace {

HandWrench hand_wrench(const ArmForces& forces) noexcept {
  const bool is_sensed = forces.sensor == ForceSensorState::kGood;
  const Six& wrench = is_sensed ? forces.sensed : forces.external;
  return {std::hypot(wrench[0], wrench[1], wrench[2]), std::hypot(wrench[3], wrench[4], wrench[5]),
          is_sensed || forces.has_external};
}

}  // namespace

void Stack::set_up_arms(const std::vector<JointCapabilities>& boards) {
  arm_of_.assign(config_.joints.size(), kNoArm);
  arm_orders_.resize(config_.joints.size());
  for (std::size_t i = 0; i < config_.arms.size(); ++i) {
    const ArmConfig& arm = config_.arms[i];
    if (!model_) throw ConfigError("arm \"" + arm.name + "\" needs the controller's model");
    try {
      arm_setups_.push_back(make_arm_setup(arm, config_, boards, *model_));
    } catch (const std::exception& e) {
      throw ConfigError(e.what());
    }
    for (const JointIndex joint : arm.joints) arm_of_[joint] = static_cast<ArmIndex>(i);
    state_.arms.emplace_back(arm_setups_.back());
  }
  snapshot_.arms.resize(config_.arms.size());
}

Refusal Stack::examine_arm(const Command& command) const noexcept {
  if (const Refusal r = check_arm_shape(command, state_.arms.size())) return r;
  const ArmSetup& setup = arm_setups_[command.arm];
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
  if (moves_it && !grasps && state_.arms[command.arm].guided()) {
    return {RejectReason::kGuided, kNoJoint, 0.0, 0.0};
  }
  if (const Refusal r = check_force_sensor(command)) return r;
  return state_.arms[command.arm].check(setup, command, *model_);
}

/// Mode cartesian is entered by all joints of an arm at once, and left so, but for idle.
Refusal Stack::check_arm_modes(const Command& command) const noexcept {
  if (command.kind != CommandKind::kSetMode) return {};
  const ControlMode wanted = requested_mode(command.request);
  if (wanted == ControlMode::kIdle) return {};
  const bool enters = wanted == ControlMode::kCartesian;
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    if (!command.joints.test(i)) continue;
    if (enters && arm_of_[i] == kNoArm) {
      return {RejectReason::kUnknownArm, static_cast<JointIndex>(i), 0.0, 0.0};
    }
    const bool leaves = !enters && state_.joints[i].machine().mode() == ControlMode::kCartesian;
    if (!enters && !leaves) continue;
    for (const JointIndex mate : arm_setups_[arm_of_[i]].config.joints) {
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
    state_.arms[command.arm].take(arm_setups_[command.arm], command);
    take_for_sensor(command);
    return;
  }
  if (command.kind != CommandKind::kStop && command.kind != CommandKind::kSetPosture) return;
  for (std::size_t i = 0; i < state_.arms.size(); ++i) {
    const std::vector<JointIndex>& joints = arm_setups_[i].config.joints;
    const bool is_meant = std::any_of(joints.begin(), joints.end(),
                                      [&](JointIndex joint) { return command.joints.test(joint); });
    if (is_meant && command.kind == CommandKind::kStop) state_.arms[i].stop();
  }
  if (command.kind != CommandKind::kSetPosture) return;
  std::size_t next = 0;
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    if (!command.joints.test(i)) continue;
    const double q = command.values[next++].a;
    const std::vector<JointIndex>& joints = arm_setups_[arm_of_[i]].config.joints;
    const auto place = std::find(joints.begin(), joints.end(), i);
    state_.arms[arm_of_[i]].set_posture(static_cast<std::size_t>(place - joints.begin()), q);
  }
}

void Stack::advance_arms() noexcept {
  if (state_.arms.empty()) return;
  bool any = false;
  for (std::size_t i = 0; i < state_.arms.size(); ++i) {
    state_.arms[i].follow(arm_setups_[i], state_.joints, is_cuff_suppressed(arm_setups_[i]));
    any = any || state_.arms[i].needs_dynamics(arm_setups_[i], state_.joints);
  }
  if (any) {
    if (!observes_momentum()) place_velocities();
    model_->update_coriolis();
    model_->mass_matrix(arm_workspace_.inertia);
  }
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    arm_workspace_.gravity_share[i] = guards_[i].gravity_share;
  }
  for (std::size_t i = 0; i < state_.arms.size(); ++i) {
    arm_workspace_.forces = arm_forces_[i];
    const ArmControl::Outcome outcome =
        state_.arms[i].advance(arm_setups_[i], *model_, state_.joints, arm_workspace_, arm_orders_,
                               state_.speed_override, snapshot_.arms[i]);
    state_.guard.hands[i] = hand_wrench(outcome.forces);
    const JointIndex first = arm_setups_[i].config.joints.front();
    if (outcome.timed_out) {
      Event e = event(EventKind::kCommandTimeout, first);
      e.arm = static_cast<ArmIndex>(i);
      e.value = e.limit = arm_setups_[i].config.timeout;
      e.detail = static_cast<std::uint8_t>(TimeoutReaction::kHold);
      events_.publish(e);
    }
    if (const std::optional<ArmGuide::Change>& change = outcome.guide) {
      Event e = event(EventKind::kGuide, change->joint == kNoJoint ? first : change->joint);
      e.arm = static_cast<ArmIndex>(i);
      e.value = change->value;
      e.limit = change->limit;
      e.detail = static_cast<std::uint8_t>(change->what);
      events_.publish(e);
    }
    if (outcome.arrived) {
      Event e = event(EventKind::kGoalReached, kNoJoint);
      e.arm = static_cast<ArmIndex>(i);
      events_.publish(e);
    }
  }
}

}  // namespace jointrig
