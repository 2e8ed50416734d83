#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "control/core/backend_parts.h"
#include "harness/config/apply_settings.h"
#include "harness/config/joint_names.h"

namespace jointrig::harness {
namespace {

std::string number(double value) { return yaml_number(value); }

// Finds the place of a joint's setting: under its own name, its parts', the defaults.
class Blame {
 public:
  Blame(const YamlNode& keys, const RobotConfig& config) : keys_(keys), config_(config) {}

  /// Place of the first of `names` that is written; `board.supply` is a key of the board.
  [[nodiscard]] SourceSpot spot(JointIndex joint, std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      if (const YamlNode* found = find(joint, name)) return found->spot();
    }
    return {keys_.spot().source, 0, 0};
  }

 private:
  static const YamlNode* inside(const YamlNode* settings, std::string_view name) {
    while (settings != nullptr) {
      const std::size_t dot = name.find('.');
      settings = settings->find(name.substr(0, dot));
      if (dot == std::string_view::npos) return settings;
      name.remove_prefix(dot + 1);
    }
    return nullptr;
  }

  [[nodiscard]] const YamlNode* find(JointIndex joint, std::string_view name) const {
    if (const YamlNode* joints = keys_.find("joints")) {
      const std::string& own = config_.joints[joint].name;
      if (const YamlNode* found = inside(joints->find(own), name)) return found;
      for (const YamlNode::Entry& entry : joints->entries()) {
        const PartConfig* part = find_part(config_, entry.key);
        if (part == nullptr) continue;
        const auto& in = part->joints;
        if (std::find(in.begin(), in.end(), joint) == in.end()) continue;
        if (const YamlNode* found = inside(&entry.value, name)) return found;
      }
    }
    return inside(keys_.find("defaults"), name);
  }

