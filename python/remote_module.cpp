/// The module `jointrig._remote`: a client of a served robot. python/jointrig/remote.py is around
/// it. A module of its own: gRPC is loaded by jointrig.connect() alone.

#include <fcntl.h>
#include <fmt/core.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "control/exchange/joint_order.h"
#include "control/exchange/parameter_exchange.h"
#include "python/answer_tuples.h"
#include "python/asked_call.h"
#include "python/command_call.h"
#include "python/reach_rows.h"
#include "python/robot_facts.h"
#include "python/views.h"
#include "remote/client.h"
#include "remote/connection.h"

namespace jointrig::python {

nb::object error_class(const char* name) {
  return nb::module_::import_("jointrig.errors").attr(name);
}

namespace {

using std::chrono::milliseconds;

/// Between two looks at Python's signals.
constexpr milliseconds kLook{100};

[[noreturn]] void raise(const char* error, const std::string& sentence) {
  PyErr_SetString(error_class(error).ptr(), sentence.c_str());
  throw nb::python_error();
}

/// Counts up an eventfd that Python waits at, from any thread and without a wait.
class Bell {
 public:
  /// @param fd  stays its owner's: this is a second one of the same counter
  explicit Bell(int fd) : fd_(fcntl(fd, F_DUPFD_CLOEXEC, 0)) {
    if (fd_ < 0) throw std::invalid_argument("connect: no further file can be opened");
  }
  ~Bell() { close(fd_); }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  void ring() const noexcept {
    const std::uint64_t one = 1;
    // It fails where the counter is full, and it has rung then.
    [[maybe_unused]] const ssize_t written = write(fd_, &one, sizeof one);
  }

 private:
  int fd_;
};

/// The robot that Python holds. Its arrays show the state at the last show(), and outlive close().
class RemoteRobot {
 public:
  /// @param bell  an eventfd that is counted up when anything has come; negative: none
  RemoteRobot(remote::ClientOptions options, int bell) {
    if (bell >= 0) {
      options.on_change = [rung = std::make_shared<Bell>(bell)] { rung->ring(); };
    }
    const nb::gil_scoped_release others_may_run;
    client_ = std::make_shared<remote::Client>(options);
    shown_ = std::make_shared<Snapshot>();
    client_->newest(*shown_);
  }

  /// Raises Closed.
  [[nodiscard]] std::shared_ptr<remote::Client> shared() const {
    if (!client_) raise("Closed", "this connection is closed: make a new one");
    return client_;
  }
  [[nodiscard]] remote::Client& open() const {
    static_cast<void>(shared());
    return *client_;
  }
  [[nodiscard]] const RobotConfig& config() const { return open().facts().config; }
  [[nodiscard]] bool is_closed() const noexcept { return client_ == nullptr; }
  [[nodiscard]] const std::shared_ptr<Snapshot>& shown() const noexcept { return shown_; }
  void show() const { open().newest(*shown_); }
  void close() {
    const std::shared_ptr<remote::Client> last = std::exchange(client_, nullptr);
    if (!last) return;
    const nb::gil_scoped_release others_may_run;
    try {
      last->release();
    } catch (const remote::ConnectionLost&) {
      return;  // nothing is left to release
    }
    last->end();  // whatever waits for it elsewhere ends, too
  }

