#pragma once

#include <vector>

#include "control/core/plan_report.h"
#include "control/core/snapshot.h"
#include "control/planning/kinematic_tree.h"
#include "gui/panel/motion_planning.h"

namespace jointrig::app {

/// Ways of the tools that a planned path moves, in the world; without an arm on the way those of
/// the last joints of the chains that it moves, four at most.
/// @param report  with a path
/// @param now  places of the other joints, of the base, and of the tools on their flanges
std::vector<gui::MotionLine> motion_lines(const PlanReport& report, const RobotConfig& config,
                                          const KinematicTree& tree, const Snapshot& now);

/// Those, or without a path the marks of the waypoints.
std::vector<gui::MotionLine> lines_of(const PlanReport& report, const gui::MotionList& list,
                                      const RobotConfig& config, const KinematicTree& tree,
                                      const Snapshot& now);

/// Lines without a way: places of the waypoints alone, for a list without a plan.
/// @param now  as of motion_lines(), with the references at the start
std::vector<gui::MotionLine> motion_marks(const gui::MotionList& list, const RobotConfig& config,
                                          const KinematicTree& tree, const Snapshot& now);

}  // namespace jointrig::app
