#include "app/gui/motion_file.h"

#include <utility>

#include "app/gui/motion_reader.h"
#include "app/gui/trajectory_text.h"
#include "app/gui/written_scenario.h"
#include "app/run/result_files.h"
#include "harness/config/whole_file.h"
#include "harness/config/yaml_edit.h"
#include "harness/runner/effective_yaml.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;
using harness::yaml_string;

constexpr double kBesideTimeout = 10.0;  // [s] of the set-up, beside the motion's own timeout

/// The joints of an arm go to mode cartesian, where interaction control acts.
std::string cartesian_step(const ArmConfig& arm, const RobotConfig& config) {
  std::string joints;
  for (const JointIndex joint : arm.joints) {
    joints += (joints.empty() ? "" : ", ") + yaml_string(config.joints[joint].name);
  }
  return "  - set_mode: {joints: [" + joints + "], mode: cartesian}\n";
}

/// The arm whose interaction control a list sets, for the whole way or on it; none: it sets none.
std::optional<ArmIndex> arm_of_interaction(const gui::MotionList& list) {
  if (list.interaction) return list.interaction->arm;
  for (const gui::MotionWaypoint& waypoint : list.waypoints) {
    if (waypoint.interaction) return waypoint.interaction->arm;
  }
  return std::nullopt;
}

/// @param what  words for why not
[[noreturn]] void refuse_edit(const std::filesystem::path& file, const std::string& what) {
  throw std::runtime_error(file.generic_string() + ": " + what + ": save it under another name");
}

/// Where the step `trajectory` stands among the steps of a document.
std::size_t place_of_step(const harness::YamlNode& document, const std::filesystem::path& file) {
  const harness::YamlNode* steps = document.find("steps");
  const std::size_t count = steps != nullptr ? steps->items().size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (steps->items()[i].find("trajectory") != nullptr) return i;
  }
  refuse_edit(file, "its trajectory stands in another file, or is repeated");
}

std::size_t place_of_step(const std::vector<harness::Step>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (std::holds_alternative<harness::TrajectoryStep>(steps[i].what)) return i;
  }
  return steps.size();
}

/// The scenario's text with another trajectory; all else in it stays as it is.
std::string with_trajectory(const std::filesystem::path& file, const gui::MotionList& list,
                            const RobotConfig& config) {
  const std::string before = harness::bytes_of_file(file);
  const std::string name = file.generic_string();
  const harness::YamlNode document = harness::parse_yaml(before, name);
  if (document.find("parameters") != nullptr || document.find("matrix") != nullptr) {
    refuse_edit(file, "it stands for several motions, by its parameters");
  }
  const TrajectoryText text = scenario_text(list, config);
  std::string after = harness::with_item_value(
      before, name,
      {"steps", place_of_step(document, file), "trajectory", in_lines(text), in_brackets(text)});
  const harness::Scenario was = harness::read_scenarios(document, file).front();
  const double needed = usual_timeout(list, config) + kBesideTimeout;
  if (!list.timeout && was.timeout_sim < needed) {
    after = harness::edited_yaml(after, name, {{{"timeout", "sim"}, yaml_number(needed) + " s"}});
  }
  // The rest of it has to mean the same.
  harness::Scenario is = harness::read_scenarios(harness::parse_yaml(after, name), file).front();
  const std::size_t place = place_of_step(was.steps);
  if (place < is.steps.size()) is.steps[place].what = was.steps[place].what;
  is.timeout_sim = was.timeout_sim;
  if (harness::to_yaml(is) != harness::to_yaml(was)) {
    refuse_edit(file, "its trajectory can't be replaced without changing something else");
  }
  return after;
}

}  // namespace

std::string to_scenario(const gui::MotionList& list, const RobotConfig& config,
                        const std::string& robot) {
  const double timeout = list.timeout.value_or(usual_timeout(list, config));
  std::string text = "schema: 1\nscenario: " + yaml_string(list.name) +
                     "\nabout: A motion through waypoints, recorded in the motor panel.\nrobot: " +
                     yaml_string(robot) +
                     "\ntimeout: {sim: " + yaml_number(timeout + kBesideTimeout) +
                     " s}\n\nsetup:\n  - set_mode: {joints: all, mode: position}\n";
  const std::optional<ArmIndex> arm = arm_of_interaction(list);
  if (arm) text += cartesian_step(config.arms[*arm], config);
  text += "\nsteps:\n  - trajectory:\n";
  for (const std::string& line : in_lines(scenario_text(list, config))) {
    text += "      " + line + "\n";
  }
  // A motion that nobody waits for would end with the scenario.
  if (!list.waits) {
    text += "  - wait: {event: plan.finished, timeout: " + yaml_number(timeout) + " s}\n";
  }
  return text + "\nassert:\n  never: [{event: plan_broken}]\n";
}

std::string trajectory_step(const gui::SentMotion& motion, const RobotConfig& config) {
  TrajectoryText text = trajectory_text(motion.list, config);
  if (motion.goes_on) text.keys.emplace_back("replace: true");
  text.keys.emplace_back("wait: false");
  return "trajectory: " + in_brackets(text);
}

void save_motion(gui::MotionDesk& desk, const RobotConfig& config, const std::string& robot) {
  check_may_write(desk.file, desk.own_file);
  const std::filesystem::path file = desk.file;
  gui::MotionList list = desk.table.list;
  list.name = file.stem().string();
  const bool is_there = desk.file == desk.own_file && std::filesystem::exists(file);
  write_text(file,
             is_there ? with_trajectory(file, list, config) : to_scenario(list, config, robot));
  desk.own_file = desk.file;
}

gui::MotionList read_motion(const std::filesystem::path& file, const RobotConfig& config) {
  const std::vector<harness::Scenario> scenarios = harness::read_scenarios(file);
  MotionReader reader(config);
  for (const harness::Step& step : scenarios.front().steps) reader.take(step);
  gui::MotionList list = reader.list(scenarios.front());
  // A timeout that the panel wrote follows the waypoints.
  if (list.timeout == usual_timeout(list, config)) list.timeout.reset();
  return list;
}

}  // namespace jointrig::app
