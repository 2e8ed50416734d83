#include "gui/panel/parameter_changes.h"

#include <algorithm>
#include <utility>

#include "control/safety/admission.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {

void ParameterChanges::see(const Event& event) {
  if (!client_->is_own(event)) return;
  if (event.kind == EventKind::kAccepted) take(event.number);
  if (event.kind == EventKind::kRejected) {
    std::erase_if(sent_, [&](const Sent& one) { return one.number == event.number; });
  }
}

void ParameterChanges::set(JointIndex joint, JointParameter parameter, double value) {
  if (!client_->allowed(acts_->why_not(PanelAct::kSetImpedance, joint))) return;
  const JointConfig& config = watch_->config().joints[joint];
  const double before = value_of(config, parameter);
  if (value == before) return;
  const std::uint64_t number =
      client_->robot().set_parameter(JointSet{}.set(joint), parameter, value);
  client_->sent(number);
  sent_.push_back({number, {joint, parameter, before, value, config.gains.is_pid}, false});
}

void ParameterChanges::set_impedance(JointIndex joint, double stiffness, double damping) {
  if (!client_->allowed(acts_->why_not(PanelAct::kSetImpedance, joint))) return;
  const Refusal refusal =
      check_values(SetImpedance::Value{stiffness, damping}, watch_->config().joints[joint], joint);
  if (refusal) {
    const JointQuantity which =
        refusal.place == 1 ? JointQuantity::kStiffness : JointQuantity::kDamping;
    const bool slide = watch_->config().joints[joint].slide;
    client_->tell(std::string(to_string(which)) + " " + show(refusal.value, which, slide) +
                  " is beyond this joint's limit, " + show(refusal.limit, which, slide));
    return;
  }
  const std::uint64_t number = client_->robot().send<SetImpedance>({{joint, {stiffness, damping}}});
  client_->sent(number);
  const JointGains& gains = watch_->config().joints[joint].gains;
  sent_.push_back({number, {joint, JointParameter::kStiffness, gains.stiffness, stiffness}, false});
  sent_.push_back({number, {joint, JointParameter::kDamping, gains.damping, damping}, false});
}

void ParameterChanges::take(std::uint64_t number) {
  for (const Sent& one : sent_) {
    if (one.number != number) continue;
    if (!one.is_undo && one.change.before == one.change.after) continue;
    watch_->take(one.change.joint, one.change.parameter, one.change.after);
    if (!one.is_undo) history_.push_back(one.change);
  }
  std::erase_if(sent_, [number](const auto& one) { return one.number == number; });
}

void ParameterChanges::undo() {
  if (history_.empty()) return;
  if (!client_->allowed(acts_->why_not(PanelAct::kSetImpedance, history_.back().joint))) return;
  const ParameterChange change = history_.back();
  history_.pop_back();
  ParameterChange back = change;
  std::swap(back.before, back.after);
  send_undo(back);
  return_to_law(change);
}

void ParameterChanges::send_undo(const ParameterChange& back) {
  const std::uint64_t number =
      client_->robot().set_parameter(JointSet{}.set(back.joint), back.parameter, back.after);
  client_->sent(number);
  sent_.push_back({number, back, true});
}

/// A gain of the PID makes the stiff law a PID, a setting of computed torque makes it that: the one
/// before comes back with a setting of its own, as it is.
void ParameterChanges::return_to_law(const ParameterChange& undone) {
  const bool left_pid = undone.was_pid && is_servo_setting(undone.parameter);
  const bool left_computed = !undone.was_pid && is_pid_gain(undone.parameter);
  if (!left_pid && !left_computed) return;
  const JointParameter own = left_pid ? JointParameter::kKp : JointParameter::kDampingRatio;
  const double value = value_of(watch_->config().joints[undone.joint], own);
  send_undo({undone.joint, own, value, value, undone.was_pid});
}

void ParameterChanges::undo_all() {
  for (std::size_t left = history_.size(); left > 0; --left) undo();
}

}  // namespace jointrig::gui