  const YamlNode& keys_;
  const RobotConfig& config_;
};

void check_limits(JointIndex index, const JointConfig& joint, const Blame& blame,
                  Problems& problems) {
  const JointLimits& limits = joint.limits;
  const std::string range = number(limits.q_min) + " to " + number(limits.q_max);
  if (!(limits.q_min < limits.q_max)) {
    problems.add(blame.spot(index, {"position_max", "position_min"}),
                 "position_max of " + joint.name + ", " + number(limits.q_max) +
                     ", is not above position_min, " + number(limits.q_min));
    return;
  }
  if (2.0 * limits.soft_margin >= limits.q_max - limits.q_min) {
    problems.add(blame.spot(index, {"soft_margin", "position_max", "position_min"}),
                 "soft_margin of " + joint.name + ", " + number(limits.soft_margin) +
                     ", leaves nothing of its range, " + range);
  }
  if (joint.q_start < limits.q_min || joint.q_start > limits.q_max) {
    problems.add(
        blame.spot(index, {"start", "position_max", "position_min"}),
        joint.name + " starts at " + number(joint.q_start) + ", outside its limits, " + range);
  }
}

void check_times(JointIndex index, const JointConfig& joint, double period, const Blame& blame,
                 Problems& problems) {
  const auto check = [&](const char* key, double value) {
    if (value >= period) return;
    problems.add(blame.spot(index, {key}), std::string(key) + " of " + joint.name + ", " +
                                               number(value) + " s, is shorter than the period, " +
                                               number(period) + " s");
  };
  check("timeout.after", joint.timeout.seconds);
  check("board.watchdog", joint.board.watchdog_s);
}

void check_board(JointIndex index, const JointConfig& joint, const Blame& blame,
                 Problems& problems) {
  const BoardConfig& board = joint.board;
  if (joint.board_closes_position && !board.drive_modes.has(DriveMode::kPosition)) {
    problems.add(blame.spot(index, {"closes_position", "board.drive_modes"}),
                 "the board of " + joint.name +
                     " can't close the position loop: its drive_modes lack \"position\"");
  }
  if (board.ambient_C >= board.temperature_max_C) {
    problems.add(blame.spot(index, {"board.ambient", "board.temperature_max"}),
                 "ambient of " + joint.name + ", " + number(board.ambient_C) +
                     " degC, is not below temperature_max, " + number(board.temperature_max_C) +
                     " degC");
  }
}

SourceSpot pose_spot(const YamlNode& keys, const std::string& pose) {
  const YamlNode* poses = keys.find("poses");
  if (poses == nullptr || poses->find(pose) == nullptr) return {keys.spot().source, 0, 0};
  return poses->key_spot(pose);
}

void check_poses(const YamlNode& keys, const RobotConfig& config, Problems& problems) {
  for (const PoseConfig& pose : config.poses) {
    for (std::size_t i = 0; i < pose.q.size() && i < config.joints.size(); ++i) {
      const JointConfig& joint = config.joints[i];
      if (!pose.q[i] || (*pose.q[i] >= joint.limits.q_min && *pose.q[i] <= joint.limits.q_max)) {
        continue;
      }
      problems.add(pose_spot(keys, pose.name),
                   "pose " + pose.name + " puts " + joint.name + " at " + number(*pose.q[i]) +
                       ", outside its limits, " + number(joint.limits.q_min) + " to " +
                       number(joint.limits.q_max));
    }
  }
}

std::string as_ms(TimeNs time) { return number(1e3 * to_seconds(time)) + " ms"; }

/// A cycle of its own: of a simulation, and a whole number of the loop's.
void check_own_cycle(JointIndex index, const RobotConfig& config, const Blame& blame,
                     Problems& problems) {
  const JointConfig& joint = config.joints[index];
  const BackendKind kind = backend_of(config, joint);
  if (joint.cycle_ns == 0) return;
  if (is_on_buses(kind)) {
    problems.add(blame.spot(index, {"cycle"}),
                 joint.name + " is on backend " + std::string(to_string(kind)) +
                     ", where its cycle is that of its bus: give it to the bus, in `buses`");
  } else if (joint.cycle_ns % config.period_ns != 0) {
    const TimeNs below = std::max<TimeNs>(joint.cycle_ns / config.period_ns, 1) * config.period_ns;
    problems.add(blame.spot(index, {"cycle"}),
                 "the cycle of " + joint.name + ", " + as_ms(joint.cycle_ns) +
                     ", is no whole multiple of the robot's period, " + as_ms(config.period_ns) +
                     "; take " + as_ms(below) + " or " + as_ms(below + config.period_ns));
  }
}

/// Two parts that give one joint different backends, where the joint's own settings name none.
void check_one_backend(const YamlNode& keys, const RobotConfig& config, Problems& problems) {
  const YamlNode* joints = keys.find("joints");
  if (joints == nullptr) return;
  std::vector<const YamlNode::Entry*> named(config.joints.size(), nullptr);
  for (const YamlNode::Entry& entry : joints->entries()) {
    const PartConfig* part = find_part(config, entry.key);
    const YamlNode* backend = entry.value.find("backend");
    if (part == nullptr || backend == nullptr) continue;
    for (const JointIndex joint : part->joints) {
      const YamlNode* own = joints->find(config.joints[joint].name);
      const YamlNode::Entry* before = std::exchange(named[joint], &entry);
      if (own != nullptr && own->find("backend") != nullptr) continue;
      if (before == nullptr || before->value.find("backend")->text() == backend->text()) continue;
      problems.add(backend->spot(), "joint " + config.joints[joint].name +
                                        " is on two backends: " + backend->text() + " by part " +
                                        entry.key + ", " + before->value.find("backend")->text() +
                                        " by part " + before->key);
      return;
    }
  }
}

/// Place of a joint's backend that isn't the robot's, else of a cycle that isn't.
SourceSpot spot_of_split(const RobotConfig& config, const Blame& blame) {
  const auto first = [&](auto is) {
    return static_cast<JointIndex>(std::find_if(config.joints.begin(), config.joints.end(), is) -
                                   config.joints.begin());
  };
  const JointIndex other =
      first([&](const JointConfig& joint) { return backend_of(config, joint) != config.backend; });
  if (other < config.joints.size()) return blame.spot(other, {"backend"});
  return blame.spot(first([](const JointConfig& joint) { return joint.cycle_ns > 0; }), {"cycle"});
}

/// Balance is kept above a ground below: the whole-body law has no other.
void check_gravity(const YamlNode& keys, const RobotConfig& config, Problems& problems) {
  const YamlNode* gravity = keys.find("gravity");
  if (gravity == nullptr || !config.whole_body || config.pin_base) return;
  const auto& [x, y, z] = *config.gravity;
  if (x == 0.0 && y == 0.0 && z < 0.0) return;
  problems.add(gravity->spot(), "gravity [" + number(x) + ", " + number(y) + ", " + number(z) +
                                    "] leaves no ground below the feet: a robot with whole_body "
                                    "stands under a gravity along -z, or is bolted down "
                                    "(pin_base: true)");
}

}  // namespace

void check_backends(const YamlNode& keys, const RobotConfig& config, Problems& problems) {
  const Blame blame(keys, config);
  check_one_backend(keys, config, problems);
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    check_own_cycle(static_cast<JointIndex>(i), config, blame, problems);
  }
  const std::string why = why_not_together(backend_parts(config));
  if (!why.empty()) problems.add(spot_of_split(config, blame), why);
}

void check_robot(const YamlNode& keys, const RobotConfig& config, Problems& problems) {
  const Blame blame(keys, config);
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const auto index = static_cast<JointIndex>(i);
    check_limits(index, config.joints[i], blame, problems);
    check_times(index, config.joints[i], to_seconds(config.period_ns), blame, problems);
    check_board(index, config.joints[i], blame, problems);
  }
  check_poses(keys, config, problems);
  check_gravity(keys, config, problems);
}

}  // namespace jointrig::harness
