#include "app/gui/session_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <vector>

#include "app/gui/motion_file.h"
#include "app/gui/session_arms.h"
#include "app/gui/written_scenario.h"
#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/core/joint_parameter.h"
#include "control/core/modes.h"
#include "control/core/protection.h"
#include "control/core/text.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {
namespace {

constexpr double kLongestSample = 0.5;  // s: a stream that is silent longer has ended
constexpr double kMessageEvery = 0.1;   // s: largest interval of a stream that suppresses something

class Writer {
 public:
  explicit Writer(const RobotConfig& config) : config_(&config) {}

  void line(const std::string& text) { text_ += text + "\n"; }
  void lines(const std::string& text) { text_ += text; }
  void step(const std::string& text) { line("  - " + text); }
  /// Below 0: the step before took longer than its pause; a later wait makes up for it.
  void wait(double seconds) {
    const double left = seconds - late_;
    late_ = std::max(-left, 0.0);
    if (left > 0.5e-9) step("wait: " + number(left) + " s");
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  [[nodiscard]] std::string names(const JointSet& joints) const {
    if (joints.count() == config_->joints.size()) return "all";
    std::string list;
    each(joints, [&](std::size_t i) {
      list += (list.empty() ? "" : ", ") + harness::yaml_string(config_->joints[i].name);
    });
    return "[" + list + "]";
  }
  /// `{elbow: 0.5, wrist: 1}`: the numbers at one place of the joints' values.
  [[nodiscard]] std::string values(const JointSet& joints, const std::vector<double>& numbers,
                                   std::size_t place = 0) const {
    const std::size_t each_has = joints.any() ? numbers.size() / joints.count() : 0;
    std::string list;
    each(joints, [&](std::size_t i) {
      list += (list.empty() ? "" : ", ") + harness::yaml_string(config_->joints[i].name) + ": " +
              harness::yaml_number(numbers[place]);
      place += each_has;
    });
    return "{" + list + "}";
  }
  template <typename Visit>
  void each(const JointSet& joints, Visit&& visit) const {
    for (std::size_t i = 0; i < config_->joints.size(); ++i) {
      if (joints.test(i)) visit(i);
    }
  }
  /// Times are whole cycles: rounding removes the error of binary fractions.
  static std::string number(double seconds) {
    return harness::yaml_number(std::round(seconds * 1e9) / 1e9);
  }

 private:
  const RobotConfig* config_;
  std::string text_;
  double late_ = 0.0;  ///< s
};

std::vector<double> numbers_of(const Request& request) {
  std::vector<double> numbers;
  for_each_number_of(request, [&](double number) { numbers.push_back(number); });
  return numbers;
}

/// A move, without the joints' speeds if they differ.
/// @param ending  makes the end of the step from one joint's value
template <typename C, typename Ending>
void write_move(Writer& out, const C& command, Ending&& ending) {
  std::map<std::string, C> by_ending;
  std::size_t next = 0;
  out.each(command.joints, [&](std::size_t i) {
    const auto value = command.values[next++];
    C& part = by_ending[ending(i, value)];
    part.joints.set(i);
    part.values.push_back(value);
  });
  for (const auto& [end, part] : by_ending) {
    out.step("move: {joints: " + out.values(part.joints, numbers_of(part)) +
             (end.empty() ? "" : ", " + end) + ", wait: false}");
  }
}

/// Converts a command to steps.
struct CommandWriter {
  Writer& out;
  const RobotConfig& config;
  const std::map<std::uint64_t, std::string>& plan_steps;
  std::uint64_t number = 0;  ///< of the command

  [[nodiscard]] std::string joints(const JointSet& named) const {
    return "joints: " + out.names(named);
  }

