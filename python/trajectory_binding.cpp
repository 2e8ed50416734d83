#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings.h"
#include "python/session_binding.h"

namespace jointrig::python {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

Row row_of(const Rows& rows, std::size_t i) { return rows.empty() ? Row{} : rows[i]; }

/// Numbers are checked by python/jointrig/motion.py. Rows have one number for each joint, by rising
/// index; `shares` has speed and acceleration for each row. Empty: times, the fastest ones; v, the
/// spline's; a, none; tolerances (path and goal, by joint), none is watched.
std::uint64_t follow(Robot& robot, const std::vector<JointIndex>& joints, const Rows& q,
                     const Rows& shares, const Row& times, const Rows& v, const Rows& a,
                     const Rows& tolerances, double settling_time, bool checks_collisions) {
  Session& session = robot.open();
  const Session::Use use(session);
  Trajectory trajectory;
  for (const JointIndex joint : joints) trajectory.joints.set(joint);
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (times.empty()) {
      trajectory.waypoints.push_back({q[i], shares[i][0], shares[i][1]});
    } else {
      trajectory.points.push_back({times[i], q[i], row_of(v, i), row_of(a, i)});
    }
  }
  for (const Row& of_joint : tolerances) {
    trajectory.tolerances.push_back({of_joint[0], of_joint[1]});
  }
  trajectory.settling_time = settling_time;
  trajectory.checks_collisions = checks_collisions;
  return session.follow(trajectory);
}

/// Numbers of a row from a place on, or nothing where the first is NaN.
template <std::size_t kSize>
std::optional<std::array<double, kSize>> list_at(const Row& row, std::size_t place) {
  if (std::isnan(row[place])) return std::nullopt;
  std::array<double, kSize> list{};
  std::copy_n(row.begin() + static_cast<std::ptrdiff_t>(place), kSize, list.begin());
  return list;
}

std::optional<double> number_at(const Row& row, std::size_t place) {
  return std::isnan(row[place]) ? std::nullopt : std::optional(row[place]);
}

/// Numbers are checked by python/jointrig/motion.py, which also has their places in a row:
/// position, by, orientation, turn, linear and rotational speed and acceleration, corner distance,
/// shares of joint speed and acceleration, then a position for each joint by rising index. NaN:
/// absent.
std::uint64_t follow_tool(Robot& robot, std::size_t arm, int frame, const std::string& endpoint,
                          const Rows& waypoints, const Rows& tolerances, double settling_time,
                          bool checks_collisions) {
  Session& session = robot.open();
  const Session::Use use(session);
  ToolMotion motion;
  motion.arm = static_cast<ArmIndex>(arm);
  motion.frame = static_cast<ToolFrame>(frame);
  motion.endpoint = endpoint;
  for (const Row& row : waypoints) {
    ArmWaypoint& to = motion.waypoints.emplace_back();
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
  for (const Row& of_joint : tolerances) motion.tolerances.push_back({of_joint[0], of_joint[1]});
  motion.settling_time = settling_time;
  motion.checks_collisions = checks_collisions;
  return session.follow(motion);
}

}  // namespace

void bind_trajectories(nb::class_<Robot>& robot) {
  robot.def("_follow", follow, nb::arg("joints"), nb::arg("q"), nb::arg("shares"), nb::arg("times"),
            nb::arg("v"), nb::arg("a"), nb::arg("tolerances"), nb::arg("settling_time"),
            nb::arg("checks_collisions"));
  robot.def("_follow_tool", follow_tool, nb::arg("arm"), nb::arg("frame"), nb::arg("endpoint"),
            nb::arg("waypoints"), nb::arg("tolerances"), nb::arg("settling_time"),
            nb::arg("checks_collisions"));
}

}  // namespace jointrig::python
