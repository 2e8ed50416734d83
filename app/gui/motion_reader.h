#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "gui/panel/motion_list.h"
#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::app {

/// A step `trajectory` of a scenario as a list of the panel. A key that the panel has no place for
/// is an error, so that nothing gets lost on the way back to the file.
class MotionReader {
 public:
  explicit MotionReader(const RobotConfig& config)
      : config_(&config), signals_(config), binder_(config, signals_, bounds_) {}

  /// Takes the trajectory, or a wait. Throws FileError.
  void take(const harness::Step& step);
  /// Throws FileError if there was no trajectory.
  [[nodiscard]] gui::MotionList list(const harness::Scenario& scenario) const;

 private:
  [[nodiscard]] gui::MotionList read(const harness::Step& step,
                                     const harness::TrajectoryStep& trajectory) const;
  void read_options(const harness::TrajectoryStep& trajectory, gui::MotionList& list) const;
  [[nodiscard]] gui::MotionWaypoint read(const harness::TrajectoryPoint& point,
                                         const gui::MotionList& list,
                                         const harness::SourceSpot& spot) const;
  void read_pose(const harness::TrajectoryPose& pose, const gui::MotionList& list,
                 const harness::SourceSpot& spot, gui::MotionWaypoint& waypoint) const;
  void read_tolerance(const std::vector<harness::Target>& targets, gui::MotionList& list) const;
  [[nodiscard]] double number(const harness::Text& text, std::string_view unit) const;
  [[nodiscard]] std::vector<std::optional<double>> joints(
      const std::vector<harness::Target>& targets) const;

  const RobotConfig* config_;
  harness::SignalTable signals_;
  std::vector<harness::SignalBound> bounds_;
  harness::Binder binder_;
  std::optional<gui::MotionList> list_;
};

}  // namespace jointrig::app
