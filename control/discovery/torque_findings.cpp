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

std::string too_weak(const JointConfig& joint, double gravity) {
  const char* unit = joint.slide ? "N" : "N·m";
  return fmt::format("{}: it takes {:.4g} {}, tau_max is {:.4g} {}", kTooWeak, gravity, unit,
                     joint.limits.tau_max, unit);
}

}  // namespace

void judge_torques(const RobotConfig& robot, Discovery& found) {
  std::erase_if(found.findings, [](const Remark& remark) {
    return remark.text.starts_with(kEstimated) || remark.text.starts_with(kTooWeak);
  });
  Remarks remarks(std::move(found.findings));
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    const JointOrigin& origin = found.origins[i];
    if (origin.tau_source == kEstimate) {
      remarks.add(Severity::kWarning, Subject::kJoint, joint.name, std::string(kEstimated));
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
