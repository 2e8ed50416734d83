#include "app/gui/session_arms.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "control/core/command_numbers.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/interaction_setting.h"

namespace jointrig::app {
namespace {

std::string list_of(std::span<const double> numbers) {
  std::string list;
  for (const double number : numbers)
    list += (list.empty() ? "" : ", ") + harness::yaml_number(number);
  return "[" + list + "]";
}

std::string set_arm(const std::string& arm, const std::string& what) {
  return "set_arm: {arm: " + harness::yaml_string(arm) + ", " + what + "}";
}

std::string payload_text(double mass, std::span<const double> centre,
                         std::span<const double> inertia) {
  return "payload: {mass: " + harness::yaml_number(mass) + ", centre: " + list_of(centre) +
         ", inertia: " + list_of(inertia) + "}";
}

std::string tool_text(std::span<const double> position, std::span<const double> orientation) {
  return "tool: {position: " + list_of(position) + ", orientation: " + list_of(orientation) + "}";
}

std::string term_text(ArmTerm term, bool on) {
  return "terms: {" + std::string(to_string(term)) + ": " + (on ? "true" : "false") + "}";
}

std::string stiffness_text(std::span<const double> numbers) {
  return "stiffness: " + list_of(numbers);
}

std::span<const double> as_span(const ToolGains& gains) { return {gains.data(), gains.size()}; }

/// A command as a key of set_arm.
struct ArmKey {
  std::string operator()(const SetToolStiffness& c) const {
    return stiffness_text(as_span(c.stiffness));
  }
  std::string operator()(const SetToolDamping& c) const {
    return c.damping.empty() ? "damping_ratio: " + harness::yaml_number(c.ratio)
                             : "damping: " + list_of(as_span(c.damping));
  }
  std::string operator()(const SetArmTerm& c) const { return term_text(c.term, c.on); }
  std::string operator()(const SetPayload& c) const {
    return payload_text(c.mass, c.centre, c.inertia);
  }
  std::string operator()(const SetTool& c) const { return tool_text(c.position, c.orientation); }
  std::string operator()(const TareForceSensor& /*c*/) const { return "tare: true"; }
  std::string operator()(const SetForceFilter& c) const {
    return "force_filter: " + harness::yaml_number(c.cutoff);
  }
  std::string operator()(const SetToolInertia& c) const { return "inertia: " + list_of(c.inertia); }
  std::string operator()(const SetInteractionControl& c) const {
    return "interaction: " + harness::written_text(c);
  }
  std::string operator()(const SetFreeAxes& c) const { return "free: " + harness::written_text(c); }
  std::string operator()(const SetCuff& c) const {
    return "cuff: " + harness::yaml_number(c.duration);
  }
  template <typename C>
  std::string operator()(const C& /*c*/) const {
    return {};
  }
};

}  // namespace

std::string tool_target_text(const ToolTargetFields& target, const RobotConfig& config) {
  return "{arm: " + harness::yaml_string(config.arms[target.arm].name) +
         ", position: " + list_of(target.position) +
         ", orientation: " + list_of(target.orientation) +
         (target.frame == TargetFrame::kWorld ? ", frame: world}" : "}");
}

std::string arm_step(const Request& request, const RobotConfig& config) {
  const ArmIndex arm = arm_of(request);
  if (arm >= config.arms.size()) return {};
  if (const auto* move = std::get_if<SetToolTarget>(&request)) {
    const std::string target = tool_target_text(*move, config);
    return "move_tool: " + target.substr(0, target.size() - 1) + ", wait: false}";
  }
  if (const auto* drive = std::get_if<DriveTool>(&request)) {
    const std::span<const double> velocity(drive->velocity);
    return "drive_tool: {arm: " + harness::yaml_string(config.arms[arm].name) +
           ", linear: " + list_of(velocity.first(3)) + ", angular: " + list_of(velocity.last(3)) +
           ", frame: " + std::string(to_string(drive->frame)) +
           ", duration: " + harness::yaml_number(drive->duration) +
           ", together: " + (drive->together ? "true" : "false") +
           ", free_rotation: " + std::string(to_string(drive->free_rotation)) + ", wait: false}";
  }
  const std::string key = std::visit(ArmKey{}, request);
  return key.empty() ? "" : set_arm(config.arms[arm].name, key);
}

std::vector<std::string> posture_steps(const SetPosture& command, const RobotConfig& config) {
  std::vector<std::string> steps;
  for (const ArmConfig& arm : config.arms) {
    std::string list;
    std::size_t next = 0;
    for (std::size_t i = 0; i < config.joints.size(); ++i) {
      if (!command.joints.test(i)) continue;
      const double q = command.values[next++].q;
      const bool is_its = std::find(arm.joints.begin(), arm.joints.end(), i) != arm.joints.end();
      if (!is_its) continue;
      list += (list.empty() ? "" : ", ") + harness::yaml_string(config.joints[i].name) + ": " +
              harness::yaml_number(q);
    }
    if (!list.empty()) steps.push_back(set_arm(arm.name, "posture: {" + list + "}"));
  }
  return steps;
}

std::vector<std::string> arm_setup_steps(const ArmSnapshot& now, const ArmConfig& arm) {
  std::vector<std::string> steps;
  if (now.stiffness != arm.stiffness) {
    steps.push_back(set_arm(arm.name, stiffness_text(now.stiffness)));
  }
  if (now.damping_ratio != arm.damping_ratio && now.damping_ratio > 0.0) {
    steps.push_back(set_arm(arm.name, "damping_ratio: " + harness::yaml_number(now.damping_ratio)));
  }
  for (const ArmTerm term : kAllArmTerm) {
    if (!is_switched(term) || now.terms.has(term) == arm.terms.has(term)) continue;
    steps.push_back(set_arm(arm.name, term_text(term, now.terms.has(term))));
  }
  if (!(now.payload == arm.payload)) {
    steps.push_back(
        set_arm(arm.name, payload_text(now.payload.mass, now.payload.centre, now.payload.inertia)));
  }
  if (!(now.offset == ToolPose{})) {
    steps.push_back(set_arm(arm.name, tool_text(now.offset.position, now.offset.orientation)));
  }
  return steps;
}

}  // namespace jointrig::app
