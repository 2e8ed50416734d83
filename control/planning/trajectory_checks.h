#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "control/planning/joint_trajectory.h"

namespace jointrig {

/// A start with one finite number for each joint, and at least one waypoint.
PlanFailure check_start(const TrajectoryJoints& joints, const TrajectoryStart& start,
                        std::size_t waypoints);

/// Points with rising times and as many finite numbers as joints; the last at rest, unless it may
/// have a speed.
PlanFailure check_points(const TrajectoryJoints& joints, const std::vector<TimedWaypoint>& points,
                         bool may_end_in_motion);

/// A waypoint's tolerances: none, or one for each joint, finite and 0 or more.
/// @param waypoint  from 1
PlanFailure check_tolerance(const TrajectoryJoints& joints, const std::vector<double>& tolerance,
                            std::size_t waypoint);

/// The timing of a plan whose path is over time [s], in parts of each piece at which its extents
/// are read.
std::vector<JointPlan::Instant> own_time(const std::vector<double>& knots);

/// The extents of a plan against limits: position, speed, acceleration. A joint that starts outside
/// its soft limits moves no further out.
/// @param limits, start  one for each joint of the plan
PlanFailure check_plan(const JointPlan& plan, std::span<const JointLimits> limits,
                       std::span<const double> start);

}  // namespace jointrig
