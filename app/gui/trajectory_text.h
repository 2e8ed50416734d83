#pragma once
/// A motion of the panel as the step `trajectory` of a scenario.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "gui/panel/motion_list.h"

namespace jointrig::app {

struct TrajectoryText {
  std::vector<std::string> keys;       ///< `speed: 0.5`, all but the waypoints
  std::vector<std::string> waypoints;  ///< each in brackets
};
/// All that a planner is asked for.
TrajectoryText trajectory_text(const gui::MotionList& list, const RobotConfig& config);
/// That, interaction control, and what a scenario needs beside: how it begins and is waited for.
TrajectoryText scenario_text(const gui::MotionList& list, const RobotConfig& config);

/// In lines: keys, then `waypoints:` with one each.
std::vector<std::string> in_lines(const TrajectoryText& text);
/// `{speed: 0.5, waypoints: [...]}`
std::string in_brackets(const TrajectoryText& text);

/// Timeout of a wait for its end [s], where the list has none: thrice what it needs at full
/// acceleration, and half a minute for the way to the first waypoint.
double usual_timeout(const gui::MotionList& list, const RobotConfig& config);

}  // namespace jointrig::app
