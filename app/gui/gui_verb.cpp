#include "app/gui/gui_verb.h"

#include <chrono>
#include <cstdio>

#include "app/gui/gui_session.h"
#include "app/run/scenario_job.h"
#include "app/run/scenario_list.h"

namespace jointrig {
namespace {

constexpr int kCouldNotRun = 2;

/// A robot by its name or file, or the robot of a scenario with what the scenario sets.
RobotConfig robot_for(const GuiOptions& options) {
  RobotSource source;
  try {
    source = find_robot(options.what);
    return load_robot(source, [&](RobotConfig& c) { c.pin_base = c.pin_base || options.pin_base; })
        .config;
  } catch (const std::exception&) {
    std::vector<Scenario> scenarios;
    try {
      scenarios = find_scenarios({options.what}, {});
    } catch (const std::exception&) {
      scenarios.clear();
    }
    if (scenarios.empty()) throw;
    JobOptions job;
    job.pin_base = options.pin_base;
    return robot_of(scenarios.front(), job).config;
  }
}

int show(const GuiOptions& options) {
  GuiSession session(robot_for(options), options.backend, options.width, options.height);
  const auto begin = std::chrono::steady_clock::now();
  while (session.frame()) {
    if (const auto why = session.loop().why_ended()) throw std::runtime_error(*why);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (options.screenshot.empty() || passed.count() < options.seconds) continue;
    session.screenshot(options.screenshot);
    break;
  }
  return 0;
}

}  // namespace

int gui_verb(const GuiOptions& options) {
  try {
    return show(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "jointrig gui: %s\n", e.what());
    return kCouldNotRun;
  }
}

}  // namespace jointrig
