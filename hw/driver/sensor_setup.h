#pragma once
/// Sets up the node of a force/torque sensor or an IMU: its identity, its scales and its PDOs are
/// asked for, its heartbeat is set. hw/canopen/sensor_objects.h has the objects.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/canopen/sensor_objects.h"
#include "hw/driver/drive_setup.h"

namespace jointrig::hw {

struct SensorSettings {
  canopen::SensorKind kind = canopen::SensorKind::kForceTorque;
  std::string name;  ///< for messages: "force/torque sensor of arm left"
  std::string site;  ///< of the MJCF
  std::uint8_t node = 1;
  DriveIdentity identity;
  std::uint16_t heartbeat_ms = 50;            ///< 1017h
  std::uint16_t allowed_silence_ms = 300;     ///< after which the host calls the sensor lost
  std::uint16_t sdo_time_out_ms = 100;        ///< for each answer; it is asked three times
  std::optional<std::uint32_t> boards_token;  ///< 2011h must say this: a virtual board
};

/// Data that it sends with each SYNC.
[[nodiscard]] PdoLayouts sensor_layouts(canopen::SensorKind kind);

/// The steps read the serial number first, then its two scales: SetupRun::noted().
[[nodiscard]] std::vector<SetupStep> sensor_steps(const SensorSettings& settings);

}  // namespace jointrig::hw
