#include "harness/config/arm_settings.h"

#include <fmt/core.h>

#include <algorithm>

#include "control/core/nearest_word.h"
#include "harness/config/apply_settings.h"
#include "harness/config/joint_names.h"
#include "harness/config/load_reader.h"
#include "harness/config/units.h"

namespace jointrig::harness {

void read_device(const YamlNode& keys, SensorNodeConfig& device) {
  if (const YamlNode* bus = keys.find("bus")) device.bus = bus->text();
  if (const YamlNode* node = keys.find("node")) device.node = static_cast<int>(node->integer());
  for (const DeviceIdentityKey& part : kDeviceIdentity) {
    if (const YamlNode* value = keys.find(part.key)) {
      device.*part.field = static_cast<std::uint32_t>(value->integer());
    }
  }
}

void read_force_sensor(const YamlNode& keys, ForceSensorConfig& sensor) {
  if (const YamlNode* site = keys.find("site")) sensor.site = site->text();
  if (const YamlNode* mass = keys.find("mass")) sensor.mass = quantity(*mass, "kg");
  read_numbers(keys, kForceSensorNumbers, sensor);
  read_threes(keys, kForceSensorThrees, sensor);
  if (const YamlNode* device = keys.find("device")) read_device(*device, sensor.device);
  if (sensor.site.empty()) throw keys.error("the force sensor has no site; name that of the MJCF");
  if (keys.find("centre") != nullptr && !sensor.mass) {
    throw FileError(keys.key_spot("centre"), "centre is that of `mass`, which isn't given");
  }
}
namespace {

/// One number for all the joints of an arm, or a list with one each.
template <typename Set>
void read_each(const YamlNode& values, std::size_t count, std::string_view units, Set&& set) {
  const bool is_list = values.is_sequence();
  if (is_list && values.items().size() != count) {
    throw values.error(
        fmt::format("the arm has {} joints, got {} values", count, values.items().size()));
  }
  for (std::size_t i = 0; i < count; ++i) {
    set(i, quantity(is_list ? values.items()[i] : values, units));
  }
}

void read_part(const YamlNode& keys, const SourceSpot& spot, const RobotConfig& config,
               ArmConfig& arm) {
  if (const YamlNode* part = keys.find("part")) arm.part = part->text();
  const PartConfig* part = find_part(config, arm.part);
  if (part == nullptr) {
    std::vector<std::string> names;
    for (const PartConfig& known : config.parts) names.push_back(known.name);
    const SourceSpot& at = keys.find("part") != nullptr ? keys.at("part").spot() : spot;
    if (arm.part.empty()) throw FileError(at, "arm " + arm.name + " has no part; name one");
    throw FileError(at, "there is no part \"" + arm.part + "\"" + did_you_mean(arm.part, names));
  }
  arm.joints = part->joints;
  std::sort(arm.joints.begin(), arm.joints.end());
  if (arm.joints.size() > kMaxArmJoints) {
    throw FileError(
        spot,
        fmt::format(
            "arm {} has {} joints, more than the {} that one can have; give it a smaller part",
            arm.name, arm.joints.size(), kMaxArmJoints));
  }
}

void read_payload(const YamlNode& keys, KnownPayload& payload) {
  payload.mass = quantity(keys.at("mass"), "kg");
  payload.centre = {};
  const YamlNode* centre = keys.find("centre");
  for (std::size_t i = 0; centre != nullptr && i < 3; ++i) {
    payload.centre[i] = quantity(centre->items()[i], "m");
  }
  payload.inertia = {};
  if (const YamlNode* inertia = keys.find("inertia")) {
    payload.inertia = read_load_inertia(*inertia, payload.mass);
  }
}

void read_friction(const YamlNode& keys, ArmConfig& arm) {
  for (const auto& number : kFrictionNumbers) {
    const YamlNode* values = keys.find(number.key);
    if (values == nullptr) continue;
    read_each(*values, arm.joints.size(), number.units,
              [&](std::size_t i, double value) { arm.friction[i].*number.field = value; });
  }
}

void read_interaction(const YamlNode& keys, InteractionConfig& interaction) {
  read_sixes(keys, kInteractionSixes, interaction);
  read_numbers(keys, kInteractionNumbers, interaction);
}

void read_zero_g(const YamlNode& keys, const RobotConfig& config, ZeroGConfig& zero_g) {
  read_numbers(keys, kZeroGNumbers, zero_g);
  const YamlNode* cuff = keys.find("cuff");
  if (cuff == nullptr) return;
  const YamlNode& joint = cuff->at("joint");
  std::vector<std::string> names;
  zero_g.cuff_joint = kNoJoint;
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    names.push_back(config.joints[i].name);
    if (names.back() == joint.text()) zero_g.cuff_joint = static_cast<JointIndex>(i);
  }
  if (zero_g.cuff_joint == kNoJoint) {
    throw FileError(joint.spot(), "there is no joint \"" + joint.text() + "\"" +
                                      did_you_mean(joint.text(), names));
  }
  const YamlNode* input = cuff->find("input");
  zero_g.cuff_input =
      input != nullptr ? static_cast<std::uint8_t>(input->number()) : std::uint8_t{0};
  const YamlNode* active = cuff->find("active");
  zero_g.cuff_active_low = active != nullptr && active->text() == "low";
}

/// Derives the values of each joint that are not given.
void fill_up(const RobotConfig& config, ArmConfig& arm) {
  if (arm.posture_weights.size() != arm.joints.size()) {
    arm.posture_weights.assign(arm.joints.size(), 1.0);
  }
  if (arm.friction.size() == arm.joints.size()) return;
  arm.friction.clear();
  for (const JointIndex joint : arm.joints) {
    FrictionConfig friction;
    friction.coulomb = config.joints[joint].gains.friction;
    friction.viscous = config.joints[joint].gains.viscous;
    arm.friction.push_back(friction);
  }
}

/// A default is within the caps that a file sets.
void lower_default_stiffness(ArmConfig& arm) {
  for (std::size_t i = 0; i < arm.stiffness.size(); ++i) {
    arm.stiffness[i] = std::min(arm.stiffness[i], arm.stiffness_max[i]);
  }
}

void read_arm(const YamlNode::Entry& entry, const RobotConfig& config, bool is_new,
              ArmConfig& arm) {
  const YamlNode& keys = entry.value;
  arm.where.text = to_string(entry.spot);
  read_part(keys, entry.spot, config, arm);
  fill_up(config, arm);
  if (const YamlNode* tool = keys.find("tool")) arm.tool = tool->text();
  if (arm.tool.empty()) {
    throw FileError(entry.spot, "arm " + arm.name + " has no tool; name a site or a body");
  }
  if (const YamlNode* base = keys.find("base")) arm.base = base->text();
  if (const YamlNode* frame = keys.find("frame")) parse(frame->text(), arm.frame);
  if (const YamlNode* word = keys.find("projector")) parse(word->text(), arm.projector);
  read_numbers(keys, kArmNumbers, arm);
  read_sixes(keys, kArmSixes, arm);
  if (is_new && keys.find("stiffness") == nullptr) lower_default_stiffness(arm);
  if (const YamlNode* weights = keys.find("posture_weights")) {
    read_each(*weights, arm.joints.size(), "1",
              [&](std::size_t i, double value) { arm.posture_weights[i] = value; });
  }
  if (const YamlNode* sensor = keys.find("force_sensor")) {
    read_force_sensor(*sensor, arm.force_sensor);
  }
  if (const YamlNode* friction = keys.find("friction")) read_friction(*friction, arm);
  if (const YamlNode* payload = keys.find("payload")) read_payload(*payload, arm.payload);
  if (const YamlNode* more = keys.find("interaction")) read_interaction(*more, arm.interaction);
  if (const YamlNode* zero_g = keys.find("zero_g")) read_zero_g(*zero_g, config, arm.zero_g);
  if (const YamlNode* terms = keys.find("terms")) {
    arm.terms = {};
    for (const YamlNode& word : terms->items()) {
      ArmTerm term{};
      if (parse(word.text(), term)) arm.terms.set(term);
    }
  }
}

/// Place of a key of an arm, else of the arm, else the file.
SourceSpot spot_in_arm(const YamlNode& keys, const std::string& arm, std::string_view key) {
  const YamlNode* arms = keys.find("arms");
  const YamlNode* settings = arms != nullptr ? arms->find(arm) : nullptr;
  if (settings == nullptr) return {keys.spot().source, 0, 0};
  const YamlNode* value = settings->find(key);
  return value != nullptr ? value->spot() : arms->key_spot(arm);
}

void check_arm(const YamlNode& keys, const RobotConfig& config, const ArmConfig& arm,
               Problems& problems) {
  for (const JointIndex joint : arm.joints) {
    const JointConfig& its = config.joints[joint];
    if (!its.board.drive_modes.has(DriveMode::kTorque)) {
      problems.add(spot_in_arm(keys, arm.name, "part"),
                   "arm " + arm.name + " is controlled by torque, and the board of its joint " +
                       its.name +
                       " takes none: its drive_modes lack \"torque\"; give it a board that does, "
                       "or leave the arm out");
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    if (arm.stiffness[i] <= arm.stiffness_max[i]) continue;
    problems.add(
        spot_in_arm(keys, arm.name, "stiffness"),
        fmt::format("stiffness of arm {}, {} as its number {}, is above its stiffness_max, {}",
                    arm.name, yaml_number(arm.stiffness[i]), i + 1,
                    yaml_number(arm.stiffness_max[i])));
  }
  const double nyquist = 0.5 / to_seconds(config.period_ns);
  if (!arm.force_sensor.site.empty() && arm.force_sensor.filter_hz > nyquist) {
    problems.add(spot_in_arm(keys, arm.name, "force_sensor"),
                 "the force sensor of arm " + arm.name + " has a filter of " +
                     yaml_number(arm.force_sensor.filter_hz) +
                     " Hz, above half the rate of its samples, " + yaml_number(nyquist) +
                     " Hz; give less, or 0 for none");
  }
  if (arm.timeout < to_seconds(config.period_ns)) {
    problems.add(spot_in_arm(keys, arm.name, "timeout"),
                 "timeout of arm " + arm.name + ", " + yaml_number(arm.timeout) +
                     " s, is shorter than the period, " +
                     yaml_number(to_seconds(config.period_ns)) + " s");
  }
}

}  // namespace

void apply_arms(const YamlNode& arms, RobotConfig& config, Problems& problems) {
  for (const YamlNode::Entry& entry : arms.entries()) {
    auto arm = std::find_if(config.arms.begin(), config.arms.end(),
                            [&](const ArmConfig& known) { return known.name == entry.key; });
    const bool is_new = arm == config.arms.end();
    if (is_new) {
      arm = config.arms.insert(arm, ArmConfig{});
      arm->name = entry.key;
    }
    problems.collect([&] { read_arm(entry, config, is_new, *arm); });
  }
}

void check_arms(const YamlNode& keys, const RobotConfig& config, Problems& problems) {
  if (config.arms.size() > kMaxArms) {
    problems.add(keys.key_spot("arms"),
                 fmt::format("the robot has {} arms, more than the {} of one stack",
                             config.arms.size(), kMaxArms));
  }
  std::vector<const ArmConfig*> owner(config.joints.size(), nullptr);
  for (const ArmConfig& arm : config.arms) {
    check_arm(keys, config, arm, problems);
    for (const JointIndex joint : arm.joints) {
      if (owner[joint] != nullptr) {
        problems.add(spot_in_arm(keys, arm.name, "part"),
                     "joint " + config.joints[joint].name + " is in two arms, " +
                         owner[joint]->name + " and " + arm.name + ": it can have one owner");
        break;
      }
      owner[joint] = &arm;
    }
  }
}

}  // namespace jointrig::harness
