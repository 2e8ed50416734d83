#pragma once

#include <vector>

#include "control/core/asked_trajectory.h"
#include "control/core/robot_config.h"
#include "control/motion/joint_plan.h"

namespace jointrig {

/// Where some joints are when a trajectory begins.
struct TrajectoryStart {
  std::vector<double> q;  ///< one for each joint [rad or m]
  std::vector<double> v;  ///< empty: at rest [rad/s or m/s]
};

/// A point of a trajectory with shares of the joints' limits, for the way that leads to it.
struct JointWaypoint {
  std::vector<double> q;            ///< one for each joint [rad or m]
  double speed_ratio = 1.0;         ///< of v_max: above 0, at most 1
  double acceleration_ratio = 1.0;  ///< of a_max: above 0, at most 1
  /// Bound beside that share, up to a_max; 0: none. Empty: of no joint [rad/s² or m/s²]
  std::vector<double> a_max{};
};

/// A point of a trajectory with its time. All points of one have the same fields.
struct TimedWaypoint {
  double t = 0.0;         ///< from the start, above that of the point before [s]
  std::vector<double> q;  ///< one for each joint [rad or m]
  std::vector<double> v;  ///< empty: the spline's own [rad/s or m/s]
  std::vector<double> a;  ///< only with v [rad/s² or m/s²]
};

/// Joints that move together, with their limits.
struct TrajectoryJoints {
  std::vector<JointIndex> index;    ///< rising
  std::vector<JointLimits> limits;  ///< one for each

  /// The joints of a set.
  static TrajectoryJoints of(const RobotConfig& config, const JointSet& joints);
};

/// Plans the fastest motion through waypoints, at rest at the last one: a cubic spline over the
/// chords' lengths (spline.h), timed under v_max and a_max (path_timing.h). A waypoint at the place
/// of the one before takes no time.
///
/// A plan that can't be made has a failure() with joint, waypoint, value and limit:
///
///     bad_plan           no waypoint, wrong sizes, a number that is not finite, a ratio out of
///                        range
///     plan_position      the spline leaves the soft limits further than its start is outside
///     not_at_start       the start is too fast for the path: value, limit = its largest speed s'
///
/// Where a start in motion is too fast for the path, the path begins with a way straight on, on
/// which it can brake.
///
/// Outside the loop, in any thread: it allocates.
JointPlan plan_through(const TrajectoryJoints& joints, const TrajectoryStart& start,
                       const std::vector<JointWaypoint>& waypoints);

/// Plans a motion through points at given times: between two of them the polynomial of the third
/// degree with their q and v, or of the fifth with their a, too. Points without v get the spline's
/// (spline.h, over time, from the start's velocity to rest). The last point is at rest.
///
/// Failures, beside those above:
///
///     bad_plan           times that don't rise, or a last point that is not at rest (see below)
///     plan_speed, plan_acceleration   beyond v_max or a_max on the way
///
/// @param brakes_behind  the last point may have a speed: all joints brake behind it, evenly and in
///                       the same time, and the plan's duration ends there, behind its last
///                       waypoint
JointPlan plan_timed(const TrajectoryJoints& joints, const TrajectoryStart& start,
                     const std::vector<TimedWaypoint>& points, bool brakes_behind = false);

/// Time in which joints brake from these speeds together: max |v|/a_max [s].
double time_to_brake(const TrajectoryJoints& joints, const std::vector<double>& v);

/// Plans straight lines between points at given times, at constant speed. Around each time t_k at
/// which the speed changes by Δv a parabola leads from one line to the next,
///
///     q'' = Δv / 2τ  for  t_k − τ < t < t_k + τ,     τ = max |Δv| / 2 a_max over the joints
///
/// and passes the point at a distance of |Δv| τ/4. At both ends the joints come to rest, or from
/// the start's speed, within 2τ, and the line beside makes up for it. A corner may take half of the
/// shorter way beside it.
///
/// Failures as of plan_timed(); plan_acceleration has what a corner would need in that time.
JointPlan plan_lines(const TrajectoryJoints& joints, const TrajectoryStart& start,
                     const std::vector<TimedWaypoint>& points);

/// One of the two, of waypoints of joints, without what is watched on the way; bad_plan also where
/// a tolerance is negative or not finite.
JointPlan plan_asked(const TrajectoryJoints& joints, const TrajectoryStart& start,
                     const AskedTrajectory& asked);

/// Gives a plan the tolerances that are watched on the way, and how it is followed.
void take_options(const AskedTrajectory& asked, JointPlan& plan);

}  // namespace jointrig
