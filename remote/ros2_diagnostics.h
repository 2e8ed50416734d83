#pragma once

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "remote/ros2_messages.h"

namespace jointrig::remote {

/// Report of the way in by ROS 2.
struct Ros2Report {
  std::string holder;        ///< of the lease; empty: it is free
  std::string last_refusal;  ///< of a message of ROS 2; empty: none for a while
  std::uint64_t refused = 0;

  bool operator==(const Ros2Report&) const = default;
};

/// One status for each joint, "ROBOT: JOINT" with mode, fault and limits, then "ROBOT: commands"
/// with the holder of the lease and the last refusal. An error is a fault; a warning is a limit
/// that acts, a stream that fell silent, or a refusal.
[[nodiscard]] std::vector<DiagnosticStatus> diagnostics_of(const RobotConfig& robot,
                                                           const Snapshot& now,
                                                           const Ros2Report& report);

}  // namespace jointrig::remote
