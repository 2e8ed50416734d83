/// jointrig: the only program.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numbers>

#include "app/boards/board_verb.h"
#include "app/bus/bus_commands.h"
#include "app/check/check_kind.h"
#include "app/check/check_verb.h"
#include "app/compare/compare_verb.h"
#include "app/doctor/doctor.h"
#include "app/file_signals.h"
#include "app/from_to.h"
#include "app/guarded.h"
#include "app/gui/open_panel.h"
#include "app/inspect/inspect_verb.h"
#include "app/lists/lists_commands.h"
#include "app/rig/rig.h"
#include "app/run/run_verb.h"
#include "app/run/same_robot.h"
#include "app/serve/client_options.h"
#include "app/serve/replay_verb.h"
#include "app/serve/serve_verb.h"
#include "app/serve/served_run.h"
#include "app/serve/server_library.h"
#include "app/serve/serving_arguments.h"
#include "app/sweep/sweep_plan.h"
#include "app/sweep/sweep_verb.h"
#include "app/version.h"
#include "app/wiggle/wiggle_verb.h"
#include "control/core/nearest_word.h"
#include "harness/config/whole_file.h"
#include "harness/log/mcap/channel_list.h"
#include "harness/log/mcap/csv_export.h"
#include "harness/log/mcap/mcap_recover.h"
#include "harness/runner/scenario_schema.h"

