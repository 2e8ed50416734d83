#pragma once
/// An arm of the robot's configuration as a task of inverse kinematics.

#include <vector>

#include "control/planning/inverse_kinematics.h"

namespace jointrig {

/// The arm's tool, in its base frame or in the world. Throws ModelError for a name that isn't
/// there.
IkTask tool_task(const KinematicTree& tree, const ArmConfig& arm,
                 ToolFrame frame = ToolFrame::kBase);

/// Where references of the joints may be: soft_margin inside their limits.
std::vector<JointRange> soft_ranges(const RobotConfig& robot,
                                    const std::vector<JointIndex>& joints);

/// The pose that a command or a snapshot gives.
Placement placement_of(const ToolPose& pose) noexcept;

/// Likewise back, with w >= 0.
ToolPose tool_pose_of(const Placement& placement) noexcept;

/// Starts of the robot's joints, in order.
std::vector<double> start_positions(const RobotConfig& robot);

}  // namespace jointrig
