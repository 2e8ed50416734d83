#pragma once
/// Stability of the joints' closed loops over the poses of a robot, found at start-up.

#include <span>
#include <string>
#include <vector>

#include "control/joint/joint_control.h"
#include "control/model/robot_model.h"
#include "control/stack/margin_poses.h"

namespace jointrig {

/// Closes the loops of the stiff and of the compliant law in the start pose and in others, with all
/// delays and lags that the configuration states (laws/sampled_loop.h), for the model's inertia and
/// for kInertiaMargin times more and less. Joints by boards that close their own loop count as
/// held. Joints that float don't make another one's loop worse: computed torque counts with the
/// inertia that is felt beside them (free_joints.h), and the gains of the other laws with the
/// least of all motions, 1/(M⁻¹)ᵢᵢ lying between the eigenvalues of what all joints feel.
///
/// Returns a sentence for each joint that swings up: its law, frequency and margin, and the line
/// for robot.yaml that gives the margin. Takes some ms for an arm. Not for the cycle.
std::vector<std::string> loop_warnings(const RobotConfig& robot, std::span<const JointSetup> setups,
                                       RobotModel& model);

}  // namespace jointrig