namespace jointrig::app {
namespace {

constexpr std::uint64_t kLargestSeed = (1ULL << 53U) - 1;  // as in a file: exact in JSON

/// `--backend` with its words. The old word of `boards` is accepted, with a sentence on stderr.
CLI::Option* add_backend(CLI::App& verb, std::string& word, const std::string& about,
                         const std::vector<std::string>& words) {
  const CLI::Validator renamed(
      [](std::string& given) {
        if (given == "bench") {
          std::fputs("jointrig: backend bench is now called boards\n", stderr);
          given = "boards";
        }
        return std::string{};
      },
      "");
  return verb.add_option("--backend", word, about)->check(CLI::IsMember(words))->transform(renamed);
}

template <typename Options>
void add_motors(CLI::App& verb, Options& options) {
  verb.add_flag("--motors", options.motors,
                "Give a motor to each joint that no actuator drives; those of a URDF have one");
  verb.add_option("--package-path", options.package_path,
                  "Folder with the ROS packages of a URDF's meshes; may be given again")
      ->option_text("FOLDER")
      ->allow_extra_args(false);
}

void add_logs(CLI::App& verb, const std::string& of, std::string& logs) {
  verb.add_option("--logs", logs,
                  "Keep the logs of all " + of +
                      ", or of those that did not pass (a second of an arm takes about 3 MB)")
      ->check(CLI::IsMember({"all", "failed"}))
      ->capture_default_str();
}

/// Settings that a model needs to be opened, for a robot without a robot.yaml.
template <typename Options>
void add_model_options(CLI::App& verb, Options& options) {
  verb.add_flag("--pin-base", options.pin_base, "Bolt a floating base where it starts");
  add_motors(verb, options);
}

/// Lets others watch the scenarios, if that is asked for: in real time then.
void serve_runs(RunOptions& options, const std::optional<ServingOptions>& serving) {
  if (!serving) return;
  options.realtime = true;
  options.onlooker = [serving](Rig& rig, const std::string& scenario, const auto& tell) {
    return std::make_unique<ServedRun>(rig, scenario, *serving, tell);
  };
}

/// A robot that another program serves, in place of one here.
CLI::Option* add_connect_options(CLI::App& verb, RemoteRobot& remote, const std::string& about) {
  CLI::Option* connect =
      verb.add_option("--connect", remote.address, about)->option_text("HOST[:PORT]");
  verb.add_option("--tls-ca", remote.tls_ca,
                  "With --connect: certificates by which the server's is checked, PEM")
      ->needs(connect);
  return connect;
}

void add_token_option(CLI::App& verb, RemoteRobot& remote, CLI::Option& connect) {
  verb.add_option("--token-file", remote.token_file,
                  "With --connect: file with the token that its server wants")
      ->needs(&connect);
}

void add_take_over(CLI::App& verb, CLI::Option& connect, bool& take_over) {
  verb.add_flag("--take-over", take_over, "With --connect: take the lease, even from its holder")
      ->needs(&connect);
}

/// Options that make or serve a robot here don't go with --connect.
void exclude_of_here(CLI::App& verb, CLI::Option& connect,
                     const std::vector<const char*>& further) {
  for (const char* of_here : {"--pin-base", "--motors", "--serve", "--tls-cert", "--tls-key",
                              "--viewers", "--viewer-origin", "--ros2", "--clients"}) {
    connect.excludes(verb.get_option(of_here));
  }
  for (const char* one : further) connect.excludes(verb.get_option(one));
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

/// Has each scenario, or the verb, connect by itself, under its own name. A verb that moves or
/// judges the robot needs the server's version; one that only tells of it doesn't.
template <typename Options>
void connect_to(Options& options, const RemoteRobot& remote, bool only_looks = false) {
  options.connect = [remote, only_looks](const std::string& name) {
    std::unique_ptr<remote::Connection> made = load_connection(client_options(remote, name));
    if (!only_looks) refuse_other_version(made->facts(), remote.address);
    return made;
  };
}

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
  run->add_option("--set", options->settings,
                  "Set a key of the scenario, or of the robot with robot.; may be given again")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
  run->add_option("--seed", options->seed, "Seed of all noise")
      ->check(CLI::Range(std::uint64_t{0}, kLargestSeed));
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

void add_check(CLI::App& program, int& code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check = program.add_subcommand(
      "check", "Does any robot hold, move, yield and stop as it should? Verdicts and pictures");
  check->add_option("model", options->model, "Any MJCF or URDF, a robot.yaml, or a name in models/")
      ->required();
  add_motors(*check, *options);
  check->add_option("--only", options->kinds, "Only these kinds, such as hold,move")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("KIND,...");
  check->add_option("--joints", options->joints, "Only these joints or parts; the others hold")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->option_text("NAME,...");
  check->add_option("-j,--jobs", options->jobs, "Kinds side by side (default: one for each core)")
      ->check(CLI::Range(1, 64));
  check->add_option("--out", options->out,
                    "Folder for logs and report (default runs/<time>-check; - for none); one that "
                    "has the results of an earlier run is refused");
  check->add_flag("--overwrite", options->overwrite, "Replace results of an earlier run");
  auto remote = std::make_shared<RemoteRobot>();
  CLI::Option* connect = add_connect_options(
      *check, *remote,
      "Check the robot that is served at HOST, or HOST:PORT (4600 where none is given), under the "
      "lease; the model tells what it should be");
  add_token_option(*check, *remote, *connect);
  add_take_over(*check, *connect, options->take_over);
  for (const char* of_here : {"--motors", "--jobs"}) connect->excludes(check->get_option(of_here));
  auto logs = std::make_shared<std::string>("failed");
  add_logs(*check, "kinds", *logs);
  check->add_option("--set", options->settings, "Set a key of robot.yaml; may be given again")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
  check->add_flag("-v,--verbose", options->verbose, "Show every verdict");
  check->footer(
      "Kinds, and what has to hold in each, by the simulation's truth:\n\n" + help_of_kinds() +
      "\nA floating base is bolted down. Each kind is a scenario, left in its folder as "
      "check.yaml.\n"
      "With --connect a robot that is served goes to its start pose in a straight way first, and "
      "is\n"
      "judged by what its boards report; kinds that push it don't apply.\n"
      "Exit code: 0 passed, 1 a kind failed, 2 could not run, 3 unexpected fault, 77 nothing "
      "applied.\n\n"
      "  jointrig check my_arm.xml\n"
      "  jointrig check franka --only hold,move -j 2 --out runs/franka\n"
      "  jointrig check my_arm.xml --joints elbow,wrist --only push,load -v\n"
      "  jointrig check my_arm.xml --set joints.elbow.bandwidth='5 Hz'   # does this help?\n"
      "  jointrig check my_arm.xml --set plant.mass_scale=1.2            # and a wrong model?\n"
      "  jointrig check franka --connect robot:4600 --only hold,move");
  check->callback([=, &code] {
    options->keep_passed_logs = *logs == "all";
    code = guarded("check", [&] {
      if (check->count("--connect") > 0) {
        connect_to(*options, *remote);
        options->address = remote->address;
      }
      return check_verb(*options);
    });
  });
}

void add_board(CLI::App& program, int& code) {
  auto options = std::make_shared<BoardVerbOptions>();
  CLI::App* board = program.add_subcommand(
      "board", "Run virtual boards, and the physics behind them, on all buses of a robot");
  board->add_option("robot", options->robot, "Robot: name or robot.yaml, with buses and drives");
  board
      ->add_option("--eds", options->eds,
                   "Only print the data sheet (EDS) of a board, or of a sensor: for masters and "
                   "tools of others")
      ->expected(0, 1)
      ->default_str("joint")
      ->check(CLI::IsMember({"joint", "force_torque", "imu"}));
  board->add_flag("--free", options->host.free_running,
                  "Physics by this machine's clock, not a period for each SYNC");
  board
      ->add_option("--drift", options->host.drift_ppm,
                   "With --free: the boards' clock is fast by this [ppm]")
      ->check(from_to(-1000.0, 1000.0))
      ->capture_default_str();
  board->add_flag(
      "--own-drives", options->host.own_drives,
      "Keep this file's drives whatever a run's file says of them: to find its mistakes");
  board->add_option("--set", options->settings, "Set a key of robot.yaml; may be given again")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
  board->footer(
      "Runs until it is interrupted. In another terminal:\n\n"
      "  jointrig board franka\n"
      "  jointrig run scenarios/joints --backend hw\n"
      "  jointrig board --eds > joint_board.eds");
  board->callback([=, &code] { code = guarded("board", [&] { return board_verb(*options); }); });
}

void add_wiggle(CLI::App& program, int& code) {
  constexpr double kPerDegree = std::numbers::pi / 180.0;
  constexpr double kPerMillimetre = 1e-3;
  auto options = std::make_shared<WiggleVerbOptions>();
  auto backend = std::make_shared<std::string>();
  auto degrees = std::make_shared<double>(options->wiggle.angle / kPerDegree);
  auto millimetres = std::make_shared<double>(options->wiggle.way / kPerMillimetre);
  CLI::App* wiggle = program.add_subcommand(
      "wiggle", "Check that each drive moves its own joint: order, sign, scale, gravity");
  wiggle->add_option("robot", options->robot, "Robot: name or robot.yaml, with buses and drives")
      ->required();
  wiggle->add_option("--joint", options->joints, "Only this joint or part; may be given again");
  add_backend(*wiggle, *backend,
              "Backend of the robot (default: hw, or as its parts have in its robot.yaml)",
              backend_words());
  wiggle->add_option("--angle", *degrees, "How far a hinge goes, each way [deg]")
      ->check(from_to(0.05, 5.0))
      ->capture_default_str();
  wiggle->add_option("--way", *millimetres, "How far a slide goes, each way [mm]")
      ->check(from_to(0.05, 20.0))
      ->capture_default_str();
  wiggle
      ->add_option("--torque", options->wiggle.torque,
                   "How far the torque at rest may be off the model's, of torque_max")
      ->check(from_to(0.001, 1.0))
      ->capture_default_str();
  wiggle->add_flag("--unattended", options->unattended,
                   "On real drives: ask nobody what was seen; drives alone can't tell a wrong "
                   "polarity, gear or number");
  wiggle->add_option("--set", options->settings, "Set a key of robot.yaml; may be given again")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
  auto remote = std::make_shared<RemoteRobot>();
  CLI::Option* connect = add_connect_options(
      *wiggle, *remote,
      "Test the robot that is served at HOST, or HOST:PORT (4600 where none is given), under the "
      "lease; ROBOT tells what it should be");
  add_token_option(*wiggle, *remote, *connect);
  add_take_over(*wiggle, *connect, options->take_over);
  connect->excludes(wiggle->get_option("--backend"));
  wiggle->footer(
      "Joint by joint goes a little forth, back and home while the others hold; any other that\n"
      "moves stops them all at once. Its findings:\n\n"
      "  order   another joint moved: two nodes are exchanged\n"
      "  sign    it went the wrong way: polarity\n"
      "  scale   it went n times as far: gear\n"
      "  torque  at rest it carries another weight than the model's\n\n"
      "A drive that is told wrongly is read wrongly too, so somebody has to look: on virtual\n"
      "boards that is the physics behind them, on real drives you, who are asked after each\n"
      "joint. Real drives are started by `jointrig run` only once every joint has passed with\n"
      "these buses, drives and joints; a test over a connection is kept nowhere.\n"
      "Exit code: 0 passed, 1 one did not, 2 could not run.\n\n"
      "  jointrig wiggle my_robot\n"
      "  jointrig wiggle my_robot --joint elbow --angle 1\n"
      "  jointrig wiggle franka --backend boards\n"
      "  jointrig wiggle franka --connect robot:4600");
  wiggle->callback([=, &code] {
    BackendKind kind{};
    if (parse(*backend, kind)) options->backend = kind;
    options->wiggle.angle = kPerDegree * *degrees;
    options->wiggle.way = kPerMillimetre * *millimetres;
    code = guarded("wiggle", [&] {
      if (wiggle->count("--connect") > 0) connect_to(*options, *remote);
      return wiggle_verb(*options);
    });
  });
}

/// Options of a panel on a robot that is served elsewhere; those of a robot here don't go with
/// them.
void add_gui_connect_options(CLI::App& gui, RemoteRobot& remote) {
  CLI::Option* connect = add_connect_options(
      gui, remote,
      "Open the panel on a robot that is served at HOST, or HOST:PORT (4600 where none is given); "
      "ROBOT, if given, has to be its name");
  gui.add_option("--rate", remote.rate,
                 "With --connect: states a second, and rows of the plots; 0: one each cycle")
      ->check(from_to(0.0, 1000.0))
      ->capture_default_str()
      ->needs(connect);
  exclude_of_here(
      gui, *connect,
      {"--backend", "--speed-override", "--package-path", "--scene", "--set", "--seed", "--robot"});
}

void add_gui(CLI::App& program, int& code) {
  auto options = std::make_shared<GuiOptions>();
  auto backend = std::make_shared<std::string>();
  auto screenshot = std::make_shared<std::string>();
  CLI::App* gui = program.add_subcommand("gui", "Open the motor panel on a robot that runs");
  gui->add_option("robot", options->what,
                  "Robot (name, yaml, MJCF or URDF), or a scenario, whose robot it is then")
      ->capture_default_str();
  add_backend(*gui, *backend, "Backend of the robot (default: as its robot.yaml says, else sim)",
              backend_words(/*that_keep_a_clock=*/true));
  gui->add_option("--speed-override", options->speed_override,
                  "Factor on all speeds to start with; the slider in the top bar changes it")
      ->check(from_to(kLeastSpeedOverride, 1.0));
  add_model_options(*gui, *options);
  gui->add_option(
         "--set", options->settings,
         "Set a key of the robot; of a scenario as with `run`: its key, or with robot. one "
         "of its robot; may be given again")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
  gui->add_option("--scene", options->scene, "Scene around the robot: name or file");
  gui->add_option("--seed", options->seed, "Seed of all noise")
      ->check(CLI::Range(std::uint64_t{0}, kLargestSeed));
  gui->add_option("--robot", options->robot,
                  "With a scenario: robot in place of the scenario's: name, yaml, MJCF or URDF");
  gui->add_option("--width", options->width, "Width of the window [pixels]")
      ->check(CLI::Range(640, 16384))
      ->default_str("as it was, else 1920");
  gui->add_option("--height", options->height, "Height of the window [pixels]")
      ->check(CLI::Range(400, 16384))
      ->default_str("as it was, else 1080");
  gui->add_option("--screenshot", *screenshot, "Write a picture of the window (PNG) and end");
  gui->add_option("--seconds", options->seconds, "Time until the picture is taken [s]")
      ->check(from_to(0.1, 3600.0))
      ->capture_default_str();
  add_serve_option(*gui, options->serve);
  add_serving_options(*gui, options->serving);
  auto remote = std::make_shared<RemoteRobot>();
  add_gui_connect_options(*gui, *remote);
  gui->footer(
      "With --serve one at a time commands the robot, the panel or a program: the panel above\n"
      "OBSERVE, and a program that holds the lease. The top bar shows who, and takes it over.\n"
      "With --connect the robot is another program's: watched until the panel takes the lease.\n"
      "Exit code: 0, or 2 where it could not run, for want of a display among others.\n\n"
      "  jointrig gui franka\n"
      "  jointrig gui franka --serve --viewers\n"
      "  jointrig gui scenarios/demo/franka.yaml --serve 127.0.0.1:0\n"
      "  jointrig gui scenarios/demo/franka.yaml --set robot.plant.mass_scale=1.1 --seed 3\n"
      "  jointrig gui --connect robot:4600 --tls-ca robot.pem --token-file token");
  gui->callback([=, &code] {
    BackendKind kind{};
    if (parse(*backend, kind)) options->backend = kind;
    options->screenshot = *screenshot;
    if (gui->count("--connect") > 0) {
      if (gui->count("robot") > 0) remote->robot = options->what;
      remote->token_file = options->serving.server.token_file;
      options->remote = *remote;
    }
    code = open_panel(*options);
  });
}

void add_inspect(CLI::App& program, int& code) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* inspect = program.add_subcommand(
      "inspect",
      "Say what a robot's model has: joints, limits, gains, arms, what is wrong with it");
  inspect->add_option("model", options->model, "Name in models/, a robot.yaml, any MJCF or URDF");
  inspect->add_option("--write", options->write, "Write a robot.yaml to start from");
  inspect->add_option("--keyframe", options->keyframe, "Start pose");
  add_model_options(*inspect, *options);
  auto remote = std::make_shared<RemoteRobot>();
  CLI::Option* connect = add_connect_options(
      *inspect, *remote,
      "Tell of the robot that is served at HOST, or HOST:PORT (4600 where none is given); a model, "
      "if given, has to be its name");
  add_token_option(*inspect, *remote, *connect);
  for (const char* of_here :
       {"--write", "--keyframe", "--pin-base", "--motors", "--package-path"}) {
    connect->excludes(inspect->get_option(of_here));
  }
  inspect->footer(
      "Exit code: 0, 1 where an error was found, 2 where the model can't be loaded.\n\n"
      "  jointrig inspect franka\n"
      "  jointrig inspect my_arm.xml --write robot.yaml      # then edit it, and:\n"
      "  jointrig check robot.yaml\n"
      "  jointrig inspect my_arm.urdf --motors --package-path ~/ws/src --write robot.yaml\n"
      "  jointrig inspect --connect robot:4600");
  inspect->callback([=, &code] {
    code = guarded("inspect", [&] {
      if (inspect->count("--connect") > 0) {
        connect_to(*options, *remote, true);
        options->address = remote->address;
      } else if (options->model.empty()) {
        throw std::invalid_argument("name a model, or give --connect HOST");
      }
      return inspect_verb(*options);
    });
  });
}

void add_doctor(CLI::App& program, int& code) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* doctor =
      program.add_subcommand("doctor", "Can this machine hold 1 kHz, and what would help?");
  doctor->add_option("--seconds", options->seconds, "Length of each measurement")
      ->check(from_to(0.1, 3600.0))
      ->capture_default_str();
  doctor->add_option("--json", options->json_path, "Also write everything to this file");
  doctor->callback([=, &code] {
    code = guarded("doctor", [&] {
      // The work of a cycle: the whole loop of the Franka arm, physics included, if it is
      // available.
      std::unique_ptr<Rig> rig;
      try {
        rig = std::make_unique<Rig>(load_robot(harness::find_robot("franka")).config, RigOptions{});
        rig->start();
        options->cycle = [&rig] { rig->loop().step(); };
        options->cycle_name = "franka, simulated";
      } catch (const std::exception&) {
        options->cycle = {};  // outside of the project's folder: measures an empty cycle
      }
      return run_doctor(*options, std::cout);
    });
  });
}

void export_to(const std::string& log, const harness::CsvOptions& csv, const std::string& path) {
  harness::WholeFile file(path);
  try {
    harness::export_csv(log, csv, file.out());
  } catch (const std::exception&) {
    if (file.out()) throw;  // the log can't be read
  }
  file.commit();
}

constexpr const char* kExportFooter = R"(Examples:
  jointrig export log.mcap                    its channels and fields
  jointrig export log.mcap log.csv            all of it
  jointrig export log.mcap q.csv --select '/j/*.q' --select /events --from 1.5 --to 2)";

