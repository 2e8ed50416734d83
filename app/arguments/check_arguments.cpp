#include <CLI/CLI.hpp>
#include <memory>

#include "app/arguments/arguments.h"
#include "app/arguments/shared_arguments.h"
#include "app/check/check_kind.h"
#include "app/check/check_verb.h"
#include "app/guarded.h"

namespace jointrig::app {

void add_check(CLI::App& program, int& code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check = program.add_subcommand(
      "check", "Does any robot hold, move, yield and stop as it should? Verdicts and pictures");
  check->add_option("model", options->model, "Any MJCF or URDF, a robot.yaml, or a name in models/")
      ->required();
  add_motors(*check, options->motors, options->package_path);
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
  add_settings(*check, "Set a key of robot.yaml", options->settings);
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

}  // namespace jointrig::app
