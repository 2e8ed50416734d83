#include "app/gui/gui_verb.h"

#include <chrono>
#include <cstdio>

#include "app/file_signals.h"
#include "app/gui/gui_app.h"
#include "app/gui/remote_options.h"
#include "app/run/scenario_list.h"
#include "app/serve/server_library.h"

namespace jointrig::app {
namespace {

constexpr int kCouldNotRun = 2;

/// A robot by its name or file, or the robot of a scenario with the scenario's settings.
GuiRobot robot_for(const GuiOptions& options) {
  GuiRobot robot;
  robot.backend = options.backend;
  robot.pin_base = options.pin_base;
  robot.motors = options.motors;
  robot.package_path = options.package_path;
  robot.speed_override = options.speed_override;
  try {
    robot.source = harness::find_robot(options.what);
    static_cast<void>(config_of(robot));  // a scenario is no robot file: tried below
    return robot;
  } catch (const std::exception&) {
    std::vector<harness::Scenario> scenarios;
    try {
      scenarios = find_scenarios({options.what}, {});
    } catch (const std::exception&) {
      scenarios.clear();
    }
    if (scenarios.empty()) throw;
    return robot_for(scenarios.front(), robot, false);
  }
}

void tell_where(const gui::Served& served) {
  if (!served.address().empty()) {
    std::printf("served at %s; connect with jointrig.connect(\"%s\") in Python\n",
                served.address().c_str(), served.address().c_str());
  }
  if (!served.viewer_address().empty()) {
    std::printf("viewers: open %s in Foxglove, Lichtblick or PlotJuggler\n",
                served.viewer_address().c_str());
  }
  std::fflush(stdout);  // a script that started it in the background waits for this
}

GuiApp app_of(const GuiOptions& options) {
  // A picture for a page does not depend on the user's layout.
  const std::filesystem::path layout = options.screenshot.empty() ? layout_path() : "";
  if (!options.remote) {
    return {robot_for(options), options.width, options.height, layout,
            serving_wanted(options.serve, options.serving)};
  }
  return {std::make_unique<RemoteLoop>(remote_options(*options.remote), load_connection),
          options.width, options.height, layout};
}

int show(const GuiOptions& options) {
  GuiApp app = app_of(options);
  if (app.session().served() != nullptr) tell_where(*app.session().served());
  const auto begin = std::chrono::steady_clock::now();
  while (app.frame()) {
    if (const auto why = app.session().feed().why_ended()) throw std::runtime_error(*why);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (options.screenshot.empty() || passed.count() < options.seconds) continue;
    app.session().screenshot(options.screenshot);
    break;
  }
  return 0;
}

}  // namespace

int gui_verb(const GuiOptions& options) {
  survive_file_signals();
  try {
    return show(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "jointrig gui: %s\n", e.what());
    return kCouldNotRun;
  }
}

}  // namespace jointrig::app
