#pragma once
/// Folders in which robots, scenes and scenarios are looked for.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Every folder `name` in one of `near` or above it, nearest first, none twice.
std::vector<std::filesystem::path> folders_above(const std::vector<std::filesystem::path>& near,
                                                 const std::string& name);

/// The folder `name` in share/jointrig of the prefix that the running program was installed in; ""
/// where there is none, as for a program in a build tree.
std::filesystem::path installed_folder(const std::string& name);

/// The folder of the file that a node was written in; the working directory for an argument.
std::filesystem::path folder_of(const YamlNode& node);

/// The MJCF of a scene: a path relative to the file, or the name of one in a folder `scenes` above
/// it or the working directory. "" stays "". FileError at the node where there is none.
std::string scene_path(const YamlNode& scene);

}  // namespace jointrig::harness
