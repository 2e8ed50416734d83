#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "python/asked_rows.h"
#include "python/bindings.h"
#include "python/session_binding.h"

namespace jointrig::python {
namespace {

using Row = AskedRows::Row;
using Rows = AskedRows::Rows;

std::uint64_t follow(Robot& robot, const std::vector<JointIndex>& joints, const Rows& q,
                     const Rows& shares, const Row& times, const Rows& v, const Rows& a,
                     const Rows& tolerances, double settling_time, bool checks_collisions,
                     int execution, const Rows& at_waypoints, const Rows& max_accelerations) {
  Session& session = robot.open();
  const Session::Use use(session);
  const AskedRows rows{tolerances, settling_time, checks_collisions,
                       execution,  at_waypoints,  max_accelerations};
  return session.follow(rows.of_joints(joints, q, shares, times, v, a));
}

std::uint64_t follow_tool(Robot& robot, std::size_t arm, int frame, const std::string& endpoint,
                          const Rows& waypoints, const Rows& tolerances, double settling_time,
                          bool checks_collisions, int execution, int free_rotation) {
  Session& session = robot.open();
  const Session::Use use(session);
  const AskedRows rows{tolerances, settling_time, checks_collisions, execution};
  const std::vector<JointIndex>& joints = session.config().arms.at(arm).joints;
  return session.follow(rows.of_tool(joints, arm, frame, endpoint, waypoints, free_rotation));
}

}  // namespace

void bind_trajectories(nb::class_<Robot>& robot) {
  robot.def("_follow", follow, nb::arg("joints"), nb::arg("q"), nb::arg("shares"), nb::arg("times"),
            nb::arg("v"), nb::arg("a"), nb::arg("tolerances"), nb::arg("settling_time"),
            nb::arg("checks_collisions"), nb::arg("execution"), nb::arg("at_waypoints"),
            nb::arg("max_accelerations"));
  robot.def("_follow_tool", follow_tool, nb::arg("arm"), nb::arg("frame"), nb::arg("endpoint"),
            nb::arg("waypoints"), nb::arg("tolerances"), nb::arg("settling_time"),
            nb::arg("checks_collisions"), nb::arg("execution"), nb::arg("free_rotation"));
}

}  // namespace jointrig::python
