#pragma once
/// Folders and files of results. Errors name the file and the system's reason.

#include <filesystem>
#include <string>

namespace jointrig::app {

/// A folder name for a scenario: letters (of any script), digits and `-_.=,` stay; brackets and
/// signs of variations that shells interpret become `_`. Never a dot at the beginning, never the
/// name of a file beside it (report.html), never longer than a file system takes. If two names give
/// one folder, the list of scenarios refuses them.
std::string folder_name(const std::string& name);

/// Makes the folder and those above it. Throws std::runtime_error.
void make_folder(const std::filesystem::path& folder);

/// Writes a file with the folders above it; replaces an existing one. Throws std::runtime_error.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace jointrig::app
