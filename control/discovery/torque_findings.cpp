#include "control/discovery/torque_findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace jointrig {
namespace {

constexpr std::string_view kEstimated =
    "the model gives no torque limit: tau_max is an estimate, twice what gravity, friction and "
    "motion can take";
constexpr std::string_view kNoArmature = "states no motor inertia: taken as";
constexpr std::string_view kTooWeak = "too weak to hold the start pose";

constexpr std::string_view kTooMuchFriction = "its own friction";

/// Speed at which friction takes all of the motor's torque, where that is below velocity_max; else
/// 0 [rad/s or m/s].
double speed_by_friction(const JointConfig& joint) {
  const double spare = joint.limits.tau_max - joint.gains.friction;
  if (joint.gains.viscous * joint.limits.v_max <= spare) return 0.0;
  return std::max(0.0, spare) / joint.gains.viscous;
}

std::string too_much_friction(const JointConfig& joint) {
  const char* unit = joint.slide ? "m/s" : "rad/s";
  return fmt::format(
      "{} lets the motor's {:.3g} {} {} it with at most {:.2g} {}, and "
      "velocity_max is {:.3g}: give less",
      kTooMuchFriction, joint.limits.tau_max, joint.slide ? "N" : "N·m",
      joint.slide ? "move" : "turn", speed_by_friction(joint), unit, joint.limits.v_max);
}

std::string too_weak(const JointConfig& joint, double gravity) {
  const char* unit = joint.slide ? "N" : "N·m";
  return fmt::format("{}: it takes {:.4g} {}, tau_max is {:.4g} {}", kTooWeak, gravity, unit,
                     joint.limits.tau_max, unit);
}

}  // namespace

void judge_torques(const RobotConfig& robot, Discovery& found) {
  std::erase_if(found.findings, [](const Remark& remark) {
    return remark.text.starts_with(kEstimated) || remark.text.starts_with(kTooWeak) ||
           remark.text.starts_with(kTooMuchFriction);
  });
  Remarks remarks(std::move(found.findings));
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    const JointOrigin& origin = found.origins[i];
    if (origin.tau_source == kEstimate) {
      remarks.add(Severity::kWarning, Subject::kJoint, joint.name, std::string(kEstimated));
    }
    if (speed_by_friction(joint) > 0.0) {
      remarks.add(Severity::kWarning, Subject::kJoint, joint.name, too_much_friction(joint));
    }
    const double gravity = std::abs(origin.gravity);
    if (gravity > joint.limits.tau_max) {
      // On a floating base it depends on the support of the base.
      remarks.add(origin.floats ? Severity::kWarning : Severity::kError, Subject::kJoint,
                  joint.name, too_weak(joint, gravity));
    }
  }
  found.findings = std::move(remarks).take();
}

void report_armatures(const std::vector<JointIndex>& estimated, Discovery& found) {
  std::erase_if(found.findings,
                [](const Remark& remark) { return remark.text.starts_with(kNoArmature); });
  Remarks remarks(std::move(found.findings));
  for (const JointIndex i : estimated) {
    const JointConfig& joint = found.config.joints[i];
    remarks.add(Severity::kInfo, Subject::kJoint, joint.name,
                fmt::format("{} {:.2g}, of its torque and speed; set board: {{armature: ...}} if "
                            "it is known",
                            kNoArmature, *joint.board.armature));
  }
  found.findings = std::move(remarks).take();
}

}  // namespace jointrig
