#pragma once
/// The argument BUS of `jointrig bus`:
///
///     slcan:/dev/ttyACM0@1000000     an address (hw/can/transport_address.h)
///     franka                         a robot: all buses of its robot.yaml
///     franka/shoulder                one of them

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "hw/can/bit_time.h"
#include "hw/driver/drive_setup.h"
#include "hw/driver/drive_units.h"

namespace jointrig::app {

/// A drive that robot.yaml puts on a bus.
struct ExpectedDrive {
  std::uint8_t node = 0;
  std::string joint;
  hw::DriveIdentity identity;
  hw::DriveUnits units;
  bool slide = false;
};

struct ChosenBus {
  std::string name;  ///< name in robot.yaml; else the address
  std::string address;
  can::BitRates rates;
  BusProtocol protocol = BusProtocol::kCanopen;
  bool of_robot = false;  ///< `drives` lists all nodes of the bus
  std::vector<ExpectedDrive> drives;

  /// Name of the joint at a node number; "" if unknown.
  [[nodiscard]] std::string joint_at(std::uint8_t node) const;
  /// Name for a table, which includes the host.
  [[nodiscard]] std::string label_of(std::uint8_t node) const;
};

/// @param bit_rate replaces the one of address or robot.yaml Returns the CANopen buses of a robot,
/// and names the others on standard error. Throws as find_robot, or std::invalid_argument with a
/// sentence, for example for a bus with another protocol.
[[nodiscard]] std::vector<ChosenBus> choose_buses(const std::string& word,
                                                  std::optional<std::int64_t> bit_rate = {});

/// The buses of robot.yaml, the CANopen ones with their drives. Throws std::invalid_argument if
/// there are none.
[[nodiscard]] std::vector<ChosenBus> buses_of(const RobotConfig& robot);

struct ChosenNode {
  const ChosenBus* bus = nullptr;
  std::uint8_t node = 0;
};
/// A number 1..127 on the only bus, or a joint's name. Throws std::invalid_argument.
[[nodiscard]] ChosenNode choose_node(const std::vector<ChosenBus>& buses, const std::string& word);

}  // namespace jointrig::app
