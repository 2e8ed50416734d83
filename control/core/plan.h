#pragma once
/// News of a plan that joints follow (control/motion/joint_plan.h).

#include <cstddef>
#include <cstdint>

#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig {

/// Plans that a robot can follow at once: one for each group of joints.
inline constexpr std::size_t kMaxPlans = 8;

/// Change in the following of a plan. The first five are its course (event `plan`), the others
/// end it before its goal, or at a wrong place (event `plan_broken`).
///
///     started         value = its duration [s], limit = its number of waypoints
///     waypoint        value = number of the waypoint that was passed, limit = number of all
///     replaced        by another plan, without a stop
///     finished        the reference stands at the goal, and the joints are within the goal
///                     tolerances; value = time that it took [s]
///     stopped         by the command stop: at rest on the path
///     contact         a joint has stopped on a contact, or its part holds for one
///     fault           a joint has a fault, or its part holds for one
///     guided          a joint is guided by hand
///     left            a joint has left it by another command or another mode
///     path_tolerance  a joint is too far from its reference; value = how far, limit
///     goal_tolerance  a joint did not come near enough to its goal in time; value = how far, limit
///     waypoint_tolerance  a joint is too far from its reference at a waypoint; value = how far,
///                     limit
///     disabled        the motor of a joint was switched off
///     avoidance       collision avoidance has stopped a joint
#define JOINTRIG_PLAN_CHANGES(X)              \
  X(kStarted, "started")                      \
  X(kWaypoint, "waypoint")                    \
  X(kReplaced, "replaced")                    \
  X(kFinished, "finished")                    \
  X(kStopped, "stopped")                      \
  X(kContact, "contact")                      \
  X(kFault, "fault")                          \
  X(kGuided, "guided")                        \
  X(kLeft, "left")                            \
  X(kPathTolerance, "path_tolerance")         \
  X(kGoalTolerance, "goal_tolerance")         \
  X(kWaypointTolerance, "waypoint_tolerance") \
  X(kDisabled, "disabled")                    \
  X(kAvoidance, "avoidance")
JOINTRIG_ENUM(PlanChange, JOINTRIG_PLAN_CHANGES)

/// A plan that joints follow in this cycle.
struct PlanSnapshot {
  double time = 0.0;      ///< path time: that of the plan, which passes at `pace` [s]
  double duration = 0.0;  ///< of the plan at pace 1 [s]
  double pace = 0.0;      ///< seconds of the plan per second of the robot
  JointSet joints;
  std::uint32_t slot = 0;  ///< its ticket (control/exchange/plan_pool.h)
  std::uint32_t round = 0;
  std::uint32_t waypoint = 0;   ///< last waypoint that was passed
  std::uint32_t waypoints = 0;  ///< number of all
  std::uint32_t number = 0;     ///< among the plans that the robot has followed, from 1
  std::uint32_t spare = 0;

  bool operator==(const PlanSnapshot&) const = default;
};

}  // namespace jointrig
