#include "control/discovery/stated_torque.h"

#include <algorithm>

#include "control/discovery/default_limits.h"
#include "control/discovery/survey.h"

namespace jointrig {

std::optional<TorqueLimit> stated_torque(const Survey& survey, int joint) {
  std::optional<TorqueLimit> limit;
  for (const int a : survey.drives[static_cast<std::size_t>(joint)]) {
    const std::optional<TorqueLimit> one = torque_limit(*survey.model, a);
    if (one && (!limit || one->value > limit->value)) limit = one;
  }
  const std::optional<TorqueLimit> joints = torque_limit_of_joint(*survey.model, joint);
  if (joints && (!limit || joints->value < limit->value)) limit = joints;
  return limit;
}

bool is_effort(const Survey& survey, const TorqueLimit& limit) {
  return survey.mjcf.is_urdf && limit.source == kJointForceRange;
}

std::vector<TooLittleEffort> too_little_efforts(const Survey& survey, const RobotConfig& robot,
                                                const std::vector<InertiaRange>& ranges) {
  std::vector<TooLittleEffort> all;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const int joint = survey.controlled[i];
    const std::optional<TorqueLimit> stated = stated_torque(survey, joint);
    if (!stated || !is_effort(survey, *stated) || has_floating_base(*survey.model, joint)) continue;
    const double weight = ranges[i].weight;
    if (!is_too_little_torque(stated->value, weight)) continue;
    const auto known = std::find_if(all.begin(), all.end(), [&](const TooLittleEffort& one) {
      return one.effort == stated->value && one.slide == robot.joints[i].slide;
    });
    if (known == all.end()) {
      all.push_back({stated->value, robot.joints[i].slide, robot.joints[i].name, weight});
    } else if (weight > known->weight) {
      *known = {stated->value, robot.joints[i].slide, robot.joints[i].name, weight};
    }
  }
  return all;
}

}  // namespace jointrig
