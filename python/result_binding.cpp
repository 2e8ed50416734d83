#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/run/same_robot.h"
#include "python/arrays.h"
#include "python/bindings.h"
#include "python/scenario_runs.h"
#include "remote/module.h"

namespace jointrig::python {
namespace {

using harness::Result;
using harness::Verdict;

/// Result of a run, with its log's path.
struct RunResult {
  Result result;
  std::string log_path;
  std::vector<std::string> remarks;
};

std::string word(std::string_view words) { return std::string(words); }

/// True where Python wants to end: a signal, as of ctrl-C.
bool python_wants_to_end() {
  const nb::gil_scoped_acquire python;
  return PyErr_CheckSignals() != 0;
}

std::vector<harness::Scenario> find(const std::vector<std::string>& what,
                                    const std::vector<std::string>& settings) {
  RunRequest request;
  request.what = what;
  request.settings = settings;
  return scenarios_of(request);
}

/// Connects to the server that Python names: (_remote._maker(), address, name, tls_ca, token).
std::function<std::unique_ptr<remote::Connection>(const std::string&)> connection_to(
    const nb::object& server) {
  if (server.is_none()) return {};
  const auto [maker, address, sender, tls_ca, token] =
      nb::cast<std::tuple<nb::object, std::string, std::string, std::string, std::string>>(server);
  // The client with gRPC is the other module's; what it makes has virtual functions alone.
  const auto make = reinterpret_cast<remote::MakeConnection>(nb::cast<nb::capsule>(maker).data());
  remote::ClientOptions options;
  options.address = address;
  options.name = sender;
  options.tls_ca = tls_ca;
  options.token = token;
  return [make, options](const std::string& name) {
    remote::ClientOptions own = options;
    own.name = name + "@" + options.name;
    std::unique_ptr<remote::Connection> made;
    make(own, made);
    app::refuse_other_version(made->facts(), own.address);
    return made;
  };
}

/// @param is_over  called some times a second; None: never asked
bool is_asked_to_end(const nb::object& is_over) {
  const nb::gil_scoped_acquire python;
  return !is_over.is_none() && nb::cast<bool>(is_over());
}

std::vector<RunResult> run(const std::vector<std::string>& what,
                           const std::vector<std::string>& settings, const std::string& backend,
                           const std::string& robot, std::optional<std::uint64_t> seed,
                           const std::string& only, const std::string& out, int jobs, bool single,
                           const nb::object& server, const nb::object& is_over) {
  const RunRequest request{what, settings, backend_named(backend), robot, seed, only,
                           out,  jobs,     connection_to(server)};
  std::vector<app::JobResult> jobs_done;
  bool interrupted = false;
  {
    const nb::gil_scoped_release others_may_run;
    const std::vector<harness::Scenario> scenarios = scenarios_of(request);
    if (single && scenarios.size() != 1) {
      throw std::invalid_argument(what.front() + " has " + std::to_string(scenarios.size()) +
                                  " scenarios: run_scenarios() runs them all");
    }
    jobs_done = run_all(scenarios, request, [&] {
      interrupted = interrupted || python_wants_to_end();
      return interrupted || is_asked_to_end(is_over);
    });
    if (!interrupted && !request.out.empty()) write_out(jobs_done, request.out);
  }
  if (interrupted) throw nb::python_error();
  std::vector<RunResult> results;
  for (app::JobResult& job : jobs_done) {
    results.push_back({std::move(job.result), job.log_path, job.remarks});
  }
  return results;
}

nb::dict traces_of(const RunResult& run) {
  nb::dict traces;
  for (const harness::Trace& trace : run.result.traces.signals) {
    traces[trace.name.c_str()] = nb::make_tuple(
        array_of(run.result.traces.times), array_of(trace.least), array_of(trace.most), trace.unit);
  }
  return traces;
}

nb::list marks_of(const RunResult& run) {
  nb::list marks;
  for (const harness::MarkRecord& mark : run.result.marks) {
    marks.append(nb::make_tuple(mark.name, mark.time));
  }
  return marks;
}

nb::list events_of(const RunResult& run) {
  nb::list events;
  for (const harness::EventRecord& event : run.result.events) {
    events.append(nb::make_tuple(event.time, event.sentence));
  }
  return events;
}

void bind_verdict(nb::module_& m) {
  nb::class_<Verdict>(m, "Verdict", "Of one step, assertion or metric.")
      .def_prop_ro(
          "kind", [](const Verdict& v) { return word(to_string(v.kind)); },
          "step, always, never, at_end, within, metric or faults")
      .def_prop_ro(
          "status", [](const Verdict& v) { return word(to_string(v.status)); },
          "passed, warned, failed, error or skipped")
      .def_prop_ro("failed", &Verdict::failed)
      .def_ro("phase", &Verdict::phase, "Of a step: setup, steps or teardown.")
      .def_ro("name", &Verdict::name)
      .def_ro("place", &Verdict::place, "File, line and column.")
      .def_ro("expected", &Verdict::expected)
      .def_ro("got", &Verdict::got)
      .def_ro("more", &Verdict::more)
      .def_ro("at", &Verdict::at, "Time of the decision [s].")
      .def_ro("since", &Verdict::since, "Begin of a step [s].")
      .def_ro("margin", &Verdict::margin, "Smallest distance to the bound, in `unit`.")
      .def_ro("margin_at", &Verdict::margin_at, "Its time [s].")
      .def_ro("value", &Verdict::value, "Of a metric, in `unit`.")
      .def_ro("least", &Verdict::least, "Its bounds.")
      .def_ro("most", &Verdict::most)
      .def_ro("unit", &Verdict::unit, "SI.")
      .def("__repr__", [](const Verdict& v) {
        return "<Verdict " + word(to_string(v.status)) + ": " + v.name + ">";
      });
}

void bind_result(nb::module_& m) {
  const auto field = [](auto member) {
    return [member](const RunResult& run) -> const auto& { return run.result.*member; };
  };
  nb::class_<RunResult>(m, "Result", "Of a scenario's run.")
      .def_prop_ro("scenario", field(&Result::scenario), "Its name, with the variation.")
      .def_prop_ro("family", field(&Result::family))
      .def_prop_ro("variation", field(&Result::variation))
      .def_prop_ro("file", field(&Result::file))
      .def_prop_ro("about", field(&Result::about))
      .def_prop_ro("tags", field(&Result::tags))
      .def_prop_ro("backend", field(&Result::backend))
      .def_prop_ro(
          "outcome", [](const RunResult& run) { return word(to_string(run.result.outcome)); },
          "passed, failed, could_not_run, safety_stop, timeout or skipped")
      .def_prop_ro(
          "passed",
          [](const RunResult& run) { return run.result.outcome == harness::Outcome::kPassed; })
      .def_prop_ro(
          "exit_code", [](const RunResult& run) { return exit_code(run.result.outcome); },
          "Of `jointrig run` with this outcome.")
      .def_prop_ro("reason", field(&Result::reason), "One sentence, if it did not pass.")
      .def_prop_ro("verdicts", field(&Result::verdicts))
      .def_prop_ro(
          "failures",
          [](const RunResult& run) {
            std::vector<Verdict> failed;
            for (const Verdict& verdict : run.result.verdicts) {
              if (verdict.failed()) failed.push_back(verdict);
            }
            return failed;
          },
          "The verdicts that failed.")
      .def_prop_ro(
          "metrics",
          [](const RunResult& run) {
            nb::dict metrics;
            for (const Verdict& verdict : run.result.verdicts) {
              if (verdict.value) metrics[verdict.name.c_str()] = *verdict.value;
            }
            return metrics;
          },
          "Value of each metric, SI.")
      .def_prop_ro("marks", marks_of, "Name and time [s] of each mark.")
      .def_prop_ro("events", events_of, "Time [s] and sentence of each event.")
      .def_prop_ro(
          "traces", traces_of,
          "Signals that the scenario plots, by name: begin of each span [s], least and most\n"
          "value in it, unit.")
      .def_prop_ro("notes", field(&Result::notes))
      .def_ro("remarks", &RunResult::remarks)
      .def_prop_ro("cycles", field(&Result::cycles))
      .def_prop_ro("sim_time", field(&Result::sim_time), "[s]")
      .def_prop_ro("wall_time", field(&Result::wall_time), "[s]")
      .def_prop_ro("state_hash", field(&Result::state_hash))
      .def_prop_ro("properties", field(&Result::properties), "Versions, seed, log and so on.")
      .def_ro("log_path", &RunResult::log_path, "Empty: no log was written.")
      .def("__repr__", [](const RunResult& run) {
        return "<Result " + run.result.scenario + ": " + word(to_string(run.result.outcome)) + ">";
      });
}

}  // namespace

void bind_results(nb::module_& m) {
  using harness::Scenario;
  nb::class_<Scenario>(m, "Scenario", "A scenario as its file has it, or one of its variations.")
      .def_ro("name", &Scenario::name)
      .def_ro("family", &Scenario::family)
      .def_ro("variation", &Scenario::variation)
      .def_ro("about", &Scenario::about)
      .def_ro("tags", &Scenario::tags)
      .def_prop_ro("file", [](const Scenario& s) { return s.file.generic_string(); })
      .def("__repr__", [](const Scenario& s) { return "<Scenario " + s.name + ">"; });
  m.def("find", find, nb::arg("what"), nb::arg("settings"));
  bind_verdict(m);
  bind_result(m);
  m.def("run", run, nb::arg("what"), nb::arg("settings"), nb::arg("backend"), nb::arg("robot"),
        nb::arg("seed").none(), nb::arg("only"), nb::arg("out"), nb::arg("jobs"), nb::arg("single"),
        nb::arg("server").none(), nb::arg("is_over").none());
}

}  // namespace jointrig::python
