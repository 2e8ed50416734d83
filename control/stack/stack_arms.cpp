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
  for (std::size_t i = 0; i < state_.arms.size(); ++i) {
    arm_workspace_.forces = arm_forces_[i];
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
