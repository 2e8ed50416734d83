#pragma once

#include <string>
#include <vector>

#include "control/core/capabilities.h"
#include "control/core/event.h"
#include "control/core/joint_parameter.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/parameter_exchange.h"
#include "gui/panel/event_list.h"
#include "gui/panel/joint_status.h"
#include "gui/panel/simulation.h"

namespace jointrig::gui {

/// The robot of the panel. All of it outlives the panel.
struct PanelRobot {
  const RobotConfig* config = nullptr;
  const std::vector<JointCapabilities>* boards = nullptr;
  std::string backend;               ///< "sim", "kinematic", "hw"
  bool real = false;                 ///< a real robot, with real risks
  bool on_buses = false;             ///< its boards are drives on a bus, real or virtual
  Simulation* simulation = nullptr;  ///< null for a robot that isn't simulated here
  bool is_elsewhere = false;         ///< served by another program (`jointrig gui --connect`)
};

/// State of the boards on the buses.
struct BusState {
  std::size_t boards = 0;
  std::size_t silent = 0;  ///< number of silent boards
  bool off = false;        ///< a bus or its adapter is off
};

/// State of the loop, from its own statistics.
struct LoopHealth {
  double p99_us = 0.0;
  double max_us = 0.0;
  std::uint64_t overruns = 0;
  double states = 0.0;  ///< that come in a second from a robot elsewhere
};

struct FrameInput {
  double now = 0.0;        ///< s, of a steady clock
  bool focused = true;     ///< the window is in front and not minimised
  bool had_input = false;  ///< mouse or key input since the last frame
  LoopHealth loop;
};

/// The panel's knowledge of the robot: the newest snapshot, faults and their counts, events,
/// parameters as accepted by the loop. It sends nothing.
///
/// One thread: the window's.
class RobotWatch {
 public:
  static constexpr double kStaleAfter = 0.2;  ///< s without a new cycle, unless it is paused
  static constexpr double kOldAfter = 0.5;    ///< the same of a robot elsewhere: a choice

  explicit RobotWatch(PanelRobot robot);

  void see(const Snapshot& snapshot);
  /// @param text  the event as a sentence
  void see(const Event& event, std::string text);
  void begin_frame(const FrameInput& input);
  /// Stores a value that the loop has accepted.
  void take(JointIndex joint, JointParameter parameter, double value);
  /// Stores all that are in force, by whomever they were set.
  void take(const ParameterTable& parameters);

  [[nodiscard]] const PanelRobot& robot() const noexcept { return robot_; }
  /// With the present parameters.
  [[nodiscard]] const RobotConfig& config() const noexcept { return config_; }
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  [[nodiscard]] const JointSnapshot& now(JointIndex joint) const { return snapshot_.joints[joint]; }
  [[nodiscard]] bool has_snapshot() const noexcept { return has_snapshot_; }
  [[nodiscard]] const FrameInput& frame() const noexcept { return frame_; }
  /// Time since the frame before [s]; limited after a frame that hung.
  [[nodiscard]] double frame_time() const noexcept { return frame_time_; }

  /// True if the loop gave no new cycle for a while and isn't paused.
  [[nodiscard]] bool is_stale() const;
  /// True for the last values of a robot elsewhere, whose present ones nobody here knows.
  [[nodiscard]] bool is_old() const { return robot_.is_elsewhere && is_stale(); }
  /// Time since the last new cycle came [s].
  [[nodiscard]] double age() const noexcept { return frame_.now - fresh_at_; }
  [[nodiscard]] BusState bus() const;
  /// The loop's factor on all speeds.
  [[nodiscard]] double speed_override() const noexcept { return snapshot_.speed_override; }
  /// Robot time per wall time, over the last second.
  [[nodiscard]] double real_time_factor() const noexcept { return real_time_factor_; }

  [[nodiscard]] JointStatus status(JointIndex joint) const;
  [[nodiscard]] const FaultRecord& fault_record(JointIndex joint) const { return faults_[joint]; }
  void acknowledge(JointIndex joint) { faults_[joint].acknowledged = true; }
  [[nodiscard]] std::vector<JointIndex> faulted_joints() const;
  [[nodiscard]] bool is_silent(JointIndex joint) const {
    return silences_[joint].lasts() || is_old();
  }
  /// Silent boards by their causes.
  [[nodiscard]] std::vector<SilentGroup> silent_groups() const {
    return group_silent(silences_, *robot_.boards);
  }

  EventList events;

 private:
  PanelRobot robot_;
  RobotConfig config_;
  FrameInput frame_;
  double frame_time_ = 0.0;
  Snapshot snapshot_;
  bool has_snapshot_ = false;
  bool bus_is_off_ = false;
  double fresh_at_ = 0.0;  ///< time of the last new cycle
  std::uint64_t fresh_cycle_ = 0;
  double factor_since_ = 0.0;
  TimeNs factor_from_ = 0;
  double real_time_factor_ = 0.0;
  std::vector<FaultRecord> faults_;
  std::vector<Silence> silences_;
};

}  // namespace jointrig::gui
