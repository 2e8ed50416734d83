#include "app/sweep/case_inputs.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "app/run/scenario_list.h"
#include "app/text_hash.h"
#include "app/version.h"
#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "control/model/mjcf.h"
#include "control/model/model_bytes.h"
#include "harness/config/robot_file.h"
#include "harness/runner/effective_yaml.h"
#include "harness/runner/scenario_reader.h"
#include "harness/runner/scenario_schema.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

/// A joint or a part whose own backend is hw, in the robot's file or laid over it.
bool puts_joints_on_hw(const harness::RobotSource& source) {
  std::vector<harness::YamlNode> all = source.overrides;
  all.push_back(source.file);
  return std::any_of(all.begin(), all.end(), [](const harness::YamlNode& keys) {
    const harness::YamlNode* joints = keys.is_null() ? nullptr : keys.find("joints");
    if (joints == nullptr) return false;
    return std::any_of(joints->entries().begin(), joints->entries().end(),
                       [](const harness::YamlNode::Entry& entry) {
                         const harness::YamlNode* backend = entry.value.find("backend");
                         return backend != nullptr && backend->text() == "hw";
                       });
  });
}

constexpr std::string_view kSet = "--set ";  // of set_path()
constexpr std::string_view kParameters = "parameters.";

std::string hash_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in) throw std::runtime_error("can't read " + path.generic_string());
  return hex(hash_of(bytes.view()));
}

/// The one file of the scenarios that a word names.
fs::path scenario_file(const std::string& word) {
  if (fs::is_regular_file(word)) return word;
  std::set<fs::path> files;
  for (const harness::Scenario& scenario : find_scenarios({word}, {})) files.insert(scenario.file);
  if (files.size() == 1) return *files.begin();
  throw std::invalid_argument(
      fmt::format("\"{}\" names {} scenarios; a sweep is of one: give its file or its name", word,
                  files.size()));
}

/// File of a robot.yaml; empty for a robot without one.
std::string file_of(const harness::YamlNode& document) {
  const harness::SourceText* source = document.spot().source.get();
  return source != nullptr && !source->is_argument ? source->name : "";
}

/// For a shell: in single quotes unless nothing in it means anything to one.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./=:,%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

CaseInputs::CaseInputs(const SweepPlan& plan, SweepRobot robot)
    : plan_(&plan), robot_(std::move(robot)), program_(hash_of_file("/proc/self/exe")) {
  try {
    file_ = scenario_file(plan.scenario);
  } catch (const std::invalid_argument& error) {
    if (plan.scenario_spot.source == nullptr) throw;  // an argument, which the sentence quotes
    throw harness::FileError(plan.scenario_spot, error.what());
  }
  document_ = harness::load_yaml(file_);
  for (const SweepAxis& axis : plan.axes) check_axis(axis);
}

/// The path has to lead somewhere, and a parameter has to be one of the scenario's.
void CaseInputs::check_axis(const SweepAxis& axis) const {
  const std::string setting = axis.path + "=" + axis.at(0.0);
  try {
    if (axis.path.starts_with(kRobotPrefix)) {
      static_cast<void>(harness::robot_override_schema().set_path(
          {}, setting.substr(kRobotPrefix.size()), kRobotPrefix));
    } else {
      static_cast<void>(harness::scenario_schema().set_path(document_, setting));
    }
  } catch (const harness::FileError& error) {
    throw harness::FileError(axis.spot, "\"" + axis.path + "\": " + error.sentence());
  }
  if (!axis.path.starts_with(kParameters)) return;
  const std::string name = axis.path.substr(kParameters.size());
  const harness::YamlNode* declared = document_.find("parameters");
  if (declared != nullptr && declared->find(name) != nullptr) return;
  std::vector<std::string> known;
  if (declared != nullptr) {
    for (const auto& entry : declared->entries()) known.push_back(entry.key);
  }
  std::string sentence =
      file_.generic_string() + " has no parameter \"" + name + "\"" + did_you_mean(name, known);
  sentence += known.empty() ? "; it has none" : "; it has " + joined(known);
  throw harness::FileError(axis.spot, sentence);
}

std::string CaseInputs::mujoco() { return mujoco_version(); }

std::vector<std::string> CaseInputs::settings_of(const SweepCase& one) const {
  std::vector<std::string> settings = plan_->settings;
  for (std::size_t i = 0; i < plan_->axes.size(); ++i) {
    settings.push_back(plan_->axes[i].path + "=" + one.values[i]);
  }
  return settings;
}

