#include "app/bus/bus_choice.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"
#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "hw/can/transport_address.h"
#include "hw/canopen/nmt.h"

namespace jointrig::app {
namespace {

ChosenBus bus_at(const std::string& address) {
  ChosenBus bus;
  bus.name = bus.address = address;
  const can::TransportAddress parsed = can::parse_transport_address(address);
  if (const auto* slcan = std::get_if<can::SlcanOptions>(&parsed)) {
    bus.rates.nominal = slcan->bit_rate;
    if (slcan->data_bit_rate != 0) bus.rates.data = slcan->data_bit_rate;
  }
  return bus;
}

ExpectedDrive drive_of(const JointConfig& joint) {
  const DriveConfig& drive = joint.drive;
  return {.node = static_cast<std::uint8_t>(drive.node),
          .joint = joint.name,
          .identity = {drive.vendor, drive.product, drive.revision, drive.serial},
          .units = hw::DriveUnits(facts_of(drive), joint.slide),
          .slide = joint.slide};
}

void require_canopen(const ChosenBus& bus) {
  if (bus.protocol == BusProtocol::kCanopen) return;
  throw std::invalid_argument("bus " + bus.name + " speaks " +
                              std::string(to_string(bus.protocol)) +
                              ": `jointrig bus` knows CANopen");
}

/// The CANopen buses; the others are reported.
std::vector<ChosenBus> canopen_ones(std::vector<ChosenBus> buses) {
  const bool any = std::any_of(buses.begin(), buses.end(), [](const ChosenBus& bus) {
    return bus.protocol == BusProtocol::kCanopen;
  });
  if (!any) require_canopen(buses.front());
  std::erase_if(buses, [](const ChosenBus& bus) {
    const bool other = bus.protocol != BusProtocol::kCanopen;
    if (other) std::fprintf(stderr, "note: bus %s is left out: no CANopen\n", bus.name.c_str());
    return other;
  });
  return buses;
}

std::vector<ChosenBus> one_of(std::vector<ChosenBus> buses, const std::string& name) {
  std::vector<std::string> names;
  for (ChosenBus& bus : buses) {
    if (bus.name == name) {
      require_canopen(bus);
      return {std::move(bus)};
    }
    names.push_back(bus.name);
  }
  const std::string meant = did_you_mean(name, names);
  throw std::invalid_argument("the robot has no bus \"" + name + "\"" +
                              (meant.empty() ? "; its buses are " + joined(names) : meant));
}

std::vector<ChosenBus> buses_of_robot(const std::string& word) {
  try {
    return canopen_ones(buses_of(load_robot(harness::find_robot(word)).config));
  } catch (const std::exception&) {
    const std::size_t slash = word.rfind('/');
    if (slash == std::string::npos) throw;
    harness::RobotSource robot;
    try {
      robot = harness::find_robot(word.substr(0, slash));
    } catch (const std::exception&) {
      robot = {};  // then the error of the whole word counts
    }
    if (robot.model_path.empty()) throw;
    return one_of(buses_of(load_robot(robot).config), word.substr(slash + 1));
  }
}

std::optional<int> number_of(const std::string& word) {
  int number = 0;
  const char* const end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc{} || at != end) return std::nullopt;
  return number;
}

}  // namespace

std::string ChosenBus::joint_at(std::uint8_t node) const {
  for (const ExpectedDrive& drive : drives) {
    if (drive.node == node) return drive.joint;
  }
  return {};
}

std::string ChosenBus::label_of(std::uint8_t node) const {
  return node == hw::kHostNode ? "(the host)" : joint_at(node);
}

std::vector<ChosenBus> buses_of(const RobotConfig& robot) {
  if (robot.buses.empty()) {
    throw std::invalid_argument("the robot.yaml of " + robot.name +
                                " names no `buses`: tell where its drives are, or give the address "
                                "of a bus, such as slcan:/dev/ttyACM0@1000000");
  }
  std::vector<ChosenBus> buses;
  const auto by_bus = joints_by_bus(robot);
  for (std::size_t i = 0; i < robot.buses.size(); ++i) {
    const BusConfig& from = robot.buses[i];
    ChosenBus& bus = buses.emplace_back();
    bus.name = from.name;
    bus.address = from.address;
    bus.rates = {.nominal = from.bit_rate, .data = from.data_bit_rate};
    bus.of_robot = true;
    bus.protocol = from.protocol;
    if (bus.protocol != BusProtocol::kCanopen) continue;
    for (const std::size_t joint : by_bus[i]) bus.drives.push_back(drive_of(robot.joints[joint]));
  }
  return buses;
}

std::vector<ChosenBus> choose_buses(const std::string& word, std::optional<std::int64_t> bit_rate) {
  const bool is_address = word.find(':') != std::string::npos;
  std::vector<ChosenBus> buses =
      is_address ? std::vector<ChosenBus>{bus_at(word)} : buses_of_robot(word);
  for (ChosenBus& bus : buses) {
    if (bit_rate) bus.rates.nominal = *bit_rate;
  }
  return buses;
}

ChosenNode choose_node(const std::vector<ChosenBus>& buses, const std::string& word) {
  if (const auto number = number_of(word)) {
    if (*number < 1 || *number > canopen::kMaxNode) {
      throw std::invalid_argument("node " + word + " is outside 1 to 127");
    }
    if (buses.size() > 1) {
      throw std::invalid_argument(
          "node " + word +
          " is on which bus? Say ROBOT/BUS, or the joint's name in place of "
          "the number");
    }
    return {buses.data(), static_cast<std::uint8_t>(*number)};
  }
  std::vector<std::string> joints;
  for (const ChosenBus& bus : buses) {
    for (const ExpectedDrive& drive : bus.drives) {
      if (drive.joint == word) return {&bus, drive.node};
      joints.push_back(drive.joint);
    }
  }
  const std::string meant = did_you_mean(word, joints);
  throw std::invalid_argument("\"" + word + "\" is no number of a node" +
                              (meant.empty()
                                   ? (joints.empty() ? "; a joint's name does where BUS is a robot"
                                                     : " and no joint with a drive there")
                                   : meant));
}

}  // namespace jointrig::app
