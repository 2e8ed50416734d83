#pragma once
/// Waypoints as a scenario file with one step `trajectory`, which `jointrig run` runs; the panel
/// can open hand-written files, too.

#include <filesystem>
#include <string>

#include "control/core/robot_config.h"
#include "gui/panel/motion_desk.h"

namespace jointrig::app {

/// @param robot  text for the robot: a name, or a path relative to the file's folder
std::string to_scenario(const gui::MotionList& list, const RobotConfig& config,
                        const std::string& robot);

/// A motion that was run as a step of a recorded session, which doesn't wait for its end.
std::string trajectory_step(const gui::SentMotion& motion, const RobotConfig& config);

/// Writes a desk's list to its file. A scenario that the desk has opened or saved keeps all but its
/// trajectory, comments too; another one isn't replaced. Throws std::runtime_error.
void save_motion(gui::MotionDesk& desk, const RobotConfig& config, const std::string& robot);

/// Reads a scenario whose steps are one trajectory, and waits; ignores setup and teardown. Throws
/// FileError: another step, a joint that this robot lacks, a number that is computed from signals.
gui::MotionList read_motion(const std::filesystem::path& file, const RobotConfig& config);

}  // namespace jointrig::app
