#pragma once

#include <filesystem>
#include <string_view>

namespace jointrig::app {

/// A user's own file, by the XDG Base Directory Specification:
///
///     config_path  $XDG_CONFIG_HOME/jointrig, or ~/.config/jointrig      what they chose
///     state_path   $XDG_STATE_HOME/jointrig, or ~/.local/state/jointrig  what was found out
///
/// The second path is used if the variable isn't an absolute path; empty without a home folder.
std::filesystem::path config_path(std::string_view file);
std::filesystem::path state_path(std::string_view file);

}  // namespace jointrig::app
