#pragma once
/// All that one cycle saw, decided and sent: what the panel draws, scenarios judge and the log
/// keeps.

#include <array>
#include <cstdint>

#include "control/core/arm.h"
#include "control/core/faults.h"
#include "control/core/modes.h"
#include "control/core/protection.h"
#include "control/core/robot_io.h"

namespace jointrig {

/// The reference of a joint: what is asked of it this cycle, after the generators.
struct JointReference {
  double q = 0.0;     ///< [rad or m]
  double v = 0.0;     ///< [rad/s or m/s]
  double a = 0.0;     ///< [rad/s² or m/s²]
  double tau = 0.0;   ///< of torque mode [N·m or N]
  double duty = 0.0;  ///< of openloop mode, -1..1

  bool operator==(const JointReference&) const = default;
};

/// What a joint's torque is made of, and what acts on it beside: for people and logs.
struct JointEffort {
  double gravity = 0.0;  ///< holds the joint at rest, as the model has it [N·m or N]
  /// What of the setpoint's torque the model asked for: gravity, payload, Coriolis, friction, I a
  double model = 0.0;
  double interaction = 0.0;  ///< what an impedance asked for: of the joint or of its arm's tool
  double external = 0.0;     ///< of no motor: by the momentum observer (laws/momentum_observer.h)

  bool operator==(const JointEffort&) const = default;
};

/// Cycles in which each limit has acted on a joint, since the loop began.
using LimitCycles = std::array<std::uint32_t, kAllLimit.size()>;

struct JointSnapshot {
  JointState state;  ///< as read, velocity completed where the board senses none
  JointReference reference;
  JointSetpoint setpoint;  ///< as sent, after safety
  Fault fault;             ///< latched
  JointEffort effort;
  LimitCycles limit_cycles{};
  double stiffness = 0.0;       ///< of compliant, also while stored [N·m/rad or N/m]
  double damping = 0.0;         ///< of compliant, also while stored [N·m·s/rad or N·s/m]
  double timeout_left = 0.0;    ///< until the command timeout strikes [s]; 0 where none runs
  double repulsion = 0.0;       ///< of collision avoidance, as added [N·m or N]
  double contact_torque = 0.0;  ///< external torque that collision detection sees [N·m or N]
  JointMode mode = JointMode::kNotConfigured;
  InteractionMode interaction = InteractionMode::kStiff;
  LimitNotices limits;
  bool moving = false;        ///< a goal is being approached
  bool timed_out = false;     ///< the stream fell silent: the timeout reaction is on
  bool has_external = false;  ///< its torque is known: effort.external is worked out
  FewBits<Suppressible> suppressed;

  bool operator==(const JointSnapshot&) const = default;
};

/// How long the stages of the last cycle took. Of the wall clock: for people, never for control.
struct LoopTimes {
  float read_us = 0;
  float decide_us = 0;
  float write_us = 0;
  float jitter_us = 0;  ///< wake-up after the time that was due; 0 where cycles are not paced

  bool operator==(const LoopTimes&) const = default;
};

struct Snapshot {
  std::uint64_t cycle = 0;
  TimeNs time_ns = 0;
  std::uint64_t overruns = 0;
  LoopTimes times;
  double speed_override = 1.0;  ///< factor on the speed of all references, as asked for
  ProtectionSnapshot protection;
  PerJoint<JointSnapshot> joints;
  BaseState base;
  FixedVector<ForceTorqueState, kMaxForceTorqueSensors> force_torque;
  PerArm<ArmSnapshot> arms;
};

}  // namespace jointrig
