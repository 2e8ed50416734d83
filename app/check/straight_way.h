#pragma once
/// The straight way of joints from where they stand, as a plan that path_collision.h can look at.

#include <vector>

#include "control/motion/joint_plan.h"

namespace jointrig::app {

/// qᵢ = fromᵢ + s wayᵢ, s from 0 to 1, in a second; all of the robot's joints, or some, each once
/// [rad or m].
JointPlan straight_way(const std::vector<JointIndex>& joints, const std::vector<double>& from,
                       const std::vector<double>& way);

}  // namespace jointrig::app
