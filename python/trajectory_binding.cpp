#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "python/bindings.h"
#include "python/session_binding.h"
#include "python/tool_rows.h"

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

/// Rows as of tool_rows.h.
std::uint64_t follow_tool(Robot& robot, std::size_t arm, int frame, const std::string& endpoint,
                          const Rows& waypoints, const Rows& tolerances, double settling_time,
                          bool checks_collisions) {
  Session& session = robot.open();
  const Session::Use use(session);
  ToolMotion motion;
  motion.arm = static_cast<ArmIndex>(arm);
  motion.frame = static_cast<ToolFrame>(frame);
  motion.endpoint = endpoint;
  motion.waypoints = tool_waypoints(waypoints);
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
