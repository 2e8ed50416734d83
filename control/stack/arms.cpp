#include "control/stack/arms.h"

#include <algorithm>

#include "control/stack/config_error.h"

namespace jointrig {

Arms::Arms(const RobotConfig& config, const std::vector<JointCapabilities>& boards,
           const PlacedModel& model)
    : arm_of_(config.joints.size(), kNoArm),
      workspace_(config.arms.empty() ? 0 : config.joints.size()) {
  state_.orders.resize(config.joints.size());
  for (std::size_t i = 0; i < config.arms.size(); ++i) {
    const ArmConfig& arm = config.arms[i];
    if (!model) throw ConfigError("arm \"" + arm.name + "\" needs the controller's model");
    try {
      setups_.push_back(make_arm_setup(arm, config, boards, *model));
    } catch (const std::exception& e) {
      throw ConfigError(e.what());
    }
    for (const JointIndex joint : arm.joints) arm_of_[joint] = static_cast<ArmIndex>(i);
    state_.controls.emplace_back(setups_.back());
  }
}

void Arms::carry_loads(PlacedModel& model, EventReporter& events) noexcept {
  PerArm<RobotModel::CarriedBody> carried;
  bool any = false;
  for (std::size_t i = 0; i < setups_.size(); ++i) {
    ArmControl& control = state_.controls[i];
    const bool changes = control.load_changes();
    carried.push_back(control.advance_load(setups_[i]));
    if (changes && !control.load_changes()) {
      Event e = events.event(EventKind::kLoadChanged, kNoJoint);
      e.arm = static_cast<ArmIndex>(i);
      e.value = control.payload().mass;
      e.limit = control.load_before().mass;
      events.publish(e);
    }
    any = any || carried[i].now.mass > 0.0 || carried[i].before.mass > 0.0;
  }
  if (!any) carried.clear();
  if (model) model->carry({carried.data(), carried.size()});
}

void Arms::advance(PlacedModel& model, Joints joints, const ExternalForces& forces,
                   Protections& protections, double speed_override, EventReporter& events,
                   std::span<ArmSnapshot> shown) noexcept {
  bool needs_dynamics = false;
  for (std::size_t i = 0; i < state_.controls.size(); ++i) {
    const bool ignores_cuff = protections.is_cuff_suppressed(setups_[i]);
    state_.controls[i].follow(setups_[i], joints.controls, ignores_cuff);
    needs_dynamics =
        needs_dynamics || state_.controls[i].needs_dynamics(setups_[i], joints.controls);
  }
  if (needs_dynamics) {
    model.place_dynamics(joints.controls, 1);
    workspace_.inertia = model.inertia();
  }
  workspace_.external = forces.torques();
  workspace_.guards = protections.guards();
  for (std::size_t i = 0; i < state_.controls.size(); ++i) {
    workspace_.forces = forces.of_arm(i);
    const ArmControl::Outcome outcome = state_.controls[i].advance(
        setups_[i], *model, joints.controls, workspace_, state_.orders, speed_override, shown[i]);
    protections.feel_hand(i, outcome.forces);
    report(i, outcome, joints, events);
  }
  for (std::size_t i = 0; i < state_.orders.size(); ++i) {
    state_.orders[i].payload = model.carried_gravity(i);
  }
}

void Arms::report(std::size_t arm, const ArmControl::Outcome& outcome, Joints joints,
                  EventReporter& events) const noexcept {
  const JointIndex first = setups_[arm].config.joints.front();
  const auto event_of = [&](EventKind kind, JointIndex joint) {
    Event e = joint == kNoJoint ? events.event(kind, joint)
                                : events.event(kind, joint, joints.controls[joint]);
    e.arm = static_cast<ArmIndex>(arm);
    return e;
  };
  if (outcome.timed_out) {
    Event e = event_of(EventKind::kCommandTimeout, first);
    e.value = e.limit = setups_[arm].config.timeout;
    e.detail = static_cast<std::uint8_t>(TimeoutReaction::kHold);
    events.publish(e);
  }
  if (const std::optional<ArmGuide::Change>& change = outcome.guide) {
    Event e = event_of(EventKind::kGuide, change->joint == kNoJoint ? first : change->joint);
    e.value = change->value;
    e.limit = change->limit;
    e.detail = static_cast<std::uint8_t>(change->what);
    events.publish(e);
  }
  if (outcome.arrived) events.publish(event_of(EventKind::kGoalReached, kNoJoint));
}

void Arms::restore(const State& state) { state_ = state; }

}  // namespace jointrig
