#pragma once
/// Models as other people publish them: the MJCF files that the test set of Python packages brings
/// into .deps/venv.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace jointrig::testing {

/// The folder of an installed Python package, or an empty path.
inline std::filesystem::path package_folder(const std::string& package) {
  namespace fs = std::filesystem;
  const fs::path lib = ".deps/venv/lib";
  if (!fs::exists(lib)) return {};
  for (const fs::directory_entry& python : fs::directory_iterator(lib)) {
    const fs::path folder = python.path() / "site-packages" / package;
    if (fs::exists(folder)) return folder;
  }
  return {};
}

/// Every file below `folder` that has a <mujoco> element, sorted.
inline std::vector<std::string> mjcf_files(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (line.find("<mujoco") == std::string::npos) continue;
      files.push_back(entry.path().string());
      break;
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace jointrig::testing
