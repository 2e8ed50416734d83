#include "app/rig/saved_parameters.h"

#include <utility>

#include "control/core/joint_parameter.h"

namespace jointrig::app {

SavedParameters::SavedParameters(harness::RobotSource source, const RobotConfig& opened)
    : file_(std::move(source)), in_file_(opened) {}

std::string SavedParameters::save(const ParameterTable& now, bool only_compare) {
  const std::lock_guard lock(mutex_);
  const std::vector<ChangedParameter> changed = changes(now);
  const std::string difference = file_.compare(in_file_, changed);
  if (only_compare || changed.empty()) return difference;
  file_.write(in_file_, changed);
  for (const ChangedParameter& one : changed) {
    field_of(in_file_.joints[one.joint], one.parameter) = one.now;
  }
  return difference;
}

std::vector<ChangedParameter> SavedParameters::changes(const ParameterTable& now) const {
  std::vector<ChangedParameter> changed;
  for (std::size_t i = 0; i < in_file_.joints.size(); ++i) {
    for (const JointParameter one : kAllJointParameter) {
      const double before = value_of(in_file_.joints[i], one);
      const double value = now[static_cast<std::size_t>(one)][i];
      if (value != before) changed.push_back({static_cast<JointIndex>(i), one, before, value});
    }
  }
  return changed;
}

}  // namespace jointrig::app
