// Settings of grippers.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/config/apply_settings.h"
#include "harness/config/joint_names.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

/// Closed at the limit nearer to 0, open at the other, until the file says otherwise.
GripperJoint joint_by_its_limits(JointIndex index, const JointConfig& joint) {
  const JointLimits& limits = joint.limits;
  const bool low_is_near = std::abs(limits.q_min) <= std::abs(limits.q_max);
  return {.joint = index,
          .open = low_is_near ? limits.q_max : limits.q_min,
          .closed = low_is_near ? limits.q_min : limits.q_max};
}

void read_joints(const YamlNode& names, GripperConfig& gripper, const RobotConfig& config) {
  gripper.joints.clear();
  const std::vector<YamlNode> all = names.is_sequence() ? names.items() : std::vector{names};
  for (const YamlNode& name : all) {
    for (const JointIndex joint : joints_called(config, name.text(), name.spot())) {
      const bool is_there =
          std::any_of(gripper.joints.begin(), gripper.joints.end(),
                      [&](const GripperJoint& one) { return one.joint == joint; });
      if (is_there) {
        throw name.error("joint \"" + config.joints[joint].name +
                         "\" is in the gripper already; name it once");
      }
      gripper.joints.push_back(joint_by_its_limits(joint, config.joints[joint]));
    }
  }
}

/// A number for all joints, or one each.
void read_positions(const YamlNode& values, GripperConfig& gripper, const RobotConfig& config,
                    double GripperJoint::*position) {
  const bool is_list = values.is_sequence();
  if (is_list && values.items().size() != gripper.joints.size()) {
    throw values.error(
        fmt::format("it has {} numbers, and the gripper has {} joints: give one each",
                    values.items().size(), gripper.joints.size()));
  }
  for (std::size_t i = 0; i < gripper.joints.size(); ++i) {
    const YamlNode& value = is_list ? values.items()[i] : values;
    const JointConfig& joint = config.joints[gripper.joints[i].joint];
    const char* const unit = joint.slide ? "m" : "rad";
    constexpr double kRounding = 1e-6;  // rad or m: a limit written with fewer digits
    const double q = quantity(value, unit);
    if (q < joint.limits.q_min - kRounding || q > joint.limits.q_max + kRounding) {
      throw value.error(fmt::format("{:g} {} is outside the range of joint {}, {:g} to {:g} {}", q,
                                    unit, joint.name, joint.limits.q_min, joint.limits.q_max,
                                    unit));
    }
    gripper.joints[i].*position = std::clamp(q, joint.limits.q_min, joint.limits.q_max);
  }
}

/// The width when open, or widths at equal steps from closed to open.
void read_width(const YamlNode& width, GripperConfig& gripper) {
  gripper.widths.clear();
  if (!width.is_sequence()) {
    gripper.widths = {0.0, quantity(width, "m")};
  } else {
    for (const YamlNode& value : width.items()) gripper.widths.push_back(quantity(value, "m"));
  }
  for (std::size_t i = 1; i < gripper.widths.size(); ++i) {
    if (gripper.widths[i] > gripper.widths[i - 1]) continue;
    throw width.error("widths go from closed to open, so each is above the one before");
  }
}

void apply_gripper(const YamlNode& keys, GripperConfig& gripper, const RobotConfig& config) {
  const YamlNode* part = keys.find("part");
  const YamlNode* joints = keys.find("joints");
  if (part != nullptr && joints != nullptr) {
    throw FileError(keys.key_spot("joints"), "only one of \"part\", \"joints\" can be given");
  }
  if (part != nullptr) read_joints(*part, gripper, config);
  if (joints != nullptr) read_joints(*joints, gripper, config);
  if (gripper.joints.empty()) {
    throw keys.error("gripper \"" + gripper.name + "\" has no joint: give \"part\" or \"joints\"");
  }
  if (const YamlNode* open = keys.find("open")) {
    read_positions(*open, gripper, config, &GripperJoint::open);
  }
  if (const YamlNode* closed = keys.find("closed")) {
    read_positions(*closed, gripper, config, &GripperJoint::closed);
  }
  for (const GripperJoint& joint : gripper.joints) {
    if (std::isfinite(joint.stroke()) && joint.stroke() != 0.0) continue;
    throw keys.error("joint " + config.joints[joint.joint].name +
                     " of the gripper has no way between closed and open: give both");
  }
  if (const YamlNode* width = keys.find("width")) read_width(*width, gripper);
  if (const YamlNode* force = keys.find("force")) gripper.force = quantity(*force, "N");
  if (const YamlNode* most = keys.find("force_max")) gripper.force_max = quantity(*most, "N");
  if (const YamlNode* slip = keys.find("slip")) gripper.slip = quantity(*slip, "1");
  if (gripper.force_max > 0.0 && gripper.force > gripper.force_max) {
    throw keys.error(
        fmt::format("force, {:g} N, is above force_max, {:g} N", gripper.force, gripper.force_max));
  }
}

}  // namespace

void apply_grippers(const YamlNode& grippers, RobotConfig& config, Problems& problems) {
  for (const YamlNode::Entry& entry : grippers.entries()) {
    problems.collect([&] {
      auto at = std::find_if(config.grippers.begin(), config.grippers.end(),
                             [&](const GripperConfig& one) { return one.name == entry.key; });
      GripperConfig gripper = at != config.grippers.end() ? *at : GripperConfig{};
      gripper.name = entry.key;
      apply_gripper(entry.value, gripper, config);
      for (const GripperConfig& other : config.grippers) {
        if (other.name == gripper.name) continue;
        for (const GripperJoint& joint : other.joints) {
          const bool is_shared =
              std::any_of(gripper.joints.begin(), gripper.joints.end(),
                          [&](const GripperJoint& one) { return one.joint == joint.joint; });
          if (!is_shared) continue;
          throw FileError(entry.spot, "joint " + config.joints[joint.joint].name +
                                          " is in two grippers, " + other.name + " and " +
                                          gripper.name);
        }
      }
      if (at != config.grippers.end()) {
        *at = std::move(gripper);
      } else {
        config.grippers.push_back(std::move(gripper));
      }
      if (config.grippers.size() > kMaxGrippers) {
        throw FileError(entry.spot,
                        fmt::format("the robot has {} grippers, more than the {} of one "
                                    "stack",
                                    config.grippers.size(), kMaxGrippers));
      }
    });
  }
}

}  // namespace jointrig::harness
