#pragma once
/// Stability of the sampled loop of an arm's tool over the poses of a robot, found at start-up.

#include <span>
#include <string>
#include <vector>

#include "control/arm/arm_setup.h"
#include "control/joint/joint_control.h"

namespace jointrig {

/// Closes the loop of mode cartesian at each arm's tool, with the stiffness and damping ratio of
/// its configuration, its posture, and all delays and lags that the configuration states
/// (laws/sampled_loop.h), in the start pose and in others (margin_poses.h): for the model's inertia
/// and for kInertiaMargin times more and less. Spring and damper are those of the cycle: cut where
/// the loop doesn't carry them (laws/loop_bounds.h). Joints that aren't the arm's are held.
///
/// Returns a sentence for each arm that swings up: its frequency and margin, and the line for
/// robot.yaml that gives the margin. Takes some ms for an arm. Not for the cycle.
std::vector<std::string> tool_loop_warnings(const RobotConfig& robot,
                                            std::span<const ArmSetup> arms,
                                            std::span<const JointSetup> joints, RobotModel& model);

}  // namespace jointrig
