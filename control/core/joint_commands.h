#pragma once
/// Commands for joints and for the robot. Each states once its fields, their quantities and ranges,
/// and the modes that accept it (docs/commands.md has all as a table).
///
/// `joints` are the joints that the command names, at least one. `values`, if there are any, hold
/// one value for each of these joints, by rising index.

#include <array>
#include <cstdint>

#include "control/core/command_field.h"
#include "control/core/joint_parameter.h"
#include "control/core/law_config.h"
#include "control/core/modes.h"
#include "control/core/protection.h"
#include "control/core/types.h"

namespace jointrig {

/// Asks for a mode; the transition table (control/joint/joint_mode.h) decides.
struct SetMode {
  JointSet joints;
  ModeRequest mode = ModeRequest::kIdle;
  bool operator==(const SetMode&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"mode", &SetMode::mode, QuantityKind::kNone, Range::kWord});
};

/// Stored if the mode does not use it.
struct SetInteraction {
  JointSet joints;
  InteractionMode interaction = InteractionMode::kStiff;
  bool operator==(const SetInteraction&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"interaction", &SetInteraction::interaction, QuantityKind::kNone, Range::kWord});
};

/// Gains of the compliant law; stored if the mode does not use them.
struct SetImpedance {
  struct Value {
    double stiffness = 0.0;  ///< [N·m/rad or N/m]
    double damping = 0.0;    ///< [N·m·s/rad or N·s/m]
    bool operator==(const Value&) const = default;

    static constexpr auto kFields = field_list(
        Field{"stiffness", &Value::stiffness, QuantityKind::kStiffness, Range::kJointStiffness},
        Field{"damping", &Value::damping, QuantityKind::kDamping, Range::kJointDamping});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const SetImpedance&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
};

/// A goal, reached along a minimum-jerk path.
struct Move {
  struct Value {
    double q = 0.0;      ///< [rad or m]
    double speed = 0.0;  ///< largest speed on the way [rad/s or m/s]; 0: the joint's own
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"goal", &Value::q, QuantityKind::kPosition, Range::kSoftLimits},
                   Field{"speed", &Value::speed, QuantityKind::kVelocity, Range::kSpeed});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const Move&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition, ControlMode::kMixed};
  static constexpr bool kStartsMotion = true;
};

/// A goal with the time of arrival.
struct TimedMove {
  struct Value {
    double q = 0.0;         ///< [rad or m]
    double duration = 0.0;  ///< time from now [s]
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"goal", &Value::q, QuantityKind::kPosition, Range::kSoftLimits},
                   Field{"duration", &Value::duration, QuantityKind::kTime, Range::kDuration});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const TimedMove&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition, ControlMode::kMixed};
  static constexpr bool kStartsMotion = true;
};

/// Kind of a target: a position, with a velocity there, or a velocity alone.
#define JOINTRIG_TARGET_KINDS(X) \
  X(kPosition, "position")       \
  X(kVelocity, "velocity")
JOINTRIG_ENUM(TargetKind, JOINTRIG_TARGET_KINDS)

/// Time: all joints named reach their targets together. None: each as fast as it can. Straight:
/// together, and where they begin at rest, or along it, on the straight line between their
/// positions: all bounds are narrowed to the same shares of the ways.
#define JOINTRIG_SYNCHRONISATIONS(X) \
  X(kTime, "time")                   \
  X(kNone, "none")                   \
  X(kStraight, "straight")
JOINTRIG_ENUM(Synchronisation, JOINTRIG_SYNCHRONISATIONS)

/// Bounded jerk, or acceleration that steps.
#define JOINTRIG_MOTION_SHAPES(X) \
  X(kJerkLimited, "jerk_limited") \
  X(kAccelerationLimited, "acceleration_limited")
JOINTRIG_ENUM(MotionShape, JOINTRIG_MOTION_SHAPES)

