#pragma once
/// Guesses a robot's arms from its model: chains of hinges with something at their end to be moved.

#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig {

struct Survey;

struct GuessedArm {
  std::string name;                ///< of the arm, and of its part
  std::vector<JointIndex> joints;  ///< by rising index
  std::string tool;                ///< a site or a body
  bool operator==(const GuessedArm&) const = default;
};

/// An arm is a chain of at least five controlled hinges without a branch, longer than a finger
/// (0.25 m from its first axis to its last link), with nothing but a hand behind it: it begins
/// behind the last branch before it (a torso is no part of an arm), and ends before the first
/// slide, the first joint that is called like a hand's (finger, thumb, grip), and the next branch.
/// A leg (hip, knee, ankle) is none. At most kMaxArms, in the order of the model.
///
/// Its tool is a site on the last link, or on what is fixed to it, that is called like one (tool,
/// tcp, ee, pinch, grip, attachment); else a body fixed to it that is called like one (also hand,
/// palm, flange, gripper); else the outermost body fixed to it that is no camera.
///
/// Its name is that of a part with the same joints; else "arm", or "left_arm" by the joints' names,
/// also where a part of some of its joints is called so: fit_parts_to_arms() takes that away.
std::vector<GuessedArm> guess_arms(const Survey& survey, const RobotConfig& robot);

/// Parts are guessed of names, which may tell of some of an arm's joints only (elbow and wrist,
/// where the others are called rotation and pitch): a part within an arm goes, and one that has
/// more joints beside gets all of the arm's.
void fit_parts_to_arms(const std::vector<GuessedArm>& arms, std::vector<PartConfig>& parts);

/// Joints behind an arm of these: those of its hand. By rising index.
std::vector<JointIndex> joints_behind(const std::vector<GuessedArm>& arms, const Survey& survey);

}  // namespace jointrig
