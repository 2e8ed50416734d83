#pragma once
/// The backends of a robot whose joints name backends of their own, and the joints of each.

#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig {

/// True for kinds that keep their own time: drives on buses, real or modelled.
[[nodiscard]] constexpr bool is_on_buses(BackendKind kind) noexcept {
  return kind == BackendKind::kHw || kind == BackendKind::kBoards;
}

/// The joint's own backend, else the robot's.
[[nodiscard]] inline BackendKind backend_of(const RobotConfig& robot,
                                            const JointConfig& joint) noexcept {
  return joint.backend.value_or(robot.backend);
}

/// Joints that one backend drives, at one rate.
struct BackendPart {
  BackendKind kind = BackendKind::kSim;
  TimeNs cycle_ns = 0;  ///< between two of its cycles
  JointSet joints;
};

/// A part for each backend, and for each cycle on it: those on buses first, since they keep the
/// time, then sim, kinematic; shorter cycles first. At least one.
[[nodiscard]] std::vector<BackendPart> backend_parts(const RobotConfig& robot);

/// The reason why these can't run together, a sentence; empty: none.
[[nodiscard]] std::string why_not_together(const std::vector<BackendPart>& parts);

/// "sim", or "hw+kinematic".
[[nodiscard]] std::string name_of(const std::vector<BackendPart>& parts);

/// The robot as the backend of this part has it: its period is the part's cycle, and the other
/// joints are `elsewhere`.
[[nodiscard]] RobotConfig part_of(const RobotConfig& robot, const BackendPart& part);

/// The robot whose drives are on buses of this kind, the others `elsewhere`; the robot itself where
/// no joint is on it.
[[nodiscard]] RobotConfig part_on(const RobotConfig& robot, BackendKind kind);

/// The robot with all joints on one backend, whatever its file says; none: as its file says.
[[nodiscard]] RobotConfig as_asked(const RobotConfig& robot, std::optional<BackendKind> kind);

/// True if a joint of the robot runs on this kind, when that backend was asked for, or none.
[[nodiscard]] bool runs_on(BackendKind kind, const RobotConfig& robot,
                           std::optional<BackendKind> asked);

}  // namespace jointrig
