#include "app/gui/session_arms.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "harness/config/yaml_document.h"
#include "harness/runner/interaction_setting.h"

namespace jointrig {
namespace {

std::string list_of(std::span<const double> numbers) {
  std::string list;
  for (const double number : numbers) list += (list.empty() ? "" : ", ") + yaml_number(number);
  return "[" + list + "]";
}

std::string set_arm(const std::string& arm, const std::string& what) {
  return "set_arm: {arm: " + yaml_string(arm) + ", " + what + "}";
}

std::string payload_text(double mass, std::span<const double> centre) {
  return "payload: {mass: " + yaml_number(mass) + ", centre: " + list_of(centre) + "}";
}

std::string term_text(ArmTerm term, bool on) {
  return "terms: {" + std::string(to_string(term)) + ": " + (on ? "true" : "false") + "}";
}

std::string stiffness_text(std::span<const double> numbers) {
  return "stiffness: " + list_of(numbers);
}

/// Of interaction control and of axes that are free while the arm is guided.
std::string keys_text(CommandKind kind, std::span<const double> numbers) {
  ArmSetting setting{kind, {}};
  for (const double number : numbers) setting.numbers.push_back({yaml_number(number), {}});
  std::string keys;
  for (const WrittenKey& key : written_keys(setting)) {
    std::string values;
    for (const Text& value : key.values) values += (values.empty() ? "" : ", ") + value.text;
    keys +=
        (keys.empty() ? "" : ", ") + key.key + ": " + (key.is_list ? "[" + values + "]" : values);
  }
  return "{" + keys + "}";
}

}  // namespace

std::string tool_target_text(const Command& command, const RobotConfig& config) {
  const std::span<const double> numbers{command.numbers.data(), command.numbers.size()};
  return "{arm: " + yaml_string(config.arms[command.arm].name) +
         ", position: " + list_of(numbers.first(3)) + ", orientation: " + list_of(numbers.last(4)) +
         "}";
}

std::string arm_step(const Command& command, const RobotConfig& config) {
  if (!is_for_arm(command.kind) || command.arm >= config.arms.size()) return {};
  const std::string& arm = config.arms[command.arm].name;
  const std::span<const double> numbers{command.numbers.data(), command.numbers.size()};
  switch (command.kind) {
    case CommandKind::kSetToolTarget: {
      const std::string target = tool_target_text(command, config);
      return "move_tool: " + target.substr(0, target.size() - 1) + ", wait: false}";
    }
    case CommandKind::kSetToolStiffness:
      return set_arm(arm, stiffness_text(numbers));
    case CommandKind::kSetToolDamping:
      return set_arm(arm, numbers.size() == 1 ? "damping_ratio: " + yaml_number(numbers[0])
                                              : "damping: " + list_of(numbers));
    case CommandKind::kSetArmTerm:
      return set_arm(arm, term_text(static_cast<ArmTerm>(numbers[0]), numbers[1] != 0.0));
    case CommandKind::kSetPayload:
      return set_arm(arm, payload_text(numbers[0], numbers.subspan(1)));
    case CommandKind::kTareForceSensor:
      return set_arm(arm, "tare: true");
    case CommandKind::kSetForceFilter:
      return set_arm(arm, "force_filter: " + yaml_number(numbers[0]));
    case CommandKind::kSetToolInertia:
      return set_arm(arm, "inertia: " + list_of(numbers));
    case CommandKind::kSetInteractionControl:
      return set_arm(arm, "interaction: " + keys_text(command.kind, numbers));
    case CommandKind::kSetFreeAxes:
      return set_arm(arm, "free: " + keys_text(command.kind, numbers));
    case CommandKind::kSetCuff:
      return set_arm(arm, "cuff: " + yaml_number(numbers[0]));
    default:
      return {};
  }
}

std::vector<std::string> posture_steps(const Command& command, const RobotConfig& config) {
  std::vector<std::string> steps;
  for (const ArmConfig& arm : config.arms) {
    std::string list;
    std::size_t next = 0;
    for (std::size_t i = 0; i < config.joints.size(); ++i) {
      if (!command.joints.test(i)) continue;
      const double q = command.values[next++].a;
      const bool is_its = std::find(arm.joints.begin(), arm.joints.end(), i) != arm.joints.end();
      if (!is_its) continue;
      list +=
          (list.empty() ? "" : ", ") + yaml_string(config.joints[i].name) + ": " + yaml_number(q);
    }
    if (!list.empty()) steps.push_back(set_arm(arm.name, "posture: {" + list + "}"));
  }
  return steps;
}

std::vector<std::string> arm_setup_steps(const ArmSnapshot& now, const ArmConfig& arm) {
  std::vector<std::string> steps;
  if (now.stiffness != arm.stiffness) {
    steps.push_back(set_arm(arm.name, stiffness_text(now.stiffness)));
  }
  if (now.damping_ratio != arm.damping_ratio && now.damping_ratio > 0.0) {
    steps.push_back(set_arm(arm.name, "damping_ratio: " + yaml_number(now.damping_ratio)));
  }
  for (const ArmTerm term : kAllArmTerm) {
    if (!is_switched(term) || now.terms.has(term) == arm.terms.has(term)) continue;
    steps.push_back(set_arm(arm.name, term_text(term, now.terms.has(term))));
  }
  if (!(now.payload == arm.payload)) {
    steps.push_back(set_arm(arm.name, payload_text(now.payload.mass, now.payload.centre)));
  }
  return steps;
}

}  // namespace jointrig