  void operator()(const SetMode& c) const {
    out.step("set_mode: {" + joints(c.joints) + ", mode: " + std::string(to_string(c.mode)) +
             ", wait: false}");
  }
  void operator()(const SetInteraction& c) const {
    out.step("set_interaction: {" + joints(c.joints) +
             ", interaction: " + std::string(to_string(c.interaction)) + "}");
  }
  void operator()(const SetImpedance& c) const {
    std::size_t next = 0;
    out.each(c.joints, [&](std::size_t i) {
      const SetImpedance::Value& value = c.values[next++];
      out.step("set_impedance: {joints: " + harness::yaml_string(config.joints[i].name) +
               ", stiffness: " + harness::yaml_number(value.stiffness) +
               ", damping: " + harness::yaml_number(value.damping) + "}");
    });
  }
  void operator()(const Move& c) const {
    write_move(out, c, [&](std::size_t i, const Move::Value& value) {
      const double share = value.speed / config.joints[i].limits.v_max;
      return value.speed > 0.0 ? "speed: " + harness::yaml_number(share) + " * each.v_max"
                               : std::string();
    });
  }
  void operator()(const TimedMove& c) const {
    write_move(out, c, [&](std::size_t /*i*/, const TimedMove::Value& value) {
      return "duration: " + Writer::number(value.duration) + " s";
    });
  }
  void operator()(const SetJointTarget& c) const {
    const bool has_goals = c.target == TargetKind::kPosition;
    std::vector<double> goals;
    std::vector<double> velocities;
    for (const SetJointTarget::Value& value : c.values) {
      goals.push_back(value.q);
      velocities.push_back(value.v);
    }
    std::string text = has_goals ? "joints: " + out.values(c.joints, goals) + ", " : "";
    const bool moves =
        std::any_of(c.values.begin(), c.values.end(),
                    [](const SetJointTarget::Value& value) { return value.v != 0.0; });
    if (moves || !has_goals) text += "velocities: " + out.values(c.joints, velocities) + ", ";
    // Bounds of each joint alone have no place in a step.
    const SetJointTarget::Value& first = c.values[0];
    const auto bound = [&](std::string_view key, double SetJointTarget::Value::*member) {
      const bool is_same = std::all_of(
          c.values.begin(), c.values.end(),
          [&](const SetJointTarget::Value& value) { return value.*member == first.*member; });
      if (!is_same || first.*member <= 0.0) return;
      text += std::string(key) + ": " + harness::yaml_number(first.*member) + ", ";
    };
    if (has_goals) bound("speed", &SetJointTarget::Value::speed);
    bound("acceleration", &SetJointTarget::Value::acceleration);
    bound("jerk", &SetJointTarget::Value::jerk);
    out.step("target: {" + text + "synchronise: " + std::string(to_string(c.synchronise)) +
             ", shape: " + std::string(to_string(c.shape)) + ", wait: false}");
  }
  void operator()(const Calibrate& c) const {
    out.step("calibrate: {" + joints(c.joints) + ", wait: false}");
  }
  void operator()(const Stop& c) const { out.step("stop: {" + joints(c.joints) + "}"); }
  void operator()(const SetSpeedOverride& c) const {
    out.step("speed_override: " + harness::yaml_number(c.factor));
  }
  void operator()(const SetProtection& c) const {
    out.step("set_protection: {" + std::string(to_string(c.protection)) + ": " +
             (c.on ? "true" : "false") + "}");
  }
  void operator()(const SetObstacle& c) const {
    const std::size_t sizes = size_count(c.shape);
    std::string frame = std::string(", frame: ") + std::string(to_string(c.frame));
    if (c.of_arm < config.arms.size()) {
      frame += ", arm: " + harness::yaml_string(config.arms[c.of_arm].name);
    }
    out.step("set_obstacle: {name: " + harness::yaml_string(text_of(c.name)) +
             ", shape: " + std::string(to_string(c.shape)) +
             ", size: " + row(std::span(c.size).first(sizes)) + ", position: " + row(c.position) +
             ", orientation: " + row(c.orientation) + ", velocity: " + row(c.velocity) +
             ", for: " + harness::yaml_number(c.moves_for) + " s" + frame + "}");
  }
  void operator()(const RemoveObstacle& c) const {
    out.step("remove_obstacle: " + harness::yaml_string(text_of(c.name)));
  }
  static std::string row(std::span<const double> numbers) {
    return "[" + joined(numbers, ", ", [](double number) { return harness::yaml_number(number); }) +
           "]";
  }
  void operator()(const SwitchLaw& c) const {
    if (c.law >= config.laws.size()) return;
    out.step("set_law: {law: " + config.laws[c.law].name + ", on: " + (c.on ? "true" : "false") +
             "}");
  }
  void operator()(const SetLawParameter& c) const {
    if (c.law >= config.laws.size()) return;
    const LawConfig& law = config.laws[c.law];
    if (c.parameter >= law.parameters.size()) return;
    out.step("set_law: {law: " + law.name + ", parameters: {" + law.parameters[c.parameter].name +
             ": " + harness::yaml_number(c.value) + "}}");
  }
  void gripper(GripperIndex index, const std::string& act, double speed) const {
    if (index >= config.grippers.size()) return;
    const std::string pace = speed > 0.0 ? ", speed: " + harness::yaml_number(speed) : "";
    out.step("gripper: {gripper: " + harness::yaml_string(config.grippers[index].name) +
             ", do: " + act + pace + ", wait: false}");
  }
  void operator()(const OpenGripper& c) const { gripper(c.gripper, "open", c.speed); }
  void operator()(const CloseGripper& c) const { gripper(c.gripper, "close", c.speed); }
  void operator()(const MoveGripper& c) const {
    gripper(c.gripper,
            "move, " + std::string(to_string(c.scale)) + ": " + harness::yaml_number(c.opening),
            c.speed);
  }
  void operator()(const Grasp& c) const {
    std::string act = "grasp";
    if (c.force > 0.0) act += ", force: " + harness::yaml_number(c.force);
    if (c.width > 0.0) {
      act += ", width: " + harness::yaml_number(c.width) +
             ", epsilon_inner: " + harness::yaml_number(c.epsilon_inner) +
             ", epsilon_outer: " + harness::yaml_number(c.epsilon_outer);
    }
    gripper(c.gripper, act, c.speed);
  }
  void operator()(const SetParameter& c) const {
    std::size_t next = 0;
    out.each(c.joints, [&](std::size_t i) {
      out.step("set_parameter: {joints: " + harness::yaml_string(config.joints[i].name) +
               ", parameter: " + std::string(to_string(c.parameter)) +
               ", value: " + harness::yaml_number(c.values[next++].value) + "}");
    });
  }
  void operator()(const FollowPlan& /*c*/) const {
    const auto found = plan_steps.find(number);
    if (found != plan_steps.end()) out.step(found->second);
  }
  void operator()(const SetPosture& c) const {
    for (const std::string& step : posture_steps(c, config)) out.step(step);
  }
  template <typename C>
  void operator()(const C& c) const {
    if (const std::string step = arm_step(c, config); !step.empty()) out.step(step);
  }
};

/// Samples of one cycle as one step: those of joints, and those of one tool.
void write_samples(Writer& out, const std::vector<gui::RecordedCommand>& all, std::size_t begin,
                   std::size_t end, double seconds, const RobotConfig& config) {
  std::map<std::string, std::string> by_kind;
  const auto add = [&](std::string_view key, const std::string& values) {
    std::string& list = by_kind[std::string(key)];
    list = list.empty() ? values : list.substr(0, list.size() - 1) + ", " + values.substr(1);
  };
  for (std::size_t i = begin; i < end; ++i) {
    const Request& request = all[i].command.request;
    if (const auto* tool = std::get_if<StreamToolTarget>(&request)) {
      by_kind["tool"] = tool_target_text(*tool, config);
      continue;
    }
    const std::vector<double> numbers = numbers_of(request);
    for (const FieldInfo& field : value_fields_of(kind_of(request))) {
      add(field.name, out.values(joints_of(request), numbers, field.place));
    }
  }
  std::string text;
  for (const auto& [kind, list] : by_kind) text += kind + ": " + list + ", ";
  const double sample = std::min(seconds, kLongestSample);
  out.step("stream: {" + text + "rate: 1 Hz, for: " + Writer::number(sample) + " s}");
  out.wait(seconds - sample);
}

/// Number of messages from `begin` on that suppress one function on the same joints.
std::size_t suppressed_until(const std::vector<gui::RecordedCommand>& all, std::size_t begin) {
  const auto& first = std::get<Suppress>(all[begin].command.request);
  std::size_t end = begin + 1;
  for (; end < all.size(); ++end) {
    const auto* next = std::get_if<Suppress>(&all[end].command.request);
    const bool goes_on = next != nullptr && next->joints == first.joints &&
                         next->what == first.what &&
                         to_seconds(all[end].time_ns - all[end - 1].time_ns) <= kSuppressionTime;
    if (!goes_on) break;
  }
  return end;
}

/// Messages of one suppression as one step. Its first and last message come in the recorded cycles,
/// with no gap between them: the suppression covers the same cycles.
/// @param span  from the first message to the last [s]
/// @param seconds  until the next step
void write_suppression(Writer& out, const Suppress& command, double span, double seconds,
                       double cycle) {
  const double count = std::max(std::ceil(span / kMessageEvery), 1.0);
  // A message comes in the first cycle after it is due: the last one is due in the cycle before.
  const double rate = span > 0.0 ? count / (span - 0.5 * cycle) : 1.0 / kMessageEvery;
  const double length = span + cycle;
  out.step("stream: {suppress: {joints: " + out.names(command.joints) + ", what: " +
           std::string(to_string(command.what)) + "}, rate: " + harness::yaml_number(rate) +
           " Hz, for: " + Writer::number(length) + " s}");
  out.wait(seconds - length);
}

/// Positions, at the start of the recording, of the joints with motors on.
void write_setup(Writer& out, const gui::SessionRecorder& session, const RobotConfig& config) {
  std::map<ModeRequest, JointSet> modes;
  JointSet compliant;
  JointSet driven;
  Move pose;
  for (std::size_t i = 0; i < session.began().size(); ++i) {
    const JointSnapshot& joint = session.began()[i];
    ModeRequest request{};
    const bool is_mode = parse(to_string(joint.mode), request);
    if (!is_mode || request == ModeRequest::kIdle) continue;
    driven.set(i);
    modes[request].set(i);
    if (joint.interaction == InteractionMode::kCompliant) compliant.set(i);
    pose.joints.set(i);
    pose.values.push_back({joint.reference.q, kApproach * config.joints[i].limits.v_max});
  }
  if (driven.none()) return;
  out.line("setup:");
  out.step("set_mode: {joints: " + out.names(driven) + ", mode: position}");
  out.step("move: {joints: " + out.values(pose.joints, numbers_of(pose)) +
           ", speed: " + harness::yaml_number(kApproach) + " * each.v_max}");
  if (compliant.any()) {
    out.step("set_interaction: {joints: " + out.names(compliant) + ", interaction: compliant}");
  }
  for (const auto& [request, joints] : modes) {
    if (request == ModeRequest::kPosition) continue;
    out.step("set_mode: {joints: " + out.names(joints) +
             ", mode: " + std::string(to_string(request)) + "}");
  }
  for (std::size_t i = 0; i < session.began_arms().size() && i < config.arms.size(); ++i) {
    for (const std::string& step : arm_setup_steps(session.began_arms()[i], config.arms[i])) {
      out.step(step);
    }
  }
}

}  // namespace

std::string to_scenario(const gui::SessionRecorder& session, const RobotConfig& config,
                        const std::string& name, const std::string& robot,
                        const std::vector<gui::SentMotion>& motions) {
  std::map<std::uint64_t, std::string> plan_steps;
  for (const gui::SentMotion& motion : motions) {
    plan_steps[motion.number] = trajectory_step(motion, config);
  }
  return to_scenario(session, config, {name, "Commands recorded in the motor panel.", robot, {}},
                     plan_steps);
}

std::string to_scenario(const gui::SessionRecorder& session, const RobotConfig& config,
                        const ScenarioWords& words,
                        const std::map<std::uint64_t, std::string>& plan_steps, TimeNs until_ns) {
  const std::vector<gui::RecordedCommand>& all = session.commands();
  const double cycle = to_seconds(config.period_ns);
  const TimeNs last_ns = all.empty() ? session.began_ns() : all.back().time_ns;
  const TimeNs end_ns =
      std::max(last_ns, until_ns) + config.period_ns;  // a step ends after its own
  const double length = to_seconds(end_ns - session.began_ns());
  Writer out(config);
  out.line("schema: 1\nscenario: " + harness::yaml_string(words.name));
  out.line("about: " + harness::yaml_string(words.about));
  out.line("robot: " + harness::yaml_string(words.robot));
  out.lines(words.further);
  out.line("timeout: {sim: " +
           harness::yaml_number(std::ceil(std::max(kLeastTimeout, 2.0 * length + 30.0))) + " s}\n");
  write_setup(out, session, config);
  out.line("\nsteps:");
  const TimeNs first_ns = all.empty() ? std::max(until_ns, session.began_ns() + config.period_ns)
                                      : all.front().time_ns - config.period_ns;
  out.wait(to_seconds(first_ns - session.began_ns()));
  for (std::size_t i = 0; i < all.size();) {
    const bool sample = is_streamed(kind_of(all[i].command));
    std::size_t end = i + 1;
    bool has_tool = kind_of(all[i].command) == CommandKind::kStreamToolTarget;
    const auto together = [&](const gui::RecordedCommand& other) {
      const bool is_tool = kind_of(other.command) == CommandKind::kStreamToolTarget;
      if (is_tool && has_tool) return false;  // a step has one tool
      has_tool = has_tool || is_tool;
      return sample && is_streamed(kind_of(other.command)) && other.time_ns == all[i].time_ns;
    };
    const bool suppresses = kind_of(all[i].command) == CommandKind::kSuppress;
    if (suppresses) end = suppressed_until(all, i);
    while (end < all.size() && together(all[end])) ++end;
    const TimeNs next_ns = end < all.size() ? all[end].time_ns : end_ns;
    const double pause = to_seconds(next_ns - all[i].time_ns);
    if (suppresses) {
      const double span = to_seconds(all[end - 1].time_ns - all[i].time_ns);
      write_suppression(out, std::get<Suppress>(all[i].command.request), span, pause, cycle);
    } else if (sample) {
      write_samples(out, all, i, end, std::max(pause, cycle), config);
    } else {
      std::visit(CommandWriter{out, config, plan_steps, all[i].command.number},
                 all[i].command.request);
      out.wait(pause - cycle);
    }
    i = end;
  }
  return out.text();
}

}  // namespace jointrig::app
