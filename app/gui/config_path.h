#pragma once

#include <filesystem>
#include <string_view>

namespace jointrig {

/// A file in $XDG_CONFIG_HOME/jointrig, or in ~/.config/jointrig where that isn't an absolute path,
/// as the XDG Base Directory Specification has it; empty: there is no home either.
std::filesystem::path config_path(std::string_view file);

}  // namespace jointrig
