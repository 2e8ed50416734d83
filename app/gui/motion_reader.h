#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "gui/panel/motion_list.h"
#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::app {

/// A step `trajectory` of a scenario (harness/runner/trajectory_reader.h reads it) as a list of the
/// panel, all of it. Only numbers that a run would compute from its signals have no place there.
class MotionReader {
 public:
  explicit MotionReader(const RobotConfig& config)
      : config_(&config), signals_(config), binder_(config, signals_, bounds_) {}

  /// Takes the trajectory, or a wait. Throws FileError.
  void take(const harness::Step& step);
  /// Throws FileError if there was no trajectory.
  [[nodiscard]] gui::MotionList list(const harness::Scenario& scenario) const;

 private:
  [[nodiscard]] gui::MotionList read(const harness::TrajectoryStep& trajectory) const;
  void read_options(const harness::TrajectoryStep& trajectory, gui::MotionList& list) const;
  [[nodiscard]] SetInteractionControl interaction(const harness::TrajectoryStep& trajectory,
                                                  const harness::ArmSetting& setting,
                                                  const gui::MotionList& list) const;
  [[nodiscard]] gui::MotionWaypoint read(const harness::TrajectoryPoint& point) const;
  [[nodiscard]] gui::MotionPose read(const harness::TrajectoryPose& pose) const;
  [[nodiscard]] gui::MotionBounds read(const harness::ToolMotion& motion) const;
  [[nodiscard]] double number(const harness::Text& text, std::string_view unit) const;
  [[nodiscard]] std::optional<double> number(const std::optional<harness::Text>& text,
                                             std::string_view unit) const;
  template <std::size_t n>
  [[nodiscard]] std::optional<std::array<double, n>> numbers(
      const std::vector<harness::Text>& texts, std::string_view unit) const;
  [[nodiscard]] gui::JointNumbers joints(const std::vector<harness::Target>& targets,
                                         std::string_view units) const;

  const RobotConfig* config_;
  harness::SignalTable signals_;
  std::vector<harness::SignalBound> bounds_;
  harness::Binder binder_;
  std::optional<gui::MotionList> list_;
};

}  // namespace jointrig::app
