#pragma once
/// The objects of a force/torque sensor with a node of its own, as the driver reads it and the
/// project's virtual boards serve it. Data only.
///
/// The maker's own, in 2000h to 2FFFh:
///   2011h  token of a virtual board, as of a joint's; 0 on a real one
///   2100h  wrench: :1 to :3 force along x, y, z, :4 to :6 torque about them, in digits
///   2101h  sample: :1 a counter that goes up with each new sample, :2 status: bit 0 is set while
///          the sensor has a fault, and then no sample counts
///   2102h  scale: :1 µN in a digit of a force, :2 µN·m in one of a torque
///
/// PDOs, both with each SYNC; the counter tells which of them belong together:
///   TPDO1 force (3 × 16 bits), counter, status   TPDO2 torque (3 × 16 bits), counter

#include <array>
#include <cstdint>
#include <vector>

#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

inline constexpr std::uint8_t kForceSensorFault = 1;      ///< in 2101h:2
inline constexpr std::int16_t kMostForceDigits = 32'767;  ///< of a component of 2100h
inline constexpr double kForceScaleUnit = 1e-6;           ///< of 2102h [N, N·m]

/// Scales that serve as long as robot.yaml says nothing else, as 2102h: up to 1000 N, 100 N·m.
inline constexpr std::uint32_t kUsualForceScale = 30'519;
inline constexpr std::uint32_t kUsualTorqueScale = 3'052;

struct ForceSensorOptions {
  std::uint32_t vendor = 0x0FFF;
  std::uint32_t product = 0x404;
  std::uint32_t revision = 1;
  std::uint32_t serial = 1;
  std::uint32_t boards_token = 0;                  ///< 2011h
  std::uint32_t force_scale = kUsualForceScale;    ///< 2102h:1
  std::uint32_t torque_scale = kUsualTorqueScale;  ///< 2102h:2
};

[[nodiscard]] DeviceDescription force_sensor(const ForceSensorOptions& options = {});

/// Objects in TPDO1 and TPDO2, as 1A00h and 1A01h have them.
[[nodiscard]] std::array<std::vector<std::int64_t>, 2> force_sensor_mapping();

}  // namespace jointrig::canopen
