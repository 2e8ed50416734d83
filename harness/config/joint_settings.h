#pragma once
/// Number settings of a joint: key, unit and field, listed once for reading and writing.

#include <array>
#include <optional>
#include <string_view>

#include "control/core/robot_config.h"

namespace jointrig::harness {

/// A key of `joints.<joint>`, or of its `board`, `brake` or `drive`.
struct JointNumber {
  std::string_view key;
  std::string_view units;  ///< hinge|slide, or one unit for both; as in robot.schema.json
  double& (*field)(JointConfig&);
  bool zero_is_unset = false;  ///< 0 means unknown, and is not written
  bool is_pid_gain = false;    ///< given, it makes the stiff law a PID
};

inline constexpr auto kJointNumbers = std::to_array<JointNumber>({
    {"start", "rad|m", [](JointConfig& j) -> double& { return j.q_start; }},
    {"position_min", "rad|m", [](JointConfig& j) -> double& { return j.limits.q_min; }},
    {"position_max", "rad|m", [](JointConfig& j) -> double& { return j.limits.q_max; }},
    {"soft_margin", "rad|m", [](JointConfig& j) -> double& { return j.limits.soft_margin; }},
    {"velocity_max", "rad/s|m/s", [](JointConfig& j) -> double& { return j.limits.v_max; }, true},
    {"acceleration_max", "rad/s^2|m/s^2", [](JointConfig& j) -> double& { return j.limits.a_max; },
     true},
    {"torque_max", "Nm|N", [](JointConfig& j) -> double& { return j.limits.tau_max; }, true},
    {"torque_rate_max", "Nm/s|N/s", [](JointConfig& j) -> double& { return j.limits.tau_rate_max; },
     true},
    {"step_max", "rad|m", [](JointConfig& j) -> double& { return j.limits.step_max; }, true},
    {"kp", "Nm/rad|N/m", [](JointConfig& j) -> double& { return j.gains.kp; }, false, true},
    {"ki", "Nm/(rad s)|N/(m s)", [](JointConfig& j) -> double& { return j.gains.ki; }, false, true},
    {"kd", "Nms/rad|Ns/m", [](JointConfig& j) -> double& { return j.gains.kd; }, false, true},
    {"stiffness", "Nm/rad|N/m", [](JointConfig& j) -> double& { return j.gains.stiffness; }},
    {"damping", "Nms/rad|Ns/m", [](JointConfig& j) -> double& { return j.gains.damping; }},
    {"friction", "Nm|N", [](JointConfig& j) -> double& { return j.gains.friction; }},
    {"impact_torque", "Nm|N", [](JointConfig& j) -> double& { return j.impact_torque; }, true},
    {"squish_torque", "Nm|N", [](JointConfig& j) -> double& { return j.squish_torque; }, true},
});

/// Applied before the others, which may override the gains that follow from it.
inline constexpr JointNumber kInertia{
    "inertia", "kg m^2|kg", [](JointConfig& j) -> double& { return j.gains.inertia; }, true};

inline constexpr auto kBoardNumbers = std::to_array<JointNumber>({
    {"calibration_offset", "rad|m",
     [](JointConfig& j) -> double& { return j.board.calibration_offset; }},
    {"calibration_tolerance", "rad|m",
     [](JointConfig& j) -> double& { return j.board.calibration_tolerance; }},
    {"calibration_speed", "rad/s|m/s",
     [](JointConfig& j) -> double& { return j.board.calibration_speed; }},
    {"encoder_step", "rad|m", [](JointConfig& j) -> double& { return j.board.encoder_step; }},
    {"velocity_bandwidth", "Hz",
     [](JointConfig& j) -> double& { return j.board.velocity_bandwidth_hz; }},
    {"torque_bandwidth", "Hz",
     [](JointConfig& j) -> double& { return j.board.torque_bandwidth_hz; }},
    {"spring_stiffness", "Nm/rad|N/m",
     [](JointConfig& j) -> double& { return j.board.spring_stiffness; }},
    {"spring_damping", "Nms/rad|Ns/m",
     [](JointConfig& j) -> double& { return j.board.spring_damping; }},
    {"deflection_step", "rad|m", [](JointConfig& j) -> double& { return j.board.deflection_step; }},
    {"deflection_bandwidth", "Hz",
     [](JointConfig& j) -> double& { return j.board.deflection_bandwidth_hz; }},
    {"torque_noise", "Nm|N", [](JointConfig& j) -> double& { return j.board.torque_noise; }},
    {"hysteresis", "Nm|N", [](JointConfig& j) -> double& { return j.board.hysteresis; }},
    {"hysteresis_deflection", "rad|m",
     [](JointConfig& j) -> double& { return j.board.hysteresis_deflection; }},
    {"hysteresis_known", "1", [](JointConfig& j) -> double& { return j.board.hysteresis_known; }},
    {"crosstalk", "1", [](JointConfig& j) -> double& { return j.board.crosstalk; }},
    {"torque_constant", "Nm/A|N/A",
     [](JointConfig& j) -> double& { return j.board.torque_constant; }},
    {"current_max", "A", [](JointConfig& j) -> double& { return j.board.current_max_A; }},
    {"supply", "V", [](JointConfig& j) -> double& { return j.board.supply_V; }},
    {"resistance", "ohm", [](JointConfig& j) -> double& { return j.board.resistance_ohm; }},
    {"temperature_max", "degC",
     [](JointConfig& j) -> double& { return j.board.temperature_max_C; }},
    {"thermal_resistance", "degC/W",
     [](JointConfig& j) -> double& { return j.board.thermal_resistance_C_per_W; }},
    {"thermal_time", "s", [](JointConfig& j) -> double& { return j.board.thermal_time_s; }},
    {"ambient", "degC", [](JointConfig& j) -> double& { return j.board.ambient_C; }},
    {"watchdog", "s", [](JointConfig& j) -> double& { return j.board.watchdog_s; }},
});

inline constexpr auto kBrakeNumbers = std::to_array<JointNumber>({
    {"torque", "Nm|N", [](JointConfig& j) -> double& { return j.brake.holding_torque; }, true},
    {"engage", "s", [](JointConfig& j) -> double& { return j.brake.engage_s; }},
    {"release", "s", [](JointConfig& j) -> double& { return j.brake.release_s; }},
});

inline constexpr auto kDriveNumbers = std::to_array<JointNumber>({
    {"encoder_increments", "1",
     [](JointConfig& j) -> double& { return j.drive.encoder_increments; }, true},
    {"encoder_revolutions", "1",
     [](JointConfig& j) -> double& { return j.drive.encoder_revolutions; }},
    {"gear", "1", [](JointConfig& j) -> double& { return j.drive.gear; }},
    {"feed", "m", [](JointConfig& j) -> double& { return j.drive.feed; }, true},
    {"zero_counts", "1", [](JointConfig& j) -> double& { return j.drive.zero_counts; }},
    {"rated_torque", "Nm", [](JointConfig& j) -> double& { return j.drive.rated_torque; }, true},
    {"rated_current", "A", [](JointConfig& j) -> double& { return j.drive.rated_current; }, true},
    {"torque_constant", "Nm/A", [](JointConfig& j) -> double& { return j.drive.torque_constant; },
     true},
    {"efficiency", "1", [](JointConfig& j) -> double& { return j.drive.efficiency; }},
    {"heartbeat", "s", [](JointConfig& j) -> double& { return j.drive.heartbeat; }},
    {"sdo_timeout", "s", [](JointConfig& j) -> double& { return j.drive.sdo_timeout; }},
    {"status_time", "s", [](JointConfig& j) -> double& { return j.drive.status_time; }},
    {"following_window", "rad|m",
     [](JointConfig& j) -> double& { return j.drive.following_window; }, true},
    {"following_time", "s", [](JointConfig& j) -> double& { return j.drive.following_time; }},
});

/// Boolean keys of a drive.
struct DriveFlag {
  std::string_view key;
  bool DriveConfig::*field;
};
inline constexpr auto kDriveFlags = std::to_array<DriveFlag>({
    {"reversed", &DriveConfig::reversed},
    {"life_counter", &DriveConfig::life_counter},
    {"remaps_pdos", &DriveConfig::remaps_pdos},
    {"feed_forward", &DriveConfig::feed_forward},
});

struct DriveInteger {
  std::string_view key;
  int DriveConfig::*field;
};
inline constexpr auto kDriveIntegers = std::to_array<DriveInteger>({
    {"node", &DriveConfig::node},
    {"quick_stop", &DriveConfig::quick_stop},
    {"disable_operation", &DriveConfig::disable_operation},
    {"fault_reaction", &DriveConfig::fault_reaction},
    {"connection_lost", &DriveConfig::connection_lost},
});

/// Keys for the values of 1018h.
struct DriveIdentityKey {
  std::string_view key;
  std::optional<std::uint32_t> DriveConfig::*field;
};
inline constexpr auto kDriveIdentity = std::to_array<DriveIdentityKey>({
    {"vendor", &DriveConfig::vendor},
    {"product", &DriveConfig::product},
    {"revision", &DriveConfig::revision},
    {"serial", &DriveConfig::serial},
});

/// Board settings that replace the model's if they are given.
struct BoardOption {
  std::string_view key;
  std::string_view units;
  std::optional<double> BoardConfig::*field;
};

inline constexpr auto kBoardOptions = std::to_array<BoardOption>({
    {"armature", "kg m^2|kg", &BoardConfig::armature},
    {"friction", "Nm|N", &BoardConfig::friction},
    {"viscous", "Nms/rad|Ns/m", &BoardConfig::viscous},
});

}  // namespace jointrig::harness
