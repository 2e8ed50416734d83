// Gains and limits: what was sent, what the loop has taken, what can be taken back.

#include <algorithm>

#include "gui/panel/panel.h"

namespace jointrig {

void MotorPanel::set_parameter(JointIndex joint, JointParameter parameter, double value) {
  if (!allowed(why_not(PanelAct::kSetImpedance, joint))) return;
  const double before = value_of(config_.joints[joint], parameter);
  if (value == before) return;
  const std::uint64_t number = client_->set_parameter(JointSet{}.set(joint), parameter, value);
  sent(number);
  parameters_sent_.push_back({number, {joint, parameter, before, value}, false});
}

void MotorPanel::take_parameters(std::uint64_t number) {
  for (const SentParameter& one : parameters_sent_) {
    if (one.number != number || one.change.before == one.change.after) continue;
    field_of(config_.joints[one.change.joint], one.change.parameter) = one.change.after;
    if (!one.is_undo) parameter_history_.push_back(one.change);
  }
  std::erase_if(parameters_sent_, [number](const auto& one) { return one.number == number; });
}

void MotorPanel::undo_parameter() {
  if (parameter_history_.empty()) return;
  if (!allowed(why_not(PanelAct::kSetImpedance, parameter_history_.back().joint))) return;
  const ParameterChange change = parameter_history_.back();
  parameter_history_.pop_back();
  const std::uint64_t number =
      client_->set_parameter(JointSet{}.set(change.joint), change.parameter, change.before);
  sent(number);
  parameters_sent_.push_back(
      {number, {change.joint, change.parameter, change.after, change.before}, true});
}

void MotorPanel::undo_parameters() {
  for (std::size_t left = parameter_history_.size(); left > 0; --left) undo_parameter();
}

}  // namespace jointrig
