#pragma once
/// A sequence as a scenario file: poses are `move` steps, holds are `wait` steps. `jointrig run`
/// runs a saved sequence; the panel can open hand-written files, too.

#include <filesystem>
#include <string>

#include "control/core/robot_config.h"
#include "gui/panel/sequence_desk.h"

namespace jointrig::app {

/// @param robot text for the robot: a name, or a path relative to the file's folder
std::string to_scenario(const gui::Sequence& sequence, const RobotConfig& config,
                        const std::string& robot);

/// Writes a desk's sequence to its file; replaces another scenario only if the desk has opened or
/// saved it. Throws std::runtime_error.
void save_sequence(gui::SequenceDesk& desk, const RobotConfig& config, const std::string& robot);

/// Reads a scenario with only joint moves and timed waits in its steps; ignores setup and teardown.
/// Throws FileError: a step of another kind, a joint that this robot lacks.
gui::Sequence read_sequence(const std::filesystem::path& file, const RobotConfig& config);

}  // namespace jointrig::app
