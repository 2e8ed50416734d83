#include "app/gui/session_steps.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "app/gui/session_arms.h"
#include "control/core/command_numbers.h"
#include "control/core/joint_parameter.h"
#include "control/core/modes.h"
#include "control/core/protection.h"
#include "control/core/text.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/effective_yaml.h"
#include "harness/runner/message_step.h"

namespace jointrig::app {
namespace {

using harness::yaml_number;
using harness::yaml_string;

template <typename Visit>
void each(const JointSet& joints, const RobotConfig& config, Visit&& visit) {
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (joints.test(i)) visit(i);
  }
}

/// Numbers of one member of the joints' values.
template <typename C>
std::vector<double> members(const C& command, double C::Value::*member) {
  std::vector<double> numbers;
  for (const auto& value : command.values) numbers.push_back(value.*member);
  return numbers;
}

std::string row(std::span<const double> numbers) {
  return "[" + joined(numbers, ", ", [](double number) { return yaml_number(number); }) + "]";
}

/// A step out of keys.
class Line {
 public:
  explicit Line(std::string_view step) : text_(std::string(step) + ": {") {}
  Line& put(std::string_view key, const std::string& value) {
    text_ += (is_first_ ? "" : ", ") + std::string(key) + ": " + value;
    is_first_ = false;
    return *this;
  }
  Line& put(std::string_view key, double value) { return put(key, yaml_number(value)); }
  Line& put(std::string_view key, std::string_view word) { return put(key, std::string(word)); }
  Line& put(std::string_view key, bool flag) {
    return put(key, std::string(flag ? "true" : "false"));
  }
  [[nodiscard]] std::string done() const { return text_ + "}"; }

 private:
  std::string text_;
  bool is_first_ = true;
};

/// Makes the steps of a command; throws std::invalid_argument where there is none.
struct StepMaker {
  const RobotConfig& config;
  using Steps = std::vector<std::string>;

  [[nodiscard]] std::string names(const JointSet& joints) const {
    return names_text(joints, config);
  }
  [[nodiscard]] std::string values(const JointSet& joints,
                                   const std::vector<double>& numbers) const {
    return values_text(joints, numbers, config);
  }

  /// `0.5`, or `{elbow: 0.5, wrist: 1}` where the joints' numbers differ.
  [[nodiscard]] std::string of_each(const JointSet& joints,
                                    const std::vector<double>& numbers) const {
    const bool is_same = std::all_of(numbers.begin(), numbers.end(),
                                     [&](double number) { return number == numbers.front(); });
    return is_same ? yaml_number(numbers.front()) : values(joints, numbers);
  }

  /// Bounds of joints, without those that are 0: the joint's own.
  void put_bounds(Line& line, std::string_view key, const JointSet& joints,
                  const std::vector<double>& numbers) const {
    JointSet bounded;
    std::vector<double> bounds;
    std::size_t next = 0;
    each(joints, config, [&](std::size_t i) {
      const double number = numbers[next++];
      if (number == 0.0) return;
      bounded.set(i);
      bounds.push_back(number);
    });
    if (bounds.empty()) return;
    line.put(key, bounded == joints ? of_each(joints, bounds) : values(bounded, bounds));
  }

  Steps operator()(const SetMode& c) const {
    Line line("set_mode");
    return {line.put("joints", names(c.joints))
                .put("mode", to_string(c.mode))
                .put("wait", false)
                .done()};
  }
  Steps operator()(const SetInteraction& c) const {
    Line line("set_interaction");
    return {
        line.put("joints", names(c.joints)).put("interaction", to_string(c.interaction)).done()};
  }
  Steps operator()(const SetImpedance& c) const {
    Line line("set_impedance");
    line.put("joints", names(c.joints));
    line.put("stiffness", of_each(c.joints, members(c, &SetImpedance::Value::stiffness)));
    line.put("damping", of_each(c.joints, members(c, &SetImpedance::Value::damping)));
    return {line.done()};
  }

