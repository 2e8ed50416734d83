#pragma once
/// Reports of plans, for a panel here or elsewhere. On the planner's thread.

#include "control/core/plan_report.h"
#include "control/core/robot_config.h"
#include "control/motion/joint_plan.h"
#include "control/planning/path_collision.h"

namespace jointrig::app {

/// Points of a reported path: about this far apart in time, and this many at most. Choices.
inline constexpr double kReportStep = 0.02;  ///< [s]
inline constexpr std::size_t kMostReported = 500;

/// Time from now on at which a plan is left for another that a panel has asked for [s]: a frame,
/// planning with its checks of collisions, and a frame more. A choice.
inline constexpr double kPanelLead = 0.5;

/// @param plan  without a failure
void report_path(const JointPlan& plan, PlanReport& report);
/// After report_path().
void report_meeting(const PathCollision::Meeting& meeting, PlanReport& report);
/// Last: why the plan is refused, if it is.
void report_refusal(const JointPlan& plan, const RobotConfig& config, PlanReport& report);

}  // namespace jointrig::app
