#pragma once
/// Where on a robot's bodies a tool is.

#include <array>
#include <string>

#include "control/core/robot_config.h"

namespace jointrig {

struct ToolPlace {
  std::string body;               ///< that carries the tool; empty if the model doesn't name it
  std::array<double, 3> point{};  ///< of the tool in that body's frame [m]
};

/// Opens the robot's model once more; for start-up. Throws ModelError: no model, no such frame.
/// @param tool  a site or a body, as ArmConfig::tool
ToolPlace place_of_tool(const RobotConfig& robot, const std::string& tool);

}  // namespace jointrig