  /// `0.5 * each.v_max` where all joints take that share of it.
  [[nodiscard]] std::string share_of_speed(const Move& c) const {
    std::string text;
    std::size_t next = 0;
    each(c.joints, config, [&](std::size_t i) {
      const double most = config.joints[i].limits.v_max;
      const double speed = c.values[next++].speed;
      const double share = speed / most;
      const std::string one = yaml_number(share) + " * each.v_max";
      const bool goes_on = next == 1 || text == one;
      text = goes_on && speed > 0.0 && share * most == speed ? one : "";
    });
    return text;
  }
  Steps operator()(const Move& c) const {
    Line line("move");
    line.put("joints", values(c.joints, members(c, &Move::Value::q)));
    const std::string share = share_of_speed(c);
    if (!share.empty()) line.put("speed", share);
    if (share.empty()) put_bounds(line, "speed", c.joints, members(c, &Move::Value::speed));
    return {line.put("wait", false).done()};
  }
  Steps operator()(const TimedMove& c) const {
    Line line("move");
    line.put("joints", values(c.joints, members(c, &TimedMove::Value::q)));
    line.put("duration", of_each(c.joints, members(c, &TimedMove::Value::duration)));
    return {line.put("wait", false).done()};
  }
  Steps operator()(const SetJointTarget& c) const {
    using Value = SetJointTarget::Value;
    Line line("target");
    const bool has_goals = c.target == TargetKind::kPosition;
    if (has_goals) line.put("joints", values(c.joints, members(c, &Value::q)));
    const bool moves = std::any_of(c.values.begin(), c.values.end(),
                                   [](const Value& value) { return value.v != 0.0; });
    if (moves || !has_goals) line.put("velocities", values(c.joints, members(c, &Value::v)));
    if (has_goals) put_bounds(line, "speed", c.joints, members(c, &Value::speed));
    put_bounds(line, "acceleration", c.joints, members(c, &Value::acceleration));
    put_bounds(line, "jerk", c.joints, members(c, &Value::jerk));
    line.put("synchronise", to_string(c.synchronise)).put("shape", to_string(c.shape));
    return {line.put("wait", false).done()};
  }
  Steps operator()(const Calibrate& c) const {
    Line line("calibrate");
    return {line.put("joints", names(c.joints)).put("wait", false).done()};
  }
  Steps operator()(const Stop& c) const {
    Line line("stop");
    return {line.put("joints", names(c.joints)).done()};
  }
  Steps operator()(const Cancel& c) const {
    Line line("cancel");
    return {line.put("joints", names(c.joints)).done()};
  }
  Steps operator()(const SetSpeedOverride& c) const {
    return {"speed_override: " + yaml_number(c.factor)};
  }
  Steps operator()(const SetGravity& c) const { return {"set_gravity: " + row(c.gravity)}; }
  Steps operator()(const SetProtection& c) const {
    Line line("set_protection");
    return {line.put(to_string(c.protection), c.on).done()};
  }
  Steps operator()(const SetParameter& c) const {
    Line line("set_parameter");
    line.put("joints", names(c.joints)).put("parameter", to_string(c.parameter));
    return {line.put("value", of_each(c.joints, members(c, &SetParameter::Value::value))).done()};
  }
  Steps operator()(const SetPosture& c) const {
    Steps steps = posture_steps(c, config);
    if (steps.empty()) throw std::invalid_argument("these joints are no arm's");
    return steps;
  }

  Steps operator()(const SetObstacle& c) const {
    Line line("set_obstacle");
    line.put("name", yaml_string(text_of(c.name))).put("shape", to_string(c.shape));
    line.put("size", row(std::span(c.size).first(size_count(c.shape))));
    line.put("position", row(c.position)).put("orientation", row(c.orientation));
    line.put("velocity", row(c.velocity)).put("for", yaml_number(c.moves_for) + " s");
    line.put("frame", to_string(c.frame));
    if (c.of_arm < config.arms.size()) line.put("arm", yaml_string(config.arms[c.of_arm].name));
    return {line.done()};
  }
  Steps operator()(const RemoveObstacle& c) const {
    return {"remove_obstacle: " + yaml_string(text_of(c.name))};
  }

