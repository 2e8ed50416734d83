#include "app/gui/session_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "app/gui/motion_file.h"
#include "app/gui/session_arms.h"
#include "app/gui/session_steps.h"
#include "app/gui/written_scenario.h"
#include "control/core/command_facts.h"
#include "control/core/modes.h"
#include "control/core/protection.h"
#include "harness/config/yaml_document.h"

namespace jointrig::app {
namespace {

constexpr double kLongestSample = 0.5;  // s: a stream that is silent longer has ended
constexpr double kMessageEvery = 0.1;   // s: largest interval of a stream that suppresses something

class Writer {
 public:
  void line(const std::string& text) { text_ += text + "\n"; }
  void lines(const std::string& text) { text_ += text; }
  void step(const std::string& text) {
    line("  - " + text);
    ++steps_;
  }
  /// Steps that begin in one cycle.
  void steps(const std::vector<std::string>& together) {
    if (together.size() == 1) step(together.front());
    if (together.size() < 2) return;
    std::string lists;
    for (const std::string& one : together) lists += (lists.empty() ? "[{" : ", [{") + one + "}]";
    step("parallel: [" + lists + "]");
  }
  /// Steps so far: as many cycles.
  [[nodiscard]] std::size_t count() const noexcept { return steps_; }
  /// Below 0: the step before took longer than its pause; a later wait makes up for it.
  void wait(double seconds) {
    const double left = seconds - late_;
    late_ = std::max(-left, 0.0);
    if (left > 0.5e-9) line("  - wait: " + number(left) + " s");
  }
  /// How much later than recorded the next step begins [s].
  [[nodiscard]] double late() const noexcept { return late_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Times are whole cycles: rounding removes the error of binary fractions.
  static std::string number(double seconds) {
    return harness::yaml_number(std::round(seconds * 1e9) / 1e9);
  }

 private:
  std::string text_;
  std::size_t steps_ = 0;
  double late_ = 0.0;  ///< s
};

/// Samples of one cycle as one step: those of joints, and those of one tool.
/// @returns how long it takes [s]
double write_samples(Writer& out, std::span<const gui::RecordedCommand> samples, double seconds,
                     const RobotConfig& config) {
  std::map<std::string, std::string> by_kind;
  const auto add = [&](std::string_view key, const std::string& values) {
    std::string& list = by_kind[std::string(key)];
    list = list.empty() ? values : list.substr(0, list.size() - 1) + ", " + values.substr(1);
  };
  for (const gui::RecordedCommand& sample : samples) {
    const Request& request = sample.command.request;
    if (const auto* tool = std::get_if<StreamToolTarget>(&request)) {
      by_kind["tool"] = tool_target_text(*tool, config);
      continue;
    }
    const std::vector<double> numbers = numbers_of(request);
    for (const FieldInfo& field : value_fields_of(kind_of(request))) {
      add(field.name, values_text(joints_of(request), numbers, config, field.place));
    }
  }
  std::string text;
  for (const auto& [kind, list] : by_kind) text += kind + ": " + list + ", ";
  const double length = std::min(seconds, kLongestSample);
  out.step("stream: {" + text + "rate: 1 Hz, for: " + Writer::number(length) + " s}");
  return length;
}

/// True for a sample of a stream. Accelerations that have to keep coming are messages, each of
/// which has a step of its own.
bool is_sample(const gui::RecordedCommand& recorded) {
  return is_streamed(kind_of(recorded.command)) && message_of(recorded.command.request) == 0;
}

/// Number of samples from `begin` on that one step can send: of one cycle, of one tool, none for a
/// joint twice.
std::size_t samples_together(std::span<const gui::RecordedCommand> all) {
  JointSet joints;
  bool has_tool = false;
  std::size_t count = 0;
  for (const gui::RecordedCommand& next : all) {
    const Request& request = next.command.request;
    const bool is_tool = kind_of(request) == CommandKind::kStreamToolTarget;
    const bool fits = is_sample(next) && next.time_ns == all.front().time_ns &&
                      !(is_tool && has_tool) && (joints & joints_of(request)).none();
    if (!fits) break;
    joints |= joints_of(request);
    has_tool = has_tool || is_tool;
    ++count;
  }
  return count;
}

/// Number of messages from the first on that suppress one function on the same joints.
std::size_t suppressions_together(std::span<const gui::RecordedCommand> all) {
  const auto& first = std::get<Suppress>(all.front().command.request);
  std::size_t count = 1;
  for (; count < all.size(); ++count) {
    const auto* next = std::get_if<Suppress>(&all[count].command.request);
    const bool goes_on =
        next != nullptr && next->joints == first.joints && next->what == first.what &&
        to_seconds(all[count].time_ns - all[count - 1].time_ns) <= kSuppressionTime;
    if (!goes_on) break;
  }
  return count;
}

/// Messages of one suppression as one step. Its first and last message come in the recorded cycles,
/// with no gap between them: the suppression covers the same cycles.
/// @returns how long it takes [s]
double write_suppression(Writer& out, std::span<const gui::RecordedCommand> messages,
                         const RobotConfig& config) {
  const auto& command = std::get<Suppress>(messages.front().command.request);
  const double cycle = to_seconds(config.period_ns);
  const double span = to_seconds(messages.back().time_ns - messages.front().time_ns);
  const double count = std::max(std::ceil(span / kMessageEvery), 1.0);
  // A message comes in the first cycle after it is due: the last one is due in the cycle before.
  const double rate = span > 0.0 ? count / (span - 0.5 * cycle) : 1.0 / kMessageEvery;
  const double length = span + cycle;
  out.step("stream: {suppress: {joints: " + names_text(command.joints, config) + ", what: " +
           std::string(to_string(command.what)) + "}, rate: " + harness::yaml_number(rate) +
           " Hz, for: " + Writer::number(length) + " s}");
  return length;
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
  out.step("set_mode: {joints: " + names_text(driven, config) + ", mode: position}");
  out.step("move: {joints: " + values_text(pose.joints, numbers_of(pose), config) +
           ", speed: " + harness::yaml_number(kApproach) + " * each.v_max}");
  if (compliant.any()) {
    out.step("set_interaction: {joints: " + names_text(compliant, config) +
             ", interaction: compliant}");
  }
  for (const auto& [request, joints] : modes) {
    if (request == ModeRequest::kPosition) continue;
    out.step("set_mode: {joints: " + names_text(joints, config) +
             ", mode: " + std::string(to_string(request)) + "}");
  }
  for (std::size_t i = 0; i < session.began_arms().size() && i < config.arms.size(); ++i) {
    for (const std::string& step : arm_setup_steps(session.began_arms()[i], config.arms[i])) {
      out.step(step);
    }
  }
}

/// The steps of a session, in the order of time.
///
/// Times are those of acceptance. A command that is sent after cycle k is accepted in cycle k + 1,
/// and its step begins after cycle k; what is done to the world after cycle k acts from there on,
/// and counts as of cycle k + 1 as well.
class StepsWriter {
 public:
  StepsWriter(const gui::SessionRecorder& session, const RobotConfig& config,
              const std::map<std::uint64_t, std::string>& plan_steps)
      : session_(&session),
        config_(&config),
        plan_steps_(&plan_steps),
        cycle_(to_seconds(config.period_ns)),
        at_ns_(session.began_ns() + config.period_ns) {}

