#include "python/session_binding.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "app/text_hash.h"
#include "control/exchange/joint_order.h"
#include "python/bindings.h"
#include "python/command_call.h"
#include "python/robot_facts.h"
#include "python/views.h"

namespace jointrig::python {
namespace {

/// Between two looks at Python's signals: some tens of ms.
constexpr std::uint64_t kCyclesAtOnce = 2048;

/// An event, as users read it.
struct EventRecord {
  Event event;
  std::string joint;
  std::string arm;
  std::string sentence;
};

EventRecord record_of(const Event& event, const Session& session) {
  const RobotConfig& robot = session.config();
  EventRecord record{event, {}, {}, session.sentence_of(event)};
  if (event.joint < robot.joints.size()) record.joint = robot.joints[event.joint].name;
  if (event.arm < robot.arms.size()) record.arm = robot.arms[event.arm].name;
  return record;
}

[[noreturn]] void raise_refused(const Session& session) {
  nb::list events;
  for (const Event& event : session.refusals()) events.append(nb::cast(record_of(event, session)));
  const nb::object error = error_class("Refused")(nb::tuple(events));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

[[noreturn]] void raise_ended(const Session& session) {
  PyErr_SetString(error_class("Ended").ptr(), session.why_ended().c_str());
  throw nb::python_error();
}

void step(Robot& robot, std::uint64_t cycles) {
  const std::shared_ptr<Session> session = robot.shared();  // close() elsewhere doesn't end it here
  const Session::Use use(*session);
  while (cycles > 0) {
    const std::uint64_t now = std::min(cycles, kCyclesAtOnce);
    StepEnd end{};
    {
      const nb::gil_scoped_release others_may_run;
      end = session->step(now);
    }
    if (end == StepEnd::kRefused) raise_refused(*session);
    if (end == StepEnd::kEnded) raise_ended(*session);
    cycles -= now;
    if (cycles > 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
  }
}

std::uint64_t send(Robot& robot, int kind, nb::handle joints, nb::handle arm, const nb::tuple& own,
                   const nb::tuple& values) {
  Session& session = robot.open();
  const Session::Use use(session);
  return session.post(
      request_of(static_cast<CommandKind>(kind), joints, arm, own, values, session.config()));
}

nb::list events(Robot& robot) {
  Session& session = robot.open();
  const Session::Use use(session);
  nb::list list;
  for (const Event& event : session.take_events()) {
    list.append(nb::cast(record_of(event, session)));
  }
  return list;
}

void bind_event(nb::module_& m) {
  const auto word = [](auto value) { return std::string(to_string(value)); };
  nb::class_<EventRecord>(m, "Event", "Report of the loop, once.")
      .def_prop_ro(
          "time", [](const EventRecord& e) { return to_seconds(e.event.time_ns); },
          "Robot time [s].")
      .def_prop_ro("cycle", [](const EventRecord& e) { return e.event.cycle; })
      .def_prop_ro(
          "kind", [word](const EventRecord& e) { return word(e.event.kind); },
          "accepted, rejected, mode, fault, goal_reached, ...")
      .def_ro("joint", &EventRecord::joint, "Empty: of no joint.")
      .def_ro("arm", &EventRecord::arm, "Empty: of no arm.")
      .def_ro("sentence", &EventRecord::sentence, "As in a scenario and in the log.")
      .def_prop_ro("value", [](const EventRecord& e) { return e.event.value; })
      .def_prop_ro("limit", [](const EventRecord& e) { return e.event.limit; })
      .def_prop_ro(
          "number", [](const EventRecord& e) { return e.event.number; }, "Of the answered command.")
      .def_prop_ro(
          "command", [word](const EventRecord& e) { return word(e.event.command); },
          "Kind of the answered command.")
      .def_prop_ro(
          "reason", [word](const EventRecord& e) { return word(e.event.reason); },
          "Of a refusal: wrong_mode, out_of_range, ...")
      .def_prop_ro("fault", [word](const EventRecord& e) { return word(e.event.fault); })
      .def_prop_ro("mode", [word](const EventRecord& e) { return word(e.event.mode); })
      .def_prop_ro(
          "was", [word](const EventRecord& e) { return word(e.event.was); }, "The mode before.")
      .def("__repr__", [](const EventRecord& e) { return "<Event: " + e.sentence + ">"; });
}

/// Name, shape, and size as an ObstacleAction has it.
using Obstacle = std::tuple<std::string, std::string, std::array<double, 3>>;

harness::ObstacleAction action_of(const Obstacle& obstacle) {
  const auto& [name, shape, size] = obstacle;
  return {.name = name, .shape = shape, .size = size};
}

std::vector<harness::ObstacleAction> actions_of(const std::vector<Obstacle>& obstacles) {
  std::vector<harness::ObstacleAction> actions;
  for (const Obstacle& obstacle : obstacles) actions.push_back(action_of(obstacle));
  return actions;
}

void bind_disturbances(nb::class_<Robot>& robot) {
  using Three = std::array<double, 3>;
  robot
      .def("_fault",
           [](Robot& r, const std::string& type, const std::string& joint, const std::string& arm,
              double value) {
             Session& session = r.open();
             const Session::Use use(session);
             return session.disturb(harness::FaultAction{joint, type, value, arm});
           })
      .def("_push",
           [](Robot& r, const std::string& body, const Three& force, const Three& torque,
              const Three& point, bool in_body_frame, const std::string& joint, double along) {
             Session& session = r.open();
             const Session::Use use(session);
             return session.disturb(
                 harness::ForceAction{body, force, torque, point, in_body_frame, joint, along});
           })
      .def("_payload",
           [](Robot& r, const std::string& body, double mass, const Three& centre,
              const LoadInertia& inertia) {
             Session& session = r.open();
             const Session::Use use(session);
             return session.disturb(harness::PayloadAction{body, mass, centre, inertia});
           })
      .def("_obstacle",
           [](Robot& r, const Obstacle& obstacle, const Three& position,
              const std::array<double, 4>& orientation) {
             Session& session = r.open();
             const Session::Use use(session);
             harness::ObstacleAction action = action_of(obstacle);
             action.position = position;
             action.orientation = orientation;
             return session.disturb(action);
           })
      .def("_begin",
           [](Robot& r, int handle) {
             Session& session = r.open();
             const Session::Use use(session);
             session.begin(handle);
           })
      .def("_end",
           [](Robot& r, int handle) {
             Session& session = r.open();
             const Session::Use use(session);
             session.end(handle);
           })
      .def(
          "truth",
          [](Robot& r, const std::string& name) {
            Session& session = r.open();
            const Session::Use use(session);
            return session.truth(name);
          },
          nb::arg("name"),
          "A true value of the physics, as scenarios name it: body.hand.x, truth.elbow.q, ...")
      .def_prop_ro("fault_types", [](Robot& r) { return r.open().world().fault_types(); })
      .def_prop_ro("sensor_fault_types",
                   [](Robot& r) { return r.open().world().sensor_fault_types(); })
      .def_prop_ro("truth_names", [](Robot& r) { return r.open().world().truth_names(); });
}

void bind_facts(nb::class_<Robot>& robot) {
  robot.def_prop_ro("name", [](const Robot& r) { return r.open().config().name; })
      .def_prop_ro("backend", [](const Robot& r) { return r.open().backend(); })
      .def_prop_ro(
          "period", [](const Robot& r) { return to_seconds(r.open().config().period_ns); },
          "Time of a cycle [s].")
      .def_prop_ro(
          "joints",
          [](const Robot& r) { return nb::tuple(nb::cast(names_of(r.open().config().joints))); },
          "Names of the joints, in the order of all arrays.")
      .def("_find",
           [](const Robot& r, const std::string& name) {
             return joints_in_order(r.open().config(), name);
           })
      .def_prop_ro(
          "joint_limits", [](const Robot& r) { return limits_of(r.open().config()); },
          "q_min, q_max, soft_margin, v_max, a_max, tau_max, tau_rate_max and step_max over the\n"
          "joints, as robot.yaml sets them. References stay soft_margin inside q_min to q_max.")
      .def_prop_ro(
          "parts", [](const Robot& r) { return parts_of(r.open().config()); },
          "Names of the joints of each part.")
      .def_prop_ro(
          "poses", [](const Robot& r) { return poses_of(r.open().config()); },
          "Named poses: joint and position [rad or m].")
      .def_prop_ro(
          "arm_names",
          [](const Robot& r) { return nb::tuple(nb::cast(names_of(r.open().config().arms))); })
      .def(
          "_arm_joints",
          [](const Robot& r, std::size_t arm) {
            std::vector<JointIndex> joints = r.open().config().arms.at(arm).joints;
            std::sort(joints.begin(), joints.end());
            nb::list list;
            for (const JointIndex joint : joints) list.append(static_cast<int>(joint));
            return list;
          },
          nb::arg("arm"))
      .def_prop_ro(
          "notes", [](const Robot& r) { return r.open().notes(); },
          "Sentences on what this robot lacks here.")
      .def_prop_ro(
          "cycle", [](const Robot& r) { return r.open().snapshot().cycle; },
          "Number of the last cycle; the first is 0.")
      .def_prop_ro(
          "time", [](const Robot& r) { return to_seconds(r.open().snapshot().time_ns); },
          "Robot time of the last cycle [s].")
      .def_prop_ro(
          "speed_override", [](const Robot& r) { return r.open().snapshot().speed_override; },
          "Factor on the speed of all references.")
      .def_prop_ro(
          "gravity",
          [](const Robot& r) {
            const auto& [x, y, z] = r.open().snapshot().gravity;
            return nb::make_tuple(x, y, z);
          },
          "Acceleration of a falling body that the controller reckons with, in the world [m/s²].")
      .def_prop_ro(
          "plans", [](const Robot& r) { return plans_of(r.open().snapshot(), r.open().config()); },
          "Plans that joints follow now, each with `joints`, `time` and `duration` [s, as "
          "planned], "
          "`pace`, and of its `waypoints` the last one that was passed, `waypoint`; empty: none is "
          "followed.")
      .def(
          "parameters", [](const Robot& r) { return dict_of(r.open().parameters()); },
          "Parameters of set_parameter that are in force: of each, by its name, an array over the\n"
          "joints.")
      .def(
          "save_parameters",
          [](const Robot& r, bool compare) {
            Session& session = r.open();
            const Session::Use use(session);
            return session.save_parameters(compare);
          },
          nb::arg("compare") = false,
          "Write the parameters that differ from robot.yaml into that file, or only compare. "
          "Returns\n"
          "the difference line by line; \"\": the file has what runs.")
      .def_prop_ro(
          "laws", [](const Robot& r) { return laws_of(r.open().snapshot(), r.open().config()); },
          "Laws of one's own, by name, each with `state` (off, waits, runs, failed, holds),\n"
          "`parameters` and `signals` by their names, and `took`, the time of the cycle [s].")
      .def_prop_ro(
          "obstacles", [](const Robot& r) { return obstacles_of(r.open().snapshot()); },
          "Obstacles that the robot is told of, by name: shape, size, position, orientation and "
          "velocity in the world.")
      .def_prop_ro(
          "events_lost", [](const Robot& r) { return r.open().events_lost(); },
          "Events that events() was called too late for.");
}

}  // namespace

Robot::Robot(const SessionOptions& options) {
  const nb::gil_scoped_release others_may_run;
  session_ = std::make_shared<Session>(options);
}

Session& Robot::open() const {
  if (!session_) {
    PyErr_SetString(error_class("Closed").ptr(), "this Sim is closed: make a new one");
    throw nb::python_error();
  }
  return *session_;
}

std::shared_ptr<Session> Robot::shared() const {
  static_cast<void>(open());
  return session_;
}

void Robot::close() {
  if (!session_) return;
  const std::shared_ptr<Session> last = session_;
  const Session::Use use(*last);
  session_.reset();
  last->close();
}

void bind_session(nb::module_& m) {
  bind_event(m);
  nb::class_<Session::Saved>(m, "Saved", "The whole state of a Sim between two cycles.")
      .def_prop_ro("cycle", [](const Session::Saved& s) { return s.snapshot.cycle; })
      .def_prop_ro("time", [](const Session::Saved& s) { return to_seconds(s.snapshot.time_ns); });
  nb::class_<Robot> robot(m, "Sim");
  robot
      .def(
          "__init__",
          [](Robot* self, const std::string& name, const std::string& settings,
             const std::string& backend, std::optional<std::uint64_t> seed,
             std::optional<double> speed, const std::vector<std::string>& payload_bodies,
             const std::vector<Obstacle>& obstacles, const std::string& log) {
            new (self) Robot({name, settings, backend_named(backend), seed, speed, payload_bodies,
                              actions_of(obstacles), log});
          },
          nb::arg("robot"), nb::arg("settings"), nb::arg("backend"), nb::arg("seed").none(),
          nb::arg("speed").none(), nb::arg("payload_bodies"), nb::arg("obstacles"), nb::arg("log"))
      .def(
          "step", step, nb::arg("n") = 1,
          "Run n cycles. Raises Refused after the cycle in which a command was refused; the other\n"
          "n cycles are not run then. Other threads of Python run meanwhile.")
      .def("_send", send, nb::arg("kind"), nb::arg("joints").none(), nb::arg("arm").none(),
           nb::arg("own"), nb::arg("values"))
      .def("events", events, "All events since the last call, oldest first.")
      .def(
          "state_hash",
          [](Robot& r) {
            Session& session = r.open();
            const Session::Use use(session);
            return app::hex(session.hash());
          },
          "Hash of physics and boards, as in the result of a scenario.")
      .def("save",
           [](Robot& r) {
             Session& session = r.open();
             const Session::Use use(session);
             return std::const_pointer_cast<Session::Saved>(session.save());
           })
      .def(
          "restore",
          [](Robot& r, const Session::Saved& saved) {
            Session& session = r.open();
            const Session::Use use(session);
            session.restore(saved);
          },
          nb::arg("saved"))
      .def(
          "record",
          [](Robot& r) {
            Session& session = r.open();
            const Session::Use use(session);
            session.record();
          },
          "Record commands from now on, for write_scenario(); forget those recorded before. At "
          "most\n"
          "20,000 are kept.")
      .def("_scenario",
           [](Robot& r, const std::string& name, const std::string& about, const std::string& which,
              const std::string& further) {
             Session& session = r.open();
             const Session::Use use(session);
             return session.scenario({name, about, which, further});
           })
      .def("close", &Robot::close)
      .def_prop_ro("closed", &Robot::is_closed)
      .def("_views",
           [](const Robot& r) {
             const std::shared_ptr<Session> session = r.shared();
             return joint_views(session, session->snapshot());
           })
      .def("_arm_views",
           [](const Robot& r) {
             const std::shared_ptr<Session> session = r.shared();
             return arm_views(session, session->snapshot(), session->config());
           })
      .def("_gripper_views", [](const Robot& r) {
        const std::shared_ptr<Session> session = r.shared();
        return gripper_views(session, session->snapshot(), session->config());
      });
  bind_facts(robot);
  bind_disturbances(robot);
  bind_trajectories(robot);
}

}  // namespace jointrig::python
