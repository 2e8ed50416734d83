#pragma once
/// Parameters back into robot.yaml: its comments and order stay, the difference is shown first, and
/// a file that somebody else has changed meanwhile is left alone.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "gui/panel/parameter_desk.h"
#include "harness/config/robot_file.h"

namespace jointrig::app {

class ParameterFile {
 public:
  /// Remembers what the file says now. @param source  as the robot was opened from
  explicit ParameterFile(harness::RobotSource source);

  /// Empty where the robot has none.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// What would change, by line_diff(). Throws as write() does.
  [[nodiscard]] std::string compare(const RobotConfig& opened,
                                    const std::vector<gui::ChangedParameter>& changed) const;

  /// Writes it beside the old file and puts it in its place. Throws FileError or
  /// std::runtime_error: no file, changed since it was opened, values that the file can't take or
  /// that read again come to something else.
  void write(const RobotConfig& opened, const std::vector<gui::ChangedParameter>& changed);

 private:
  [[nodiscard]] std::string edited(const RobotConfig& opened,
                                   const std::vector<gui::ChangedParameter>& changed) const;

  harness::RobotSource source_;
  std::string path_;
  std::string text_;  ///< as opened, or as written last
};

}  // namespace jointrig::app
