#pragma once
/// Inverse kinematics in words, for scenarios, scripts and clients.

#include <string>

#include "control/core/asked_reach.h"
#include "control/planning/reach_solver.h"

namespace jointrig::harness {

/// "the tool of left", "the tools of left, right"
std::string tools_text(const AskedReach& asked, const RobotConfig& robot);

/// The outcome of the last solve() in a sentence, with the number that broke it.
std::string reach_sentence(const ReachSolver& solver, const AskedReach& asked,
                           const RobotConfig& robot);

/// Joint positions for poses, from where the robot is. Throws std::invalid_argument for what makes
/// no sense, ModelError. Any thread.
ReachAnswer answer_reach(const AskedReach& asked, const RobotConfig& robot,
                         const KinematicTree& tree, const Snapshot& now);

}  // namespace jointrig::harness
