#include <fmt/core.h>

#include <algorithm>

#include "harness/config/apply_settings.h"
#include "harness/config/arm_settings.h"
#include "harness/config/body_settings.h"
#include "harness/config/joint_settings.h"
#include "harness/config/protection_settings.h"
#include "harness/config/robot_file.h"

namespace jointrig::harness {
namespace {

class Writer {
 public:
  void line(int indent, const std::string& key, const std::string& value) {
    text_.append(2 * static_cast<std::size_t>(indent), ' ');
    text_ += yaml_string(key) + ":" + (value.empty() ? "" : " " + value) + "\n";
  }
  void comment(const std::string& words) { text_ += "# " + words + "\n"; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

std::string word(bool value) { return value ? "true" : "false"; }

template <typename Items, typename ToText>
std::string list(const Items& items, ToText to_text) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += to_text(item);
  }
  return "[" + text + "]";
}

std::string path_from(const std::filesystem::path& folder, const std::string& path) {
  if (path.empty() || folder.empty()) return yaml_string(path);
  // Compares text alone: the paths need not exist yet.
  const auto full = [](const std::filesystem::path& p) {
    return std::filesystem::absolute(p).lexically_normal();
  };
  return yaml_string(full(path).lexically_proximate(full(folder)).string());
}

void write_board(Writer& out, JointConfig& joint) {
  out.line(2, "board", "");
  std::vector<DriveMode> modes;
  for (const DriveMode mode : kAllDriveMode) {
    if (joint.board.drive_modes.has(mode)) modes.push_back(mode);
  }
  const auto mode_word = [](DriveMode mode) { return std::string(to_string(mode)); };
  if (!modes.empty()) out.line(3, "drive_modes", list(modes, mode_word));
  out.line(3, "needs_calibration", word(joint.board.needs_calibration));
  for (const JointNumber& number : kBoardNumbers) {
    out.line(3, std::string(number.key), yaml_number(number.field(joint)));
  }
  for (const BoardOption& option : kBoardOptions) {
    const std::optional<double>& value = joint.board.*option.field;
    if (value) out.line(3, std::string(option.key), yaml_number(*value));
  }
}

void write_drive_mapping(Writer& out, const DriveConfig& drive) {
  const auto hex4 = [](std::uint16_t index) { return fmt::format("0x{:04X}", index); };
  const auto hex8 = [](std::uint32_t object) { return fmt::format("0x{:08X}", object); };
  if (drive.layout != DriveLayout::kFull) {
    out.line(3, "layout", std::string(to_string(drive.layout)));
  }
  if (!drive.without.empty()) out.line(3, "without", list(drive.without, hex4));
  if (!drive.pdos.empty()) out.line(3, "pdos", "");
  for (const DrivePdo& pdo : drive.pdos) {
    std::string id;
    if (pdo.cob_id != 0) {
      id = fmt::format("cob_id: {}0x{:X}, ", pdo.cob_id_adds_node ? "$NODEID+" : "", pdo.cob_id);
    }
    out.line(4, fmt::format("{}pdo{}", pdo.sent ? 't' : 'r', pdo.number),
             fmt::format("{{{}type: {}, objects: {}}}", id, pdo.type, list(pdo.objects, hex8)));
  }
}

void write_drive(Writer& out, JointConfig& joint) {
  const DriveConfig& drive = joint.drive;
  if (drive == DriveConfig{}) return;
  out.line(2, "drive", "");
  if (!drive.bus.empty()) out.line(3, "bus", yaml_string(drive.bus));
  for (const DriveInteger& integer : kDriveIntegers) {
    if (integer.field == &DriveConfig::node && drive.node == 0) continue;  // not given
    out.line(3, std::string(integer.key), fmt::format("{}", drive.*integer.field));
  }
  for (const JointNumber& number : kDriveNumbers) {
    const double value = number.field(joint);
    if (number.zero_is_unset && value == 0.0) continue;
    out.line(3, std::string(number.key), yaml_number(value));
  }
  for (const DriveFlag& flag : kDriveFlags) {
    out.line(3, std::string(flag.key), word(drive.*flag.field));
  }
  out.line(3, "velocity_unit", std::string(to_string(drive.velocity_unit)));
  out.line(3, "torque_base", std::string(to_string(drive.torque_base)));
  for (const DriveIdentityKey& part : kDriveIdentity) {
    const std::optional<std::uint32_t>& value = drive.*part.field;
    if (value) out.line(3, std::string(part.key), fmt::format("{}", *value));
  }
  write_drive_mapping(out, drive);
}

void write_joint(Writer& out, JointConfig joint) {
  out.line(1, joint.name, "");
  const auto write = [&](const JointNumber& number) {
    const double value = number.field(joint);
    if (number.zero_is_unset && value == 0.0) return;
    out.line(2, std::string(number.key), yaml_number(value));
  };
  write(kInertia);
  const JointGains& gains = joint.gains;
  for (const JointNumber& number : kJointNumbers) {
    if (!number.is_pid_gain || gains.is_pid) write(number);
  }
  if (!gains.is_pid && gains.bandwidth_hz > 0.0) {
    out.line(2, "bandwidth", yaml_number(gains.bandwidth_hz) + " Hz");
  }
  if (!gains.is_pid && gains.damping_ratio != 1.0) {
    out.line(2, "damping_ratio", yaml_number(gains.damping_ratio));
  }
  if (joint.backend) out.line(2, "backend", std::string(to_string(*joint.backend)));
  if (joint.cycle_ns > 0) out.line(2, "cycle", yaml_number(to_seconds(joint.cycle_ns)));
  out.line(2, "timeout",
           "{after: " + yaml_number(joint.timeout.seconds) +
               ", reaction: " + std::string(to_string(joint.timeout.reaction)) + "}");
  out.line(2, "gravity_in_torque", word(joint.gravity_in_torque));
  out.line(2, "closes_position", joint.board_closes_position ? "board" : "stack");
  write_board(out, joint);
  if (joint.brake.is_there()) {
    out.line(2, "brake", "");
    for (const JointNumber& number : kBrakeNumbers) {
      out.line(3, std::string(number.key), yaml_number(number.field(joint)));
    }
  }
  write_drive(out, joint);
}

void write_poses(Writer& out, const RobotConfig& config) {
  if (config.poses.empty()) return;
  out.line(0, "poses", "");
  for (const PoseConfig& pose : config.poses) {
    const auto is_given = [](const std::optional<double>& q) { return q.has_value(); };
    const bool is_empty = std::none_of(pose.q.begin(), pose.q.end(), is_given);
    out.line(1, pose.name, is_empty ? "{}" : "");
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (pose.q[i]) out.line(2, config.joints[i].name, yaml_number(*pose.q[i]));
    }
  }
}

void write_buses(Writer& out, const RobotConfig& config) {
  if (config.buses.empty()) return;
  out.line(0, "buses", "");
  for (const BusConfig& bus : config.buses) {
    out.line(1, bus.name, "");
    out.line(2, "address", yaml_string(bus.address));
    out.line(2, "protocol", std::string(to_string(bus.protocol)));
    out.line(2, "bit_rate", fmt::format("{}", bus.bit_rate));
    out.line(2, "data_bit_rate", fmt::format("{}", bus.data_bit_rate));
    out.line(2, "budget", yaml_number(bus.budget));
    if (bus.cycle_ns != 0) out.line(2, "cycle", yaml_number(to_seconds(bus.cycle_ns)));
  }
}

template <typename Config, std::size_t count>
void write_numbers(Writer& out, int depth, const std::array<NumberKey<Config>, count>& keys,
                   const Config& config) {
  for (const NumberKey<Config>& number : keys) {
    out.line(depth, std::string(number.key), yaml_number(config.*number.field));
  }
}

template <typename Config, std::size_t count>
void write_sixes(Writer& out, int depth, const std::array<SixKey<Config>, count>& keys,
                 const Config& config) {
  for (const SixKey<Config>& six : keys) {
    out.line(depth, std::string(six.key), list(config.*six.field, yaml_number));
  }
}

void write_interaction(Writer& out, const ArmConfig& arm, const RobotConfig& config) {
  out.line(2, "interaction", "");
  write_sixes(out, 3, kInteractionSixes, arm.interaction);
  write_numbers(out, 3, kInteractionNumbers, arm.interaction);
  out.line(2, "zero_g", "");
  write_numbers(out, 3, kZeroGNumbers, arm.zero_g);
  if (arm.zero_g.cuff_joint == kNoJoint) return;
  out.line(
      3, "cuff",
      fmt::format("{{joint: {}, input: {}{}",
                  yaml_string(config.joints[arm.zero_g.cuff_joint].name), arm.zero_g.cuff_input,
                  (arm.zero_g.cuff_active_low ? ", active: low}" : ", active: high}")));
}

void write_device(Writer& out, int indent, const SensorNodeConfig& device) {
  if (device.bus.empty()) return;
  out.line(indent, "device", "");
  out.line(indent + 1, "bus", yaml_string(device.bus));
  out.line(indent + 1, "node", fmt::format("{}", device.node));
  for (const DeviceIdentityKey& part : kDeviceIdentity) {
    const auto& value = device.*part.field;
    if (value) out.line(indent + 1, std::string(part.key), fmt::format("{}", *value));
  }
}

/// @param is_of_arm  that of a foot has neither mass nor filter
void write_force_sensor(Writer& out, int indent, const ForceSensorConfig& sensor, bool is_of_arm) {
  if (sensor.site.empty()) return;
  out.line(indent, "force_sensor", "");
  out.line(indent + 1, "site", yaml_string(sensor.site));
  if (sensor.mass) out.line(indent + 1, "mass", yaml_number(*sensor.mass));
  for (const auto& number : kForceSensorNumbers) {
    if (!is_of_arm && number.field == &ForceSensorConfig::filter_hz) continue;
    out.line(indent + 1, std::string(number.key), yaml_number(sensor.*number.field));
  }
  for (const auto& three : kForceSensorThrees) {
    if (three.field == &ForceSensorConfig::centre && !sensor.mass) continue;
    out.line(indent + 1, std::string(three.key), list(sensor.*three.field, yaml_number));
  }
  write_device(out, indent + 1, sensor.device);
}

void write_imu(Writer& out, const ImuConfig& imu) {
  if (imu.site.empty()) return;
  out.line(1, "imu", "");
  out.line(2, "site", yaml_string(imu.site));
  write_numbers(out, 2, kImuNumbers, imu);
  for (const auto& three : kImuThrees) {
    out.line(2, std::string(three.key), list(imu.*three.field, yaml_number));
  }
  write_device(out, 2, imu.device);
}

void write_arm(Writer& out, const ArmConfig& arm, const RobotConfig& config) {
  out.line(1, arm.name, "");
  out.line(2, "part", yaml_string(arm.part));
  out.line(2, "tool", yaml_string(arm.tool));
  if (!arm.base.empty()) out.line(2, "base", yaml_string(arm.base));
  out.line(2, "frame", std::string(to_string(arm.frame)));
  write_sixes(out, 2, kArmSixes, arm);
  write_numbers(out, 2, kArmNumbers, arm);
  out.line(2, "projector", std::string(to_string(arm.projector)));
  out.line(2, "posture_weights", list(arm.posture_weights, yaml_number));
  out.line(2, "friction", "");
  for (const auto& number : kFrictionNumbers) {
    out.line(3, std::string(number.key), list(arm.friction, [&](const FrictionConfig& friction) {
               return yaml_number(friction.*number.field);
             }));
  }
  write_force_sensor(out, 2, arm.force_sensor, /*is_of_arm=*/true);
  std::vector<ArmTerm> terms;
  for (const ArmTerm term : kAllArmTerm) {
    if (arm.terms.has(term)) terms.push_back(term);
  }
  out.line(2, "terms", list(terms, [](ArmTerm term) { return std::string(to_string(term)); }));
  out.line(2, "payload",
           "{mass: " + yaml_number(arm.payload.mass) +
               ", centre: " + list(arm.payload.centre, yaml_number) +
               ", inertia: " + list(arm.payload.inertia, yaml_number) + "}");
  write_interaction(out, arm, config);
}

void write_gripper(Writer& out, const GripperConfig& gripper, const RobotConfig& config) {
  out.line(1, gripper.name, "");
  out.line(2, "joints", list(gripper.joints, [&config](const GripperJoint& joint) {
             return yaml_string(config.joints[joint.joint].name);
           }));
  out.line(2, "open",
           list(gripper.joints, [](const GripperJoint& joint) { return yaml_number(joint.open); }));
  out.line(2, "closed", list(gripper.joints, [](const GripperJoint& joint) {
             return yaml_number(joint.closed);
           }));
  if (gripper.knows_width()) out.line(2, "width", list(gripper.widths, yaml_number));
  if (gripper.force > 0.0) out.line(2, "force", yaml_number(gripper.force));
  if (gripper.force_max > 0.0) out.line(2, "force_max", yaml_number(gripper.force_max));
  out.line(2, "slip", yaml_number(gripper.slip));
}

/// Values are those at the start, all of them.
void write_law(Writer& out, const LawConfig& law, const RobotConfig& config,
               const std::filesystem::path& folder) {
  out.line(1, law.name, "");
  if (!law.library.empty()) out.line(2, "library", path_from(folder, law.library));
  out.line(2, "joints", list(law.joints, [&config](JointIndex joint) {
             return yaml_string(config.joints[joint].name);
           }));
  std::vector<ControlMode> modes;
  for (const ControlMode mode : kAllControlMode) {
    if (law.modes.has(mode)) modes.push_back(mode);
  }
  out.line(2, "modes", list(modes, [](ControlMode mode) { return std::string(to_string(mode)); }));
  out.line(2, "on", word(law.on));
  out.line(2, "budget", yaml_number(law.budget));
  const auto write_value = [&out](const auto& one) {
    out.line(3, one.name, yaml_number(one.value));
  };
  if (!law.parameters.empty() || !law.given.empty()) out.line(2, "parameters", "");
  if (law.parameters.empty()) {
    for (const LawParameterValue& given : law.given) write_value(given);
  }
  for (const LawParameter& parameter : law.parameters) write_value(parameter);
}

void write_whole_body(Writer& out, const WholeBodyConfig& body) {
  out.line(0, "whole_body", "");
  out.line(1, "feet", "");
  for (const FootConfig& foot : body.feet) {
    out.line(2, foot.name, "");
    out.line(3, "frame", yaml_string(foot.frame));
    out.line(3, "centre", list(foot.centre, yaml_number));
    out.line(3, "size", list(foot.size, yaml_number));
    write_force_sensor(out, 3, foot.force_sensor, /*is_of_arm=*/false);
  }
  if (!body.hands.empty()) out.line(1, "hands", "");
  for (const HandConfig& hand : body.hands) out.line(2, hand.name, yaml_string(hand.frame));
  const auto has_fingers = [](const HandConfig& hand) { return !hand.gripper.empty(); };
  if (std::any_of(body.hands.begin(), body.hands.end(), has_fingers)) out.line(1, "fingers", "");
  for (const HandConfig& hand : body.hands) {
    if (has_fingers(hand)) out.line(2, hand.name, yaml_string(hand.gripper));
  }
  if (!body.chest.empty()) out.line(1, "chest", yaml_string(body.chest));
  if (!body.head.empty()) out.line(1, "head", yaml_string(body.head));
  if (!body.pelvis.empty()) out.line(1, "pelvis", yaml_string(body.pelvis));
  out.line(1, "upright", list(body.upright, yaml_string));
  write_imu(out, body.imu);
  out.line(1, "mode", std::string(to_string(body.mode)));
  write_numbers(out, 1, kBodyNumbers, body);
  out.line(1, "iterations", fmt::format("{}", body.iterations));
  out.line(1, "attempts", fmt::format("{}", body.attempts));
}

void write_avoidance(Writer& out, const CollisionAvoidanceConfig& avoidance) {
  out.line(0, "collision_avoidance", "");
  out.line(1, "on", word(avoidance.on));
  for (const auto& number : kAvoidanceNumbers) {
    const double value = avoidance.*number.field;
    // 0: derived for each joint.
    if (number.field == &CollisionAvoidanceConfig::torque_max && value == 0.0) continue;
    out.line(1, std::string(number.key), yaml_number(value));
  }
  out.line(1, "exclude", list(avoidance.exclude, [](const ExcludedBodies& pair) {
             return "[" + yaml_string(pair.a) + ", " + yaml_string(pair.b) + "]";
           }));
}

void write_detection(Writer& out, const CollisionDetectionConfig& detection) {
  out.line(0, "collision_detection", "");
  out.line(1, "on", word(detection.on));
  out.line(1, "when_yielding", word(detection.when_yielding));
  write_numbers(out, 1, kDetectionNumbers, detection);
}

void write_plant(Writer& out, const PlantConfig& plant) {
  out.line(0, "plant", "");
  out.line(1, "payloads", list(plant.payloads, [](const PayloadConfig& payload) {
             return "{body: " + yaml_string(payload.body) + ", mass: " + yaml_number(payload.mass) +
                    ", centre: " + list(payload.centre, yaml_number) +
                    ", inertia: " + list(payload.inertia, yaml_number) + "}";
           }));
  out.line(1, "mass_scale", yaml_number(plant.mass_scale));
  out.line(1, "friction_scale", yaml_number(plant.friction_scale));
  out.line(1, "keep_overlaps", plant.keep_overlaps ? "true" : "false");
  out.line(1, "encoder_noise", yaml_number(plant.encoder_noise));
  out.line(1, "torque_noise", yaml_number(plant.torque_noise));
  out.line(1, "seed", fmt::format("{}", plant.seed));
}

}  // namespace