/// A target, reached from any motion in the shortest time that the bounds allow; another may
/// replace it in each cycle. One that ends in motion is to be replaced within the command timeout
/// after it is reached: else the joint slows down to rest.
struct SetJointTarget {
  struct Value {
    double q = 0.0;             ///< [rad or m]; of a velocity target without meaning
    double v = 0.0;             ///< velocity there [rad/s or m/s]
    double speed = 0.0;         ///< bound of a position target's [rad/s or m/s]; 0: the joint's own
    double acceleration = 0.0;  ///< bound [rad/s² or m/s²]; 0: the joint's own
    double jerk = 0.0;          ///< bound [rad/s³ or m/s³]; 0: the joint's own
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"goal", &Value::q, QuantityKind::kPosition, Range::kSoftLimits},
                   Field{"velocity", &Value::v, QuantityKind::kVelocity, Range::kVelocity},
                   Field{"speed", &Value::speed, QuantityKind::kVelocity, Range::kSpeed},
                   Field{"acceleration", &Value::acceleration, QuantityKind::kAcceleration,
                         Range::kAcceleration},
                   Field{"jerk", &Value::jerk, QuantityKind::kJerk, Range::kJerk});
  };
  JointSet joints;
  PerJoint<Value> values;
  TargetKind target = TargetKind::kPosition;
  Synchronisation synchronise = Synchronisation::kTime;
  MotionShape shape = MotionShape::kJerkLimited;
  bool operator==(const SetJointTarget&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"target", &SetJointTarget::target, QuantityKind::kNone, Range::kWord},
      Field{"synchronise", &SetJointTarget::synchronise, QuantityKind::kNone, Range::kWord},
      Field{"shape", &SetJointTarget::shape, QuantityKind::kNone, Range::kWord});
};

/// One sample of a path that the sender generates. Step limit, soft limits and speed shape it.
struct StreamPosition {
  struct Value {
    double q = 0.0;  ///< [rad or m]
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"position", &Value::q, QuantityKind::kPosition, Range::kShaped});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const StreamPosition&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPositionDirect};
  static constexpr bool kStreamed = true;
};

/// A position sample with velocity and acceleration, by which the path continues, and a torque that
/// is added to the law's until the next sample, the joint's stop or its command timeout.
struct StreamTrajectory {
  struct Value {
    double q = 0.0;    ///< [rad or m]
    double v = 0.0;    ///< [rad/s or m/s]
    double a = 0.0;    ///< [rad/s² or m/s²]
    double tau = 0.0;  ///< [N·m or N]
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"position", &Value::q, QuantityKind::kPosition, Range::kShaped},
                   Field{"velocity", &Value::v, QuantityKind::kVelocity, Range::kShaped},
                   Field{"acceleration", &Value::a, QuantityKind::kAcceleration, Range::kShaped},
                   Field{"torque", &Value::tau, QuantityKind::kTorque, Range::kTorque});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const StreamTrajectory&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPositionDirect};
  static constexpr bool kStreamed = true;
};

struct StreamVelocity {
  struct Value {
    double v = 0.0;  ///< [rad/s or m/s]
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"velocity", &Value::v, QuantityKind::kVelocity, Range::kVelocity});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const StreamVelocity&) const = default;

  static constexpr ModeSet kModes{ControlMode::kVelocity, ControlMode::kMixed};
  static constexpr bool kStreamed = true;
};

struct StreamTorque {
  struct Value {
    double tau = 0.0;  ///< [N·m or N]
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"torque", &Value::tau, QuantityKind::kTorque, Range::kTorque});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const StreamTorque&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStreamed = true;
};

struct StreamDuty {
  struct Value {
    double duty = 0.0;  ///< share of the supply voltage
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"duty", &Value::duty, QuantityKind::kNone, Range::kShare});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const StreamDuty&) const = default;

  static constexpr ModeSet kModes{ControlMode::kOpenloop};
  static constexpr bool kStreamed = true;
};

/// Asks the boards to find their zeros; the transition table decides.
struct Calibrate {
  JointSet joints;
  bool operator==(const Calibrate&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr bool kStartsMotion = true;
};

/// Brakes the joints, then holds them. In torque and openloop, which have no reference, the mode
/// becomes position.
struct Stop {
  JointSet joints;
  bool operator==(const Stop&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
};

/// Gives motions up gently. Joints that go to targets slow down within their bounds, those that
/// arrive together along their common path, named or not; moves along theirs; the rest as by Stop.
struct Cancel {
  JointSet joints;
  bool operator==(const Cancel&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
};

/// Changes a setting from this cycle on.
struct SetParameter {
  struct Value {
    double value = 0.0;  ///< in the unit of the parameter
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"value", &Value::value, QuantityKind::kNone, Range::kParameter});
  };
  JointSet joints;
  PerJoint<Value> values;
  JointParameter parameter = JointParameter::kKp;
  bool operator==(const SetParameter&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"parameter", &SetParameter::parameter, QuantityKind::kNone, Range::kWord});
};

