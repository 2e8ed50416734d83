#pragma once
/// The files that cases are made of, for a machine that lacks them.

#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "app/sweep/case_inputs.h"

namespace jointrig::app {

/// Scenario, robot.yaml, models with all that they include, and every file that one of these YAML
/// files or a setting names by a path. On the other machine they lie under a folder of their own in
/// the same tree, so that relative paths lead from one to another. A file that is named by an
/// absolute path has to be there already.
class SentFiles {
 public:
  /// Files of one more case. Any thread.
  void add(const PreparedCase& ready, const std::vector<std::string>& settings);

  /// Absolute paths.
  [[nodiscard]] const std::set<std::filesystem::path>& files() const noexcept { return files_; }
  /// Folders in which the robots are found by their names, absolute.
  [[nodiscard]] const std::set<std::filesystem::path>& model_folders() const noexcept {
    return model_folders_;
  }

 private:
  void add_yaml(const std::filesystem::path& file);
  void add_named(const harness::YamlNode& node, const std::filesystem::path& folder);
  void add_file(const std::filesystem::path& file);
  void add_robot(const std::filesystem::path& robot_yaml);

  std::mutex mutex_;
  std::set<std::string> known_;  ///< robots, scenes and settings that were looked at
  std::set<std::filesystem::path> files_;
  std::set<std::filesystem::path> model_folders_;
};

}  // namespace jointrig::app