void add_export(CLI::App& program, int& code) {
  struct Options {
    std::string log;
    std::string out;
    std::vector<std::string> select;
    double from = -1e9;
    double to = 1e9;
  };
  auto options = std::make_shared<Options>();
  CLI::App* to_csv = program.add_subcommand(
      "export", "Write a log as CSV, units in its header; or list its channels and fields");
  to_csv->footer(kExportFooter);
  to_csv->add_option("log", options->log, "An MCAP log of jointrig")->required();
  to_csv->add_option("csv", options->out, "The file to write; without it, the channels are listed");
  to_csv->add_option("--select", options->select,
                     "A channel, or a channel and a field, with * and ?: '/j/*.q'");
  to_csv->add_option("--from", options->from, "Time of the first row [s]; the log's own time")
      ->check(from_to(-1e9, 1e9));
  to_csv->add_option("--to", options->to, "Time of the last row [s]")->check(from_to(-1e9, 1e9));
  to_csv->callback([=, &code] {
    code = guarded("export", [&] {
      if (options->out.empty()) {
        std::fputs(harness::channel_list(options->log).c_str(), stdout);
        return 0;
      }
      harness::CsvOptions csv;
      csv.select = options->select;
      csv.from_ns = std::llround(options->from * 1e9);
      csv.to_ns = std::llround(options->to * 1e9);
      export_to(options->log, csv, options->out);
      return 0;
    });
  });
}

