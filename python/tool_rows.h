#pragma once
/// Waypoints of a tool, from rows that python/jointrig/motion.py checks and lays out:
///
///     position, by, orientation, turn, linear and rotational speed and acceleration, corner
///     distance, shares of joint speed and acceleration, then a position for each joint of the arm
///     by rising index. NaN: absent.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
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
    to.posture.assign(row.begin() + 20, row.end());
  }
  return waypoints;
}

}  // namespace jointrig::python
