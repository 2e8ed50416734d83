#pragma once
/// Search of folders for robots, scenes, scenarios and drive profiles.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Returns every folder `name` in one of `near` or above it, nearest first, without repetition.
std::vector<std::filesystem::path> folders_above(const std::vector<std::filesystem::path>& near,
                                                 const std::string& name);

/// Returns the folder `name` in share/jointrig of the installation that this code is part of (a
/// prefix, or the Python package), or in the clone that it was built in; "" if there is neither.
std::filesystem::path installed_folder(const std::string& name);

/// A robot or scene that a name finds.
struct KnownFile {
  std::string name;
  std::filesystem::path file;  ///< robot.yaml, or the scene's MJCF
};

/// Robots and scenes that can be named here, in the order of their names; the nearest of each name.
std::vector<KnownFile> known_robots();
std::vector<KnownFile> known_scenes();

/// Returns the folder of a node's file; the working directory for an argument.
std::filesystem::path folder_of(const YamlNode& node);

/// Returns the MJCF of a scene: a path relative to the file, or a name in a folder `scenes` above
/// it or above the working directory. "" stays "". Throws FileError at the node if there is none.
std::string scene_path(const YamlNode& scene);

/// Returns the file of a drive profile: a path relative to the node's file, or a name in a folder
/// models/drives that robots are searched beside. Throws FileError at the node if there is none.
std::filesystem::path drive_profile_path(const YamlNode& profile);

}  // namespace jointrig::harness
