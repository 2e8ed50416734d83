#include "app/gui/sequence_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "app/gui/written_scenario.h"
#include "app/run/result_files.h"
#include "control/exchange/robot_client.h"
#include "gui/panel/quantity.h"
#include "harness/config/units.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

constexpr const char* kOfVmax = " * each.v_max";

std::string move_text(const gui::SequencePose& pose, const RobotConfig& config) {
  return "joints: " + joints_text(pose.q, config) + "\n      " +
         (pose.timed ? "duration: " + harness::yaml_number(pose.time) + " s"
                     : "speed: " + harness::yaml_number(pose.speed) + kOfVmax);
}

/// Names are marks of the scenario: each is used once.
class Names {
 public:
  std::string unique(const std::string& name) {
    std::string own = name;
    for (int i = 2; own.empty() || !given_.insert(own).second; ++i) {
      own = fmt::format("{} ({})", name, i);
    }
    return own;
  }

 private:
  std::set<std::string> given_;
};

double seconds_of(const gui::Sequence& sequence, const RobotConfig& config) {
  std::vector<double> from;
  for (const JointConfig& joint : config.joints) from.push_back(joint.q_start);
  const auto checks = gui::check_sequence(sequence, config, from, 1.0);
  double seconds = 0.0;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    seconds += checks[i].seconds + sequence.poses[i].hold;
  }
  return seconds;
}

class Reader {
 public:
  explicit Reader(const RobotConfig& config) : config_(&config) {}

  void take(const harness::Step& step) {
    if (const auto* move = std::get_if<harness::MoveStep>(&step.what)) return take(step, *move);
    const auto* wait = std::get_if<harness::WaitStep>(&step.what);
    const bool is_hold = wait != nullptr && !wait->until && !wait->event;
    if (is_hold && !sequence.poses.empty()) {
      sequence.poses.back().hold += wait->time;
      return;
    }
    throw harness::FileError(
        step.spot,
        "a sequence has moves, and waits of a time after them; this step is for the "
        "Scenario tab");
  }

  gui::Sequence sequence;

 private:
  void take(const harness::Step& step, const harness::MoveStep& move) {
    gui::SequencePose pose;
    pose.name = step.name.empty() ? fmt::format("pose {}", sequence.poses.size() + 1) : step.name;
    pose.q.resize(config_->joints.size());
    if (move.pose) {
      take_named(*move.pose, move.joints, pose);
    } else {
      for (const harness::Target& target : move.targets) take(target, pose);
    }
    const bool has_own = !move.durations.empty() || (move.speed && !move.speed->by_joint.empty());
    if (has_own) {
      throw harness::FileError(step.spot,
                               "a pose of a sequence has one speed or one duration for all joints; "
                               "this step is for the Scenario tab");
    }
    if (move.duration) {
      pose.timed = true;
      pose.time = *move.duration;
    } else if (move.speed) {
      pose.speed = share(move.speed->all, pose);
    } else {
      pose.speed = 0.5;  // the default of a move without speed: control/joint/joint_control.cpp
    }
    sequence.poses.push_back(std::move(pose));
  }

  void take_named(const harness::Text& name, const std::vector<harness::Text>& joints,
                  gui::SequencePose& pose) const {
    JointSet chosen;
    for (const harness::Text& text : joints) chosen |= named(text);
    if (joints.empty()) chosen.set();
    try {
      const PoseConfig& known = pose_named(*config_, name.text);
      for (std::size_t i = 0; i < pose.q.size(); ++i) {
        if (chosen.test(i)) pose.q[i] = known.q[i];
      }
    } catch (const UnknownName& error) {
      throw harness::FileError(name.spot, error.what());
    }
  }

  void take(const harness::Target& target, gui::SequencePose& pose) const {
    const JointSet joints = named(target.name);
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (!joints.test(i)) continue;
      const harness::Quantity quantity = plain(target.value);
      const bool slide = config_->joints[i].slide;
      if (quantity.has_unit &&
          !harness::Expected("rad|m").only(slide ? 1 : 0).takes(quantity.dimension)) {
        throw harness::FileError(target.value.spot, config_->joints[i].name + " takes " +
                                                        (slide ? "a length" : "an angle"));
      }
      pose.q[i] = quantity.value;
    }
  }

  [[nodiscard]] JointSet named(const harness::Text& name) const {
    try {
      return joints_named(*config_, name.text);
    } catch (const UnknownName& error) {
      throw harness::FileError(name.spot, error.what());
    }
  }

  static harness::Quantity plain(const harness::Text& text) {
    try {
      return harness::parse_quantity(text.text);
    } catch (const harness::UnitError& error) {
      throw harness::FileError(
          text.spot, "a pose of a sequence has plain values: " + std::string(error.what()));
    }
  }

  /// Share of v_max from `0.3 * each.v_max`, or from a plain speed by the slowest of the joints.
  double share(const harness::Text& speed, const gui::SequencePose& pose) const {
    double value = 0.0;
    const char* const end = speed.text.data() + speed.text.size();
    const auto [stop, error] = std::from_chars(speed.text.data(), end, value);
    if (error == std::errc{} && std::string(stop, end) == kOfVmax) return value;
    const double plain_speed = plain(speed).value;
    double most = 0.0;
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (pose.q[i]) most = std::max(most, config_->joints[i].limits.v_max);
    }
    return most > 0.0 ? std::min(1.0, plain_speed / most) : 1.0;
  }

  const RobotConfig* config_;
};

}  // namespace

std::string to_scenario(const gui::Sequence& sequence, const RobotConfig& config,
                        const std::string& robot) {
  const double timeout = std::max(kLeastTimeout, 2.0 * seconds_of(sequence, config) + 30.0);
  std::string text = "schema: 1\nscenario: " + harness::yaml_string(sequence.name) +
                     "\nabout: A sequence of poses, recorded in the motor panel.\nrobot: " +
                     harness::yaml_string(robot) +
                     "\ntimeout: {sim: " + harness::yaml_number(timeout) + " s}\n\n" +
                     "setup:\n  - set_mode: {joints: all, mode: position}\n";
  if (!sequence.poses.empty() && sequence.poses.front().timed) {
    gui::SequencePose first = sequence.poses.front();
    first.timed = false;
    first.speed = kApproach;
    text += "  - move:\n      " + move_text(first, config) + "\n";
  }
  text += "\nsteps:\n";
  Names names;
  for (const gui::SequencePose& pose : sequence.poses) {
    text += "  - name: " + harness::yaml_string(names.unique(pose.name)) + "\n    move:\n      " +
            move_text(pose, config) + "\n";
    if (pose.hold > 0.0) text += "  - wait: " + harness::yaml_number(pose.hold) + " s\n";
  }
  return text;
}

void save_sequence(gui::SequenceDesk& desk, const RobotConfig& config, const std::string& robot) {
  check_may_write(desk.file, desk.own_file);
  const std::filesystem::path file = desk.file;
  desk.sequence.name = file.stem().string();
  write_text(file, to_scenario(desk.sequence, config, robot));
  desk.own_file = desk.file;
}

gui::Sequence read_sequence(const std::filesystem::path& file, const RobotConfig& config) {
  const std::vector<harness::Scenario> scenarios = harness::read_scenarios(file);
  Reader reader(config);
  reader.sequence.name = scenarios.front().name;
  for (const harness::Step& step : scenarios.front().steps) reader.take(step);
  return std::move(reader.sequence);
}

}  // namespace jointrig::app