/// Smallest factor of a speed override; the largest is 1. The command stop brings the robot to
/// rest.
inline constexpr double kLeastSpeedOverride = 0.01;

/// Sets a factor on the speed of all references, for the whole robot.
struct SetSpeedOverride {
  double factor = 1.0;
  bool operator==(const SetSpeedOverride&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"factor", &SetSpeedOverride::factor, QuantityKind::kNone, Range::kSpeedOverride});
};

/// Largest gravity that a robot can be told of, twice that of the Earth: a choice [m/s²]
inline constexpr double kMostGravity = 20.0;
/// Time that the controller's gravity takes from one to another: a choice [s]
inline constexpr double kGravityTurns = 0.5;

/// Tells the controller how bodies fall, as `gravity` of robot.yaml does from the start: the robot
/// is mounted on a wall, or tilted. Its model goes there along a straight line within
/// kGravityTurns, so that each torque of gravity does, too. A simulated plant keeps its own.
struct SetGravity {
  std::array<double, 3> gravity{0.0, 0.0, -9.81};  ///< in the model's world frame [m/s²]
  bool operator==(const SetGravity&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"gravity", &SetGravity::gravity, QuantityKind::kFreeFall, Range::kFreeFall});
};

/// Follows a plan from the pool (control/exchange/plan_pool.h): a path of all joints named, with
/// its time. It starts at the present reference, or at a point of the plan that it replaces.
struct FollowPlan {
  JointSet joints;
  std::uint32_t slot = 0;   ///< of the plan's ticket
  std::uint32_t round = 0;  ///< of the plan's ticket
  bool operator==(const FollowPlan&) const = default;

  /// In mode cartesian all joints of an arm follow together: the plan leads its tool.
  static constexpr ModeSet kModes{ControlMode::kPosition, ControlMode::kCartesian};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields =
      field_list(Field{"slot", &FollowPlan::slot, QuantityKind::kNone, Range::kTicket},
                 Field{"round", &FollowPlan::round, QuantityKind::kNone, Range::kTicket});
};

/// Sets the posture that the nullspace of an arm is drawn to, for joints of arms.
struct SetPosture {
  struct Value {
    double q = 0.0;  ///< [rad or m]
    bool operator==(const Value&) const = default;

    static constexpr auto kFields =
        field_list(Field{"posture", &Value::q, QuantityKind::kPosition, Range::kSoftLimits});
  };
  JointSet joints;
  PerJoint<Value> values;
  bool operator==(const SetPosture&) const = default;

  static constexpr ModeSet kModes{ControlMode::kCartesian};
};

/// Suppresses for kSuppressionTime from now (protection.h); the sender repeats it to go on.
struct Suppress {
  JointSet joints;
  Suppressible what = Suppressible::kGravityCompensation;
  bool operator==(const Suppress&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"what", &Suppress::what, QuantityKind::kNone, Range::kWord});
};

/// Switches a protection for the whole robot.
struct SetProtection {
  Protection protection = Protection::kCollisionAvoidance;
  bool on = false;
  bool operator==(const SetProtection&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"protection", &SetProtection::protection, QuantityKind::kNone, Range::kWord},
                 Field{"on", &SetProtection::on, QuantityKind::kNone, Range::kFlag});
};

/// Switches a law of one's own. On again is the way out for a law that failed.
struct SwitchLaw {
  LawIndex law = 0;
  bool on = false;
  bool operator==(const SwitchLaw&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"law", &SwitchLaw::law, QuantityKind::kNone, Range::kLaw},
                 Field{"on", &SwitchLaw::on, QuantityKind::kNone, Range::kFlag});
};

/// Changes a parameter of a law of one's own from this cycle on.
struct SetLawParameter {
  LawIndex law = 0;
  std::uint8_t parameter = 0;
  double value = 0.0;
  bool operator==(const SetLawParameter&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"law", &SetLawParameter::law, QuantityKind::kNone, Range::kLaw},
      Field{"parameter", &SetLawParameter::parameter, QuantityKind::kNone, Range::kLaw},
      Field{"value", &SetLawParameter::value, QuantityKind::kNone, Range::kLawParameter});
};

}  // namespace jointrig
