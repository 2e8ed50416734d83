#include <CLI/CLI.hpp>
#include <memory>

#include "app/arguments/arguments.h"
#include "app/arguments/shared_arguments.h"
#include "app/from_to.h"
#include "app/gui/open_panel.h"
#include "app/rig/rig.h"
#include "app/serve/serving_arguments.h"

namespace jointrig::app {
namespace {

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

}  // namespace

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
  add_settings(
      *gui,
      "Set a key of the robot; of a scenario as with `run`: its key, or with robot. one of "
      "its robot",
      options->settings);
  gui->add_option("--scene", options->scene, "Scene around the robot: name or file");
  add_seed(*gui, options->seed);
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

}  // namespace jointrig::app
