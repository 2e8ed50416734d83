#pragma once
/// The objects of a board that drives one joint by CiA 402, as the project's virtual boards have
/// them and as its driver likes them best. Data only: what they mean is CiA 402's.
///
/// Four numbers are the maker's own, in 2000h to 2FFFh:
///   2010h  cyclic life: :1 a counter that the host sends with every command, :2 its echo with
///          every answer, :3 missed SYNCs that are bridged
///   2011h  the bench that a virtual board stands on: a number that it and its host know; 0 on a
///          real board
///   2020h  PWM: :1 target, :2 actual duty [1/1000]
///   2030h  temperature: :1 drive, :2 motor [0.1 °C]

#include <cstdint>

#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

struct JointBoardOptions {
  std::uint32_t vendor = 0x0FFF;
  std::uint32_t product = 0x402;
  std::uint32_t revision = 1;
  std::uint32_t serial = 1;
  std::uint32_t bench_token = 0;          ///< 2011h
  std::uint32_t supported_modes = 0x3AD;  ///< 6502h: pp pv tq hm csp csv cst
};

/// PDOs: one RPDO of 8 bytes a cycle whatever the mode, each with the same first four bytes
/// (controlword, mode, life counter), then
///   RPDO1 target position   RPDO2 target torque, duty   RPDO3 target velocity   RPDO4 feed-forward
///   TPDO1 statusword, mode, life echo, position   TPDO2 velocity, torque, error code
///   TPDO3 temperatures, DC link every 100 ms      TPDO4 not used
[[nodiscard]] DeviceDescription joint_board(const JointBoardOptions& options = {});

}  // namespace jointrig::canopen
