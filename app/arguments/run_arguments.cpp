#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/arguments/arguments.h"
#include "app/arguments/shared_arguments.h"
#include "app/from_to.h"
#include "app/guarded.h"
#include "app/rig/rig.h"
#include "app/run/run_verb.h"
#include "app/serve/served_run.h"
#include "app/serve/serving_arguments.h"

namespace jointrig::app {
namespace {

/// Lets others watch the scenarios, if that is asked for: in real time then.
void serve_runs(RunOptions& options, const std::optional<ServingOptions>& serving) {
  if (!serving) return;
  options.realtime = true;
  options.onlooker = [serving](Rig& rig, const std::string& scenario, const auto& tell) {
    return std::make_unique<ServedRun>(rig, scenario, *serving, tell);
  };
}

void add_run_connect_options(CLI::App& run, RemoteRobot& remote, RunOptions& options) {
  CLI::Option* connect = add_connect_options(
      run, remote,
      "Run on a robot that is served at HOST, or HOST:PORT (4600 where none is given), under the "
      "lease");
  add_take_over(run, *connect, options.take_over);
  exclude_of_here(
      run, *connect,
      {"--backend", "--package-path", "--jobs", "--repeat", "--check-hash", "--seed", "--realtime",
       "--rtf", "--spin", "--core", "--speed-override", "--no-wiggle-check"});
}

}  // namespace

void add_run(CLI::App& program, int& code) {
  auto options = std::make_shared<RunOptions>();
  auto backend = std::make_shared<std::string>();
  auto logs = std::make_shared<std::string>("all");
  auto serve = std::make_shared<std::optional<std::string>>();
  auto serving = std::make_shared<ServingOptions>();
  CLI::App* run = program.add_subcommand("run", "Run scenarios headless and judge them");
  run->add_option("scenarios", options->what,
                  "Scenario files, folders, names, tags, or patterns of these with * and ?");
  add_backend(*run, *backend, "Backend of the robot (default: as its robot.yaml says, else sim)",
              backend_words());
  run->add_option("--robot", options->robot,
                  "Robot in place of the scenario's: name, yaml, MJCF or URDF");
  add_model_options(*run, *options);
  run->add_option("-j,--jobs", options->jobs, "Scenarios side by side")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  run->add_option("--repeat", options->repeat, "Runs of each scenario")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  run->add_flag("--check-hash", options->check_hash,
                "Repeated runs must agree to the bit, second by second");
  run->add_option("--out", options->out,
                  "Folder for logs and report (default runs/<time>; - for none); one that has the "
                  "results of an earlier run is refused");
  run->add_flag("--overwrite", options->overwrite, "Replace results of an earlier run");
  run->add_flag("--last-failed", options->last_failed,
                "Only what did not pass in the newest run below runs/");
  run->add_option("--failed-in", options->failed_in, "Only what did not pass in this run's folder");
  run->add_option("--junit", options->junit, "Also write JUnit XML to this file");
  run->add_flag("!--no-report", options->report, "Write no report.html");
  add_logs(*run, "runs", *logs);
  add_settings(*run, "Set a key of the scenario, or of the robot with robot.", options->settings);
  add_seed(*run, options->seed);
  run->add_flag("--list", options->list, "List what would run");
  run->add_flag("--dry-run", options->dry_run, "Read and check the files, run nothing");
  run->add_flag("-v,--verbose", options->verbose, "Show every verdict");
  run->add_flag("--realtime", options->realtime,
                "Pace to the wall clock, SCHED_FIFO and locked memory where permitted");
  run->add_option("--rtf", options->real_time_factor, "Real-time factor with --realtime")
      ->check(from_to(0.001, 1000.0))
      ->capture_default_str();
  run->add_option("--spin", options->spin_us, "With --realtime: wake so many µs early and spin")
      ->check(from_to(0.0, 900.0));
  run->add_option("--speed-override", options->speed_override,
                  "Factor on all speeds to start with (default: on real drives robot.yaml's "
                  "speed_override, 0.1 where it has none; else 1)")
      ->check(from_to(kLeastSpeedOverride, 1.0));
  run->add_flag("!--no-wiggle-check", options->wiggle_check,
                "Start real drives that have not passed `jointrig wiggle`");
  run->add_option("--core", options->core, "With --realtime: stay on this core")
      ->check(CLI::Range(0, 4095));
  add_serve_option(*run, *serve);
  add_serving_options(*run, *serving);
  auto remote = std::make_shared<RemoteRobot>();
  add_run_connect_options(*run, *remote, *options);
  run->footer(
      "With --serve, --viewers or --ros2 a scenario runs in real time, and others watch: it holds "
      "the\n"
      "lease, and ends as a safety stop when somebody stops the robot or takes it over.\n"
      "With --connect it is another program's robot that the scenario drives and judges, "
      "likewise.\n\n"
      "Exit code: 0 passed, 1 an expectation failed, 2 could not run, 3 safety stop or unexpected\n"
      "fault, 4 time-out, 5 not deterministic, 77 all skipped, 130 interrupted.\n\n"
      "  jointrig run scenarios/demo\n"
      "  jointrig run smoke -j 2 --repeat 2 --check-hash\n"
      "  jointrig run 'zero_g*'              # `jointrig list` names what there is\n"
      "  jointrig run --last-failed -v\n"
      "  jointrig run scenarios/demo --viewers\n"
      "  jointrig run scenarios/demo/franka.yaml --connect robot:4600 --tls-ca robot.pem "
      "--token-file token\n"
      "  jointrig run scenarios/joints/minimum_jerk.yaml --robot my_arm.xml --set "
      "robot.plant.mass_scale=1.1");
  run->callback([=, &code] {
    BackendKind kind = BackendKind::kSim;
    if (parse(*backend, kind)) options->backend = kind;
    options->keep_passed_logs = *logs == "all";
    code = guarded("run", [&] {
      if (run->count("--connect") > 0) {
        remote->token_file = serving->server.token_file;
        connect_to(*options, *remote);
      } else {
        serve_runs(*options, serving_wanted(*serve, *serving));
      }
      return run_verb(*options);
    });
  });
}

}  // namespace jointrig::app
