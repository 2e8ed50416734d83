#pragma once

#include <vector>

#include "control/core/robot_config.h"
#include "control/model/collision_geometry.h"
#include "control/model/robot_model.h"

namespace jointrig {

/// By joint of the robot: the largest distance from its anchor that a shape which it moves can have
/// in any pose: the lengths of the links behind it. For a slide, whose lever is 1 m/m, 1. So no
/// point of a shape moves by more than Σ reach |Δq|. [m/rad or 1]
std::vector<double> shape_reaches(const CollisionGeometry& geometry, const RobotConfig& robot,
                                  const RobotModel& model);

}  // namespace jointrig