void add_recover(CLI::App& program, int& code) {
  struct Options {
    std::string log;
    std::string out;
  };
  auto options = std::make_shared<Options>();
  CLI::App* recover =
      program.add_subcommand("recover", "Make a log whole again that was cut off by a crash");
  recover->add_option("log", options->log, "The cut log; it is left as it is")->required();
  recover->add_option("out", options->out, "The file to write")->required();
  recover->callback([=, &code] {
    code = guarded("recover", [&] {
      std::printf("%s\n", harness::recover_mcap(options->log, options->out).sentence().c_str());
      return 0;
    });
  });
}

void add_keys(CLI::App& program, int& code) {
  auto of = std::make_shared<std::string>();
  CLI::App* keys = program.add_subcommand(
      "keys", "Print every key of a kind of file with type, unit, default and meaning");
  keys->add_option("file", *of, "Kind of file")
      ->required()
      ->check(CLI::IsMember({"robot", "scenario", "sweep"}));
  keys->callback([=, &code] {
    code = guarded("keys", [&] {
      const harness::Schema& schema = *of == "robot"   ? harness::robot_schema()
                                      : *of == "sweep" ? sweep_schema()
                                                       : harness::scenario_schema();
      std::fputs(schema.tables_markdown().c_str(), stdout);
      return 0;
    });
  });
}

