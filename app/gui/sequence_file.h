#pragma once
/// A sequence as a scenario file: poses are `move` steps, holds are `wait` steps. What the panel
/// saves `jointrig run` runs; what it opens may have been written by hand.

#include <filesystem>
#include <string>

#include "control/core/robot_config.h"
#include "gui/panel/sequence_desk.h"

namespace jointrig::app {

/// @param robot  how the scenario names its robot: a name, or a path from where the file will be
std::string to_scenario(const gui::Sequence& sequence, const RobotConfig& config,
                        const std::string& robot);

/// Writes a desk's sequence to its file; in place of another scenario only where the desk has
/// opened or saved it itself. Throws std::runtime_error.
void save_sequence(gui::SequenceDesk& desk, const RobotConfig& config, const std::string& robot);

/// Reads a scenario that has nothing but moves of joints and waits of a time in its steps; its
/// setup and teardown are passed over. Throws FileError: a step of another kind, a joint that this
/// robot hasn't.
gui::Sequence read_sequence(const std::filesystem::path& file, const RobotConfig& config);

}  // namespace jointrig::app
