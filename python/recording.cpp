#include "python/recording.h"

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "control/core/text.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/interaction_setting.h"

namespace jointrig::python {
namespace {

using harness::yaml_number;
using harness::yaml_string;

/// A mapping in one line, key by key.
class Line {
 public:
  void text(std::string_view key, const std::string& value) {
    all_ += (all_.empty() ? "" : ", ") + std::string(key) + ": " + value;
  }
  void number(std::string_view key, double value) { text(key, yaml_number(value)); }
  void number(std::string_view key, const std::optional<double>& value) {
    if (value) number(key, *value);
  }
  template <std::size_t kSize>
  void numbers(std::string_view key, const std::optional<std::array<double, kSize>>& values) {
    if (!values) return;
    std::string list;
    for (const double value : *values) list += (list.empty() ? "" : ", ") + yaml_number(value);
    text(key, "[" + list + "]");
  }
  /// One value for each joint; those that are NaN are left out, and so is a mapping without any.
  template <typename Values, typename Value>
  void joints(std::string_view key, const std::vector<std::string>& names, const Values& values,
              Value&& value_of) {
    Line each;
    for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) {
      const double value = value_of(values[i]);
      if (!std::isnan(value)) each.number(yaml_string(names[i]), value);
    }
    if (!each.all_.empty()) text(key, each.in_braces());
  }
  void joints(std::string_view key, const std::vector<std::string>& names,
              const std::vector<double>& values) {
    joints(key, names, values, [](double value) { return value; });
  }
  [[nodiscard]] std::string in_braces() const { return "{" + all_ + "}"; }

 private:
  std::string all_;
};

std::vector<std::string> names_of(const JointSet& joints, const RobotConfig& robot) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (joints.test(i)) names.push_back(robot.joints[i].name);
  }
  return names;
}

/// A number of which 0 is none.
double given(double most) { return most > 0.0 ? most : std::nan(""); }

std::string waypoint(const AskedWaypoint& at, const std::vector<std::string>& names,
                     bool has_times) {
  Line line;
  if (has_times) line.number("time", at.time);
  line.joints("joints", names, at.q);
  line.joints("velocities", names, at.v);
  line.joints("accelerations", names, at.a);
  line.joints("tolerance", names, at.tolerance, given);
  line.joints("max_acceleration", names, at.a_max, given);
  if (at.interaction) line.text("interaction", harness::written_text(*at.interaction));
  if (at.speed != 1.0) line.number("speed", at.speed);
  if (at.acceleration != 1.0) line.number("acceleration", at.acceleration);
  return line.in_braces();
}

std::string waypoint(const ArmWaypoint& at, const std::vector<std::string>& names) {
  Line line;
  line.numbers("position", at.position);
  line.numbers("by", at.by);
  line.numbers("orientation", at.orientation);
  line.numbers("turn", at.turn);
  if (at.corner_distance != 0.0) line.number("corner_distance", at.corner_distance);
  line.number("linear_speed", at.linear_speed);
  line.number("linear_acceleration", at.linear_acceleration);
  line.number("rotational_speed", at.rotational_speed);
  line.number("rotational_acceleration", at.rotational_acceleration);
  if (at.speed_ratio != 1.0) line.number("speed", at.speed_ratio);
  if (at.acceleration_ratio != 1.0) line.number("acceleration", at.acceleration_ratio);
  line.joints("posture", names, at.posture);
  line.joints("tolerance", names, at.tolerance, given);
  if (at.interaction) line.text("interaction", harness::written_text(*at.interaction));
  return line.in_braces();
}

template <typename Waypoints, typename Words>
std::string list_of(const Waypoints& waypoints, Words&& words) {
  std::string list;
  for (const auto& at : waypoints) list += (list.empty() ? "" : ", ") + words(at);
  return "[" + list + "]";
}

/// Tolerances, and what both kinds of motion have besides.
void add_common(Line& line, const AskedTrajectory& asked, const std::vector<std::string>& names) {
  line.joints("path_tolerance", names, asked.tolerances,
              [](const AskedTrajectory::Tolerance& one) { return given(one.path); });
  line.joints("goal_tolerance", names, asked.tolerances,
              [](const AskedTrajectory::Tolerance& one) { return given(one.goal); });
  if (asked.rounds_corners) line.text("rounds_corners", "true");
  if (asked.brakes_behind) line.text("brakes_behind", "true");
  line.text("settling_time", yaml_number(asked.settling_time) + " s");
  if (!asked.checks_collisions) line.text("check_collisions", "false");
  if (asked.execution != PlanExecution::kInverseDynamics) {
    line.text("execution", std::string(to_string(asked.execution)));
  }
  line.text("wait", "false");
}

}  // namespace

void Recording::start(const Snapshot& now) {
  commands_.start(now);
  plan_steps_.clear();
  unrepeated_.clear();
}

void Recording::sent(const Command& command) { commands_.sent(command); }

void Recording::answered(const Event& event) {
  if (!commands_.recording()) return;
  const bool taken = event.kind == EventKind::kAccepted;
  if (taken || event.kind == EventKind::kRejected) {
    commands_.answered(event.number, taken, event.time_ns);
  }
}

void Recording::planned(std::uint64_t number, const AskedTrajectory& asked,
                        const RobotConfig& robot) {
  if (!commands_.recording()) return;
  const std::vector<std::string> names = names_of(asked.joints, robot);
  Line line;
  line.text("replace", "true");  // where the joints follow one, it goes on from that
  if (asked.tool) {
    line.text("arm", yaml_string(robot.arms[asked.tool->arm].name));
    line.text("frame", std::string(to_string(asked.tool->frame)));
    if (!asked.tool->endpoint.empty()) line.text("endpoint", yaml_string(asked.tool->endpoint));
    if (asked.tool->free_rotation != FreeRotation::kNone) {
      line.text("free_rotation", std::string(to_string(asked.tool->free_rotation)));
    }
  }
  add_common(line, asked, names);
  line.text("waypoints", asked.tool
                             ? list_of(asked.tool->waypoints,
                                       [&](const ArmWaypoint& at) { return waypoint(at, names); })
                             : list_of(asked.waypoints, [&](const AskedWaypoint& at) {
                                 return waypoint(at, names, asked.has_times);
                               }));
  plan_steps_[number] = "trajectory: " + line.in_braces();
}

void Recording::met(const char* what) {
  if (commands_.recording() && unrepeated_.empty()) unrepeated_ = what;
}

std::string Recording::scenario(const app::ScenarioWords& words, const RobotConfig& robot,
                                TimeNs now_ns) const {
  if (!commands_.recording()) {
    throw std::invalid_argument("nothing was recorded: call record() before the first command");
  }
  if (commands_.is_full()) {
    throw std::invalid_argument(
        "more than " + std::to_string(gui::SessionRecorder::kMost) +
        " commands or disturbances were recorded, and a scenario takes no more: record less");
  }
  if (!unrepeated_.empty()) {
    throw std::invalid_argument("no step of a scenario brings back " + unrepeated_ +
                                ", which came while commands were recorded: record without it");
  }
  std::vector<std::string> left_out;
  std::string text = app::to_scenario(commands_, robot, words, plan_steps_, now_ns, &left_out);
  if (!left_out.empty()) {
    throw std::invalid_argument("no step of a scenario repeats this: " + joined(left_out, "; "));
  }
  return text;
}

}  // namespace jointrig::python
