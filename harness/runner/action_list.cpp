#include "harness/runner/action_list.h"

#include <algorithm>

#include "control/core/nearest_word.h"
#include "control/exchange/robot_client.h"
#include "harness/config/units.h"

namespace jointrig::harness {

namespace {

// Place of a key's value; the mapping if the key is missing.
const SourceSpot& spot_of(const ActionStep& action, const std::string& key) {
  const auto found = action.keys.find(key);
  return found == action.keys.end() ? action.spot : found->second.spot;
}

std::string unit_for(const JointConfig& joint, const std::string& unit) {
  if (unit == "rad") return joint.slide ? "m" : "rad";
  if (unit == "N·m") return joint.slide ? "N" : "Nm";
  if (unit == "fraction" || unit == "cycles" || unit == "input") return "1";
  return unit;
}

// Feet and the IMU whose sensors a fault may name.
std::vector<std::string> body_sensors(const RobotConfig& config) {
  if (!config.whole_body) return {};
  std::vector<std::string> names;
  if (!config.whole_body->imu.site.empty()) names.emplace_back("imu");
  for (const FootConfig& foot : config.whole_body->feet) {
    if (!foot.force_sensor.site.empty()) names.push_back(foot.name);
  }
  return names;
}

// Checks a fault of a sensor.
void check_sensor(const FaultAction& fault, const ActionStep& action, const World& world,
                  const RobotConfig& config) {
  std::vector<std::string> names = body_sensors(config);
  if (fault.sensor.empty()) {
    names.clear();
    for (const ArmConfig& arm : config.arms) names.push_back(arm.name);
  }
  const std::string key = fault.sensor.empty() ? "arm" : "sensor";
  const std::string& name = fault.sensor.empty() ? fault.arm : fault.sensor;
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw FileError(spot_of(action, key),
                    "there is no " + key + " \"" + name + "\"" + did_you_mean(name, names));
  }
  const auto types = world.sensor_fault_types();
  if (types.empty()) {
    throw FileError(action.spot, "no sensor is simulated here that could have a fault");
  }
  if (std::find(types.begin(), types.end(), fault.type) == types.end()) {
    throw FileError(spot_of(action, "type"), "no fault \"" + fault.type + "\" of a sensor" +
                                                 did_you_mean(fault.type, types));
  }
  const auto value = action.keys.find("value");
  if (value == action.keys.end()) return;
  throw FileError(value->second.spot, "the fault \"" + fault.type + "\" takes no value");
}

// Checks an injected fault against the robot's joints and the world's faults, key by key.
void check(const FaultAction& fault, const ActionStep& action, const World& world,
           const RobotConfig& config) {
  if (!fault.arm.empty() || !fault.sensor.empty())
    return check_sensor(fault, action, world, config);
  const JointConfig* joint = nullptr;
  try {
    joint = &config.joints[joint_named(config, fault.joint)];
  } catch (const UnknownName& error) {
    throw FileError(spot_of(action, "joint"), error.what());
  }
  const auto types = world.fault_types();
  if (std::find(types.begin(), types.end(), fault.type) == types.end()) {
    throw FileError(spot_of(action, "type"),
                    "no fault \"" + fault.type + "\"" + did_you_mean(fault.type, types));
  }
  const auto value = action.keys.find("value");
  if (value == action.keys.end()) return;
  const std::string unit = world.fault_unit(fault.type);
  if (unit.empty()) {
    throw FileError(value->second.spot, "the fault \"" + fault.type + "\" takes no value");
  }
  const YamlNode node(YamlNode::Kind::kString, value->second.text, value->second.spot);
  static_cast<void>(quantity(node, unit_for(*joint, unit)));
}

// Checks a force on a joint: its name, and the dimension of its value.
void check(const ForceAction& force, const ActionStep& action, const RobotConfig& config) {
  if (force.joint.empty()) return;
  try {
    const JointConfig& joint = config.joints[joint_named(config, force.joint)];
    const auto along = action.keys.find("along");
    if (along == action.keys.end()) return;
    const YamlNode node(YamlNode::Kind::kString, along->second.text, along->second.spot);
    static_cast<void>(quantity(node, unit_for(joint, "N·m")));
  } catch (const UnknownName& error) {
    throw FileError(spot_of(action, "joint"), error.what());
  }
}

}  // namespace

World::Handle ActionList::prepare(const ActionStep& action, const RobotConfig& config) {
  if (const auto* force = std::get_if<ForceAction>(&action.action)) check(*force, action, config);
  const auto* fault = std::get_if<FaultAction>(&action.action);
  if (fault != nullptr) check(*fault, action, *world_, config);
  try {
    return std::visit([this](const auto& what) { return world_->prepare(what); }, action.action);
  } catch (const BadAction& error) {
    throw FileError(spot_of(action, error.key()), error.what());
  }
}

std::size_t ActionList::add(const std::string& name, const ActionStep& action, TimeNs at,
                            const RobotConfig& config) {
  if (world_ == nullptr) {
    throw FileError(action.spot,
                    "faults and disturbances need a simulated world, which this backend doesn't "
                    "have: give the scenario \"backends: [sim]\"");
  }
  Entry entry;
  entry.name = name;
  entry.at = at;
  if (action.duration) entry.duration = to_ns(*action.duration);
  entry.handle = prepare(action, config);
  entries_.push_back(std::move(entry));
  return entries_.size() - 1;
}

std::vector<std::string> ActionList::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  return names;
}

void ActionList::begin(std::size_t action, TimeNs now) noexcept {
  Entry& entry = entries_[action];
  entry.until = entry.duration == kNoTime ? kNoTime : now + entry.duration;
  entry.acts = true;
  world_->begin(entry.handle);
}

void ActionList::end(std::size_t action) noexcept {
  Entry& entry = entries_[action];
  if (entry.acts) world_->end(entry.handle);
  entry.acts = false;
}

void ActionList::end(std::string_view name) noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].name == name) end(i);
  }
}

void ActionList::update(TimeNs now) noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.at <= now) {
      entry.at = kNoTime;
      begin(i, now);
    }
    if (entry.acts && entry.until <= now) end(i);
  }
}

void ActionList::end_all() noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) end(i);
}

}  // namespace jointrig::harness
