#pragma once
/// Guesses parts from joints' names.

#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig {

/// Groups joints by a side in their names (left, right, l, r at the start or the end, as in
/// "left_hip_yaw", "LElbow", "knee_r") and by names of limbs (hip, knee, ankle: leg; shoulder,
/// elbow, wrist: arm; finger, thumb: hand; waist, torso: torso; neck, head: head). A group of one
/// joint, or of all of them, or with a joint's name, is no part.
std::vector<PartConfig> guess_parts(const std::vector<JointConfig>& joints);

}  // namespace jointrig
