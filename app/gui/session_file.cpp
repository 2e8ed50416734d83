#include "app/gui/session_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "app/gui/session_arms.h"
#include "app/gui/written_scenario.h"
#include "control/core/joint_parameter.h"
#include "control/core/modes.h"
#include "control/core/protection.h"
#include "harness/config/yaml_document.h"

namespace jointrig {
namespace {

constexpr double kLongestSample = 0.5;  // s: a stream that is silent longer has ended
constexpr double kMessageEvery = 0.1;   // s, or less: of a stream that suppresses something

bool is_sample(CommandKind kind) noexcept {
  return kind == CommandKind::kStreamPosition || kind == CommandKind::kStreamTrajectory ||
         kind == CommandKind::kVelocity || kind == CommandKind::kTorque ||
         kind == CommandKind::kDuty || kind == CommandKind::kStreamToolTarget;
}

std::string_view key_of(CommandKind kind) noexcept {
  const bool is_position =
      kind == CommandKind::kStreamPosition || kind == CommandKind::kStreamTrajectory;
  return is_position ? "position" : to_string(kind);
}

class Writer {
 public:
  explicit Writer(const RobotConfig& config) : config_(&config) {}

  void line(const std::string& text) { text_ += text + "\n"; }
  void step(const std::string& text) { line("  - " + text); }
  void wait(double seconds) {
    if (seconds > 0.0) step("wait: " + number(seconds) + " s");
  }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  [[nodiscard]] std::string names(const JointSet& joints) const {
    if (joints.count() == config_->joints.size()) return "all";
    std::string list;
    each(joints, [&](std::size_t i) {
      list += (list.empty() ? "" : ", ") + yaml_string(config_->joints[i].name);
    });
    return "[" + list + "]";
  }
  /// `{elbow: 0.5, wrist: 1}`: first values of a command.
  [[nodiscard]] std::string values(const Command& command) const {
    std::string list;
    std::size_t next = 0;
    each(command.joints, [&](std::size_t i) {
      list += (list.empty() ? "" : ", ") + yaml_string(config_->joints[i].name) + ": " +
              yaml_number(command.values[next++].a);
    });
    return "{" + list + "}";
  }
  template <typename Visit>
  void each(const JointSet& joints, Visit&& visit) const {
    for (std::size_t i = 0; i < config_->joints.size(); ++i) {
      if (joints.test(i)) visit(i);
    }
  }
  /// Times are whole cycles: what binary fractions add to them is none of it.
  static std::string number(double seconds) { return yaml_number(std::round(seconds * 1e9) / 1e9); }