std::string CaseInputs::command_for(const SweepCase& one) const {
  return commands().front() + " " + arguments_for(one);
}

std::string CaseInputs::arguments_for(const SweepCase& one) const {
  std::string words = quoted(file_.generic_string());
  if (!robot_.robot.empty()) words += " --robot " + quoted(robot_.robot);
  if (robot_.backend) words += " --backend " + std::string(to_string(*robot_.backend));
  for (const std::string& setting : settings_of(one)) words += " --set " + quoted(setting);
  if (one.seed) words += fmt::format(" --seed {}", *one.seed);
  return words;
}

std::vector<std::string> CaseInputs::commands() const {
  if (robot_.backend == BackendKind::kBoards) return {"jointrig run"};  // it keeps no clock
  return {"jointrig run", "jointrig gui"};
}

std::string CaseInputs::model_hash(const std::string& path,
                                   const std::vector<std::string>& packages) const {
  if (path.empty()) return "none";
  const std::string key = path + "\n" + joined(packages, "\n");
  const std::lock_guard lock(mutex_);
  std::string& known = models_[key];
  if (known.empty()) {
    const Mjcf mjcf = load_mjcf(path, {}, packages);
    known = hash_of_file(path) + " " + hex(hash_of(bytes_of(*mjcf.as_written)));
  }
  return known;
}

PreparedCase CaseInputs::prepare(const SweepCase& one) const {
  try {
    return prepared(one);
  } catch (const harness::FileError& error) {
    throw at_its_axis(error);
  }
}

/// A value that is wrong where it is used is told at the place where the sweep gives it.
harness::FileError CaseInputs::at_its_axis(const harness::FileError& error) const {
  const harness::SourceText* source = error.problems().front().spot.source.get();
  if (source == nullptr || !source->is_argument) return error;
  for (const SweepAxis& axis : plan_->axes) {
    if (!source->name.starts_with(std::string(kSet) + axis.path + "=")) continue;
    return {axis.spot, source->name.substr(kSet.size()) + ": " + error.sentence()};
  }
  return error;
}

PreparedCase CaseInputs::prepared(const SweepCase& one) const {
  const Settings settings = split_settings(settings_of(one));
  std::vector<harness::Scenario> scenarios =
      harness::read_scenarios(document_, file_, settings.scenario);
  if (scenarios.size() != 1) {
    throw std::invalid_argument(fmt::format(
        "{} has {} variations by its matrix, and a sweep is of one: set the matrix to that one, "
        "such as --set 'matrix=[{{mode: torque}}]'",
        file_.generic_string(), scenarios.size()));
  }
  PreparedCase ready;
  ready.scenario = std::move(scenarios.front());
  ready.options.backend = robot_.backend;
  ready.options.robot = robot_.robot;
  ready.options.robot_settings = settings.robot;
  ready.options.seed = one.seed;
  const harness::RobotSource source = robot_source_of(ready.scenario, ready.options);
  const RobotConfig basics = harness::robot_basics(source);
  const bool has_drives = basics.backend == BackendKind::kHw || puts_joints_on_hw(source);
  if (robot_.backend ? *robot_.backend == BackendKind::kHw : has_drives) {
    throw std::invalid_argument(
        "a sweep runs in simulation: give --backend sim, kinematic or boards");
  }
  ready.files = {file_of(source.file), basics.model_path, basics.scene_path, basics.package_path};
  std::string& inputs = ready.inputs;
  inputs =
      fmt::format("jointrig {}, program {}\nMuJoCo {}\n", kVersion, program_, mujoco_version());
  inputs += fmt::format("backend {}\n", to_string(robot_.backend.value_or(basics.backend)));
  inputs += "model " + model_hash(basics.model_path, basics.package_path) + "\n";
  inputs += "scene " + model_hash(basics.scene_path, {}) + "\n";
  inputs += "robot.yaml " + hex(hash_of(setting_text(source.file))) + "\n";
  for (const std::string& setting : settings.robot) inputs += "robot." + setting + "\n";
  inputs += one.seed ? fmt::format("seed {}\n", *one.seed) : "seed of the scenario\n";
  inputs += "\n" + harness::to_yaml(ready.scenario);
  ready.hash = hex(hash_of(inputs));
  return ready;
}

}  // namespace jointrig::app
