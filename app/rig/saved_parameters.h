#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "app/rig/parameter_file.h"
#include "control/exchange/parameter_exchange.h"

namespace jointrig::app {

/// Parameters that run, on their way into the robot.yaml that the robot was opened with. Any
/// thread; it reads and writes the disk.
class SavedParameters {
 public:
  /// @param opened  the robot as its file gives it
  SavedParameters(harness::RobotSource source, const RobotConfig& opened);

  /// Writes those that differ from the file, or only tells.
  /// @returns the difference by line_diff(); empty: the file has what runs
  /// Throws as ParameterFile::write.
  std::string save(const ParameterTable& now, bool only_compare);
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }

 private:
  [[nodiscard]] std::vector<ChangedParameter> changes(const ParameterTable& now) const;

  std::mutex mutex_;
  ParameterFile file_;
  RobotConfig in_file_;
};

}  // namespace jointrig::app