/// "there is no option "--output" (did you mean "--out"?)"
std::string no_such(const std::string& word, const std::vector<std::string>& known) {
  const bool is_option = word.starts_with("--");
  // The dashes that all options share make none of them nearer.
  std::string near = is_option ? nearest_word(word.substr(2), known) : nearest_word(word, known);
  if (near.empty() && is_option) {
    const auto begins = [&](const std::string& name) { return begins_alike(word, "--" + name); };
    const auto found = std::find_if(known.begin(), known.end(), begins);
    if (found != known.end()) near = *found;
  }
  if (is_option && !near.empty()) near.insert(0, "--");
  return "there is no " + std::string(word.starts_with('-') ? "option" : "verb") + " \"" + word +
         "\"" + (near.empty() ? "" : " (did you mean \"" + near + "\"?)");
}

std::vector<std::string> option_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

/// One sentence: the error in the arguments, and the help to read.
std::string refusal(const CLI::App* program, const CLI::Error& error) {
  const CLI::App* at = program;  // the last verb that was recognised
  std::string path = "jointrig";
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    path += " " + at->get_name();
  }
  const auto every = [](const CLI::App*) { return true; };
  std::vector<std::string> known;
  for (const CLI::App* verb : at->get_subcommands(every)) known.push_back(verb->get_name());
  const std::vector<std::string> words = at->remaining();
  if (known.empty()) {
    const bool is_option = !words.empty() && words.front().starts_with('-') &&
                           error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
    return path + ": " + (is_option ? no_such(words.front(), option_names(*at)) : error.what()) +
           "; `" + path + " --help` tells what it takes\n";
  }
  if (words.empty()) return at->help();
  return path + ": " + no_such(words.front(), known) + "; `" + path + " --help` lists them\n";
}

int main_checked(int argc, char** argv) {
  survive_size_limit();
  CLI::App program{"jointrig: a testbed for joint-controlled robots, physics simulation first"};
  program.set_version_flag("--version", std::string("jointrig ") + std::string(kVersion));
  program.require_subcommand(1);
  program.failure_message(refusal);
  int code = 0;
  add_run(program, code);
  add_check(program, code);
  add_sweep(program, code);
  add_board(program, code);
  add_bus(program, code);
  add_wiggle(program, code);
  add_gui(program, code);
  add_serve(program, code);
  add_inspect(program, code);
  add_doctor(program, code);
  add_export(program, code);
  add_recover(program, code);
  add_replay(program, code);
  add_compare(program, code);
  add_lists(program, code);
  add_keys(program, code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return program.exit(e) == 0 ? 0 : kCouldNotRun;
  }
  return code;
}

}  // namespace
}  // namespace jointrig::app

int main(int argc, char** argv) { return jointrig::app::main_checked(argc, argv); }
