#pragma once
/// The objects of a sensor with a node of its own, a force/torque sensor or an IMU, as the driver
/// reads it and the project's virtual boards serve it. Data only.
///
/// The maker's own, in 2000h to 2FFFh; of an IMU in brackets:
///   2011h          token of a virtual board, as of a joint's; 0 on a real one
///   2100h [2110h]  :1 to :3 force [acceleration] along x, y, z, :4 to :6 torque [angular velocity]
///                  about them, in digits; -32768: no number
///   2101h [2111h]  sample: :1 a counter that goes up with each new sample, :2 status: bit 0 is set
///                  while the sensor has a fault, and then no sample counts
///   2102h [2112h]  scale: :1 µN [µm/s²] in a digit of the first three, :2 µN·m [µrad/s] in one of
///                  the others
///
/// PDOs, both with each SYNC; the counter tells which of them belong together:
///   TPDO1 the first three (3 × 16 bits), counter, status   TPDO2 the others (3 × 16 bits), counter

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/canopen/device_description.h"

namespace jointrig::canopen {

enum class SensorKind : std::uint8_t { kForceTorque, kImu };

inline constexpr std::uint8_t kSensorFault = 1;            ///< in :2 of the sample
inline constexpr std::int16_t kMostSensorDigits = 32'767;  ///< of a component
inline constexpr std::int16_t kNoNumber = -32'768;         ///< in place of digits
inline constexpr double kSensorScaleUnit = 1e-6;           ///< of the scale [N, N·m, m/s², rad/s]

/// Differences between the kinds.
struct SensorFacts {
  const char* name;
  std::uint16_t values;  ///< 2100h or 2110h
  std::uint16_t sample;
  std::uint16_t scale;
  std::uint32_t product;
  /// Scales that serve as long as robot.yaml says nothing else.
  std::uint32_t usual_first;
  std::uint32_t usual_second;
  std::array<const char*, 6> components;
  std::array<const char*, 2> scales;
};
[[nodiscard]] const SensorFacts& facts_of(SensorKind kind) noexcept;

struct SensorOptions {
  SensorKind kind = SensorKind::kForceTorque;
  std::uint32_t vendor = 0x0FFF;
  std::uint32_t product = 0;  ///< 0: the project's for this kind
  std::uint32_t revision = 1;
  std::uint32_t serial = 1;
  std::uint32_t boards_token = 0;              ///< 2011h
  std::optional<std::uint32_t> first_scale{};  ///< absent: the usual one
  std::optional<std::uint32_t> second_scale{};
};

[[nodiscard]] DeviceDescription sensor_node(const SensorOptions& options = {});

/// Objects in TPDO1 and TPDO2, as 1A00h and 1A01h have them.
[[nodiscard]] std::array<std::vector<std::int64_t>, 2> sensor_mapping(SensorKind kind);

}  // namespace jointrig::canopen
