#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "control/core/text.h"
#include "control/discovery/inspection.h"
#include "control/discovery/text_table.h"

namespace jointrig {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// A name as a YAML string: quoted unless it is a plain word.
std::string yaml_quoted(std::string_view word) {
  constexpr std::array<std::string_view, 9> kNotStrings{"true", "false", "yes", "no", "on",
                                                        "off",  "null",  "y",   "n"};
  std::string lower;
  for (const char c : word) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const bool plain = !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) == 0 &&
                     word.front() != '.' && word.front() != '-' &&
                     std::all_of(word.begin(), word.end(),
                                 [](char c) {
                                   return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                                          c == '_' || c == '-' || c == '.' || c == '/';
                                 }) &&
                     std::find(kNotStrings.begin(), kNotStrings.end(), lower) == kNotStrings.end();
  if (plain) return std::string(word);
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

/// Four decimals, or all digits if rounding would leave the soft limits.
std::string position(const JointConfig& joint, double q) {
  const double unit = joint.slide ? 1.0 : kDegree;
  const char* name = joint.slide ? " m" : " deg";
  std::string text = fmt::format("{:.4f}", q / unit);
  const double rounded = std::strtod(text.c_str(), nullptr) * unit;
  const bool inside = rounded >= joint.limits.q_min + joint.limits.soft_margin &&
                      rounded <= joint.limits.q_max - joint.limits.soft_margin;
  if (!inside) return fmt::format("{:.15g}", q) + (joint.slide ? " m" : " rad");
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return (text == "-0" ? "0" : text) + name;
}

std::string list_of(const RobotConfig& robot, const std::string& name,
                    const std::vector<JointIndex>& joints) {
  const auto joint_name = [&](JointIndex joint) { return yaml_quoted(robot.joints[joint].name); };
  return wrapped("  " + yaml_quoted(name) + ": [" + joined(joints, ", ", joint_name) + "]", 100, 6);
}

/// The discovered parts, and those of arms that are no part yet.
std::string parts(const Discovery& found) {
  const RobotConfig& robot = found.config;
  std::string text;
  for (const PartConfig& part : robot.parts) text += list_of(robot, part.name, part.joints);
  if (robot.arms.empty()) {
    for (const GuessedArm& arm : found.arms) {
      const bool is_part =
          std::any_of(robot.parts.begin(), robot.parts.end(),
                      [&](const PartConfig& part) { return part.name == arm.name; });
      if (!is_part) text += list_of(robot, arm.name, arm.joints);
    }
  }
  if (!text.empty()) return "parts:\n" + text;
  return "# parts:\n#   arm: [" +
         (robot.joints.empty() ? std::string() : yaml_quoted(robot.joints.front().name)) + "]\n";
}

std::string arm_line(const std::string& name, const std::string& part, const std::string& tool,
                     const std::string& base) {
  return "  " + yaml_quoted(name) + ": {part: " + yaml_quoted(part) +
         ", tool: " + yaml_quoted(tool) + (base.empty() ? "" : ", base: " + yaml_quoted(base)) +
         "}\n";
}

std::string arms(const Discovery& found) {
  std::string text;
  for (const ArmConfig& arm : found.config.arms) {
    text += arm_line(arm.name, arm.part, arm.tool, arm.base);
  }
  if (text.empty()) {
    for (const GuessedArm& arm : found.arms) {
      text += arm_line(arm.name, arm.name, arm.tool, "");
    }
  }
  if (text.empty()) return {};
  return "\n# Arms, for mode cartesian; the tool is a site or a body "
         "(docs/cartesian.md).\narms:\n" +
         text;
}

/// In metres or radians, all digits that a limit has.
std::string list_of_positions(const GripperConfig& gripper, const RobotConfig& robot,
                              double GripperJoint::*position) {
  return "[" +
         joined(gripper.joints, ", ",
                [&](const GripperJoint& joint) {
                  const bool slide = robot.joints[joint.joint].slide;
                  return fmt::format("{:.15g}", joint.*position) + (slide ? " m" : " rad");
                }) +
         "]";
}

std::string grippers(const Discovery& found) {
  const RobotConfig& robot = found.config;
  const auto& all = robot.grippers.empty() ? found.grippers : robot.grippers;
  if (all.empty()) return {};
  std::string text =
      "\n# Grippers: open, close, grasp (docs/grippers.md). width is from closed to open: check "
      "it.\n"
      "grippers:\n";
  for (const GripperConfig& gripper : all) {
    text += "  " + yaml_quoted(gripper.name) + ":\n    joints: [" +
            joined(gripper.joints, ", ",
                   [&](const GripperJoint& joint) {
                     return yaml_quoted(robot.joints[joint.joint].name);
                   }) +
            "]\n";
    text += "    closed: " + list_of_positions(gripper, robot, &GripperJoint::closed) + "\n";
    text += "    open: " + list_of_positions(gripper, robot, &GripperJoint::open) + "\n";
    text += gripper.knows_width()
                ? "    width: [" +
                      joined(gripper.widths, ", ",
                             [](double width) { return fmt::format("{:.5g} m", width); }) +
                      "]\n"
                : "    # width: 0.08 m  # unknown: without it no force can be asked for\n";
  }
  return text;
}

/// Protections of an arm, as they are without these lines: to be seen, and to be switched off.
std::string protections(const RobotConfig& robot) {
  if (!robot.avoidance || !robot.detection) return {};
  const auto on = [](bool value) { return value ? "true" : "false"; };
  std::string text =
      "\n# Collision avoidance keeps the robot off itself and off what stands fixed in its scene; "
      "collision\n# detection stops an arm that meets something else. on: false switches one off "
      "(docs/collisions.md).\n";
  text += fmt::format("collision_avoidance: {{on: {}}}\n", on(robot.avoidance->on));
  text += fmt::format("collision_detection: {{on: {}}}", on(robot.detection->on));
  text += robot.detection->on ? "\n" : "  # off: feet on the ground press like a contact\n";
  return text;
}

/// Models of robots often leave out the inertia of the motors, which gears make large.
std::string armatures(const Discovery& found) {
  std::vector<const JointConfig*> without;
  for (std::size_t i = 0; i < found.origins.size(); ++i) {
    if (found.origins[i].armature <= 0.0) without.push_back(&found.config.joints[i]);
  }
  if (without.empty()) return {};
  const JointConfig& first = *without.front();
  return fmt::format(
      "# The model states no inertia of the motors (armature: the rotor's times gear squared) for "
      "{} of {}\n# joints: it is taken from torque and speed. Where you know it:\n"
      "#   {}: {{board: {{armature: {:.2g} {}}}}}\n",
      without.size(), found.origins.size(), yaml_quoted(first.name),
      first.board.armature.value_or(0.0), first.slide ? "kg" : "kg m^2");
}

std::string poses(const RobotConfig& robot) {
  std::string text = "poses:\n";
  for (const PoseConfig& pose : robot.poses) {
    text += "  " + yaml_quoted(pose.name) + ":\n";
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (!pose.q[i]) continue;
      text += "    " + yaml_quoted(robot.joints[i].name) + ": " +
              position(robot.joints[i], *pose.q[i]) + "\n";
    }
  }
  return text;
}

