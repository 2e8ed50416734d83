#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "python/answer_tuples.h"
#include "python/asked_call.h"
#include "python/bindings.h"
#include "python/reach_rows.h"
#include "python/session_binding.h"

namespace jointrig::python {
namespace {

using Row = AskedRows::Row;
using Rows = AskedRows::Rows;

std::uint64_t follow(Session& session, const AskedTrajectory& trajectory) {
  return session.follow(trajectory);
}
nb::tuple plan(Session& session, const AskedTrajectory& trajectory) {
  return tuple_of(session.plan(trajectory));
}

/// A method that asks for a trajectory by its arguments, and has something done with it.
template <auto kAsk, auto kDo>
struct Asking;
template <typename... Arguments, AskedTrajectory (*kAsk)(const Robot&, Arguments...), auto kDo>
struct Asking<kAsk, kDo> {
  static auto call(Robot& robot, Arguments... arguments) {
    const std::shared_ptr<Session> session = robot.shared();
    const Session::Use use(*session);
    return kDo(*session, kAsk(robot, arguments...));
  }
};

template <auto kDo>
void bind_asking(nb::class_<Robot>& robot, const char* of_joints, const char* of_tool) {
  robot
      .def(of_joints, Asking<asked<Robot>, kDo>::call, nb::arg("joints"), nb::arg("q"),
           nb::arg("shares"), nb::arg("times"), nb::arg("v"), nb::arg("a"), nb::arg("tolerances"),
           nb::arg("settling_time"), nb::arg("checks_collisions"), nb::arg("execution"),
           nb::arg("at_waypoints"), nb::arg("max_accelerations"), nb::arg("rounds_corners"),
           nb::arg("brakes_behind"), nb::arg("interactions"))
      .def(of_tool, Asking<asked_tool<Robot>, kDo>::call, nb::arg("arm"), nb::arg("frame"),
           nb::arg("endpoint"), nb::arg("waypoints"), nb::arg("tolerances"),
           nb::arg("settling_time"), nb::arg("checks_collisions"), nb::arg("execution"),
           nb::arg("free_rotation"), nb::arg("interactions"));
}

nb::tuple reach(Robot& robot, const std::vector<std::size_t>& arms, const std::vector<int>& frames,
                const std::vector<int>& free, const Rows& poses,
                const std::vector<JointIndex>& beside,
                const std::vector<JointIndex>& posture_joints, const Row& posture) {
  const std::shared_ptr<Session> session = robot.shared();
  const Session::Use use(*session);
  const AskedReach asked =
      ReachRows{arms, frames, free, poses}.with(beside, posture_joints, posture);
  ReachAnswer answer;
  {
    const nb::gil_scoped_release others_may_run;
    answer = session->reach(asked);
  }
  return tuple_of(answer);
}

}  // namespace

void bind_trajectories(nb::class_<Robot>& robot) {
  bind_asking<follow>(robot, "_follow", "_follow_tool");
  bind_asking<plan>(robot, "_plan", "_plan_tool");
  robot.def("_reach", reach, nb::arg("arms"), nb::arg("frames"), nb::arg("free"), nb::arg("poses"),
            nb::arg("beside"), nb::arg("posture_joints"), nb::arg("posture"));
}

}  // namespace jointrig::python
