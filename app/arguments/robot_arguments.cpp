#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>

#include "app/arguments/arguments.h"
#include "app/arguments/shared_arguments.h"
#include "app/doctor/doctor.h"
#include "app/from_to.h"
#include "app/guarded.h"
#include "app/inspect/inspect_verb.h"
#include "app/rig/rig.h"
#include "app/sweep/sweep_plan.h"
#include "harness/runner/scenario_schema.h"

namespace jointrig::app {

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

}  // namespace jointrig::app
