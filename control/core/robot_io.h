#pragma once
/// One sample of everything that crosses the port between stack and robot.

#include <array>
#include <cmath>
#include <cstdint>

#include "control/core/faults.h"
#include "control/core/modes.h"
#include "control/core/types.h"

namespace jointrig {

inline constexpr std::uint8_t kDigitalInputs = 8;  ///< largest number of digital inputs of a board

/// State of a joint as its board reports it. A quantity that the board doesn't sense stays 0 and is
/// not named in JointCapabilities.
struct JointState {
  double q = 0.0;              ///< position [rad or m]
  double v = 0.0;              ///< velocity [rad/s or m/s]
  double tau = 0.0;            ///< torque at the joint, after the gear [N·m or N]
  double current_A = 0.0;      ///< motor current
  double temperature_C = 0.0;  ///< motor winding
  double supply_V = 0.0;       ///< supply of the drive
  double progress = 0.0;       ///< progress of a calibration, 0..1
  double zero = 0.0;           ///< result of a calibration: encoder's reading at q = 0 [rad or m]
  // If the board models its series spring:
  double tau_hysteresis = 0.0;    ///< part of `tau` from the spring's material [N·m or N]
  double hysteresis_state = 0.0;  ///< state of that model, -1..1
  double tau_crosstalk = 0.0;     ///< part of `tau` from the previous joint [N·m or N]
  BoardStatus status = BoardStatus::kNotConfigured;
  FaultCode fault = FaultCode::kNone;  ///< reason of hw_fault
  double fault_value = 0.0;
  double fault_limit = 0.0;
  /// The board's digital inputs, one bit each: a cuff, a button. 1 is pressed, whatever the
  /// voltage; an input whose state is unknown is 0.
  std::uint8_t inputs = 0;
  std::uint32_t missed = 0;  ///< bus cycles since the last fresh sample; 0: fresh
  /// True if extrapolated from an older sample: q + v t. This is normal between the cycles of a bus
  /// that is slower than the loop, and nothing is missed.
  bool extrapolated = false;
  /// False while its board is on and does not follow its setpoints: it got none for a while, and
  /// came to rest by itself. It follows again with the setpoint of this cycle, or a later one.
  bool follows = true;

  bool operator==(const JointState&) const = default;
};

/// Pose and twist of a floating base. Identity for a fixed robot.
struct BaseState {
  std::array<double, 3> position{};                       ///< of the base frame in the world [m]
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z, base frame in the world
  std::array<double, 3> linear_velocity{};                ///< in the world frame [m/s]
  std::array<double, 3> angular_velocity{};               ///< in the base frame [rad/s]

  bool operator==(const BaseState&) const = default;
};

/// Wrench that the body below a site exerts on the body of the site and all that it carries.
struct ForceTorqueState {
  std::array<double, 3> force{};   ///< in the frame of its site [N]
  std::array<double, 3> torque{};  ///< in the frame of its site [N·m]
  std::uint32_t missed = 0;        ///< samples since the last fresh one
  std::uint32_t spare = 0;

  bool operator==(const ForceTorqueState&) const = default;
};

struct ImuState {
  std::array<double, 3> acceleration{};      ///< in the frame of its site, gravity included [m/s²]
  std::array<double, 3> angular_velocity{};  ///< in the frame of its site [rad/s]
  std::uint32_t missed = 0;                  ///< samples since the last fresh one
  std::uint32_t spare = 0;

  bool operator==(const ImuState&) const = default;
};

inline constexpr std::size_t kMaxForceTorqueSensors = 8;
inline constexpr std::size_t kMaxImus = 4;

/// Result of Backend::read in each cycle.
struct RobotState {
  std::uint64_t cycle = 0;  ///< counts from 0; a skipped period counts too
  TimeNs time_ns = 0;       ///< time of the samples
  PerJoint<JointState> joints;
  BaseState base;
  FixedVector<ForceTorqueState, kMaxForceTorqueSensors> force_torque;
  FixedVector<ImuState, kMaxImus> imus;

  bool operator==(const RobotState&) const = default;
};

/// Setpoint that a board receives for its joint in this cycle. Fields that `drive` does not use are
/// 0.
///
///     drive       uses
///     off         nothing: motor off
///     duty        duty
///     torque      tau
///     velocity    v, tau (feed-forward)
///     position    q, v (feed-forward), tau (feed-forward)
///     impedance   q, v, tau (feed-forward), stiffness, damping
struct JointSetpoint {
  DriveMode drive = DriveMode::kOff;
  BoardRequest request = BoardRequest::kNone;
  double q = 0.0;          ///< [rad or m]
  double v = 0.0;          ///< [rad/s or m/s]
  double tau = 0.0;        ///< [N·m or N]
  double stiffness = 0.0;  ///< [N·m/rad or N/m]
  double damping = 0.0;    ///< [N·m·s/rad or N·s/m]
  double duty = 0.0;       ///< fraction of the supply voltage, -1..1

  bool operator==(const JointSetpoint&) const = default;
};

[[nodiscard]] inline bool is_finite(const JointSetpoint& setpoint) noexcept {
  // A sum is finite only if every term is finite; terms near the largest double are no setpoints
  // either.
  const auto& [drive, request, q, v, tau, stiffness, damping, duty] = setpoint;
  return std::isfinite(q + v + tau + stiffness + damping + duty);
}

/// Argument of Backend::write in each cycle.
struct RobotCommand {
  std::uint64_t cycle = 0;  ///< cycle of the state that it was computed from
  PerJoint<JointSetpoint> joints;

  bool operator==(const RobotCommand&) const = default;
};

}  // namespace jointrig
