#pragma once
/// A snapshot as numpy sees it: read-only arrays over its own memory, nothing is copied. They own
/// what the snapshot lies in, so they outlive a Sim.

#include <memory>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "python/bindings.h"

namespace jointrig::python {

/// Memory of a snapshot.
using SnapshotOwner = std::shared_ptr<const void>;

/// By name, one number for each joint, in the order of the robot's joints; and the robot's base and
/// force/torque sensors. Names and meaning are those of the log (docs/logging.md).
[[nodiscard]] nb::dict joint_views(const SnapshotOwner& owner, const Snapshot& now);

/// By arm, then by name.
[[nodiscard]] nb::dict arm_views(const SnapshotOwner& owner, const Snapshot& now,
                                 const RobotConfig& robot);

/// The plans that joints follow now: copies.
[[nodiscard]] nb::list plans_of(const Snapshot& now, const RobotConfig& robot);

/// Laws of one's own in this cycle: copies, by name.
[[nodiscard]] nb::dict laws_of(const Snapshot& now, const RobotConfig& robot);

/// Obstacles that the robot is told of now: a copy, by name.
[[nodiscard]] nb::dict obstacles_of(const Snapshot& now);

/// By gripper, then by name.
[[nodiscard]] nb::dict gripper_views(const SnapshotOwner& owner, const Snapshot& now,
                                     const RobotConfig& robot);

}  // namespace jointrig::python
