#pragma once
/// Keys of an arm in robot.yaml with field and unit, for reading and writing. Used in
/// harness/config and its tests alone.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "control/core/arm.h"
#include "harness/config/setting_keys.h"

namespace jointrig::harness {

inline constexpr auto kArmNumbers = std::to_array<NumberKey<ArmConfig>>({
    {"damping_ratio", "1", &ArmConfig::damping_ratio},
    {"speed_max", "m/s", &ArmConfig::speed_max},
    {"acceleration_max", "m/s^2", &ArmConfig::acceleration_max},
    {"rotation_speed_max", "rad/s", &ArmConfig::rotation_speed_max},
    {"rotation_acceleration_max", "rad/s^2", &ArmConfig::rotation_acceleration_max},
    {"target_filter", "s", &ArmConfig::target_filter},
    {"timeout", "s", &ArmConfig::timeout},
    {"posture_stiffness", "Nm/rad|N/m", &ArmConfig::posture_stiffness},
    {"posture_damping_ratio", "1", &ArmConfig::posture_damping_ratio},
    {"posture_torque_max", "Nm|N", &ArmConfig::posture_torque_max},
    {"limit_margin", "rad|m", &ArmConfig::limit_margin},
    {"limit_stiffness", "Nm/rad|N/m", &ArmConfig::limit_stiffness},
    {"payload_max", "kg", &ArmConfig::payload_max},
});

inline constexpr auto kArmSixes = std::to_array<SixKey<ArmConfig>>({
    {"stiffness", "N/m", "Nm/rad", &ArmConfig::stiffness},
    {"stiffness_max", "N/m", "Nm/rad", &ArmConfig::stiffness_max},
    {"damping_max", "Ns/m", "Nms/rad", &ArmConfig::damping_max},
    {"error_max", "m", "rad", &ArmConfig::error_max},
    {"inertia_min", "kg", "kg m^2", &ArmConfig::inertia_min},
    {"inertia_max", "kg", "kg m^2", &ArmConfig::inertia_max},
});

/// Six-number keys of `interaction`.
inline constexpr auto kInteractionSixes = std::to_array<SixKey<InteractionConfig>>({
    {"impedance_max", "N/m", "Nm/rad", &InteractionConfig::impedance_max},
    {"damping", "Ns/m", "Nms/rad", &InteractionConfig::damping},
    {"force_damping", "Ns/m", "Nms/rad", &InteractionConfig::force_damping},
    {"force_max", "N", "Nm", &InteractionConfig::force_max},
    {"motion_max", "m", "rad", &InteractionConfig::motion_max},
});
inline constexpr auto kInteractionNumbers = std::to_array<NumberKey<InteractionConfig>>({
    {"force_feedback", "1/s", &InteractionConfig::force_feedback},
    {"rotation_max", "rad", &InteractionConfig::rotation_max},
    {"posture_stiffness_max", "Nm/rad|N/m", &InteractionConfig::posture_stiffness_max},
});

/// Number keys of `zero_g`.
inline constexpr auto kZeroGNumbers = std::to_array<NumberKey<ZeroGConfig>>({
    {"stop_time", "s", &ZeroGConfig::stop_time},
    {"damping", "Nms/rad|Ns/m", &ZeroGConfig::damping},
    {"friction", "1", &ZeroGConfig::friction},
    {"drift_max", "rad|m", &ZeroGConfig::drift_max},
    {"speed_max", "rad/s|m/s", &ZeroGConfig::speed_max},
});

/// Number keys of its force/torque sensor.
inline constexpr auto kForceSensorNumbers = std::to_array<NumberKey<ForceSensorConfig>>({
    {"filter", "Hz", &ForceSensorConfig::filter_hz},
    {"force_max", "N", &ForceSensorConfig::force_max},
    {"torque_max", "Nm", &ForceSensorConfig::torque_max},
    {"force_noise", "N", &ForceSensorConfig::force_noise},
    {"torque_noise", "Nm", &ForceSensorConfig::torque_noise},
});
inline constexpr auto kForceSensorThrees = std::to_array<ThreeKey<ForceSensorConfig>>({
    {"centre", "m", &ForceSensorConfig::centre},
    {"force_bias", "N", &ForceSensorConfig::force_bias},
    {"torque_bias", "Nm", &ForceSensorConfig::torque_bias},
});

/// Number keys of its `device`.
struct DeviceIdentityKey {
  std::string_view key;
  std::optional<std::uint32_t> SensorNodeConfig::*field;
};
inline constexpr auto kDeviceIdentity = std::to_array<DeviceIdentityKey>({
    {"vendor", &SensorNodeConfig::vendor},
    {"product", &SensorNodeConfig::product},
    {"revision", &SensorNodeConfig::revision},
    {"serial", &SensorNodeConfig::serial},
});

/// Keys of its joints' friction: one number for all joints, or one each.
inline constexpr auto kFrictionNumbers = std::to_array<NumberKey<FrictionConfig>>({
    {"coulomb", "Nm|N", &FrictionConfig::coulomb},
    {"viscous", "Nms/rad|Ns/m", &FrictionConfig::viscous},
    {"stribeck", "Nm|N", &FrictionConfig::stribeck},
    {"stribeck_speed", "rad/s|m/s", &FrictionConfig::stribeck_speed},
    {"sign_speed", "rad/s|m/s", &FrictionConfig::sign_speed},
});

}  // namespace jointrig::harness
