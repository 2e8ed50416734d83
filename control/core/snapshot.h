#pragma once
/// Snapshot of one cycle: all that it read, decided and sent. The panel draws it, scenarios judge
/// it, the log keeps it.

#include <array>
#include <cstdint>

#include "control/core/arm.h"
#include "control/core/faults.h"
#include "control/core/gripper.h"
#include "control/core/law_config.h"
#include "control/core/modes.h"
#include "control/core/obstacle.h"
#include "control/core/plan.h"
#include "control/core/protection.h"
#include "control/core/robot_io.h"

namespace jointrig {

/// The reference of a joint in this cycle, after the generators.
struct JointReference {
  double q = 0.0;     ///< [rad or m]
  double v = 0.0;     ///< [rad/s or m/s]
  double a = 0.0;     ///< [rad/s² or m/s²]
  double tau = 0.0;   ///< reference of torque mode [N·m or N]
  double duty = 0.0;  ///< reference of openloop mode, -1..1

  bool operator==(const JointReference&) const = default;
};

/// Parts of a joint's torque, and the external torque: for people and logs.
struct JointEffort {
  double gravity = 0.0;  ///< torque that holds the joint at rest, by the model [N·m or N]
  /// Part of the setpoint's torque from the model: gravity, payload, Coriolis, friction, I a.
  double model = 0.0;
  double interaction = 0.0;  ///< part from an impedance: of the joint or of its arm's tool
  double laws = 0.0;         ///< part from laws of one's own, before the limits [N·m or N]
  /// Torque that no motor makes: by the momentum observer (laws/momentum_observer.h).
  double external = 0.0;

  bool operator==(const JointEffort&) const = default;
};

/// Number of cycles in which each limit has acted on a joint, since the loop began.
using LimitCycles = std::array<std::uint32_t, kAllLimit.size()>;

struct JointSnapshot {
  JointState state;  ///< as read; velocity computed if the board senses none
  JointReference reference;
  JointSetpoint setpoint;  ///< as sent, after safety
  Fault fault;             ///< latched
  JointEffort effort;
  LimitCycles limit_cycles{};
  double stiffness = 0.0;       ///< stiffness of compliant, also while stored [N·m/rad or N/m]
  double damping = 0.0;         ///< damping of compliant, also while stored [N·m·s/rad or N·s/m]
  double timeout_left = 0.0;    ///< time until the command timeout [s]; 0: none runs
  double repulsion = 0.0;       ///< torque of collision avoidance, as added [N·m or N]
  double contact_torque = 0.0;  ///< external torque that collision detection sees [N·m or N]
  JointMode mode = JointMode::kNotConfigured;
  InteractionMode interaction = InteractionMode::kStiff;
  LimitNotices limits;
  bool moving = false;        ///< the joint moves to a goal
  bool timed_out = false;     ///< the stream fell silent: the timeout reaction is on
  bool has_external = false;  ///< the joint's torque is known, and effort.external is computed
  FewBits<Suppressible> suppressed;

  bool operator==(const JointSnapshot&) const = default;
};

/// Duration of the stages of the last cycle, by the wall clock: for people, never for control.
struct LoopTimes {
  float read_us = 0;
  float decide_us = 0;
  float write_us = 0;
  float jitter_us = 0;  ///< delay of the wake-up; 0 if cycles are not paced

  bool operator==(const LoopTimes&) const = default;
};

/// Where a plan begins: at the joint's reference, in mode cartesian at the joint itself [rad or m].
inline double start_for_plan(const JointSnapshot& joint) noexcept {
  return joint.mode == JointMode::kCartesian ? joint.state.q : joint.reference.q;
}

struct Snapshot {
  std::uint64_t cycle = 0;
  TimeNs time_ns = 0;
  std::uint64_t overruns = 0;
  LoopTimes times;
  double speed_override = 1.0;      ///< factor on the speed of all references, as asked for
  std::array<double, 3> gravity{};  ///< that the controller reckons with, in the world [m/s²]
  ProtectionSnapshot protection;
  FixedVector<PlanSnapshot, kMaxPlans> plans;
  PerGripper<GripperSnapshot> grippers;
  KnownObstacles obstacles;
  PerJoint<JointSnapshot> joints;
  BaseState base;
  FixedVector<ForceTorqueState, kMaxForceTorqueSensors> force_torque;
  PerArm<ArmSnapshot> arms;
  PerLaw<LawSnapshot> laws;
  /// Signals of all laws, one law behind the other, in the order of their declarations.
  FixedVector<double, kMaxSignals> law_signals;
};

}  // namespace jointrig