 private:
  std::shared_ptr<remote::Client> client_;
  std::shared_ptr<Snapshot> shown_;
};

/// Calls `call(client)` while Python's other threads run; close() elsewhere doesn't end it here.
template <typename Call>
auto without_gil(const RemoteRobot& robot, Call&& call) {
  const std::shared_ptr<remote::Client> client = robot.shared();
  const nb::gil_scoped_release others_may_run;
  return call(*client);
}

[[noreturn]] void raise_refused(const std::vector<remote::CommandAnswer>& refusals) {
  const std::string& reason = refusals.front().event.reason;
  if (reason == "no_lease" || reason == "stale_epoch") {
    raise("NoLease", refusals.front().event.sentence);
  }
  if (reason == "bad_field") raise("InputError", refusals.front().event.sentence);
  nb::list events;
  for (const remote::CommandAnswer& answer : refusals) events.append(nb::cast(answer.event));
  const nb::object error = error_class("Refused")(nb::tuple(events));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

remote::AnswerTo answer_to(bool is_awaited) {
  return is_awaited ? remote::AnswerTo::kAsker : remote::AnswerTo::kRefusals;
}

std::uint64_t post(RemoteRobot& robot, int kind, nb::handle joints, nb::handle arm,
                   const nb::tuple& own, const nb::tuple& values,
                   std::optional<std::uint64_t> epoch, bool is_awaited) {
  const Request request =
      request_of(static_cast<CommandKind>(kind), joints, arm, own, values, robot.config());
  return without_gil(robot, [&](remote::Client& client) {
    return epoch ? client.post(request, *epoch, answer_to(is_awaited))
                 : client.post(request, answer_to(is_awaited));
  });
}

using Row = AskedRows::Row;
using Rows = AskedRows::Rows;

nb::tuple reach(const RemoteRobot& robot, const std::vector<std::size_t>& arms,
                const std::vector<int>& frames, const std::vector<int>& free, const Rows& poses,
                const std::vector<JointIndex>& beside,
                const std::vector<JointIndex>& posture_joints, const Row& posture) {
  const AskedReach asked =
      ReachRows{arms, frames, free, poses}.with(beside, posture_joints, posture);
  return tuple_of(without_gil(robot, [&](remote::Client& client) { return client.reach(asked); }));
}

std::uint64_t follow(RemoteRobot& robot, const AskedTrajectory& trajectory, bool is_awaited) {
  return without_gil(robot, [&](remote::Client& client) {
    return client.follow(trajectory, answer_to(is_awaited));
  });
}

/// The same, of a plan that nothing will follow: the server takes it back.
AskedTrajectory for_report(const RemoteRobot& /*robot*/, const AskedTrajectory& trajectory) {
  AskedTrajectory asked = trajectory;
  asked.wants_report = true;
  return asked;
}

nb::tuple report_of(const RemoteRobot& robot, const remote::PlannedMotion& planned) {
  if (planned.report) return tuple_of(*planned.report);
  raise("Error",
        "the server, jointrig " + robot.open().facts().version +
            ", tells nothing of a plan before it is followed: it is older than this client");
}

nb::tuple report(const RemoteRobot& robot, const AskedTrajectory& trajectory) {
  return report_of(robot, without_gil(robot, [&](remote::Client& client) {
                     return client.plan(for_report(robot, trajectory));
                   }));
}

void await_answer(RemoteRobot& robot, std::uint64_t number) {
  const remote::CommandAnswer answer =
      without_gil(robot, [&](remote::Client& client) { return client.answer(number); });
  if (!answer.accepted) raise_refused({answer});
}

/// Shows the newest state. @returns the cycle in which a step of `cycles` ends
std::uint64_t begin_step(RemoteRobot& robot, std::uint64_t cycles) {
  robot.show();
  return robot.shown()->cycle + cycles;
}

/// Shows the newest state, and raises what was refused meanwhile.
void end_step(RemoteRobot& robot) {
  robot.show();
  const std::vector<remote::CommandAnswer> refusals = robot.open().take_refusals();
  if (!refusals.empty()) raise_refused(refusals);
}

/// Waits for `cycles` from now on, then shows the newest state.
void step(RemoteRobot& robot, std::uint64_t cycles) {
  const std::uint64_t end = begin_step(robot, cycles);
  for (bool there = false; !there;) {
    there = without_gil(robot, [&](remote::Client& c) { return c.wait_for(end, kLook); });
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  end_step(robot);
}

// Of jointrig.aio: none of these waits, but for those that send ----------------------------------

/// A plan that the server makes.
class PlanInMaking {
 public:
  PlanInMaking(std::shared_ptr<remote::Client> client, const AskedTrajectory& trajectory)
      : client_(std::move(client)), call_(client_->begin_plan(trajectory)) {}

  /// Once; absent while it is being made.
  std::optional<remote::PlannedMotion> take() const { return call_ ? call_->take() : std::nullopt; }
  /// The server gives it up where it isn't made yet.
  void end() { call_.reset(); }

 private:
  std::shared_ptr<remote::Client> client_;  ///< lives longer than the call
  std::unique_ptr<remote::PlanCall> call_;
};

void bind_steps_of_tasks(nb::module_& m, nb::class_<RemoteRobot>& robot) {
  using Robot = RemoteRobot;
  [[maybe_unused]] const nb::class_<Request> request_class(m, "_Request");
  [[maybe_unused]] const nb::class_<remote::PlannedMotion> planned_class(m, "_Planned");
  nb::class_<PlanInMaking>(m, "_Plan")
      .def("take", &PlanInMaking::take)
      .def("end", &PlanInMaking::end);
  robot
      .def(
          "_request",
          [](const Robot& r, int kind, nb::handle joints, nb::handle arm, const nb::tuple& own,
             const nb::tuple& values) {
            return request_of(static_cast<CommandKind>(kind), joints, arm, own, values, r.config());
          },
          nb::arg("kind"), nb::arg("joints").none(), nb::arg("arm").none(), nb::arg("own"),
          nb::arg("values"))
      .def("_post_request",
           [](const Robot& r, const Request& request, bool is_awaited) {
             return without_gil(r, [&](remote::Client& client) {
               return client.post(request, answer_to(is_awaited));
             });
           })
      .def("_post_planned",
           [](const Robot& r, const remote::PlannedMotion& planned, bool is_awaited) {
             return without_gil(r, [&](remote::Client& client) {
               return client.post(planned, answer_to(is_awaited));
             });
           })
      .def("_for_report", for_report, nb::arg("asked"))
      .def("_report_of", report_of, nb::arg("planned"))
      .def("_begin_plan",
           [](const Robot& r, const AskedTrajectory& asked) {
             return PlanInMaking(r.shared(), asked);
           })
      .def("_answer_came",
           [](const Robot& r, std::uint64_t number) {
             const std::optional<remote::CommandAnswer> answer = r.open().try_answer(number);
             if (answer && !answer->accepted) raise_refused({*answer});
             return answer.has_value();
           })
      .def("_leave_answer",
           [](const Robot& r, std::uint64_t number) {
             if (!r.is_closed()) r.open().leave_answer(number);
           })
      .def("_begin_step", begin_step)
      .def("_has_come",
           [](const Robot& r, std::uint64_t cycle) {
             return r.open().wait_for(cycle, milliseconds(0));
           })
      .def("_end_step", end_step)
      .def("_check_alive", [](const Robot& r) {
        const std::string lost = r.open().lost();
        if (!lost.empty()) throw remote::ConnectionLost(lost);
      });
}

// Parameters and files ---------------------------------------------------------------------------

/// A file on its way from the server.
class Fetch {
 public:
  Fetch(std::shared_ptr<remote::Client> client, const std::string& name)
      : client_(std::move(client)), stream_(client_->fetch(name)) {}

  /// The next part; None at the end.
  nb::object next() const {
    std::optional<std::string> part;
    {
      const nb::gil_scoped_release others_may_run;
      part = stream_->next();
    }
    return part ? nb::object(nb::bytes(part->data(), part->size())) : nb::none();
  }
  [[nodiscard]] std::uint64_t size() const { return stream_->size(); }
  void end() const noexcept { stream_->cancel(); }

 private:
  std::shared_ptr<remote::Client> client_;  ///< lives longer than the stream
  std::unique_ptr<remote::FileStream> stream_;
};

void bind_files(nb::module_& m, nb::class_<RemoteRobot>& robot) {
  using Robot = RemoteRobot;
  nb::class_<remote::ServedFile>(m, "File", "A file of the server's, that fetch() brings here.")
      .def_ro("name", &remote::ServedFile::name, "Its place below the served folder.")
      .def_ro("size", &remote::ServedFile::size, "[bytes]")
      .def_prop_ro(
          "time", [](const remote::ServedFile& f) { return to_seconds(f.time_ns); },
          "Of its last change [s since 1970].")
      .def("__repr__", [](const remote::ServedFile& f) {
        return fmt::format("<File: {}, {} bytes>", f.name, f.size);
      });
  nb::class_<Fetch>(m, "_Fetch")
      .def("next", &Fetch::next)
      .def("end", &Fetch::end)
      .def_prop_ro("size", &Fetch::size);
  robot
      .def(
          "parameters",
          [](const Robot& r) {
            return dict_of(without_gil(r, [](remote::Client& c) { return c.parameters(); }));
          },
          "Parameters of set_parameter that are in force, by whomever they were set: of each, by\n"
          "its name, an array over the joints.")
      .def(
          "save_parameters",
          [](const Robot& r, bool compare) {
            return without_gil(
                r, [&](remote::Client& c) { return c.save_parameters(compare).difference; });
          },
          nb::arg("compare") = false,
          "Write the parameters that differ from robot.yaml on the server's machine into that "
          "file,\n"
          "or only compare. Returns the difference line by line; \"\": the file has what runs.\n"
          "Raises NoLease, and InputError with the server's sentence.")
      .def(
          "files",
          [](const Robot& r) {
            return without_gil(r, [](remote::Client& c) { return c.files(); });
          },
          "Files that the server gives, newest first.")
      .def("_fetch",
           [](const Robot& r, const std::string& name) { return Fetch(r.shared(), name); });
}

void bind_event(nb::module_& m) {
  nb::class_<remote::EventRecord>(m, "Event", "Report of the loop or of the server, once.")
      .def_prop_ro(
          "time", [](const remote::EventRecord& e) { return to_seconds(e.time_ns); },
          "Robot time [s].")
      .def_ro("cycle", &remote::EventRecord::cycle)
      .def_ro("kind", &remote::EventRecord::kind,
              "accepted, rejected, mode, fault, goal_reached, ...; lease: who holds it has changed")
      .def_ro("joint", &remote::EventRecord::joint, "Empty: of no joint.")
      .def_ro("arm", &remote::EventRecord::arm, "Empty: of no arm.")
      .def_ro("sentence", &remote::EventRecord::sentence, "As in a scenario and in the log.")
      .def_ro("value", &remote::EventRecord::value)
      .def_ro("limit", &remote::EventRecord::limit)
      .def_ro("number", &remote::EventRecord::number, "Of the answered command; of the lease.")
      .def_ro("command", &remote::EventRecord::command, "Kind of the answered command.")
      .def_ro("reason", &remote::EventRecord::reason, "Of a refusal: wrong_mode, out_of_range, ...")
      .def_ro("fault", &remote::EventRecord::fault)
      .def_ro("mode", &remote::EventRecord::mode)
      .def_ro("was", &remote::EventRecord::was, "The mode before.")
      .def_ro("sender", &remote::EventRecord::sender,
              "Of the answered command: panel, remote1:anna, ...; of the lease: its holder.")
      .def("__repr__", [](const remote::EventRecord& e) { return "<Event: " + e.sentence + ">"; });
}

void bind_facts(nb::class_<RemoteRobot>& robot) {
  using Robot = RemoteRobot;
  robot.def_prop_ro("name", [](const Robot& r) { return r.config().name; })
      .def_prop_ro("backend", [](const Robot& r) { return r.open().facts().backend; })
      .def_prop_ro("server_version", [](const Robot& r) { return r.open().facts().version; })
      .def_prop_ro(
          "period", [](const Robot& r) { return to_seconds(r.config().period_ns); },
          "Time of a cycle [s].")
      .def_prop_ro(
          "joints", [](const Robot& r) { return nb::tuple(nb::cast(names_of(r.config().joints))); },
          "Names of the joints, in the order of all arrays.")
      .def("_find", [](const Robot& r,
                       const std::string& name) { return joints_in_order(r.config(), name); })
      .def_prop_ro(
          "joint_limits", [](const Robot& r) { return limits_of(r.config()); },
          "q_min, q_max, soft_margin, v_max, a_max, tau_max, tau_rate_max and step_max over the\n"
          "joints, as robot.yaml sets them. References stay soft_margin inside q_min to q_max.")
      .def_prop_ro(
          "parts", [](const Robot& r) { return parts_of(r.config()); },
          "Names of the joints of each part.")
      .def_prop_ro(
          "poses", [](const Robot& r) { return poses_of(r.config()); },
          "Named poses: joint and position [rad or m].")
      .def_prop_ro("arm_names",
                   [](const Robot& r) { return nb::tuple(nb::cast(names_of(r.config().arms))); })
      .def_prop_ro(
          "notes", [](const Robot& r) { return r.open().facts().notes; },
          "Sentences on what this robot lacks here.")
      .def_prop_ro(
          "sender", [](const Robot& r) { return r.open().sender(); },
          "Name of this client's commands in events and in the log.")
      .def_prop_ro(
          "cycle", [](const Robot& r) { return r.shown()->cycle; },
          "Number of the cycle that the arrays show.")
      .def_prop_ro(
          "time", [](const Robot& r) { return to_seconds(r.shown()->time_ns); },
          "Its robot time [s].")
      .def_prop_ro(
          "speed_override", [](const Robot& r) { return r.shown()->speed_override; },
          "Factor on the speed of all references.")
      .def_prop_ro(
          "gravity",
          [](const Robot& r) {
            const auto& [x, y, z] = r.shown()->gravity;
            return nb::make_tuple(x, y, z);
          },
          "Acceleration of a falling body that the controller reckons with, in the world [m/s²].")
      .def_prop_ro(
          "plans", [](const Robot& r) { return plans_of(*r.shown(), r.config()); },
          "Plans that joints follow now, each with `joints`, `time` and `duration` [s, as "
          "planned], "
          "`pace`, and of its `waypoints` the last one that was passed, `waypoint`; empty: none is "
          "followed.")
      .def_prop_ro(
          "obstacles", [](const Robot& r) { return obstacles_of(*r.shown()); },
          "Obstacles that the robot is told of, by name: shape, size, position, orientation and "
          "velocity in the world.")
      .def_prop_ro(
          "events_lost", [](const Robot& r) { return r.open().events_lost(); },
          "Events that events() was called too late for.")
      .def_prop_ro(
          "states_dropped", [](const Robot& r) { return r.open().states_dropped(); },
          "States that this client was too slow for.");
}

void bind_lease(nb::class_<RemoteRobot>& robot) {
  using Robot = RemoteRobot;
  robot
      .def(
          "take",
          [](Robot& r, bool by_force) {
            without_gil(r, [&](remote::Client& c) { c.take(by_force); });
          },
          nb::arg("by_force") = false,
          "Take the lease; by force also from its holder. Raises NoLease.")
      .def(
          "release", [](Robot& r) { without_gil(r, [&](remote::Client& c) { c.release(); }); },
          "Give the lease back: the robot stops.")
      .def_prop_ro(
          "holder", [](const Robot& r) { return r.open().lease().holder; },
          "Name of who holds the lease; empty: it is free.")
      .def_prop_ro(
          "epoch", [](const Robot& r) { return r.open().lease().epoch; },
          "Number of the last lease that was given.")
      .def_prop_ro("holds_lease", [](const Robot& r) { return r.open().lease().is_mine; })
      .def(
          "round_trip",
          [](Robot& r) {
            return without_gil(r, [&](remote::Client& c) { return c.round_trip(); });
          },
          "Time to the server and back [s].");
}

void bind_robot(nb::module_& m) {
  using Robot = RemoteRobot;
  [[maybe_unused]] const nb::class_<AskedTrajectory> asked_class(m, "_Asked");
  nb::class_<Robot> robot(m, "Client");
  robot
      .def(
          "__init__",
          [](Robot* self, const std::string& address, const std::string& name, double rate,
             const std::string& tls_ca, const std::string& token, int bell) {
            new (self) Robot({address, name, rate, tls_ca, token}, bell);
          },
          nb::arg("address"), nb::arg("name"), nb::arg("rate"), nb::arg("tls_ca"), nb::arg("token"),
          nb::arg("bell") = -1)
      .def("_post", post, nb::arg("kind"), nb::arg("joints").none(), nb::arg("arm").none(),
           nb::arg("own"), nb::arg("values"), nb::arg("epoch") = nb::none(),
           nb::arg("is_awaited") = false)
      .def("_await", await_answer, nb::arg("number"))
      .def("_asked", asked<RemoteRobot>, nb::arg("joints"), nb::arg("q"), nb::arg("shares"),
           nb::arg("times"), nb::arg("v"), nb::arg("a"), nb::arg("tolerances"),
           nb::arg("settling_time"), nb::arg("checks_collisions"), nb::arg("execution"),
           nb::arg("at_waypoints"), nb::arg("max_accelerations"), nb::arg("rounds_corners"),
           nb::arg("brakes_behind"), nb::arg("interactions"))
      .def("_asked_tool", asked_tool<RemoteRobot>, nb::arg("arm"), nb::arg("frame"),
           nb::arg("endpoint"), nb::arg("waypoints"), nb::arg("tolerances"),
           nb::arg("settling_time"), nb::arg("checks_collisions"), nb::arg("execution"),
           nb::arg("free_rotation"), nb::arg("interactions"))
      .def("_follow_asked", follow, nb::arg("asked"), nb::arg("is_awaited"))
      .def("_report", report, nb::arg("asked"))
      .def("_reach", reach, nb::arg("arms"), nb::arg("frames"), nb::arg("free"), nb::arg("poses"),
           nb::arg("beside"), nb::arg("posture_joints"), nb::arg("posture"))
      .def(
          "_arm_joints",
          [](const Robot& r, std::size_t arm) {
            std::vector<JointIndex> joints;
            for (const JointIndex joint : r.config().arms.at(arm).joints) joints.push_back(joint);
            std::sort(joints.begin(), joints.end());
            return joints;
          },
          nb::arg("arm"))
      .def("_step", step, nb::arg("n"))
      .def(
          "update", [](Robot& r) { r.show(); },
          "Show the newest state that has come, without a wait.")
      .def(
          "events", [](Robot& r) { return r.open().take_events(); },
          "All events since the last call, oldest first.")
      .def("close", &Robot::close, "End the connection. A lease ends with it: the robot stops.")
      .def_prop_ro("closed", &Robot::is_closed)
      .def("_views", [](const Robot& r) { return joint_views(r.shown(), *r.shown()); })
      .def("_arm_views",
           [](const Robot& r) { return arm_views(r.shown(), *r.shown(), r.config()); })
      .def("_gripper_views",
           [](const Robot& r) { return gripper_views(r.shown(), *r.shown(), r.config()); })
      .def_prop_ro(
          "laws", [](const Robot& r) { return laws_of(*r.shown(), r.config()); },
          "Laws of one's own, by name, each with `state` (off, waits, runs, failed, holds),\n"
          "`parameters` and `signals` by their names, and `took`, the time of the cycle [s].");
  bind_facts(robot);
  bind_lease(robot);
  bind_files(m, robot);
  bind_steps_of_tasks(m, robot);
}

void set_error(const char* name, const std::exception& error) {
  PyErr_SetString(error_class(name).ptr(), error.what());
}

/// A remote::MakeConnection.
void make_connection(const remote::ClientOptions& options,
                     std::unique_ptr<remote::Connection>& connection) {
  connection = remote::make_connection(options);
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const remote::NoLease& error) {
    set_error("NoLease", error);
  } catch (const remote::ConnectionLost& error) {
    set_error("ConnectionLost", error);
  } catch (const remote::PlanDropped& error) {
    set_error("Error", error);
  } catch (const std::invalid_argument& error) {
    set_error("InputError", error);
  }
}

}  // namespace
}  // namespace jointrig::python

// The macro defines a function without a declaration of its own.
NB_MODULE(_remote, m) {
  namespace python = jointrig::python;
  nanobind::register_exception_translator(python::translate);
  m.doc() = "The compiled part of jointrig.connect().";
  m.def(
      "_maker",
      []() -> nanobind::object {
        return nanobind::capsule(reinterpret_cast<const void*>(&python::make_connection));
      },
      "remote::MakeConnection, for the scenarios that _core runs.");
  python::bind_event(m);
  python::bind_robot(m);
}
