#include "control/stack/law_declaration.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "control/core/nearest_word.h"
#include "control/core/user_law.h"
#include "control/stack/config_error.h"
#include "control/stack/whole_body.h"

namespace jointrig {
namespace {

/// Largest memory of a law, in numbers: a choice (a filter for each of many joints).
constexpr std::size_t kMostMemory = 65536;
/// Largest budget [s]: a choice.
constexpr double kMostBudget = 0.01;

[[noreturn]] void refuse_law(const LawConfig& law, const std::string& what) {
  throw ConfigError(law.place + "law \"" + law.name + "\": " + what);
}

/// A name that scenarios, logs and expressions can use as it is.
bool is_name(std::string_view name) {
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_good) && name.front() >= 'a' &&
         name.back() != '_' && name.find("__") == std::string_view::npos;
}

class Declaration final : public LawDeclaration {
 public:
  Declaration(const LawConfig& config, const RobotConfig& robot) : config_(config), robot_(robot) {}

  [[nodiscard]] std::size_t joints() const override { return config_.joints.size(); }
  [[nodiscard]] const char* joint_name(std::size_t i) const override {
    return i < config_.joints.size() ? robot_.joints[config_.joints[i]].name.c_str() : "";
  }
  [[nodiscard]] double period() const override { return to_seconds(robot_.period_ns); }

  std::size_t parameter(const char* name, double value, double low, double high,
                        const char* unit) override {
    const std::string word = text(name);
    check_name(word, "parameter");
    if (!(std::isfinite(value) && low <= value && value <= high)) {
      problem(fmt::format("its parameter \"{}\" starts at {}, outside of {} to {}; mend declare()",
                          word, value, low, high));
    }
    found.parameters.push_back({word, text(unit), value, low, high});
    if (found.parameters.size() > kMaxLawParameters) {
      problem(fmt::format("it declares more than {} parameters", kMaxLawParameters));
    }
    return found.parameters.size() - 1;
  }
  std::size_t target(const char* name, double value, double low, double high,
                     const char* unit) override {
    const std::size_t place = parameter(name, value, low, high, unit);
    found.parameters[place].is_target = true;
    return place;
  }
  std::size_t signal(const char* name, const char* unit) override {
    const std::string word = text(name);
    check_name(word, "signal");
    found.signals.push_back({word, text(unit)});
    if (found.signals.size() > kMaxLawSignals && !config_.is_whole_body) {
      problem(fmt::format("it declares more than {} signals", kMaxLawSignals));
    }
    return found.signals.size() - 1;
  }
  std::size_t frame(const char* site_or_body) override {
    found.frames.push_back(text(site_or_body));
    return found.frames.size() - 1;
  }
  void memory(std::size_t count) override {
    found.memory += count;
    if (found.memory > kMostMemory) {
      problem(
          fmt::format("it asks for {} numbers of memory, more than {}", found.memory, kMostMemory));
      found.memory = 0;
    }
  }

  DeclaredLaw found;
  std::string first_problem;

 private:
  static std::string text(const char* words) { return words == nullptr ? "" : words; }
  void problem(std::string sentence) {
    if (first_problem.empty()) first_problem = std::move(sentence);
  }
  void check_name(const std::string& name, const char* kind) {
    if (!is_name(name)) {
      problem(
          fmt::format("its {} is called \"{}\"; use lower-case letters, digits and _, a letter "
                      "first",
                      kind, name));
    }
    if (name == "state" || name == "took_us" || name == "stamp") {
      problem(fmt::format("its {} is called \"{}\", as every law's own; choose another name", kind,
                          name));
    }
    const auto is_same = [&](const auto& one) { return one.name == name; };
    if (std::any_of(found.parameters.begin(), found.parameters.end(), is_same) ||
        std::any_of(found.signals.begin(), found.signals.end(), is_same)) {
      problem(fmt::format("it declares \"{}\" twice; give each {} a name of its own", name, kind));
    }
  }

