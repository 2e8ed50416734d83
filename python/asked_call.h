#pragma once
/// Trajectories from the arguments that python/jointrig/motion.py lays out, for a Sim and for a
/// connection.

#include <cstddef>
#include <string>
#include <vector>

#include "python/asked_rows.h"
#include "python/command_call.h"

namespace jointrig::python {

/// @param robot  whose config() has the joints and arms
template <typename Robot>
AskedTrajectory asked(const Robot& robot, const std::vector<JointIndex>& joints,
                      const AskedRows::Rows& q, const AskedRows::Rows& shares,
                      const AskedRows::Row& times, const AskedRows::Rows& v,
                      const AskedRows::Rows& a, const AskedRows::Rows& tolerances,
                      double settling_time, bool checks_collisions, int execution,
                      const AskedRows::Rows& at_waypoints, const AskedRows::Rows& max_accelerations,
                      bool rounds_corners, bool brakes_behind, const Interactions& interactions) {
  const AskedRows rows{tolerances,   settling_time,     checks_collisions, execution,
                       at_waypoints, max_accelerations, rounds_corners,    brakes_behind};
  AskedTrajectory trajectory = rows.of_joints(joints, q, shares, times, v, a);
  add_interactions(interactions, robot.config(), trajectory);
  return trajectory;
}

template <typename Robot>
AskedTrajectory asked_tool(const Robot& robot, std::size_t arm, int frame,
                           const std::string& endpoint, const AskedRows::Rows& waypoints,
                           const AskedRows::Rows& tolerances, double settling_time,
                           bool checks_collisions, int execution, int free_rotation,
                           const Interactions& interactions) {
  const AskedRows rows{tolerances, settling_time, checks_collisions, execution};
  const RobotConfig& config = robot.config();
  AskedTrajectory trajectory =
      rows.of_tool(config.arms.at(arm).joints, arm, frame, endpoint, waypoints, free_rotation);
  add_interactions(interactions, config, trajectory);
  return trajectory;
}

}  // namespace jointrig::python
