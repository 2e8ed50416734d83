#pragma once
/// Modes of a joint. A mode that can be asked for (ModeRequest) and one that can be read
/// (JointMode) are two types, so that a fault can't be requested. Source: "iCub Control Modes &
/// Interaction Modes" (IIT).

#include "control/core/enumeration.h"

namespace jointrig {

/// The modes that a user chooses explicitly. No other command changes the mode.
///
///     idle             motor off; entered from anywhere but a board status
///     position         goals, along minimum-jerk paths               q
///     position_direct  streamed samples, limited in their step       q
///     velocity         streamed velocity                             v
///     mixed            a goal plus a streamed velocity               q and v
///     torque           streamed torque                               tau
///     openloop         streamed duty cycle                           duty in [-1, 1]
///     cartesian        a tool's target, by all joints of its arm     pose (control/core/arm.h)
#define JOINTRIG_CONTROL_MODES(X)       \
  X(kIdle, "idle")                      \
  X(kPosition, "position")              \
  X(kPositionDirect, "position_direct") \
  X(kVelocity, "velocity")              \
  X(kMixed, "mixed")                    \
  X(kTorque, "torque")                  \
  X(kOpenloop, "openloop")              \
  X(kCartesian, "cartesian")
JOINTRIG_ENUM(ControlMode, JOINTRIG_CONTROL_MODES)

/// A set of modes.
class ModeSet {
 public:
  constexpr ModeSet() noexcept = default;
  constexpr ModeSet(std::initializer_list<ControlMode> modes) noexcept {
    for (const ControlMode mode : modes) bits_ |= 1U << static_cast<unsigned>(mode);
  }
  [[nodiscard]] constexpr bool has(ControlMode mode) const noexcept {
    return (bits_ >> static_cast<unsigned>(mode) & 1U) != 0;
  }
  bool operator==(const ModeSet&) const = default;