  const LawConfig& config_;
  const RobotConfig& robot_;
};

void check_law(const LawConfig& law, const RobotConfig& robot) {
  if (!is_name(law.name)) {
    refuse_law(law, "its name is not made of lower-case letters, digits and _; choose another");
  }
  const auto same = [&](const LawConfig& other) { return other.name == law.name; };
  if (std::count_if(robot.laws.begin(), robot.laws.end(), same) > 1) {
    refuse_law(law, "there are two laws of that name; choose another for one of them");
  }
  if (law.joints.empty()) refuse_law(law, "it claims no joint; name at least one");
  for (std::size_t i = 0; i < law.joints.size(); ++i) {
    if (law.joints[i] >= robot.joints.size()) {
      refuse_law(law, fmt::format("it claims joint number {}, the robot has {}; count from 0",
                                  law.joints[i], robot.joints.size()));
    }
    if (std::count(law.joints.begin(), law.joints.end(), law.joints[i]) > 1) {
      refuse_law(law, "it claims joint \"" + robot.joints[law.joints[i]].name +
                          "\" twice; name each joint once");
    }
  }
  for (const ControlMode mode : kAllControlMode) {
    if (law.is_whole_body) break;  // by inverse kinematics it gives no torque
    if (!law.modes.has(mode) || mode == ControlMode::kTorque || mode == ControlMode::kCartesian) {
      continue;
    }
    refuse_law(law, fmt::format("it can't act in mode {}, whose own law would count its torque as "
                                "a disturbance; choose torque, cartesian or both",
                                to_string(mode)));
  }
  if (law.modes == ModeSet{}) refuse_law(law, "it acts in no mode; choose torque or cartesian");
  if (!(law.budget > 0.0 && law.budget <= kMostBudget)) {
    refuse_law(law, fmt::format("its budget of {} s is out of range; give more than 0 and at most "
                                "{} s",
                                law.budget, kMostBudget));
  }
  if (law.maker == nullptr || !*law.maker) {
    refuse_law(law, "nothing makes it; name its library, or link it and set its maker");
  }
}

void apply_given(const LawConfig& law, std::vector<LawParameter>& parameters) {
  for (const LawParameterValue& given : law.given) {
    const auto at = std::find_if(parameters.begin(), parameters.end(),
                                 [&](const LawParameter& p) { return p.name == given.name; });
    LawConfig there = law;
    if (!given.place.empty()) there.place = given.place;
    if (at == parameters.end()) {
      std::vector<std::string> names;
      for (const LawParameter& one : parameters) names.push_back(one.name);
      refuse_law(there,
                 "it has no parameter \"" + given.name + "\"" + did_you_mean(given.name, names));
    }
    if (!(given.value >= at->low && given.value <= at->high)) {
      refuse_law(there, fmt::format("its parameter \"{}\" is {}{}{}, outside of {} to {}",
                                    given.name, given.value, at->unit.empty() ? "" : " ", at->unit,
                                    at->low, at->high));
    }
    at->value = given.value;
  }
  // A program may have changed values since the law was first asked.
  for (const LawParameter& known : law.parameters) {
    for (LawParameter& one : parameters) {
      if (one.name == known.name) one.value = known.value;
    }
  }
}

/// A law says its signals' names and units alone: the controller has more to say.
void give_meanings(const RobotConfig& robot, std::vector<LawSignal>& signals) {
  const std::vector<BodySignalWords> words = body_signals(robot);
  for (std::size_t i = 0; i < signals.size() && i < words.size(); ++i) {
    signals[i].meaning = words[i].meaning;
  }
}

}  // namespace

DeclaredLaw declare_law(const LawConfig& law, const RobotConfig& robot) {
  check_law(law, robot);
  Declaration declaration(law, robot);
  std::shared_ptr<UserLaw> object;
  try {
    object = (*law.maker)();
    if (object != nullptr) object->declare(declaration);
  } catch (const std::exception& e) {
    refuse_law(law, std::string("it can't start: ") + e.what());
  } catch (...) {
    refuse_law(law, "it can't start: it threw something that is no std::exception");
  }
  if (object == nullptr) refuse_law(law, "it can't start: its library made no object");
  if (!declaration.first_problem.empty()) refuse_law(law, declaration.first_problem);
  DeclaredLaw found = std::move(declaration.found);
  found.law = std::move(object);
  apply_given(law, found.parameters);
  return found;
}

void declare_laws(RobotConfig& robot) {
  add_whole_body_law(robot);
  if (robot.laws.size() > kMaxLaws) {
    throw ConfigError(fmt::format("robot \"{}\" has {} laws of its own, more than {}", robot.name,
                                  robot.laws.size(), kMaxLaws));
  }
  for (std::size_t i = 0; i < robot.laws.size(); ++i) {
    DeclaredLaw declared = declare_law(robot.laws[i], robot);
    robot.laws[i].parameters = std::move(declared.parameters);
    robot.laws[i].signals = std::move(declared.signals);
    if (robot.laws[i].is_whole_body) give_meanings(robot, robot.laws[i].signals);
  }
  if (signal_count(robot.laws) > kMaxSignals) {
    throw ConfigError(fmt::format("the laws of robot \"{}\" have {} signals together, more than {}",
                                  robot.name, signal_count(robot.laws), kMaxSignals));
  }
}

}  // namespace jointrig
