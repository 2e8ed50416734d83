#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "control/core/nearest_word.h"
#include "control/core/sensor_nodes.h"
#include "harness/config/apply_settings.h"
#include "harness/config/joint_settings.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

/// Place of a joint's `drive`, else the root.
SourceSpot spot_in_drive(const YamlNode& keys, const std::string& joint, std::string_view key) {
  const YamlNode* joints = keys.find("joints");
  const YamlNode* settings = joints != nullptr ? joints->find(joint) : nullptr;
  const YamlNode* drive = settings != nullptr ? settings->find("drive") : nullptr;
  if (drive == nullptr) return {keys.spot().source, 0, 0};
  const YamlNode* value = drive->find(key);
  return value != nullptr ? value->spot() : drive->spot();
}

const BusConfig* bus_called(const RobotConfig& config, const std::string& name) {
  const auto found = std::find_if(config.buses.begin(), config.buses.end(),
                                  [&](const BusConfig& bus) { return bus.name == name; });
  return found != config.buses.end() ? &*found : nullptr;
}

std::string milliseconds(TimeNs time) { return yaml_number(1e3 * to_seconds(time)) + " ms"; }

/// A bus cycle must be a whole number of the loop's cycles.
void check_cycle(const YamlNode& keys, const BusConfig& bus, TimeNs period_ns, Problems& problems) {
  if (bus.cycle_ns % period_ns == 0) return;
  const YamlNode* cycle = keys.find("cycle");
  const TimeNs below = std::max<TimeNs>(bus.cycle_ns / period_ns, 1) * period_ns;
  problems.add(cycle != nullptr ? cycle->spot() : keys.spot(),
               "the cycle of bus " + bus.name + ", " + milliseconds(bus.cycle_ns) +
                   ", is no whole multiple of the robot's period, " + milliseconds(period_ns) +
                   "; take " + milliseconds(below) + " or " + milliseconds(below + period_ns));
}

/// Values that its units need.
std::string lacks(const JointConfig& joint, const BusConfig& bus) {
  const DriveConfig& drive = joint.drive;
  if (drive.node == 0) return "node";
  if (bus.protocol != BusProtocol::kCanopen) return "";
  if (drive.encoder_increments == 0.0) return "encoder_increments";
  if (joint.slide && drive.feed == 0.0) return "feed";
  if (drive.torque_base == DriveTorqueBase::kRatedTorque) {
    return drive.rated_torque == 0.0 ? "rated_torque" : "";
  }
  if (drive.rated_current == 0.0) return "rated_current";
  return drive.torque_constant == 0.0 ? "torque_constant" : "";
}

std::string unknown_bus(const RobotConfig& config, const std::string& name) {
  std::vector<std::string> names;
  for (const BusConfig& known : config.buses) names.push_back(known.name);
  return name + ", which `buses` doesn't have" + did_you_mean(name, names);
}

void check_drive(const YamlNode& keys, const RobotConfig& config, std::size_t index,
                 Problems& problems) {
  const JointConfig& joint = config.joints[index];
  if (joint.drive.bus.empty()) return;
  const BusConfig* bus = bus_called(config, joint.drive.bus);
  if (bus == nullptr) {
    problems.add(
        spot_in_drive(keys, joint.name, "bus"),
        "the drive of " + joint.name + " is on bus " + unknown_bus(config, joint.drive.bus));
    return;
  }
  if (const std::string missing = lacks(joint, *bus); !missing.empty()) {
    problems.add(spot_in_drive(keys, joint.name, missing),
                 "the drive of " + joint.name + " has no " + missing);
  }
  const bool is_compact = joint.drive.layout == DriveLayout::kCompact;
  const bool has_own = !joint.drive.pdos.empty() || !joint.drive.remaps_pdos;
  if (is_compact && (joint.drive.feed_forward || has_own)) {
    problems.add(spot_in_drive(keys, joint.name, "layout"),
                 "the drive of " + joint.name + " has the layout compact, which goes without " +
                     (has_own ? "a mapping of the drive's own: take `pdos` and `remaps_pdos` out"
                              : "feed_forward, a second PDO to it: take one of the two out"));
  }
  for (std::size_t j = 0; j < index; ++j) {
    const JointConfig& other = config.joints[j];
    if (other.drive.bus != joint.drive.bus || other.drive.node != joint.drive.node) continue;
    problems.add(spot_in_drive(keys, joint.name, "node"),
                 fmt::format("the drives of {} and {} are both node {} of bus {}", other.name,
                             joint.name, joint.drive.node, joint.drive.bus));
  }
}

/// Place of a key in the `device` of a sensor, else of the device, else the root.
SourceSpot spot_in_device(const YamlNode& keys, const NamedSensor& sensor, std::string_view key) {
  std::vector<std::string> path = sensor.path;
  path.emplace_back("device");
  path.emplace_back(key);
  const YamlNode* node = &keys;
  for (const std::string& step : path) {
    const YamlNode* next = node->find(step);
    if (next == nullptr) break;
    node = next;
  }
  return node == &keys ? SourceSpot{keys.spot().source, 0, 0} : node->spot();
}