 private:
  unsigned bits_ = 0;
};
inline constexpr ModeSet kEveryMode{ControlMode::kIdle,           ControlMode::kPosition,
                                    ControlMode::kPositionDirect, ControlMode::kVelocity,
                                    ControlMode::kMixed,          ControlMode::kTorque,
                                    ControlMode::kOpenloop,       ControlMode::kCartesian};

/// Requests for a mode. force_idle leads out of hw_fault and equals idle elsewhere. The two
/// impedance modes are older names for position and velocity with compliant interaction.
#define JOINTRIG_MODE_REQUESTS(X)             \
  X(kIdle, "idle")                            \
  X(kPosition, "position")                    \
  X(kPositionDirect, "position_direct")       \
  X(kVelocity, "velocity")                    \
  X(kMixed, "mixed")                          \
  X(kTorque, "torque")                        \
  X(kOpenloop, "openloop")                    \
  X(kCartesian, "cartesian")                  \
  X(kForceIdle, "force_idle")                 \
  X(kImpedancePosition, "impedance_position") \
  X(kImpedanceVelocity, "impedance_velocity")
JOINTRIG_ENUM(ModeRequest, JOINTRIG_MODE_REQUESTS)

/// Stiff or compliant behaviour. It shapes the law in position, position_direct, velocity and
/// mixed; elsewhere it is stored until such a mode returns.
#define JOINTRIG_INTERACTION_MODES(X) \
  X(kStiff, "stiff")                  \
  X(kCompliant, "compliant")
JOINTRIG_ENUM(InteractionMode, JOINTRIG_INTERACTION_MODES)

/// The drive's own status machine, as its board reports it.
///
///     not_configured  silent, or set up wrongly
///     configured      set up, motor off, must be calibrated before it may drive
///     calibrating     moving by itself to find its zero
///     calib_done      calibration over, motor off
///     ready           motor off, may be enabled
///     enabled         motor on, follows setpoints
///     hw_fault        motor off by a latched fault; only a fault reset leads out
#define JOINTRIG_BOARD_STATUSES(X)    \
  X(kNotConfigured, "not_configured") \
  X(kConfigured, "configured")        \
  X(kCalibrating, "calibrating")      \
  X(kCalibDone, "calib_done")         \
  X(kReady, "ready")                  \
  X(kEnabled, "enabled")              \
  X(kHwFault, "hw_fault")
JOINTRIG_ENUM(BoardStatus, JOINTRIG_BOARD_STATUSES)

/// State that is read where a control mode is read: a mode, or the board status in its place.
#define JOINTRIG_JOINT_MODES(X)       \
  JOINTRIG_CONTROL_MODES(X)           \
  X(kHwFault, "hw_fault")             \
  X(kCalibrating, "calibrating")      \
  X(kCalibDone, "calib_done")         \
  X(kNotConfigured, "not_configured") \
  X(kConfigured, "configured")
JOINTRIG_ENUM(JointMode, JOINTRIG_JOINT_MODES)

/// Use that a board makes of a setpoint in this cycle.
#define JOINTRIG_DRIVE_MODES(X) \
  X(kOff, "off")                \
  X(kDuty, "duty")              \
  X(kTorque, "torque")          \
  X(kVelocity, "velocity")      \
  X(kPosition, "position")      \
  X(kImpedance, "impedance")
JOINTRIG_ENUM(DriveMode, JOINTRIG_DRIVE_MODES)

/// Request to a board's status machine. The stack holds it until the status shows the effect, since
/// a bus may lose a single frame. clear_fault acts on its rising edge; calibrate starts on its
/// rising edge and stays set while the board calibrates: to clear it aborts (bit 4 in CiA 402).
#define JOINTRIG_BOARD_REQUESTS(X) \
  X(kNone, "none")                 \
  X(kClearFault, "clear_fault")    \
  X(kCalibrate, "calibrate")
JOINTRIG_ENUM(BoardRequest, JOINTRIG_BOARD_REQUESTS)

/// The mode that a request asks for.
constexpr ControlMode requested_mode(ModeRequest request) noexcept {
  switch (request) {
    case ModeRequest::kForceIdle:
      return ControlMode::kIdle;
    case ModeRequest::kImpedancePosition:
      return ControlMode::kPosition;
    case ModeRequest::kImpedanceVelocity:
      return ControlMode::kVelocity;
    default:
      return static_cast<ControlMode>(request);  // the first eight are the modes themselves
  }
}

/// True for the old impedance modes, which also set the interaction mode to compliant.
constexpr bool asks_for_compliance(ModeRequest request) noexcept {
  return request == ModeRequest::kImpedancePosition || request == ModeRequest::kImpedanceVelocity;
}

/// True where the interaction mode shapes the law.
constexpr bool has_interaction(ControlMode mode) noexcept {
  return mode == ControlMode::kPosition || mode == ControlMode::kPositionDirect ||
         mode == ControlMode::kVelocity || mode == ControlMode::kMixed;
}

/// True where commands are torque or duty by themselves: there is no reference to brake or hold.
constexpr bool is_effort_mode(ControlMode mode) noexcept {
  return mode == ControlMode::kTorque || mode == ControlMode::kOpenloop;
}

/// True where commands must keep coming to a joint (a command timeout applies; an arm has its own).
constexpr bool is_streamed(ControlMode mode) noexcept {
  return mode == ControlMode::kPositionDirect || mode == ControlMode::kVelocity ||
         mode == ControlMode::kMixed || mode == ControlMode::kTorque ||
         mode == ControlMode::kOpenloop;
}

constexpr JointMode as_joint_mode(ControlMode mode) noexcept {
  return static_cast<JointMode>(mode);  // JointMode begins with the control modes, in their order
}

/// True in a control mode other than idle: the motor follows a law.
constexpr bool is_driven(JointMode mode) noexcept {
  return static_cast<std::size_t>(mode) < kAllControlMode.size() && mode != JointMode::kIdle;
}

/// Modes with a position reference. In the others the reference position stands still and has no
/// meaning.
constexpr bool follows_position(JointMode mode) noexcept {
  const auto index = static_cast<std::size_t>(mode);
  return index < kAllControlMode.size() && has_interaction(kAllControlMode[index]);
}

}  // namespace jointrig
