#pragma once
/// Trajectories from rows of numbers, which python/jointrig/motion.py checks and lays out, for a
/// Sim and for a connection. Rows of joints have one number for each joint, by rising index; rows
/// of a tool:
///
///     position, by, orientation, turn, linear and rotational speed and acceleration, corner
///     distance, shares of joint speed and acceleration, then a position for each joint of the arm
///     by rising index, then a tolerance for each. NaN: absent.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "control/core/asked_trajectory.h"

namespace jointrig::python {

/// Numbers of a row from a place on, or nothing where the first is NaN.
template <std::size_t kSize>
std::optional<std::array<double, kSize>> list_at(const std::vector<double>& row,
                                                 std::size_t place) {
  if (std::isnan(row[place])) return std::nullopt;
  std::array<double, kSize> list{};
  std::copy_n(row.begin() + static_cast<std::ptrdiff_t>(place), kSize, list.begin());
  return list;
}

inline std::optional<double> number_at(const std::vector<double>& row, std::size_t place) {
  return std::isnan(row[place]) ? std::nullopt : std::optional(row[place]);
}

inline std::vector<ArmWaypoint> tool_waypoints(const std::vector<std::vector<double>>& rows) {
  std::vector<ArmWaypoint> waypoints;
  for (const std::vector<double>& row : rows) {
    ArmWaypoint& to = waypoints.emplace_back();
    to.position = list_at<3>(row, 0);
    to.by = list_at<3>(row, 3);
    to.orientation = list_at<4>(row, 6);
    to.turn = list_at<3>(row, 10);
    to.linear_speed = number_at(row, 13);
    to.linear_acceleration = number_at(row, 14);
    to.rotational_speed = number_at(row, 15);
    to.rotational_acceleration = number_at(row, 16);
    to.corner_distance = row[17];
    to.speed_ratio = row[18];
    to.acceleration_ratio = row[19];
    const auto middle = row.begin() + 20 + (row.end() - row.begin() - 20) / 2;
    to.posture.assign(row.begin() + 20, middle);
    if (middle != row.end() && !std::isnan(*middle)) to.tolerance.assign(middle, row.end());
  }
  return waypoints;
}

struct AskedRows {
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;

  Rows tolerances;  ///< path and goal, by joint; empty: none is watched
  double settling_time = 1.0;
  bool checks_collisions = true;
  int execution = 0;         ///< a PlanExecution
  Rows at_waypoints{};       ///< tolerance of each joint at each waypoint; empty: none is watched
  Rows max_accelerations{};  ///< of each joint on the way to each waypoint; empty: the shares
  bool rounds_corners = false;
  bool brakes_behind = false;

  /// @param shares  speed and acceleration for each row
  /// @param times  empty: the fastest ones; likewise v, the spline's, and a, none
  [[nodiscard]] AskedTrajectory of_joints(const std::vector<JointIndex>& joints, const Rows& q,
                                          const Rows& shares, const Row& times, const Rows& v,
                                          const Rows& a) const {
    AskedTrajectory asked = with(joints);
    asked.has_times = !times.empty();
    asked.rounds_corners = rounds_corners;
    asked.brakes_behind = brakes_behind;
    for (std::size_t i = 0; i < q.size(); ++i) {
      AskedWaypoint& to = asked.waypoints.emplace_back();
      to.q = q[i];
      to.speed = shares[i][0];
      to.acceleration = shares[i][1];
      if (!times.empty()) to.time = times[i];
      if (!v.empty()) to.v = v[i];
      if (!a.empty()) to.a = a[i];
      if (!at_waypoints.empty()) to.tolerance = at_waypoints[i];
      if (!max_accelerations.empty()) to.a_max = max_accelerations[i];
    }
    return asked;
  }

  /// @param joints  of the arm
  [[nodiscard]] AskedTrajectory of_tool(const std::vector<JointIndex>& joints, std::size_t arm,
                                        int frame, const std::string& endpoint,
                                        const Rows& waypoints, int free_rotation) const {
    AskedTrajectory asked = with(joints);
    asked.tool = {static_cast<ArmIndex>(arm), static_cast<ToolFrame>(frame), endpoint,
                  tool_waypoints(waypoints), static_cast<FreeRotation>(free_rotation)};
    return asked;
  }

 private:
  [[nodiscard]] AskedTrajectory with(const std::vector<JointIndex>& joints) const {
    AskedTrajectory asked;
    for (const JointIndex joint : joints) asked.joints.set(joint);
    for (const Row& of_joint : tolerances) asked.tolerances.push_back({of_joint[0], of_joint[1]});
    asked.settling_time = settling_time;
    asked.checks_collisions = checks_collisions;
    asked.execution = static_cast<PlanExecution>(execution);
    return asked;
  }
};

}  // namespace jointrig::python
