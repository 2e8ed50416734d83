#include "app/gui/gui_robot.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "app/gui/scenario_stage.h"
#include "app/run/scenario_job.h"
#include "app/run/scenario_list.h"
#include "control/core/backend_parts.h"
#include "control/model/mjcf.h"

namespace jointrig::app {

namespace {

/// The first of a scenario's variations; none: the word finds no scenario.
std::optional<harness::Scenario> scenario_called(const std::string& what) {
  try {
    return find_scenarios({what}, {}).front();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// A scenario and a robot have the same key for it.
std::vector<std::string> scene_setting(const GuiOptions& options) {
  if (options.scene.empty()) return {};
  return {"scene=" + options.scene};
}

/// As settings of the scenario itself, so that it keeps them when it is opened again.
std::vector<std::string> scenario_settings(const GuiOptions& options) {
  std::vector<std::string> settings = scene_setting(options);
  if (!options.robot.empty()) settings.push_back("robot=" + options.robot);
  for (const std::string& setting : options.settings) {
    const bool is_of_robot = setting.starts_with(kRobotPrefix);
    settings.push_back(is_of_robot ? "config." + setting.substr(kRobotPrefix.size()) : setting);
  }
  if (options.seed) settings.push_back(fmt::format("config.plant.seed={}", *options.seed));
  return settings;
}

}  // namespace

GuiRobot robot_of(const GuiOptions& options) {
  GuiRobot robot;
  robot.backend = options.backend;
  robot.pin_base = options.pin_base;
  robot.motors = options.motors;
  robot.package_path = options.package_path;
  robot.speed_override = options.speed_override;
  try {
    robot.source = harness::find_robot(options.what);
    static_cast<void>(config_of(robot));  // a scenario is no robot file: tried below
  } catch (const std::exception&) {
    if (!scenario_called(options.what)) throw;
    return robot_for(find_scenarios({options.what}, scenario_settings(options)).front(), robot,
                     false);
  }
  if (!options.robot.empty()) {
    throw std::invalid_argument("--robot " + options.robot +
                                " is in place of a scenario's robot, and " + options.what +
                                " is no scenario: give one of them");
  }
  std::vector<std::string> settings = scene_setting(options);
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  if (options.seed) settings.push_back(fmt::format("plant.seed={}", *options.seed));
  for (const std::string& setting : settings) {
    robot.source.overrides.push_back(
        harness::robot_override_schema().set_path(harness::YamlNode{}, setting));
  }
  return robot;
}

GuiRobot robot_called(const std::string& name_or_path) {
  GuiRobot robot;
  robot.source = harness::find_robot(name_or_path);
  return robot;
}

RobotConfig config_of(const GuiRobot& robot) {
  return load_robot(robot.source,
                    [&](RobotConfig& config) {
                      config.pin_base = config.pin_base || robot.pin_base;
                      config.motors = config.motors || robot.motors;
                      if (!robot.package_path.empty()) config.package_path = robot.package_path;
                      if (!robot.keyframe.empty()) config.keyframe = robot.keyframe;
                    })
      .config;
}

sim::PlantOptions plant_options_of(const GuiRobot& robot) {
  return robot.scenario != nullptr ? plant_options_of(*robot.scenario) : sim::PlantOptions{};
}

std::vector<std::string> keyframes_of(const GuiRobot& robot) {
  const std::vector<std::string> packages = robot.package_path.empty()
                                                ? harness::robot_basics(robot.source).package_path
                                                : robot.package_path;
  std::vector<std::string> names;
  for (const NamedState& key : load_mjcf(robot.source.model_path, {}, packages).keyframes) {
    if (!key.keyframe.empty()) names.push_back(key.keyframe);
  }
  return names;
}

GuiRobot robot_for(const harness::Scenario& scenario, const GuiRobot& before, bool runs) {
  GuiRobot robot;
  robot.source = harness::find_robot(scenario.robot);
  if (!scenario.config.is_null()) robot.source.overrides.push_back(scenario.config);
  robot.backend = before.backend;
  robot.pin_base = before.pin_base;
  robot.motors = before.motors;
  robot.package_path = before.package_path;
  robot.speed_override = before.speed_override;
  robot.scenario = std::make_shared<const harness::Scenario>(scenario);
  robot.runs = runs;
  return robot;
}

std::string why_not_as_it_stands(const harness::Scenario& scenario, const GuiRobot& opened,
                                 const RobotConfig& running, bool real) {
  const GuiRobot meant = robot_for(scenario, opened, true);
  if (!same_joints(config_of(meant), running)) {
    return scenario.name + " is for " + meant.source.name + ", and these are the boards of " +
           running.name;
  }
  GuiRobot changed = opened;
  for (const harness::YamlNode& setting : meant.source.overrides) {
    changed.source.overrides.push_back(setting);
  }
  RobotConfig asked = as_asked(config_of(changed), opened.backend);
  if (real) asked.plant = running.plant;
  if (asked == running) return {};
  const std::vector<harness::YamlNode>& settings = meant.source.overrides;
  const std::string place = settings.empty() ? scenario.file.generic_string()
                                             : harness::place_text(settings.back().spot());
  return place + ": " + scenario.name +
         " changes the robot's settings, and boards that run keep theirs; close the panel, then: "
         "jointrig run " +
         scenario.file.generic_string() + " --backend hw";
}

std::string word_for(const GuiRobot& robot) {
  if (robot.source.model_path.empty()) return robot.source.name;  // its files are elsewhere
  try {
    const std::filesystem::path same = harness::find_robot(robot.source.name).model_path;
    if (std::filesystem::equivalent(same, robot.source.model_path)) return robot.source.name;
  } catch (const harness::FileError&) {
    // No model of that name.
  }
  const std::string file = file_of(robot);
  return std::filesystem::absolute(file.empty() ? robot.source.model_path : file).string();
}

std::string file_of(const GuiRobot& robot) {
  const harness::SourceText* source = robot.source.file.spot().source.get();
  return robot.source.file.is_null() || source == nullptr ? std::string() : source->name;
}

bool same_joints(const RobotConfig& a, const RobotConfig& b) {
  return std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), b.joints.end(),
                    [](const JointConfig& x, const JointConfig& y) {
                      return x.name == y.name && x.slide == y.slide;
                    });
}

std::optional<RobotConfig> own_robot_like(const RobotConfig& other) {
  // A name that comes from elsewhere opens no file.
  if (other.name.find_first_of("/\\.") != std::string::npos) return std::nullopt;
  RobotConfig own = config_of(robot_called(other.name));
  if (!same_joints(own, other)) return std::nullopt;
  return own;
}

gui::ScenarioEntry entry_for(const harness::Scenario& scenario) {
  gui::ScenarioEntry entry{scenario.name, scenario.file.generic_string(), scenario.about, {}, {}};
  for (const std::string& tag : scenario.tags) {
    entry.tags += (entry.tags.empty() ? "" : " ") + tag;
  }
  entry.steps = steps_of(scenario);
  return entry;
}

}  // namespace jointrig::app
