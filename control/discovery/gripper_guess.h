#pragma once
/// Guesses a robot's grippers from its model: joints called like a gripper's, that move fingers.

#include <vector>

#include "control/core/gripper.h"
#include "control/core/robot_config.h"

namespace jointrig {

struct Survey;

/// A gripper is one to kMostFingers controlled joints with a range, behind which no other joint is
/// controlled, on one palm: the body that carries the outermost bodies whose joints are called like
/// a gripper's (finger, thumb, jaw, grip, gripper, knuckle, claw, robotiq). The last joint of a
/// chain may have its body or its actuator called so instead; a wrist is none. A hand with more
/// joints is no gripper, whatever they are called: to close all of them is no grasp. The hand is
/// what hangs on the outermost body before the palm from which joints branch within kHandLength.
///
/// Fingers are the outermost bodies that its joints move, followers by joint equalities included.
/// Closed is the end of the ranges at which the centres of mass of two fingers are nearest, open
/// that at which they are furthest apart; with one finger alone closed is the limit nearer to 0.
///
/// The width is 0 when closed; beyond, it is the sum of the ways of two fingertips, each in a
/// straight line from where it was closed: of slides exactly what they open. A fingertip is the
/// corner of the finger's geoms that is furthest from the palm. It is unknown where the model
/// closes a loop (connect or weld) over a finger, or has a joint in it that nothing leads: then the
/// gripper's joints alone don't tell where the finger is.
///
/// At most kMaxGrippers, in the order of the model. The name is "gripper"; of several
/// "left_gripper" by side, and a second one of that name has a number.
std::vector<GripperConfig> guess_grippers(const Survey& survey, const RobotConfig& robot);

inline constexpr std::size_t kMostFingers = 4;  ///< joints of a gripper: a choice
inline constexpr double kHandLength = 0.25;     ///< [m] to its furthest joint: as of arms' fingers

}  // namespace jointrig