  [[nodiscard]] const LawConfig& law(LawIndex index) const {
    if (index < config.laws.size()) return config.laws[index];
    throw std::invalid_argument("the robot has no law of that number");
  }
  Steps operator()(const SwitchLaw& c) const {
    Line line("set_law");
    return {line.put("law", yaml_string(law(c.law).name)).put("on", c.on).done()};
  }
  Steps operator()(const SetLawParameter& c) const {
    const LawConfig& of = law(c.law);
    if (c.parameter >= of.parameters.size()) {
      throw std::invalid_argument("law " + of.name + " has no parameter of that number");
    }
    Line line("set_law");
    line.put("law", yaml_string(of.name));
    line.put("parameters", "{" + yaml_string(of.parameters[c.parameter].name) + ": " +
                               yaml_number(c.value) + "}");
    return {line.done()};
  }

  [[nodiscard]] Line gripper(GripperIndex index, std::string_view act, double speed) const {
    if (index >= config.grippers.size()) {
      throw std::invalid_argument("the robot has no gripper of that number");
    }
    Line line("gripper");
    line.put("gripper", yaml_string(config.grippers[index].name)).put("do", act);
    if (speed != 0.0) line.put("speed", speed);
    return line;
  }
  Steps operator()(const OpenGripper& c) const {
    return {gripper(c.gripper, "open", c.speed).put("wait", false).done()};
  }
  Steps operator()(const CloseGripper& c) const {
    return {gripper(c.gripper, "close", c.speed).put("wait", false).done()};
  }
  Steps operator()(const MoveGripper& c) const {
    Line line = gripper(c.gripper, "move", c.speed);
    return {line.put(to_string(c.scale), c.opening).put("wait", false).done()};
  }
  Steps operator()(const Grasp& c) const {
    const Grasp usual;
    Line line = gripper(c.gripper, "grasp", c.speed);
    const auto put = [&](std::string_view key, double Grasp::*member) {
      if (c.*member != usual.*member) line.put(key, c.*member);
    };
    put("force", &Grasp::force);
    put("width", &Grasp::width);
    put("epsilon_inner", &Grasp::epsilon_inner);
    put("epsilon_outer", &Grasp::epsilon_outer);
    return {line.put("wait", false).done()};
  }

  /// Commands for an arm, and messages to a robot on feet. A new command has to be one of these, or
  /// have a step above.
  template <typename C>
  Steps operator()(const C& c) const {
    if constexpr (IsMessage<C>) {
      return {harness::in_one_line(harness::message_step_of(c, config))};
    } else if constexpr (IsForArm<C> && !is_streamed<C>()) {
      if (c.arm >= config.arms.size()) {
        throw std::invalid_argument("the robot has no arm of that number");
      }
      std::string step = arm_step(c, config);
      if (step.empty()) throw std::invalid_argument("set_arm has no key for it");
      return {std::move(step)};
    } else {
      static_assert(
          is_streamed<C>() || std::is_same_v<C, Suppress> || std::is_same_v<C, FollowPlan>,
          "give the command a step");
      throw std::invalid_argument("no step of its own posts it");
    }
  }
};

}  // namespace

CommandSteps steps_for(const Request& request, const RobotConfig& config) {
  try {
    return {std::visit(StepMaker{config}, request), {}};
  } catch (const std::invalid_argument& error) {
    return {{}, error.what()};
  }
}

std::string names_text(const JointSet& joints, const RobotConfig& config) {
  if (joints.count() == config.joints.size()) return "all";
  std::string list;
  each(joints, config, [&](std::size_t i) {
    list += (list.empty() ? "" : ", ") + yaml_string(config.joints[i].name);
  });
  return joints.count() == 1 ? list : "[" + list + "]";
}

std::string values_text(const JointSet& joints, const std::vector<double>& numbers,
                        const RobotConfig& config, std::size_t place) {
  const std::size_t each_has = joints.any() ? numbers.size() / joints.count() : 0;
  std::string list;
  each(joints, config, [&](std::size_t i) {
    list += (list.empty() ? "" : ", ") + yaml_string(config.joints[i].name) + ": " +
            yaml_number(numbers[place]);
    place += each_has;
  });
  return "{" + list + "}";
}

std::vector<double> numbers_of(const Request& request) {
  std::vector<double> numbers;
  for_each_number_of(request, [&](double number) { numbers.push_back(number); });
  return numbers;
}

}  // namespace jointrig::app
