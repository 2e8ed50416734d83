#pragma once
/// Obstacles that a scenario tells the robot of.

#include "harness/runner/binder.h"

namespace jointrig::harness {

/// Throw FileError.
ToldObstacleStep read_set_obstacle(const YamlNode& node);
ToldObstacleStep read_remove_obstacle(const YamlNode& node);

/// The command, with the number of its arm. Throws FileError.
Request told_obstacle(const ToldObstacleStep& step, const Binder& binder);

}  // namespace jointrig::harness