 private:
  const RobotConfig* config_;
  std::string text_;
};

/// A move without its joints' own speeds where they differ from each other.
void write_move(Writer& out, const Command& command, const RobotConfig& config) {
  const bool timed = command.kind == CommandKind::kTimedMove;
  const auto ending = [&](std::size_t i, const JointValue& value) {
    if (timed) return "duration: " + Writer::number(value.b) + " s";
    const double share = value.b / config.joints[i].limits.v_max;
    return value.b > 0.0 ? "speed: " + yaml_number(share) + " * each.v_max" : std::string();
  };
  std::map<std::string, Command> by_ending;
  std::size_t next = 0;
  out.each(command.joints, [&](std::size_t i) {
    const JointValue value = command.values[next++];
    Command& part = by_ending[ending(i, value)];
    part.joints.set(i);
    part.values.push_back(value);
  });
  for (const auto& [end, part] : by_ending) {
    out.step("move: {joints: " + out.values(part) + (end.empty() ? "" : ", " + end) +
             ", wait: false}");
  }
}

/// How many steps became of it.
void write_command(Writer& out, const Command& command, const RobotConfig& config) {
  const std::string joints = "joints: " + out.names(command.joints);
  switch (command.kind) {
    case CommandKind::kSetMode:
      return out.step("set_mode: {" + joints +
                      ", mode: " + std::string(to_string(command.request)) + ", wait: false}");
    case CommandKind::kSetInteraction:
      return out.step("set_interaction: {" + joints +
                      ", interaction: " + std::string(to_string(command.interaction)) + "}");
    case CommandKind::kSetImpedance: {
      std::size_t next = 0;
      out.each(command.joints, [&](std::size_t i) {
        const JointValue value = command.values[next++];
        out.step("set_impedance: {joints: " + yaml_string(config.joints[i].name) + ", stiffness: " +
                 yaml_number(value.a) + ", damping: " + yaml_number(value.b) + "}");
      });
      return;
    }
    case CommandKind::kMove:
    case CommandKind::kTimedMove:
      return write_move(out, command, config);
    case CommandKind::kCalibrate:
      return out.step("calibrate: {" + joints + ", wait: false}");
    case CommandKind::kStop:
      return out.step("stop: {" + joints + "}");
    case CommandKind::kSetSpeedOverride:
      return out.step("speed_override: " + yaml_number(command.values[0].a));
    case CommandKind::kSetProtection: {
      const auto what = static_cast<Protection>(command.values[0].a);
      return out.step("set_protection: {" + std::string(to_string(what)) + ": " +
                      (command.values[0].b != 0.0 ? "true" : "false") + "}");
    }
    case CommandKind::kSetParameter: {
      std::size_t next = 0;
      out.each(command.joints, [&](std::size_t i) {
        const JointValue value = command.values[next++];
        out.step("set_parameter: {joints: " + yaml_string(config.joints[i].name) +
                 ", parameter: " + std::string(to_string(static_cast<JointParameter>(value.b))) +
                 ", value: " + yaml_number(value.a) + "}");
      });
      return;
    }
    case CommandKind::kSetPosture:
      for (const std::string& step : posture_steps(command, config)) out.step(step);
      return;
    default:
      if (const std::string step = arm_step(command, config); !step.empty()) out.step(step);
      return;
  }
}

/// Samples that came together, as one step: of joints, and of one tool.
void write_samples(Writer& out, const std::vector<RecordedCommand>& all, std::size_t begin,
                   std::size_t end, double seconds, const RobotConfig& config) {
  std::map<std::string, std::string> by_kind;
  const auto add = [&](std::string_view kind, const Command& command) {
    const std::string values = out.values(command);
    std::string& list = by_kind[std::string(kind)];
    list = list.empty() ? values : list.substr(0, list.size() - 1) + ", " + values.substr(1);
  };
  for (std::size_t i = begin; i < end; ++i) {
    Command command = all[i].command;
    if (command.kind == CommandKind::kStreamToolTarget) {
      by_kind["tool"] = tool_target_text(command, config);
      continue;
    }
    add(key_of(command.kind), command);
    if (command.kind != CommandKind::kStreamTrajectory) continue;
    for (JointValue& value : command.values) value.a = value.b;
    add("velocity", command);
    for (JointValue& value : command.values) value.a = value.c;
    add("acceleration", command);
  }
  std::string text;
  for (const auto& [kind, list] : by_kind) text += kind + ": " + list + ", ";
  const double sample = std::min(seconds, kLongestSample);
  out.step("stream: {" + text + "rate: 1 Hz, for: " + Writer::number(sample) + " s}");
  out.wait(seconds - sample);
}

/// How many messages from `begin` on keep one thing suppressed on the same joints.
std::size_t suppressed_until(const std::vector<RecordedCommand>& all, std::size_t begin) {
  const Command& first = all[begin].command;
  std::size_t end = begin + 1;
  for (; end < all.size(); ++end) {
    const Command& next = all[end].command;
    const bool goes_on = next.kind == CommandKind::kSuppress && next.joints == first.joints &&
                         next.values == first.values &&
                         to_seconds(all[end].time_ns - all[end - 1].time_ns) <= kSuppressionTime;
    if (!goes_on) break;
  }
  return end;
}

/// Messages that keep something suppressed, as one step. Its first and its last message come in the
/// cycles of theirs, and between them none is missed: it is suppressed in the same cycles.
/// @param span     from the first message to the last [s]
/// @param seconds  until the next step
void write_suppression(Writer& out, const Command& command, double span, double seconds,
                       double cycle) {
  const double count = std::max(std::ceil(span / kMessageEvery), 1.0);
  // A message comes in the first cycle after it is due: the last one is due in the cycle before.
  const double rate = span > 0.0 ? count / (span - 0.5 * cycle) : 1.0 / kMessageEvery;
  const auto what = static_cast<Suppressible>(command.values[0].a);
  const double length = span + cycle;
  out.step("stream: {suppress: {joints: " + out.names(command.joints) +
           ", what: " + std::string(to_string(what)) + "}, rate: " + yaml_number(rate) +
           " Hz, for: " + Writer::number(length) + " s}");
  out.wait(seconds - length);
}

/// Where the joints were when recording began, whose motors were on.
void write_setup(Writer& out, const SessionRecorder& session, const RobotConfig& config) {
  std::map<ModeRequest, JointSet> modes;
  JointSet compliant;
  JointSet driven;
  Command pose;
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
  out.step("move: {joints: " + out.values(pose) + ", speed: " + yaml_number(kApproach) +
           " * each.v_max}");
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

std::string to_scenario(const SessionRecorder& session, const RobotConfig& config,
                        const std::string& name, const std::string& robot) {
  const std::vector<RecordedCommand>& all = session.commands();
  const double cycle = to_seconds(config.period_ns);
  const double length = all.empty() ? 0.0 : to_seconds(all.back().time_ns - session.began_ns());
  Writer out(config);
  out.line("schema: 1\nscenario: " + yaml_string(name));
  out.line("about: What was done in the motor panel, as it was done.");
  out.line("robot: " + yaml_string(robot));
  out.line("timeout: {sim: " +
           yaml_number(std::ceil(std::max(kLeastTimeout, 2.0 * length + 30.0))) + " s}\n");
  write_setup(out, session, config);
  out.line("\nsteps:");
  out.wait(all.empty() ? cycle : to_seconds(all.front().time_ns - session.began_ns()) - cycle);
  for (std::size_t i = 0; i < all.size();) {
    const bool sample = is_sample(all[i].command.kind);
    std::size_t end = i + 1;
    bool has_tool = all[i].command.kind == CommandKind::kStreamToolTarget;
    const auto together = [&](const RecordedCommand& other) {
      const bool is_tool = other.command.kind == CommandKind::kStreamToolTarget;
      if (is_tool && has_tool) return false;  // a step has one
      has_tool = has_tool || is_tool;
      return sample && is_sample(other.command.kind) && other.time_ns == all[i].time_ns;
    };
    const bool suppresses = all[i].command.kind == CommandKind::kSuppress;
    if (suppresses) end = suppressed_until(all, i);
    while (end < all.size() && together(all[end])) ++end;
    const double pause = end < all.size() ? to_seconds(all[end].time_ns - all[i].time_ns) : cycle;
    if (suppresses) {
      const double span = to_seconds(all[end - 1].time_ns - all[i].time_ns);
      write_suppression(out, all[i].command, span, pause, cycle);
    } else if (sample) {
      write_samples(out, all, i, end, std::max(pause, cycle), config);
    } else {
      write_command(out, all[i].command, config);
      out.wait(pause - cycle);
    }
    i = end;
  }
  return out.text();
}

}  // namespace jointrig
