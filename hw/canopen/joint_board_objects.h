#pragma once
/// The objects of a board that drives one joint by CiA 402, as the project's virtual boards have
/// them and as its driver likes them best. Data only: CiA 402 gives them their meaning.
///
/// These are the maker's own, in 2000h to 2FFFh:
///   2010h  cyclic life: :1 a counter that the host sends with every command, :2 its echo with
///          every answer, :3 missed SYNCs that are bridged
///   2011h  token of a virtual board: a number that it and its host know; 0 on a real board
///   2020h  PWM: :1 target, :2 actual duty, :3 the number that is full duty
///   2030h  temperature: :1 drive, :2 motor, :3 steps in a degree Celsius
///   2040h  homing: :1 progress [1/1000]
///   2041h  finding: numbers on the board's last event, in SI units (REAL32). In a fault
///          :1 the value, :2 the limit that it broke; after homing :1 the zero that was found, as
///          the encoder's reading at the joint [rad or m], :2 how far it may lie from the last one

#include <cstdint>

#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

inline constexpr std::int16_t kFullDuty = 32'767;     ///< 2020h:3
inline constexpr std::int16_t kStepsPerDegree = 100;  ///< 2030h:3

struct JointBoardOptions {
  std::uint32_t vendor = 0x0FFF;
  std::uint32_t product = 0x402;
  std::uint32_t revision = 1;
  std::uint32_t serial = 1;
  std::uint32_t boards_token = 0;         ///< 2011h
  std::uint32_t supported_modes = 0x3AD;  ///< 6502h: pp pv tq hm csp csv cst
};

/// PDOs: one RPDO of 8 bytes a cycle whatever the mode, each with the same first four bytes
/// (controlword, mode, life counter), then
///   RPDO1 target position   RPDO2 target torque, duty   RPDO3 target velocity   RPDO4 feed-forward
///   TPDO1 statusword, mode, life echo, position   TPDO2 velocity, torque, error code
///   TPDO3 temperature of the motor, progress of homing, DC link: every 100 ms, and at once when
///   one
///         of them has moved or a warning or fault comes
///   TPDO4 the finding, when there is one
///   TPDO5 the digital inputs (60FDh); off until a master switches it on
[[nodiscard]] DeviceDescription joint_board(const JointBoardOptions& options = {});

}  // namespace jointrig::canopen