/// The owner of a node's number on a bus: a drive, or one of these sensors.
std::string owner_of(const RobotConfig& config, const SensorNodeConfig& device,
                     std::span<const NamedSensor> others) {
  for (const JointConfig& joint : config.joints) {
    if (joint.drive.bus == device.bus && joint.drive.node == device.node) {
      return "the drive of " + joint.name;
    }
  }
  for (const NamedSensor& other : others) {
    if (other.device.bus == device.bus && other.device.node == device.node) {
      return "the " + other.name;
    }
  }
  return "";
}

/// A sensor's node: a bus that is there and speaks CANopen, a number of its own.
/// @param others  before it
void check_sensor(const YamlNode& keys, const RobotConfig& config, const NamedSensor& sensor,
                  std::span<const NamedSensor> others, Problems& problems) {
  const SensorNodeConfig& device = sensor.device;
  if (device.bus.empty()) return;
  const std::string who = "the " + sensor.name;
  const BusConfig* bus = bus_called(config, device.bus);
  if (bus == nullptr) {
    problems.add(spot_in_device(keys, sensor, "bus"),
                 who + " is on bus " + unknown_bus(config, device.bus));
    return;
  }
  if (bus->protocol != BusProtocol::kCanopen) {
    problems.add(spot_in_device(keys, sensor, "bus"),
                 fmt::format("{} is on bus {}, which speaks {}: it is read over CANopen alone", who,
                             bus->name, to_string(bus->protocol)));
  }
  if (device.node == 0) {
    problems.add(spot_in_device(keys, sensor, "node"), who + " has no node");
    return;
  }
  if (const std::string owner = owner_of(config, device, others); !owner.empty()) {
    problems.add(
        spot_in_device(keys, sensor, "node"),
        fmt::format("{} and {} are both node {} of bus {}", owner, who, device.node, device.bus));
  }
}

}  // namespace

void apply_drive_words(const YamlNode& keys, DriveConfig& drive) {
  if (const YamlNode* bus = keys.find("bus")) drive.bus = bus->text();
  for (const DriveInteger& integer : kDriveIntegers) {
    if (const YamlNode* value = keys.find(integer.key)) {
      drive.*integer.field = static_cast<int>(value->integer());
    }
  }
  for (const DriveFlag& flag : kDriveFlags) {
    if (const YamlNode* value = keys.find(flag.key)) drive.*flag.field = value->boolean();
  }
  for (const DriveIdentityKey& part : kDriveIdentity) {
    if (const YamlNode* value = keys.find(part.key)) {
      drive.*part.field = static_cast<std::uint32_t>(value->integer());
    }
  }
  if (const YamlNode* unit = keys.find("velocity_unit")) parse(unit->text(), drive.velocity_unit);
  if (const YamlNode* base = keys.find("torque_base")) parse(base->text(), drive.torque_base);
  if (const YamlNode* layout = keys.find("layout")) parse(layout->text(), drive.layout);
}

void apply_buses(const YamlNode& buses, RobotConfig& config) {
  for (const YamlNode::Entry& entry : buses.entries()) {
    auto bus = std::find_if(config.buses.begin(), config.buses.end(),
                            [&](const BusConfig& known) { return known.name == entry.key; });
    if (bus == config.buses.end()) {
      bus = config.buses.insert(bus, BusConfig{});
      bus->name = entry.key;
    }
    const YamlNode& keys = entry.value;
    if (const YamlNode* address = keys.find("address")) bus->address = address->text();
    if (const YamlNode* protocol = keys.find("protocol")) parse(protocol->text(), bus->protocol);
    if (const YamlNode* rate = keys.find("bit_rate")) bus->bit_rate = rate->integer();
    if (const YamlNode* rate = keys.find("data_bit_rate")) bus->data_bit_rate = rate->integer();
    if (const YamlNode* budget = keys.find("budget")) bus->budget = quantity(*budget, "1");
    if (const YamlNode* cycle = keys.find("cycle")) bus->cycle_ns = to_ns(quantity(*cycle, "s"));
  }
}

void check_buses(const YamlNode& keys, const RobotConfig& config, Problems& problems) {
  if (const YamlNode* buses = keys.find("buses")) {
    for (const YamlNode::Entry& entry : buses->entries()) {
      const BusConfig* bus = bus_called(config, entry.key);
      if (bus == nullptr) continue;
      check_cycle(entry.value, *bus, config.period_ns, problems);
      if (bus->address.empty()) {
        problems.add(entry.spot, "bus " + entry.key +
                                     " has no address; give one, as slcan:/dev/ttyACM0@1000000");
      }
    }
  }
  for (std::size_t i = 0; i < config.joints.size(); ++i) check_drive(keys, config, i, problems);
  const std::vector<NamedSensor> sensors = sensors_of(config);
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    check_sensor(keys, config, sensors[i], std::span(sensors).first(i), problems);
  }
}

}  // namespace jointrig::harness