std::string to_yaml(const RobotConfig& config, const std::filesystem::path& folder) {
  Writer out;
  out.comment("All settings of a robot. Numbers are in SI units: rad or m, s, N m or N, kg, A, V;");
  out.comment("temperatures in degC.");
  out.line(0, "schema", "1");
  if (!config.name.empty()) out.line(0, "name", yaml_string(config.name));
  out.line(0, "model", path_from(folder, config.model_path));
  if (!config.package_path.empty()) {
    out.line(0, "package_path", list(config.package_path, [&folder](const std::string& path) {
               return path_from(folder, path);
             }));
  }
  out.line(0, "scene", path_from(folder, config.scene_path));
  out.line(0, "keyframe", yaml_string(config.keyframe));
  out.line(0, "pin_base", word(config.pin_base));
  if (config.gravity) {
    const auto& [x, y, z] = *config.gravity;
    out.line(0, "gravity",
             "[" + yaml_number(x) + ", " + yaml_number(y) + ", " + yaml_number(z) + "]");
  }
  out.line(0, "motors", word(config.motors));
  out.line(0, "period", yaml_number(to_seconds(config.period_ns)));
  out.line(0, "speed_override", yaml_number(config.speed_override));
  out.line(0, "delay_cycles", fmt::format("{}", config.delay_cycles));
  if (!config.parts.empty()) out.line(0, "parts", "");
  for (const PartConfig& part : config.parts) {
    out.line(1, part.name, list(part.joints, [&config](JointIndex joint) {
               return yaml_string(config.joints[joint].name);
             }));
  }
  out.line(0, "backend", std::string(to_string(config.backend)));
  if (!config.virtual_boards.empty()) {
    out.line(0, "virtual_boards", yaml_string(config.virtual_boards));
  }
  write_poses(out, config);
  write_buses(out, config);
  if (!config.joints.empty()) out.line(0, "joints", "");
  for (const JointConfig& joint : config.joints) write_joint(out, joint);
  if (!config.arms.empty()) out.line(0, "arms", "");
  for (const ArmConfig& arm : config.arms) write_arm(out, arm, config);
  if (!config.grippers.empty()) out.line(0, "grippers", "");
  for (const GripperConfig& gripper : config.grippers) write_gripper(out, gripper, config);
  const auto is_own = [](const LawConfig& law) { return !law.is_whole_body; };
  if (std::any_of(config.laws.begin(), config.laws.end(), is_own)) out.line(0, "laws", "");
  for (const LawConfig& law : config.laws) {
    if (is_own(law)) write_law(out, law, config, folder);
  }
  if (config.whole_body) write_whole_body(out, *config.whole_body);
  out.line(0, "external_torque",
           "{gain: " + yaml_number(config.external_torque.gain) +
               ", friction: " + word(config.external_torque.friction) + "}");
  if (config.avoidance) write_avoidance(out, *config.avoidance);
  if (config.detection) write_detection(out, *config.detection);
  write_plant(out, config.plant);
  return out.text();
}

}  // namespace jointrig::harness
