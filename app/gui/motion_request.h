#pragma once
/// A panel's motion list as what is asked of a planner, and the planner's report as the panel's
/// answer: for a planner here and for one elsewhere.

#include "control/core/asked_trajectory.h"
#include "control/core/plan_report.h"
#include "control/core/snapshot.h"
#include "gui/panel/motion_planning.h"

namespace jointrig::app {

/// From where the robot is, with a report.
/// @param goes_on  from the plan that these joints follow, or some of them
AskedTrajectory asked_of(const gui::MotionList& list, const RobotConfig& config, bool goes_on);

/// All but its lines.
/// @param report  of asked_of(list)
/// @param now     places of the joints that the list doesn't move
gui::MotionAnswer answer_of(const PlanReport& report, const gui::MotionList& list,
                            const RobotConfig& config, const Snapshot& now);

}  // namespace jointrig::app