  [[nodiscard]] Writer& out() noexcept { return out_; }
  /// Commands without a step, in words.
  [[nodiscard]] const std::vector<std::string>& left_out() const noexcept { return left_out_; }

  /// End of the steps: a step ends in the cycle after its own.
  [[nodiscard]] TimeNs end(TimeNs until_ns) const {
    TimeNs last_ns = std::max(session_->began_ns(), until_ns);
    if (!session_->commands().empty()) {
      last_ns = std::max(last_ns, session_->commands().back().time_ns);
    } else {
      last_ns = std::max(last_ns, session_->began_ns() + config_->period_ns);
    }
    if (!session_->acts().empty()) last_ns = std::max(last_ns, time_of(session_->acts().back()));
    return last_ns + config_->period_ns;
  }

  void write(TimeNs end_ns) {
    const std::span<const gui::RecordedCommand> all = session_->commands();
    for (std::size_t i = 0; i < all.size();) {
      write_acts(all[i].time_ns);
      const auto rest = all.subspan(i, before_next_act(all.subspan(i)));
      const std::size_t count = together(rest);
      const TimeNs next_ns =
          std::min(i + count < all.size() ? all[i + count].time_ns : end_ns, next_act_ns());
      go_to(all[i].time_ns);
      write(rest.first(count), next_ns);
      i += count;
    }
    write_acts(end_ns);
    go_to(end_ns);
    if (is_empty_) out_.line("  - wait: " + Writer::number(cycle_) + " s");
  }

 private:
  [[nodiscard]] TimeNs time_of(const gui::RecordedAct& act) const {
    return act.time_ns + config_->period_ns;
  }
  [[nodiscard]] TimeNs next_act_ns() const {
    const bool has_more = act_ < session_->acts().size();
    return has_more ? time_of(session_->acts()[act_]) : std::numeric_limits<TimeNs>::max();
  }
  /// Number of commands that come before something befalls the world; the first one does.
  [[nodiscard]] std::size_t before_next_act(std::span<const gui::RecordedCommand> rest) const {
    const auto later = std::find_if(rest.begin() + 1, rest.end(), [&](const auto& command) {
      return command.time_ns >= next_act_ns();
    });
    return static_cast<std::size_t>(later - rest.begin());
  }

