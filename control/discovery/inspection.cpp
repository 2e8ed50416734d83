#include "control/discovery/inspection.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "control/core/text.h"
#include "control/discovery/text_table.h"

namespace jointrig {
namespace {

constexpr std::size_t kWidth = 100;
using Rows = std::vector<std::vector<std::string>>;

/// Hinge in degrees, slide in metres, without the unit.
std::string shown_position(const JointConfig& joint, double q) {
  if (!std::isfinite(q)) return q < 0 ? "-inf" : "inf";
  return joint.slide ? fmt::format("{:.3f}", q)
                     : fmt::format("{:.1f}", q * 180.0 / std::numbers::pi);
}

std::string with_unit(const JointConfig& joint, const std::string& number, const char* of_hinge,
                      const char* of_slide) {
  return number + " " + (joint.slide ? of_slide : of_hinge);
}

std::string range(const JointConfig& joint) {
  if (!std::isfinite(joint.limits.q_min) && !std::isfinite(joint.limits.q_max)) return "no limits";
  return shown_position(joint, joint.limits.q_min) + ".." +
         with_unit(joint, shown_position(joint, joint.limits.q_max), "deg", "m");
}

std::string limits_table(const Discovery& found) {
  Rows rows{{"joint", "type", "range", "start", "tau_max", "from", "holds start", "part"}};
  for (std::size_t i = 0; i < found.config.joints.size(); ++i) {
    const JointConfig& joint = found.config.joints[i];
    const JointOrigin& origin = found.origins[i];
    rows.push_back({joint.name, joint.slide ? "slide" : "hinge", range(joint),
                    shown_position(joint, joint.q_start),
                    with_unit(joint, fmt::format("{:.4g}", joint.limits.tau_max), "N·m", "N"),
                    origin.tau_source, fmt::format("{:.3g}", origin.gravity),
                    part_name(found.config, static_cast<JointIndex>(i))});
  }
  return table(rows, {false, false, true, true, true, false, true, false});
}

std::string gains_table(const Discovery& found) {
  Rows rows{{"joint", "inertia", "kp", "ki", "kd", "stiffness", "damping", "v_max", "in place of"}};
  for (std::size_t i = 0; i < found.config.joints.size(); ++i) {
    const JointConfig& joint = found.config.joints[i];
    const JointGains& gains = joint.gains;
    const auto number = [](double value) { return fmt::format("{:.3g}", value); };
    rows.push_back({joint.name, number(gains.inertia), number(gains.kp), number(gains.ki),
                    number(gains.kd), number(gains.stiffness), number(gains.damping),
                    joint.slide ? fmt::format("{:.3g} m/s", joint.limits.v_max)
                                : fmt::format("{:.3g} rad/s", joint.limits.v_max),
                    found.origins[i].actuators});
  }
  return table(rows, {false, true, true, true, true, true, true, true, false});
}

/// Names of an arm's joints, the first and the last of many.
std::string joints_of(const RobotConfig& robot, const std::vector<JointIndex>& joints) {
  return fmt::format("{}: {} .. {}", joints.size(), robot.joints[joints.front()].name,
                     robot.joints[joints.back()].name);
}

std::string arms_table(const Discovery& found) {
  const RobotConfig& robot = found.config;
  Rows rows{{"arm", "tool", "base", "joints"}};
  for (const ArmConfig& arm : robot.arms) {
    rows.push_back({arm.name, arm.tool, arm.base.empty() ? "where it is mounted" : arm.base,
                    joints_of(robot, arm.joints)});
  }
  const bool guessed = robot.arms.empty();
  if (guessed) {
    for (const GuessedArm& arm : found.arms) {
      rows.push_back({arm.name, arm.tool, "where it is mounted", joints_of(robot, arm.joints)});
    }
  }
  if (rows.size() == 1) return {};
  return (guessed ? "\nNo arm is set up for Cartesian control; --write sets up:\n\n" : "\n") +
         table(rows, {false, false, false, false});
}

std::string opening_of(const GripperConfig& gripper, const RobotConfig& robot,
                       double GripperJoint::*position) {
  return jointrig::joined(gripper.joints, ", ", [&](const GripperJoint& joint) {
    const JointConfig& config = robot.joints[joint.joint];
    return with_unit(config, shown_position(config, joint.*position), "deg", "m");
  });
}

std::string grippers_table(const Discovery& found) {
  const RobotConfig& robot = found.config;
  const bool guessed = robot.grippers.empty();
  Rows rows{{"gripper", "width", "joints", "closed", "open"}};
  for (const GripperConfig& gripper : guessed ? found.grippers : robot.grippers) {
    const std::string joints =
        jointrig::joined(gripper.joints, ", ",
                         [&](const GripperJoint& joint) { return robot.joints[joint.joint].name; });
    rows.push_back(
        {gripper.name,
         gripper.knows_width() ? fmt::format("{:.4f} m", gripper.widths.back()) : "unknown", joints,
         opening_of(gripper, robot, &GripperJoint::closed),
         opening_of(gripper, robot, &GripperJoint::open)});
  }
  if (rows.size() == 1) return {};
  return (guessed ? "\nNo gripper is set up; --write sets up:\n\n" : "\n") +
         table(rows, {false, true, false, false, false});
}

std::string gravity_of(const RobotConfig& robot) {
  if (!robot.gravity) return {};
  const auto& [x, y, z] = *robot.gravity;
  return fmt::format(", gravity [{:g}, {:g}, {:g}] m/s^2", x, y, z);
}

std::string header(const RobotConfig& robot) {
  const std::string start = robot.keyframe.empty() ? "the model's qpos0 (no keyframe)"
                                                   : "keyframe \"" + robot.keyframe + "\"";
  return robot.name + ", from " + robot.model_path + "\n" +
         fmt::format("{} joints controlled, {:g} ms a cycle; starts at ", robot.joints.size(),
                     to_seconds(robot.period_ns) * 1e3) +
         start + (robot.pin_base ? ", base bolted down" : "") + gravity_of(robot) + "\n";
}

/// A remark's text is written for one joint, body or actuator; here for several of them.
std::string for_several(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kWords{{
      {"feels", "feel"},
      {"starts", "start"},
      {"states", "state"},
      {"moves", "move"},
      {"pushes", "push"},
      {"follows", "follow"},
      {"has no", "have no"},
      {"stays as it is", "stay as they are"},
      {"this one is its place", "these are their places"},
      {"its", "their"},
      {"it takes", "each takes"},
      {"turn it with", "turn them with"},
      {"move it with", "move them with"},
      {"drives it", "drives them"},
      {"drive it", "drive each"},
      {"a ball joint", "ball joints"},
      {"give it", "give them"},
      {"a free object", "free objects"},
  }};
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (const auto& [one, several] : kWords) {
    for (std::size_t at = text.find(one); at != std::string::npos; at = text.find(one, at)) {
      const std::size_t end = at + one.size();
      const bool is_whole =
          (at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]));
      if (is_whole) text.replace(at, one.size(), several);
      at += is_whole ? several.size() : 1;
    }
  }
  return text;
}

