#pragma once
/// A robot's model as its robot.yaml places it: the file's, its base fixed if that is asked for,
/// under the gravity that is asked for.
///
/// For start-up: allocates and throws, as load_mjcf().

#include <array>

#include "control/core/robot_config.h"
#include "control/model/mjcf.h"

namespace jointrig {

/// Loads model_path at its keyframe, pins the base for pin_base, and sets `gravity` if there is
/// one. Throws ModelError.
Mjcf robot_mjcf(const RobotConfig& robot, Shapes shapes = Shapes::kColliding);

/// Sets the gravity of an open model, of what was compiled of it, too. An arm on a wall has the
/// model of an arm on a table, under a gravity along another axis of it.
///
/// @param gravity  acceleration of a falling body, in the model's world frame [m/s²]
void set_gravity(Mjcf& mjcf, const std::array<double, 3>& gravity);

}  // namespace jointrig
