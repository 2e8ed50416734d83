#pragma once

#include <filesystem>
#include <string_view>

namespace jointrig::app {

/// A user's own file, as the XDG Base Directory Specification has it:
///
///     config_path  $XDG_CONFIG_HOME/jointrig, or ~/.config/jointrig      what they chose
///     state_path   $XDG_STATE_HOME/jointrig, or ~/.local/state/jointrig  what was found out
///
/// the second where the variable isn't an absolute path; empty: there is no home either.
std::filesystem::path config_path(std::string_view file);
std::filesystem::path state_path(std::string_view file);

}  // namespace jointrig::app
