#pragma once
/// Writes parameters back to robot.yaml: its comments and order stay, the difference is shown
/// first, and a file that was changed meanwhile is not touched.

#include <string>
#include <vector>

#include "control/core/changed_parameter.h"
#include "control/core/robot_config.h"
#include "harness/config/robot_file.h"

namespace jointrig::app {

class ParameterFile {
 public:
  /// Stores the file's present text.
  /// @param source  source of the opened robot
  explicit ParameterFile(harness::RobotSource source);

  /// Empty if the robot has no file.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// The difference to write, by line_diff(). Throws as write().
  [[nodiscard]] std::string compare(const RobotConfig& opened,
                                    const std::vector<ChangedParameter>& changed) const;

  /// Writes a new file beside the old one and replaces it. Throws FileError or std::runtime_error:
  /// no file, changed since it was opened, values that the file can't hold or that read back
  /// differently.
  void write(const RobotConfig& opened, const std::vector<ChangedParameter>& changed);

 private:
  [[nodiscard]] std::string edited(const RobotConfig& opened,
                                   const std::vector<ChangedParameter>& changed) const;

  harness::RobotSource source_;
  std::string path_;
  std::string text_;  ///< as opened, or as last written
};

}  // namespace jointrig::app
