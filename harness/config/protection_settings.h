#pragma once
/// Keys of collision_avoidance and collision_detection in robot.yaml with field and unit, for
/// reading and writing. Used in harness/config and its tests alone.

#include <array>
#include <string_view>

#include "control/core/protection.h"
#include "harness/config/setting_keys.h"

namespace jointrig::harness {

inline constexpr auto kAvoidanceNumbers = std::to_array<NumberKey<CollisionAvoidanceConfig>>({
    {"margin", "m", &CollisionAvoidanceConfig::margin},
    {"stiffness", "N/m", &CollisionAvoidanceConfig::stiffness},
    {"damping", "Ns/m", &CollisionAvoidanceConfig::damping},
    {"torque_max", "Nm|N", &CollisionAvoidanceConfig::torque_max},
});

inline constexpr auto kDetectionNumbers = std::to_array<NumberKey<CollisionDetectionConfig>>({
    {"stop_time", "s", &CollisionDetectionConfig::stop_time},
    {"impact_time", "s", &CollisionDetectionConfig::impact_time},
    {"squish_time", "s", &CollisionDetectionConfig::squish_time},
    {"hand_force_max", "N", &CollisionDetectionConfig::hand_force_max},
    {"hand_torque_max", "Nm", &CollisionDetectionConfig::hand_torque_max},
});

}  // namespace jointrig::harness
