#pragma once
/// Torque limits that a model states, and those among them that stand for nothing.

#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/discovery/actuator_facts.h"
#include "control/discovery/inertia_range.h"

namespace jointrig {

struct Survey;

/// The strongest actuator's limit, or the joint's own if that is lower; empty without either.
std::optional<TorqueLimit> stated_torque(const Survey& survey, int joint);

/// True if the limit is a URDF's effort.
bool is_effort(const Survey& survey, const TorqueLimit& limit);

/// A URDF's effort that can't carry a joint that it is stated for.
struct TooLittleEffort {
  double effort = 0.0;  ///< [N·m or N]
  bool slide = false;
  std::string joint;    ///< of those with this effort, the one whose weight takes most
  double weight = 0.0;  ///< what it takes in the heaviest pose [N·m or N]
};

/// Efforts that no motor has: in some pose the weight of a joint takes is_too_little_torque() times
/// as much. Exporters write one number for all joints, as 1 or 30, which stands for nothing at the
/// others either. Joints on a floating base don't count: their load depends on its support. Nor
/// does what an MJCF states, where a motor may be weak on purpose (a pendulum to be swung up).
///
/// @param ranges  of the robot's joints
std::vector<TooLittleEffort> too_little_efforts(const Survey& survey, const RobotConfig& robot,
                                                const std::vector<InertiaRange>& ranges);

}  // namespace jointrig
