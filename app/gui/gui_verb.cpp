#include "app/gui/gui_verb.h"

#include <chrono>
#include <cstdio>

#include "app/file_signals.h"
#include "app/gui/board_search.h"
#include "app/gui/gui_app.h"
#include "app/gui/remote_options.h"
#include "app/serve/server_library.h"
#include "control/core/backend_parts.h"

namespace jointrig::app {
namespace {

constexpr int kCouldNotRun = 2;

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

using Moment = std::chrono::steady_clock::time_point;

bool is_time_for_a_picture(const GuiOptions& options, Moment begin) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return !options.screenshot.empty() && passed.count() >= options.seconds;
}

/// A page until a robot's boards are there. Chosen to be simulated, `robot` is.
/// @return false: the window was closed, or the picture was taken
bool wait_for_boards(const GuiOptions& options, const std::shared_ptr<GuiScreen>& screen,
                     Moment begin, GuiRobot& robot) {
  WaitRoom room(screen, robot);
  while (true) {
    switch (room.frame()) {
      case WaitRoom::Result::kFound:
        return true;
      case WaitRoom::Result::kSimulation:
        robot.backend = BackendKind::kSim;
        return true;
      case WaitRoom::Result::kClosed:
        return false;
      case WaitRoom::Result::kWaits:
        break;
    }
    if (!is_time_for_a_picture(options, begin)) continue;
    room.screenshot(options.screenshot);
    return false;
  }
}

/// Null where the window was closed before there was a robot.
std::unique_ptr<GuiApp> app_of(const GuiOptions& options, Moment begin) {
  // A picture for a page does not depend on the user's layout.
  const std::filesystem::path layout = options.screenshot.empty() ? layout_path() : "";
  const auto screen = [&] { return GuiApp::screen_for(options.width, options.height, layout); };
  if (options.remote) {
    auto loop = std::make_unique<RemoteLoop>(remote_options(*options.remote), load_connection);
    return std::make_unique<GuiApp>(std::move(loop), screen(), layout);
  }
  GuiRobot robot = robot_of(options);
  const GuiApp::Screen window = screen();
  const bool has_boards = runs_on(BackendKind::kHw, config_of(robot), robot.backend);
  if (has_boards && !wait_for_boards(options, window, begin, robot)) return nullptr;
  return std::make_unique<GuiApp>(robot, window, layout,
                                  serving_wanted(options.serve, options.serving));
}

int show(const GuiOptions& options) {
  const Moment begin = std::chrono::steady_clock::now();
  const std::unique_ptr<GuiApp> app = app_of(options, begin);
  if (app == nullptr) return 0;
  if (app->session().served() != nullptr) tell_where(*app->session().served());
  while (app->frame()) {
    if (const auto why = app->session().feed().why_ended()) throw std::runtime_error(*why);
    if (!is_time_for_a_picture(options, begin)) continue;
    app->session().screenshot(options.screenshot);
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
