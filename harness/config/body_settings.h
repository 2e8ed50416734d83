#pragma once
/// Keys of robot.yaml for the whole-body controller. Used in harness/config alone.

#include <array>

#include "control/core/whole_body_config.h"
#include "harness/config/setting_keys.h"

namespace jointrig::harness {

using Body = WholeBodyConfig;
inline constexpr std::array kBodyNumbers{
    NumberKey<Body>{"friction", "1", &Body::friction},
    NumberKey<Body>{"contact_force", "N", &Body::contact_force},
    NumberKey<Body>{"base_speed_gain", "1/s", &Body::base_speed_gain},
    NumberKey<Body>{"base_tilt_gain", "1/s^2", &Body::base_tilt_gain},
    NumberKey<Body>{"base_turn_gain", "1/s", &Body::base_turn_gain},
    NumberKey<Body>{"base_bias_gain", "1/s^2", &Body::base_bias_gain},
    NumberKey<Body>{"base_place_gain", "1/s", &Body::base_place_gain},
    NumberKey<Body>{"com_stiffness", "1/s^2", &Body::com_stiffness},
    NumberKey<Body>{"com_damping", "1/s", &Body::com_damping},
    NumberKey<Body>{"com_weight", "1", &Body::com_weight},
    NumberKey<Body>{"spin_damping", "1/s", &Body::spin_damping},
    NumberKey<Body>{"spin_weight", "1", &Body::spin_weight},
    NumberKey<Body>{"upright_stiffness", "1/s^2", &Body::upright_stiffness},
    NumberKey<Body>{"upright_damping", "1/s", &Body::upright_damping},
    NumberKey<Body>{"upright_weight", "1", &Body::upright_weight},
    NumberKey<Body>{"posture_stiffness", "1/s^2", &Body::posture_stiffness},
    NumberKey<Body>{"posture_damping", "1/s", &Body::posture_damping},
    NumberKey<Body>{"posture_weight", "1", &Body::posture_weight},
    NumberKey<Body>{"hand_stiffness", "1/s^2", &Body::hand_stiffness},
    NumberKey<Body>{"hand_damping", "1/s", &Body::hand_damping},
    NumberKey<Body>{"hand_weight", "1", &Body::hand_weight},
    NumberKey<Body>{"arm_stiffness", "1/s^2", &Body::arm_stiffness},
    NumberKey<Body>{"arm_damping", "1/s", &Body::arm_damping},
    NumberKey<Body>{"arm_weight", "1", &Body::arm_weight},
    NumberKey<Body>{"height_stiffness", "1/s^2", &Body::height_stiffness},
    NumberKey<Body>{"height_damping", "1/s", &Body::height_damping},
    NumberKey<Body>{"height_weight", "1", &Body::height_weight},
    NumberKey<Body>{"message_speed", "m/s", &Body::message_speed},
    NumberKey<Body>{"message_turn_speed", "rad/s", &Body::message_turn_speed},
    NumberKey<Body>{"acceleration_timeout", "s", &Body::acceleration_timeout},
    NumberKey<Body>{"foot_damping", "1/s", &Body::foot_damping},
    NumberKey<Body>{"swing_stiffness", "1/s^2", &Body::swing_stiffness},
    NumberKey<Body>{"swing_damping", "1/s", &Body::swing_damping},
    NumberKey<Body>{"swing_weight", "1", &Body::swing_weight},
    NumberKey<Body>{"lift_margin", "m", &Body::lift_margin},
    NumberKey<Body>{"touch_height", "m", &Body::touch_height},
    NumberKey<Body>{"ground_lost", "m", &Body::ground_lost},
    NumberKey<Body>{"hand_force_max", "N", &Body::hand_force_max},
    NumberKey<Body>{"bearing_weight", "1", &Body::bearing_weight},
    NumberKey<Body>{"acceleration_weight", "1", &Body::acceleration_weight},
    NumberKey<Body>{"force_weight", "1", &Body::force_weight},
    NumberKey<Body>{"torque_weight", "1", &Body::torque_weight},
    NumberKey<Body>{"change_weight", "1", &Body::change_weight},
    NumberKey<Body>{"released_weight", "1", &Body::released_weight},
    NumberKey<Body>{"acceleration_max", "1", &Body::acceleration_max},
    NumberKey<Body>{"limit_horizon", "s", &Body::limit_horizon},
    NumberKey<Body>{"shift_speed", "m/s", &Body::shift_speed},
    NumberKey<Body>{"hold_time", "s", &Body::hold_time},
    NumberKey<Body>{"capture_beyond", "m", &Body::capture_beyond},
    NumberKey<Body>{"tilt_max", "rad", &Body::tilt_max},
    NumberKey<Body>{"fall_damping", "1/s", &Body::fall_damping},
    NumberKey<Body>{"servo_bandwidth", "Hz", &Body::servo_bandwidth},
    NumberKey<Body>{"balance_gain", "1", &Body::balance_gain},
    NumberKey<Body>{"lead_max", "m", &Body::lead_max},
    NumberKey<Body>{"away_max", "1", &Body::away_max},
};

inline constexpr std::array kImuNumbers{
    NumberKey<ImuConfig>{"acceleration_max", "m/s^2", &ImuConfig::acceleration_max},
    NumberKey<ImuConfig>{"angular_velocity_max", "rad/s", &ImuConfig::angular_velocity_max},
    NumberKey<ImuConfig>{"acceleration_noise", "m/s^2", &ImuConfig::acceleration_noise},
    NumberKey<ImuConfig>{"angular_velocity_noise", "rad/s", &ImuConfig::angular_velocity_noise},
};
inline constexpr auto kImuThrees = std::to_array<ThreeKey<ImuConfig>>({
    {"acceleration_bias", "m/s^2", &ImuConfig::acceleration_bias},
    {"angular_velocity_bias", "rad/s", &ImuConfig::angular_velocity_bias},
});

}  // namespace jointrig::harness