/// Discovered values of a joint, under the keys that change them.
std::string found_values(const JointConfig& joint, bool with_torque) {
  const bool slide = joint.slide;
  const auto value = [&](double number, const char* of_hinge, const char* of_slide) {
    return fmt::format("{:.4g} ", number) + (slide ? of_slide : of_hinge);
  };
  std::string text;
  if (with_torque) text += "torque_max: " + value(joint.limits.tau_max, "Nm", "N") + ", ";
  text += "velocity_max: " + value(joint.limits.v_max, "rad/s", "m/s");
  text += ", acceleration_max: " + value(joint.limits.a_max, "rad/s^2", "m/s^2");
  text += ", stiffness: " + value(joint.gains.stiffness, "Nm/rad", "N/m");
  text += ", damping: " + value(joint.gains.damping, "Nms/rad", "Ns/m");
  return text;
}

std::string joints(const Discovery& found) {
  const std::vector<JointConfig>& all = found.config.joints;
  const auto estimated = [&](std::size_t i) { return found.origins[i].tau_source == "estimate"; };
  std::string settings;
  std::string comments;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (estimated(i)) {
      settings += "  " + yaml_quoted(all[i].name) +
                  ": {torque_max: " + fmt::format("{:.4g}", all[i].limits.tau_max) +
                  (all[i].slide ? " N" : " Nm") + "}  # an estimate: the model gives none\n";
    }
    comments +=
        "#   " + yaml_quoted(all[i].name) + ": {" + found_values(all[i], !estimated(i)) + "}\n";
  }
  std::string text = settings.empty() ? "# joints:\n" : "joints:\n" + settings;
  return text + "# Values from the model; remove the # of a line to set it.\n" + comments;
}

}  // namespace

std::string starting_robot_yaml(const Discovery& found, const std::filesystem::path& folder) {
  const RobotConfig& robot = found.config;
  const auto path = [&folder](const std::string& place) {
    const std::filesystem::path full = std::filesystem::absolute(place);
    return yaml_quoted(
        std::filesystem::relative(full, std::filesystem::absolute(folder.empty() ? "." : folder))
            .generic_string());
  };
  std::string text =
      "# A robot made from its model. Only schema and model are needed; all else "
      "is\n# discovered: `jointrig inspect` lists it.\n";
  text +=
      "schema: 1\nname: " + yaml_quoted(robot.name) + "\nmodel: " + path(robot.model_path) + "\n";
  if (!robot.package_path.empty()) {
    text += "package_path: [" + joined(robot.package_path, ", ", path) + "]\n";
  }
  text += robot.keyframe.empty() ? "# keyframe: home\n"
                                 : "keyframe: " + yaml_quoted(robot.keyframe) + "\n";
  text += robot.pin_base ? "pin_base: true\n"
                         : "# pin_base: true  # fixes a floating base in its start pose\n";
  if (robot.motors) text += "motors: true  # at each joint that no actuator drives\n";
  text += fmt::format("period: {:g} ms\n", to_seconds(robot.period_ns) * 1e3);
  text += "\n# Groups of joints that a command can name.\n" + parts(found);
  if (!robot.joints.empty()) {
    text += "\n# Named poses, to be homed to.\n" + poses(robot) + arms(found) + grippers(found) +
            protections(robot) + "\n" + joints(found) + armatures(found);
  }
  return text;
}

}  // namespace jointrig
