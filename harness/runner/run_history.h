#pragma once
/// History of the robot in a run: its events, its modes over time, and how long each limit acted.

#include <cstdint>
#include <span>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "harness/runner/result.h"

namespace jointrig::harness {

class RunHistory {
 public:
  /// Reserves memory, so that a cycle allocates nothing.
  void reserve();

  /// Call once a cycle. The run begins with the first call.
  void note(const Snapshot& snapshot, std::span<const Event> events);

  void finish(const RobotConfig& config, Result& result);

 private:
  struct ModeNow {
    JointMode mode = JointMode::kNotConfigured;
    InteractionMode interaction = InteractionMode::kStiff;
  };
  void begin(const Snapshot& snapshot);
  static void note_limits(const Snapshot& snapshot, PerJoint<LimitCycles>& limits);
  void finish_events(const RobotConfig& config, Result& result) const;
  void finish_modes(const RobotConfig& config, Result& result);
  void finish_limits(const RobotConfig& config, Result& result) const;

  bool began_ = false;
  TimeNs start_ = 0;
  std::vector<Event> events_;
  std::uint64_t events_left_out_ = 0;
  PerJoint<ModeNow> modes_;  // in the first cycle
  PerJoint<LimitCycles> limits_at_start_;
  PerJoint<LimitCycles> limits_;
};

}  // namespace jointrig::harness
