#pragma once
/// Folders and files of results. What fails says which file it was and what the system said.

#include <filesystem>
#include <string>

namespace jointrig::app {

/// A scenario's name as that of its folder: letters (of any script), digits and `-_.=,` stay, the
/// brackets and signs of variations that shells dislike become `_`. Never a dot at the beginning,
/// never the name of a file beside it (report.html), never longer than a file system takes. Two
/// names may come to one folder: the list of scenarios refuses that.
std::string folder_name(const std::string& name);

/// With the folders above it. Throws std::runtime_error.
void make_folder(const std::filesystem::path& folder);

/// With the folders above it, in place of what is there. Throws std::runtime_error.
void write_text(const std::filesystem::path& path, const std::string& text);

}  // namespace jointrig::app
