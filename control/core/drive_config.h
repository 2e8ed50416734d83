#pragma once
/// A joint's real drive and its place on a bus, as in robot.yaml: plain data. The stack does not
/// use it. Backend hw is built from it, and virtual boards answer according to it.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig {

#define JOINTRIG_BUS_PROTOCOLS(X) \
  X(kCanopen, "canopen")          \
  X(kMoteus, "moteus")            \
  X(kDynamixel, "dynamixel")
JOINTRIG_ENUM(BusProtocol, JOINTRIG_BUS_PROTOCOLS)

/// A bus with its drives.
struct BusConfig {
  std::string name;
  std::string address;  ///< hw/can/transport_address.h
  BusProtocol protocol = BusProtocol::kCanopen;
  std::int64_t bit_rate = 1'000'000;       ///< [bit/s]
  std::int64_t data_bit_rate = 5'000'000;  ///< bit rate of CAN FD's data phase [bit/s]
  double budget = 0.7;                     ///< share of the bus time that cyclic frames may take
  TimeNs cycle_ns = 0;                     ///< from one SYNC to the next; 0: the robot's period
  bool operator==(const BusConfig&) const = default;
};

#define JOINTRIG_DRIVE_VELOCITIES(X) \
  X(kCounts, "counts/s")             \
  X(kRpm, "rpm")
JOINTRIG_ENUM(DriveVelocityUnit, JOINTRIG_DRIVE_VELOCITIES)

#define JOINTRIG_DRIVE_TORQUES(X) \
  X(kRatedTorque, "rated_torque") \
  X(kRatedCurrent, "rated_current")
JOINTRIG_ENUM(DriveTorqueBase, JOINTRIG_DRIVE_TORQUES)

/// PDOs of a drive whose mapping is the project's: all of them in a cycle, or one each way.
#define JOINTRIG_DRIVE_LAYOUTS(X) \
  X(kFull, "full")                \
  X(kCompact, "compact")
JOINTRIG_ENUM(DriveLayout, JOINTRIG_DRIVE_LAYOUTS)

/// Objects that a drive may lack, or may be unable to map: named in DriveConfig::without, the
/// driver does without them. docs/drives.md says what is lost.
inline constexpr std::array<std::uint16_t, 14> kDispensableObjects{
    0x0005,   // dummy entries of a mapping; then no object is mapped twice either
    0x1006,   // communication cycle period
    0x1016,   // consumer heartbeat: it doesn't notice that the host died
    0x603F,   // error code: EMCY tells it
    0x605A,   // quick stop option code
    0x605C,   // disable operation option code
    0x605E,   // fault reaction option code
    0x6007,   // abort connection option code
    0x6061,   // mode display: the mode counts as the one asked for
    0x6071,   // target torque
    0x60C2,   // interpolation time
    0x60FE,   // digital outputs: whose brake it is can't be told
    0x60FF,   // target velocity
    0x6502};  // supported modes

/// A PDO of a drive that has a mapping of its own.
struct DrivePdo {
  bool sent = false;              ///< by the drive
  int number = 1;                 ///< RPDO1, TPDO1: 1400h, 1800h
  std::uint32_t cob_id = 0;       ///< 0: that of the predefined connection set
  bool cob_id_adds_node = false;  ///< "$NODEID+0x1C0": cob_id is 1C0h, the node's number is added
  int type = 1;                   ///< transmission type
  std::vector<std::uint32_t> objects;  ///< index · 2¹⁶ + sub · 2⁸ + bits
  bool operator==(const DrivePdo&) const = default;
};

/// The drive of one joint; values are at the motor unless marked. hw/driver/drive_units.h has the
/// formulas.
struct DriveConfig {
  std::string bus;                  ///< name in RobotConfig::buses; empty: the joint has no drive
  int node = 0;                     ///< node number on the bus
  double encoder_increments = 0.0;  ///< increments in encoder_revolutions; 0: not given
  double encoder_revolutions = 1.0;
  double gear = 1.0;           ///< revolutions of the motor per revolution of the shaft
  double feed = 0.0;           ///< feed of a slide [m per revolution of the shaft]
  bool reversed = false;       ///< the drive's positive direction is the joint's negative direction
  double zero_counts = 0.0;    ///< the drive's position at q = 0
  double rated_torque = 0.0;   ///< [N·m]
  double rated_current = 0.0;  ///< [A]
  double torque_constant = 0.0;  ///< [N·m/A]
  double efficiency = 1.0;       ///< efficiency of the gear
  DriveVelocityUnit velocity_unit = DriveVelocityUnit::kCounts;
  DriveTorqueBase torque_base = DriveTorqueBase::kRatedTorque;
  DriveLayout layout = DriveLayout::kFull;
  std::optional<std::uint32_t> vendor, product, revision, serial;  ///< 1018h; absent: any
  bool life_counter = false;      ///< the drive has the project's object 2010h
  bool remaps_pdos = true;        ///< false: its PDO mapping is fixed
  bool feed_forward = false;      ///< send velocity and torque offsets (60B1h, 60B2h) each cycle
  double heartbeat = 0.05;        ///< [s]
  int quick_stop = 6;             ///< 605Ah
  int disable_operation = 0;      ///< 605Ch
  int fault_reaction = 2;         ///< 605Eh
  int connection_lost = 1;        ///< 6007h
  double sdo_timeout = 0.1;       ///< for each answer to a request [s]
  double status_time = 0.1;       ///< for 6041h to show what 6040h did [s]
  double following_window = 0.0;  ///< 6065h [rad or m]; 0: the drive keeps its own
  double following_time = 0.02;   ///< 6066h, written with it [s]
  std::vector<std::uint16_t> without;  ///< of kDispensableObjects
  std::vector<DrivePdo> pdos;          ///< empty: those of a board of the project
  bool operator==(const DriveConfig&) const = default;
};

}  // namespace jointrig
