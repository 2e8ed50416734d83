#include "gui/panel/parameter_desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace jointrig::gui {
namespace {

/// Quantities that people read in degrees elsewhere on the screen.
std::optional<JointQuantity> in_degrees(JointParameter parameter) noexcept {
  switch (parameter) {
    case JointParameter::kStiffness:
      return JointQuantity::kStiffness;
    case JointParameter::kDamping:
      return JointQuantity::kDamping;
    case JointParameter::kVelocityMax:
      return JointQuantity::kVelocity;
    case JointParameter::kAccelerationMax:
      return JointQuantity::kAcceleration;
    case JointParameter::kTorqueMax:
      return JointQuantity::kTorque;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string_view unit_of(JointParameter parameter, bool slide) noexcept {
  switch (parameter) {
    case JointParameter::kKp:
    case JointParameter::kStiffness:
      return slide ? "N/m" : "N·m/rad";
    case JointParameter::kKi:
      return slide ? "N/(s·m)" : "N·m/(s·rad)";
    case JointParameter::kKd:
    case JointParameter::kDamping:
      return slide ? "N·s/m" : "N·m·s/rad";
    case JointParameter::kBandwidth:
      return "Hz";
    case JointParameter::kDampingRatio:
      return "";
    case JointParameter::kVelocityMax:
      return slide ? "m/s" : "rad/s";
    case JointParameter::kAccelerationMax:
      return slide ? "m/s²" : "rad/s²";
    case JointParameter::kTorqueMax:
      return slide ? "N" : "N·m";
    case JointParameter::kTorqueRateMax:
      return slide ? "N/s" : "N·m/s";
  }
  return "";
}

double ParameterDesk::now(JointIndex joint, JointParameter parameter) const {
  return value_of(panel_->config().joints[joint], parameter);
}

double ParameterDesk::opened(JointIndex joint, JointParameter parameter) const {
  return value_of(panel_->robot().config->joints[joint], parameter);
}

Interval ParameterDesk::range(JointIndex joint, JointParameter parameter) const {
  return parameter_range(parameter, panel_->config().joints[joint],
                         panel_->robot().config->joints[joint]);
}

std::string ParameterDesk::shown(JointIndex joint, JointParameter parameter, double value) const {
  const bool slide = panel_->config().joints[joint].slide;
  if (const auto quantity = in_degrees(parameter)) return show(value, *quantity, slide);
  return fmt::format("{:.5g} {}", value, unit_of(parameter, slide));
}

std::string ParameterDesk::why_not() const {
  return panel_->access() == Access::kObserve ? "OBSERVE only: take CONTROL first" : "";
}

void ParameterDesk::drag(JointIndex joint, JointParameter parameter, double value) {
  const Interval bounds = range(joint, parameter);
  ghost_ = Ghost{joint, parameter, std::clamp(value, bounds.low, bounds.high)};
}

double ParameterDesk::ghost(JointIndex joint, JointParameter parameter) const {
  const bool is_it = ghost_ && ghost_->joint == joint && ghost_->parameter == parameter;
  return is_it ? ghost_->value : now(joint, parameter);
}

void ParameterDesk::release() {
  if (!ghost_) return;
  const Ghost ghost = *ghost_;
  ghost_.reset();
  // A hand sets at most four digits, and a readable file needs no more.
  const std::string text = fmt::format("{:.4g}", ghost.value);
  const Interval bounds = range(ghost.joint, ghost.parameter);
  set(ghost.joint, ghost.parameter,
      std::clamp(std::strtod(text.c_str(), nullptr), bounds.low, bounds.high));
}

std::string ParameterDesk::type(JointIndex joint, JointParameter parameter,
                                const std::string& text) {
  const bool slide = panel_->config().joints[joint].slide;
  Typed typed;
  if (const auto quantity = in_degrees(parameter)) {
    typed = read_typed(text, *quantity, slide);
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), typed.value);
    std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    const bool good = error == std::errc{} && std::isfinite(typed.value) &&
                      (rest.empty() || rest == unit_of(parameter, slide));
    if (!good) {
      typed.error = "\"" + text + "\" is no value of " + std::string(to_string(parameter)) +
                    ": a number in " + std::string(unit_of(parameter, slide));
    }
  }
  const Interval bounds = range(joint, parameter);
  if (typed.error.empty() && !(typed.value >= bounds.low && typed.value <= bounds.high)) {
    const double limit = typed.value < bounds.low ? bounds.low : bounds.high;
    typed.error = std::string(to_string(parameter)) + " " + shown(joint, parameter, typed.value) +
                  " is beyond the limit of " + panel_->config().joints[joint].name + ", " +
                  shown(joint, parameter, limit);
  }
  if (typed.error.empty()) typed.error = why_not();
  if (!typed.error.empty()) {
    panel_->tell(typed.error);
    return typed.error;
  }
  set(joint, parameter, typed.value);
  return {};
}

void ParameterDesk::set(JointIndex joint, JointParameter parameter, double value) {
  difference.clear();
  panel_->parameters.set(joint, parameter, value);
}

std::vector<ChangedParameter> ParameterDesk::since(Before before) const {
  std::vector<ChangedParameter> all;
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    for (const JointParameter parameter : kAllJointParameter) {
      const ChangedParameter one{joint, parameter, (this->*before)(joint, parameter),
                                 now(joint, parameter)};
      if (one.before != one.now) all.push_back(one);
    }
  }
  return all;
}

std::vector<ChangedParameter> ParameterDesk::changed() const {
  return since(&ParameterDesk::opened);
}

std::vector<ChangedParameter> ParameterDesk::unwritten() const {
  return since(&ParameterDesk::in_file);
}

void ParameterDesk::written(const std::vector<ChangedParameter>& changes) {
  for (const ChangedParameter& one : changes) written_[{one.joint, one.parameter}] = one.now;
}

double ParameterDesk::in_file(JointIndex joint, JointParameter parameter) const {
  const auto found = written_.find({joint, parameter});
  return found != written_.end() ? found->second : opened(joint, parameter);
}

GainScale ParameterDesk::scale(JointIndex joint, JointParameter parameter) const {
  return {range(joint, parameter), opened(joint, parameter)};
}

double ParameterDesk::margin(JointIndex joint, JointParameter parameter) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  if (!margin_of || is_limit(parameter)) return kUnknown;
  const JointConfig& config = panel_->config().joints[joint];
  if (margins_.joint != joint || margins_.gains != config.gains) {
    margins_ = {joint, config.gains, {}};
  }
  std::optional<double>& known = margins_.of[static_cast<std::size_t>(parameter)];
  if (!known && std::exchange(may_work_, false)) {
    known = margin_of(joint, config, parameter, range(joint, parameter).high);
  }
  return known.value_or(kUnknown);
}

void ParameterDesk::undo() {
  difference.clear();
  panel_->parameters.undo();
}

void ParameterDesk::undo_all() {
  // Gains bound each other: the loop accepts the reverse order of their changes.
  difference.clear();
  panel_->parameters.undo_all();
}

std::string ParameterDesk::why_not_compare() const {
  if (file.empty()) return "this robot has no robot.yaml";
  return unwritten().empty() ? "the file has what runs" : "";
}

}  // namespace jointrig::gui
