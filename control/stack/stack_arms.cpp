// The stack's arms: what of a cycle is theirs.

#include <algorithm>

#include "control/safety/arm_admission.h"
#include "control/stack/stack.h"

namespace jointrig {

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
  const bool moves_it =
      command.kind == CommandKind::kSetToolTarget || command.kind == CommandKind::kStreamToolTarget;
  for (const JointIndex joint : setup.config.joints) {
    if (!moves_it) break;
    const JointControl& control = state_.joints[joint];
    if (control.machine().fault()) return {RejectReason::kBoardFaulted, joint, 0.0, 0.0};
    if (control.machine().mode() != ControlMode::kCartesian) {
      return {RejectReason::kWrongMode, joint, 0.0, 0.0};
    }
    if (const RejectReason r = control.why_held(); r != RejectReason::kNone) {
      return {r, joint, 0.0, 0.0};
    }
  }
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
    state_.arms[command.arm].take(command);
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

/// The model's mass matrix and Coriolis torques are asked for.
bool Stack::needs_dynamics() const noexcept {
  if (model_ && is_on(Protection::kCollisionDetection)) return true;
  return std::any_of(arm_setups_.begin(), arm_setups_.end(), [&](const ArmSetup& setup) {
    return ArmControl::is_chosen(setup, state_.joints);
  });
}

void Stack::work_out_dynamics() noexcept {
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    state_.placed.joints[i].v = state_.joints[i].state().v;
  }
  model_->update_velocities(state_.placed);
  model_->mass_matrix(arm_workspace_.inertia);
}

void Stack::advance_arms() noexcept {
  for (std::size_t i = 0; i < state_.arms.size(); ++i) {
    const ArmControl::Outcome outcome =
        state_.arms[i].advance(arm_setups_[i], *model_, state_.joints, arm_workspace_, arm_orders_,
                               state_.speed_override, snapshot_.arms[i]);
    const JointIndex first = arm_setups_[i].config.joints.front();
    if (outcome.timed_out) {
      Event e = event(EventKind::kCommandTimeout, first);
      e.arm = static_cast<ArmIndex>(i);
      e.value = e.limit = arm_setups_[i].config.timeout;
      e.detail = static_cast<std::uint8_t>(TimeoutReaction::kHold);
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
