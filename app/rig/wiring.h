#pragma once
/// Makes the driver's buses and drives (hw/driver) from robot.yaml. Start-up only.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/sensor_nodes.h"
#include "hw/can/bit_time.h"
#include "hw/canopen/sensor_objects.h"
#include "hw/driver/drive_units.h"
#include "hw/driver/joint_bus.h"
#include "hw/driver/pdo_layout.h"

namespace jointrig::app {

/// 6502h of a drive with these modes. Homing is always included.
[[nodiscard]] std::uint32_t offered_modes(const DriveModes& modes) noexcept;

[[nodiscard]] hw::DriveFacts facts_of(const DriveConfig& drive);

/// True if this joint's board reads the cuff of an arm.
[[nodiscard]] bool reads_a_cuff(const RobotConfig& robot, std::size_t joint) noexcept;

/// Digital inputs of its board that are on without voltage, one bit each.
[[nodiscard]] std::uint8_t inputs_active_low(const RobotConfig& robot, std::size_t joint) noexcept;

/// Joints by bus, in the order of `buses`; without those of other backends.
[[nodiscard]] std::vector<std::vector<std::size_t>> joints_by_bus(const RobotConfig& robot);

/// Places of joints among those that the robot has on buses (HwBus::robot_index): their numbers,
/// where none is elsewhere.
[[nodiscard]] std::vector<std::size_t> places_of(const RobotConfig& robot,
                                                 const std::vector<std::size_t>& joints);

/// Those of sensors_of() (control/core/sensor_nodes.h) that are nodes of this bus, by number.
[[nodiscard]] std::vector<std::size_t> sensors_on(const RobotConfig& robot, std::size_t bus);

/// PDOs of a joint's CANopen drive: those of its profile, of its robot.yaml, or of a board of the
/// project.
[[nodiscard]] hw::PdoLayouts pdos_of(const RobotConfig& robot, std::size_t joint);

/// Bit rates of a bus: those of a serial line stand in its address.
[[nodiscard]] can::BitRates rates_of(const BusConfig& bus);

/// Time from one SYNC of a bus to the next.
[[nodiscard]] TimeNs cycle_of(const RobotConfig& robot, const BusConfig& bus) noexcept;

/// The ratio of the loop's cycles and those of a bus: HwBus::every and ::lead. The commands of
/// CANopen drives are sent so early that they arrive a tenth of T before SYNC.
struct BusPace {
  unsigned every = 1;
  unsigned lead = 1;
};
[[nodiscard]] BusPace pace_of(const RobotConfig& robot, std::size_t bus);

/// Reasons why this robot can't be driven over its buses, one sentence each: no buses, a joint
/// without a drive, limits that a drive can't express, a bus too slow for its frames.
[[nodiscard]] std::vector<std::string> wiring_problems(const RobotConfig& robot);

/// The serial number of a virtual servo: different for each set of virtual boards, since a servo
/// has no object like 2011h.
[[nodiscard]] std::uint32_t servo_serial(std::uint32_t number, std::uint32_t boards_token) noexcept;

/// The number of a virtual board, if robot.yaml sets none.
[[nodiscard]] std::uint32_t board_serial(const JointConfig& joint, std::size_t index) noexcept;

/// The serial number of a virtual sensor, if robot.yaml sets none.
[[nodiscard]] std::uint32_t sensor_serial(const RobotConfig& robot, std::size_t sensor);
[[nodiscard]] canopen::SensorKind kind_of(const NamedSensor& sensor) noexcept;

/// A line for each bus of a robot without wiring_problems(): its load in a cycle, the limit, and
/// the sum that it comes from.
[[nodiscard]] std::vector<std::string> bus_loads(const RobotConfig& robot);

/// A bus with its joints and sensors for the driver, in the order of joints_by_bus(). Throws
/// std::invalid_argument for a joint that its bus can't carry.
/// @param boards_token  token of the required virtual boards (2011h, a servo's serial); none: real
/// drives
/// @param patient  silence is counted in cycles alone, not by the clock: for boards in lockstep,
/// where a cycle may take as long as it takes
[[nodiscard]] std::unique_ptr<hw::JointBus> driver_bus(const RobotConfig& robot, std::size_t bus,
                                                       std::optional<std::uint32_t> boards_token,
                                                       bool patient = false);

}  // namespace jointrig::app