  static std::size_t together(std::span<const gui::RecordedCommand> rest) {
    if (is_sample(rest.front())) return samples_together(rest);
    const bool suppresses = kind_of(rest.front().command) == CommandKind::kSuppress;
    return suppresses ? suppressions_together(rest) : 1;
  }

  void go_to(TimeNs time_ns) {
    const double seconds = to_seconds(time_ns - at_ns_);
    is_empty_ = is_empty_ && seconds < cycle_;
    out_.wait(seconds);
    at_ns_ = time_ns;
  }

  /// @param next_ns  begin of what comes next
  void write(std::span<const gui::RecordedCommand> commands, TimeNs next_ns) {
    const Command& command = commands.front().command;
    const std::size_t before = out_.count();
    double length = 0.0;
    if (kind_of(command) == CommandKind::kSuppress) {
      length = write_suppression(out_, commands, *config_);
    } else if (is_sample(commands.front())) {
      const double pause = to_seconds(next_ns - commands.front().time_ns);
      length = write_samples(out_, commands, std::max(pause - out_.late(), cycle_), *config_);
    } else {
      write_command(command);
      length = static_cast<double>(out_.count() - before) * cycle_;
    }
    is_empty_ = is_empty_ && out_.count() == before;
    at_ns_ += to_ns(length);
  }

  void write_command(const Command& command) {
    CommandSteps steps;
    if (kind_of(command) == CommandKind::kFollowPlan) {
      const auto plan = plan_steps_->find(command.number);
      if (plan != plan_steps_->end()) steps.steps.push_back(plan->second);
      steps.why_none = "its plan was made elsewhere, and a command doesn't carry its waypoints";
    } else {
      steps = steps_for(command.request, *config_);
    }
    if (!steps.steps.empty()) return out_.steps(steps.steps);
    leave_out(std::string(to_string(kind_of(command))) + ": " + steps.why_none);
  }

  void write_acts(TimeNs until_ns) {
    for (; next_act_ns() <= until_ns; ++act_) {
      const gui::RecordedAct& act = session_->acts()[act_];
      go_to(time_of(act));
      if (!act.is_step) {
        leave_out(act.text);
        continue;
      }
      out_.line("  - " + act.text);  // over at once
      is_empty_ = false;
    }
  }

  void leave_out(const std::string& what) {
    const double since = to_seconds(at_ns_ - config_->period_ns - session_->began_ns());
    left_out_.push_back(what + " (" + Writer::number(since) + " s after the start)");
    out_.line("  # left out: " + left_out_.back());
  }

  const gui::SessionRecorder* session_;
  const RobotConfig* config_;
  const std::map<std::uint64_t, std::string>* plan_steps_;
  double cycle_;
  Writer out_;
  TimeNs at_ns_;  ///< of acceptance, for a step that would begin now
  std::size_t act_ = 0;
  bool is_empty_ = true;
  std::vector<std::string> left_out_;
};

}  // namespace

std::string to_scenario(const gui::SessionRecorder& session, const RobotConfig& config,
                        const std::string& name, const std::string& robot,
                        const std::vector<gui::SentMotion>& motions,
                        std::vector<std::string>* left_out) {
  std::map<std::uint64_t, std::string> plan_steps;
  for (const gui::SentMotion& motion : motions) {
    plan_steps[motion.number] = trajectory_step(motion, config);
  }
  return to_scenario(session, config, {name, "Commands recorded in the motor panel.", robot, {}},
                     plan_steps, 0, left_out);
}

std::string to_scenario(const gui::SessionRecorder& session, const RobotConfig& config,
                        const ScenarioWords& words,
                        const std::map<std::uint64_t, std::string>& plan_steps, TimeNs until_ns,
                        std::vector<std::string>* left_out) {
  StepsWriter steps(session, config, plan_steps);
  const TimeNs end_ns = steps.end(until_ns);
  const double length = to_seconds(end_ns - session.began_ns());
  Writer& out = steps.out();
  out.line("schema: 1\nscenario: " + harness::yaml_string(words.name));
  out.line("about: " + harness::yaml_string(words.about));
  out.line("robot: " + harness::yaml_string(words.robot));
  out.lines(words.further);
  out.line("timeout: {sim: " +
           harness::yaml_number(std::ceil(std::max(kLeastTimeout, 2.0 * length + 30.0))) + " s}\n");
  write_setup(out, session, config);
  out.line("\nsteps:");
  steps.write(end_ns);
  if (left_out != nullptr) *left_out = steps.left_out();
  return out.text();
}

}  // namespace jointrig::app
