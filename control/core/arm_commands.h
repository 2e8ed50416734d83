#pragma once
/// Commands for an arm. joint_commands.h has those for joints.

#include <array>

#include "control/core/arm.h"
#include "control/core/command_field.h"
#include "control/core/free_rotation.h"
#include "control/core/interaction.h"
#include "control/core/modes.h"

namespace jointrig {

/// Frame of a target: it keeps its place there.
#define JOINTRIG_TARGET_FRAMES(X) \
  X(kBase, "base")                \
  X(kWorld, "world")
JOINTRIG_ENUM(TargetFrame, JOINTRIG_TARGET_FRAMES)

/// X_BT: pose of the tool in the arm's base frame. In the world: X_WT, which is held against a base
/// that moves, as far as the arm reaches and no faster than its speed limits, until another target,
/// `stop` or the end of mode cartesian.
struct ToolTargetFields {
  ArmIndex arm = kNoArm;
  std::array<double, 3> position{};                       ///< [m]
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z
  TargetFrame frame = TargetFrame::kBase;
  bool operator==(const ToolTargetFields&) const = default;

  static constexpr ModeSet kModes{ControlMode::kCartesian};
  static constexpr auto kFields = field_list(
      Field{"position", &ToolTargetFields::position, QuantityKind::kLength, Range::kReach},
      Field{"orientation", &ToolTargetFields::orientation, QuantityKind::kNone, Range::kUnitLength},
      Field{"frame", &ToolTargetFields::frame, QuantityKind::kNone, Range::kWord});
};
/// A goal: the target moves there along a path that the stack generates.
struct SetToolTarget : ToolTargetFields {
  static constexpr bool kStartsMotion = true;
};
/// One sample of a path that the sender generates.
struct StreamToolTarget : ToolTargetFields {
  static constexpr bool kStreamed = true;
};

/// A velocity that the tool follows along its screw, until another comes or its time is over. The
/// joints follow it in position, on every board (control/planning/cartesian_drive.h).
struct DriveTool {
  ArmIndex arm = kNoArm;
  Six velocity{};  ///< of the tool relative to the arm's base: linear [m/s], then angular [rad/s]
  ToolFrame frame = ToolFrame::kBase;  ///< its axes
  double duration = 0.0;               ///< time to live [s]: then the tool brakes to rest
  /// All tools that drive so go by one share of their velocities, the least that one of them has.
  bool together = false;
  /// The tool turns about it as the joints make it; x, y and z are axes of the world, or with the
  /// frames base and tool those of the base.
  FreeRotation free_rotation = FreeRotation::kNone;
  bool operator==(const DriveTool&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"velocity", &DriveTool::velocity, QuantityKind::kVelocity, Range::kToolVelocity},
      Field{"frame", &DriveTool::frame, QuantityKind::kNone, Range::kWord},
      Field{"duration", &DriveTool::duration, QuantityKind::kTime, Range::kDriveTime},
      Field{"together", &DriveTool::together, QuantityKind::kNone, Range::kFlag},
      Field{"free_rotation", &DriveTool::free_rotation, QuantityKind::kNone, Range::kWord});
};

/// Gains along the axes of the tool's spring: six of a diagonal, or a 6×6 matrix, row by row.
using ToolGains = FixedVector<double, 36>;

struct SetToolStiffness {
  ArmIndex arm = kNoArm;
  ToolGains stiffness;  ///< [N/m, N/rad, N·m/rad]
  bool operator==(const SetToolStiffness&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(Field{
      "stiffness", &SetToolStiffness::stiffness, QuantityKind::kStiffness, Range::kToolStiffness});
};

struct SetToolDamping {
  ArmIndex arm = kNoArm;
  /// Damping ratio of every motion on its spring; used where `damping` is empty.
  double ratio = 0.0;
  ToolGains damping;  ///< [N·s/m, N·s/rad, N·m·s/rad]
  bool operator==(const SetToolDamping&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"ratio", &SetToolDamping::ratio, QuantityKind::kNone, Range::kDampingRatio},
      Field{"damping", &SetToolDamping::damping, QuantityKind::kDamping, Range::kToolDamping});
};

struct SetArmTerm {
  ArmIndex arm = kNoArm;
  ArmTerm term = ArmTerm::kSpring;
  bool on = false;
  bool operator==(const SetArmTerm&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"term", &SetArmTerm::term, QuantityKind::kNone, Range::kSwitchedTerm},
                 Field{"on", &SetArmTerm::on, QuantityKind::kNone, Range::kFlag});
};

/// Takes the present reading of the force/torque sensor, less tool and payload, as its bias.
struct TareForceSensor {
  ArmIndex arm = kNoArm;
  bool operator==(const TareForceSensor&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
};

/// Sets the low-pass of the arm's force/torque sensor.
struct SetForceFilter {
  ArmIndex arm = kNoArm;
  double cutoff = 0.0;  ///< [Hz]; 0: none
  bool operator==(const SetForceFilter&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"cutoff", &SetForceFilter::cutoff, QuantityKind::kFrequency, Range::kFilter});
};

/// Sets the load at the flange (core/load.h).
struct SetPayload {
  ArmIndex arm = kNoArm;
  double mass = 0.0;               ///< [kg]
  std::array<double, 3> centre{};  ///< of mass, in the flange frame [m]
  /// Ixx Iyy Izz Ixy Ixz Iyz about `centre`, along the flange's axes [kg·m²]
  LoadInertia inertia{};
  bool operator==(const SetPayload&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"mass", &SetPayload::mass, QuantityKind::kMass, Range::kPayload},
      Field{"centre", &SetPayload::centre, QuantityKind::kLength, Range::kNearTool},
      Field{"inertia", &SetPayload::inertia, QuantityKind::kInertia, Range::kLoadInertia});
};

