#pragma once

#include <memory>
#include <string>

#include "control/core/robot_config.h"

namespace jointrig::app {

/// Opens a shared library with a law of one's own (control/core/user_law.h). It stays open as long
/// as the maker or a law that it made. Throws std::runtime_error with a sentence: no such file, not
/// loadable (the loader's reason), no symbol `jointrig_user_law`, another version of the interface.
std::shared_ptr<const UserLawMaker> open_law_library(const std::string& path);

/// Opens the libraries of all laws that have no maker yet, and asks each law for its parameters and
/// signals. Throws ConfigError with file and line.
void load_laws(RobotConfig& robot);

}  // namespace jointrig::app