std::string remarks_of(const Discovery& found, Severity severity, const char* title) {
  std::string text;
  for (const Remark& finding : found.findings) {
    if (finding.severity != severity) continue;
    std::string about(to_string(finding.subject));
    if (finding.names.size() > 1) about += finding.subject == Subject::kBody ? "" : "s";
    if (finding.names.size() > 1 && finding.subject == Subject::kBody) about = "bodies";
    if (!finding.names.empty()) about += " " + joined(finding.names);
    const std::string said = finding.names.size() > 1 ? for_several(finding.text) : finding.text;
    // Lines below the first are to be copied as they are.
    const std::size_t first = said.find('\n');
    text += wrapped("  " + about + ": " + said.substr(0, first), kWidth, 4);
    if (first != std::string::npos) text += said.substr(first + 1) + "\n";
  }
  return text.empty() ? text : std::string("\n") + title + "\n" + text;
}

}  // namespace

std::string part_name(const RobotConfig& robot, JointIndex joint) {
  for (const PartConfig& part : robot.parts) {
    if (std::find(part.joints.begin(), part.joints.end(), joint) != part.joints.end()) {
      return part.name;
    }
  }
  return "-";
}

std::string describe(const Discovery& found, const std::string& more) {
  std::string text = header(found.config);
  if (!found.config.joints.empty()) {
    text += "\n" + limits_table(found) + "\n" + gains_table(found);
    text +=
        "\nInertia in kg·m² (slides: kg) is felt by the motor; kp in N·m/rad, ki in "
        "N·m/(rad·s), kd in\nN·m·s/rad (stiff), stiffness and damping likewise (compliant); "
        "slides per m in N.\n";
    text += arms_table(found);
    text += grippers_table(found);
    if (!more.empty()) text += "\n" + more;
  }
  text += remarks_of(found, Severity::kError, "Errors");
  text += remarks_of(found, Severity::kWarning, "Warnings");
  text += remarks_of(found, Severity::kInfo, "Notes");
  return text;
}

}  // namespace jointrig