/// Sets X_FT, the pose of the tool in the flange frame: the frame that robot.yaml names as the
/// arm's tool. A target that is held is expressed anew, so that the arm stays where it is. The load
/// stays at the flange.
struct SetTool {
  ArmIndex arm = kNoArm;
  std::array<double, 3> position{};                       ///< [m]
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z
  bool operator==(const SetTool&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"position", &SetTool::position, QuantityKind::kLength, Range::kNearTool},
      Field{"orientation", &SetTool::orientation, QuantityKind::kNone, Range::kUnitLength});
};

/// Sets the inertia that shapes the tool; all 0: the tool's own.
struct SetToolInertia {
  ArmIndex arm = kNoArm;
  Six inertia{};  ///< [kg, kg·m²]
  bool operator==(const SetToolInertia&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"inertia", &SetToolInertia::inertia, QuantityKind::kInertia, Range::kToolInertia});
};

/// Source of an axis's damping.
///
///     scaled   the robot file's damping, times the root of stiffness over its cap
///     given    in numbers
///     ratio    of every motion on its spring
#define JOINTRIG_DAMPING_SOURCES(X) \
  X(kScaled, "scaled")              \
  X(kGiven, "given")                \
  X(kRatio, "ratio")
JOINTRIG_ENUM(DampingSource, JOINTRIG_DAMPING_SOURCES)

/// Interaction control of an arm. The interaction frame F has its origin at a point of the tool;
/// its axes are fixed in the base or the world, or turn with the tool.
struct InteractionSettings {
  std::array<InteractionAxis, 6> axes{};
  Six stiffness{};                         ///< [N/m, N·m/rad]
  std::array<bool, 6> is_max_impedance{};  ///< as stiff as the pose allows; `stiffness` is ignored
  DampingSource damping_source = DampingSource::kScaled;
  double damping_ratio = 0.0;
  Six damping{};                  ///< [N·s/m, N·m·s/rad]
  Six force{};                    ///< force asked for, or size of the force limit [N, N·m]
  std::array<double, 3> point{};  ///< F's origin in the tool frame [m]
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z: F in `frame`
  ToolFrame frame = ToolFrame::kBase;
  bool undamped_force = false;   ///< no damping along axes under force control
  bool keeps_reference = false;  ///< keeps the present target
  bool turns_freely = false;     ///< no virtual wall on rotation
  FixedVector<double, kMaxArmJoints> posture_stiffness;  ///< one per joint; empty: unchanged
  bool operator==(const InteractionSettings&) const = default;
};

/// Switches interaction control off where `active` is false.
struct SetInteractionControl : InteractionSettings {
  ArmIndex arm = kNoArm;
  bool active = true;
  bool operator==(const SetInteractionControl&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"active", &SetInteractionControl::active, QuantityKind::kNone, Range::kFlag},
      Field{"mode", &InteractionSettings::axes, QuantityKind::kNone, Range::kWord},
      Field{"stiffness", &InteractionSettings::stiffness, QuantityKind::kStiffness,
            Range::kToolStiffness},
      Field{"max_impedance", &InteractionSettings::is_max_impedance, QuantityKind::kNone,
            Range::kFlag},
      Field{"damping_source", &InteractionSettings::damping_source, QuantityKind::kNone,
            Range::kWord},
      Field{"damping_ratio", &InteractionSettings::damping_ratio, QuantityKind::kNone,
            Range::kDampingRatio},
      Field{"damping", &InteractionSettings::damping, QuantityKind::kDamping, Range::kToolDamping},
      Field{"force", &InteractionSettings::force, QuantityKind::kTorque, Range::kForce},
      Field{"point", &InteractionSettings::point, QuantityKind::kLength, Range::kNearTool},
      Field{"orientation", &InteractionSettings::orientation, QuantityKind::kNone,
            Range::kUnitLength},
      Field{"frame", &InteractionSettings::frame, QuantityKind::kNone, Range::kWord},
      Field{"undamped_force", &InteractionSettings::undamped_force, QuantityKind::kNone,
            Range::kFlag},
      Field{"keep_reference", &InteractionSettings::keeps_reference, QuantityKind::kNone,
            Range::kFlag},
      Field{"turn_freely", &InteractionSettings::turns_freely, QuantityKind::kNone, Range::kFlag},
      Field{"posture_stiffness", &InteractionSettings::posture_stiffness, QuantityKind::kStiffness,
            Range::kPostureStiffness});
};

/// Longest duration of a SetCuff: a choice. A client that guides longer repeats the command.
inline constexpr double kLongestGrasp = 600.0;  ///< s

/// The cuff counts as grasped for `duration` from now on.
struct SetCuff {
  ArmIndex arm = kNoArm;
  double duration = 0.0;  ///< [s]; 0: the cuff is released
  bool operator==(const SetCuff&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition, ControlMode::kPositionDirect,
                                  ControlMode::kVelocity, ControlMode::kMixed,
                                  ControlMode::kCartesian};
  static constexpr auto kFields =
      field_list(Field{"duration", &SetCuff::duration, QuantityKind::kTime, Range::kGrasp});
};

/// Directions in which the tool can be moved while the arm is guided by hand.
struct SetFreeAxes {
  ArmIndex arm = kNoArm;
  std::array<bool, 6> axes{};  ///< along, then about x y z of `frame`
  ToolFrame frame = ToolFrame::kBase;
  bool operator==(const SetFreeAxes&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"axes", &SetFreeAxes::axes, QuantityKind::kNone, Range::kFlag},
                 Field{"frame", &SetFreeAxes::frame, QuantityKind::kNone, Range::kWord});
};

}  // namespace jointrig
