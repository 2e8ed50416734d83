#pragma once
/// An arm is the joints of a part that carry a tool. This file defines the words of its Cartesian
/// control.
///
///     base frame   frame of the arm's targets
///     tool frame   frame that the arm moves: a site or a body of the model
///     twist, wrench, error of a tool   six numbers, linear first, then angular

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/fixed_vector.h"
#include "control/core/forces.h"
#include "control/core/interaction.h"
#include "control/core/load.h"
#include "control/core/tool_drive.h"
#include "control/core/types.h"

namespace jointrig {

inline constexpr std::size_t kMaxArms = 4;  ///< two hands and two feet
/// A choice: seven joints of an arm and those of a torso.
inline constexpr std::size_t kMaxArmJoints = 16;
using ArmIndex = std::uint8_t;
inline constexpr ArmIndex kNoArm = 0xFF;

template <typename T>
using PerArm = FixedVector<T, kMaxArms>;

/// X_BT: pose of the tool in the arm's base frame, or of either in the world.
struct ToolPose {
  std::array<double, 3> position{};                       ///< [m]
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z

  bool operator==(const ToolPose&) const = default;
};

/// Frame that gives the axes of stiffness, damping and error clipping.
#define JOINTRIG_TOOL_FRAMES(X) \
  X(kBase, "base")              \
  X(kWorld, "world")            \
  X(kTool, "tool")
JOINTRIG_ENUM(ToolFrame, JOINTRIG_TOOL_FRAMES)

/// Nullspace projection: keeps the torque of the posture from moving the tool.
///
///     none                     no projection: the posture pulls at the tool, too
///     kinematic                I − Jᵀ J⁺ᵀ: no wrench at a tool that is held
///     dynamically_consistent   I − Jᵀ Λ J M⁻¹: no acceleration of a tool that is free
#define JOINTRIG_PROJECTORS(X) \
  X(kNone, "none")             \
  X(kKinematic, "kinematic")   \
  X(kDynamicallyConsistent, "dynamically_consistent")
JOINTRIG_ENUM(Projector, JOINTRIG_PROJECTORS)

/// Terms of a joint's torque while its arm is in mode cartesian. Spring and damping are the
/// impedance itself, force belongs to interaction control, payload acts in every mode; the others
/// can be switched while the arm runs.
#define JOINTRIG_ARM_TERMS(X) \
  X(kSpring, "spring")        \
  X(kDamping, "damping")      \
  X(kPosture, "posture")      \
  X(kGravity, "gravity")      \
  X(kCoriolis, "coriolis")    \
  X(kFriction, "friction")    \
  X(kLimits, "limits")        \
  X(kPayload, "payload")      \
  X(kForce, "force")
JOINTRIG_ENUM(ArmTerm, JOINTRIG_ARM_TERMS)

/// True if set_arm_term can switch the term.
constexpr bool is_switched(ArmTerm term) noexcept {
  return term >= ArmTerm::kPosture && term <= ArmTerm::kLimits;
}

/// Limits that act on an arm's motion or torque in a cycle. gain: stiffness or damping is more than
/// the loop carries on the inertia that is there (laws/loop_bounds.h), and is cut.
#define JOINTRIG_ARM_LIMITS(X)        \
  X(kToolSpeed, "tool_speed")         \
  X(kError, "error")                  \
  X(kPostureTorque, "posture_torque") \
  X(kForceLimit, "force")             \
  X(kMotionLimit, "motion")           \
  X(kRotationWall, "rotation")        \
  X(kGain, "gain")
JOINTRIG_ENUM(ArmLimit, JOINTRIG_ARM_LIMITS)

/// A set of values of an enumeration of at most sixteen, one bit each.
template <typename Enum>
class FewBits {
 public:
  constexpr void set(Enum value, bool on = true) noexcept {
    const auto bit = static_cast<std::uint16_t>(1U << static_cast<unsigned>(value));
    bits_ = static_cast<std::uint16_t>(on ? bits_ | bit : bits_ & ~bit);
  }
  [[nodiscard]] constexpr bool has(Enum value) const noexcept {
    return (bits_ >> static_cast<unsigned>(value) & 1U) != 0;
  }
  [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
  bool operator==(const FewBits&) const = default;

 private:
  std::uint16_t bits_ = 0;
};
using ArmTerms = FewBits<ArmTerm>;
using ArmLimits = FewBits<ArmLimit>;

/// Friction of a joint that the friction term compensates (control/laws/joint_torques.h).
struct FrictionConfig {
  double coulomb = 0.0;          ///< [N·m or N]
  double viscous = 0.0;          ///< [N·m·s/rad or N·s/m]
  double stribeck = 0.0;         ///< breakaway friction above Coulomb's [N·m or N]
  double stribeck_speed = 0.05;  ///< speed at which that part has fallen to 1/e [rad/s or m/s]
  double sign_speed = 0.02;      ///< speed at which the smoothed sign is 0.75 [rad/s or m/s]
  bool operator==(const FrictionConfig&) const = default;
};

/// The terms that are on where a file says nothing: all but friction, whose numbers no model
/// states.
constexpr ArmTerms usual_terms() noexcept {
  ArmTerms terms;
  for (const ArmTerm term :
       {ArmTerm::kPosture, ArmTerm::kGravity, ArmTerm::kCoriolis, ArmTerm::kLimits}) {
    terms.set(term);
  }
  return terms;
}

/// Place of a setting in a file, as "robot.yaml:12:3: ", for messages alone.
struct SettingPlace {
  std::string text;
  bool operator==(const SettingPlace& /*other*/) const noexcept { return true; }
};

/// An arm and its Cartesian control, as robot.yaml sets them. Defaults are choices; caps are those
/// published for the Sawyer's impedance control (Rethink Robotics, "Arm Control Systems").
struct ArmConfig {
  std::string name;
  std::string part;
  std::vector<JointIndex> joints;  ///< joints of the part, by rising index
  std::string tool;                ///< a site or a body
  std::string base;  ///< a site or a body; empty: the body that the first joint is mounted on
  SettingPlace where;
  ToolFrame frame = ToolFrame::kBase;
  Six stiffness{600.0, 600.0, 600.0, 20.0, 20.0, 20.0};         ///< [N/m, N·m/rad]
  Six stiffness_max{1300.0, 1300.0, 1300.0, 30.0, 30.0, 30.0};  ///< caps of stiffness
  double damping_ratio = 0.7;
  Six damping_max{300.0, 300.0, 300.0, 10.0, 10.0, 10.0};  ///< caps of damping given in numbers
  Six error_max{0.1, 0.1, 0.1, 0.6, 0.6, 0.6};             ///< clip of the spring's error [m, rad]
  double speed_max = 0.25;                                 ///< speed of the target [m/s]
  double acceleration_max = 1.0;                           ///< [m/s²]
  double rotation_speed_max = 1.0;                         ///< [rad/s]
  double rotation_acceleration_max = 4.0;                  ///< [rad/s²]
  double target_filter = 0.0;  ///< time constant of the target's low-pass [s]; 0: none
  double timeout = 0.2;        ///< timeout of streamed targets [s]
  Projector projector = Projector::kDynamicallyConsistent;
  double posture_stiffness = 10.0;       ///< [N·m/rad or N/m]
  double posture_damping_ratio = 0.7;    ///< for each joint alone
  double posture_torque_max = 10.0;      ///< cap for each joint [N·m or N]
  std::vector<double> posture_weights;   ///< factors of the posture's gains, one per joint
  double limit_margin = 0.1;             ///< zone inside the soft limits [rad or m]
  double limit_stiffness = 50.0;         ///< spring that pushes back in that zone [N·m/rad or N/m]
  std::vector<FrictionConfig> friction;  ///< one per joint
  ArmTerms terms = usual_terms();        ///< terms that are on at the start
  ForceSensorConfig force_sensor;
  KnownPayload payload;
  double payload_max = 10.0;  ///< cap of a payload's mass [kg]
  /// Bounds of the inertia that can be asked for the tool [kg, kg·m²]: choices.
  Six inertia_min{0.5, 0.5, 0.5, 0.01, 0.01, 0.01};
  Six inertia_max{100.0, 100.0, 100.0, 10.0, 10.0, 10.0};
  InteractionConfig interaction;
  ZeroGConfig zero_g;
  bool operator==(const ArmConfig&) const = default;
};

[[nodiscard]] inline JointSet joints_of(const ArmConfig& arm) {
  JointSet joints;
  for (const JointIndex joint : arm.joints) joints.set(joint);
  return joints;
}

/// Torque of each term for each joint of an arm [N·m or N].
using ArmTorques = std::array<std::array<double, kMaxArmJoints>, kAllArmTerm.size()>;

/// One arm in one cycle. Poses in the arm's base frame; error, twist and wrench along its axes.
struct ArmSnapshot {
  ToolPose tool;
  ToolPose offset;  ///< X_FT: of the tool in the flange frame (SetTool)
  ToolPose target;  ///< the spring's target: after governor and filter
  ToolPose goal;    ///< target as asked for
  Six error{};      ///< target minus tool, after clipping [m, rad]
  Six twist{};      ///< twist of the tool relative to the base [m/s, rad/s]
  Six wrench{};     ///< wrench of spring, damper and force on the tool [N, N·m]
  Six stiffness{};  ///< diagonal of the stiffness, along its own axes [N/m, N·m/rad]
  KnownPayload payload;
  /// Inertia that shapes the tool, along the same axes [kg, kg·m²]; 0: the tool's own.
  Six inertia{};
  InteractionSnapshot interaction;
  ArmForces forces;  ///< forces of the surroundings on the tool
  DriveSnapshot drive;
  double damping_ratio = 0.0;  ///< 0 where the damping was given in numbers
  /// Time until the stream of targets counts as silent [s]; 0: no timeout runs.
  double timeout_left = 0.0;
  ArmTorques tau{};  ///< 0 while the arm does not run
  ArmTerms terms;    ///< terms that are switched on
  ArmLimits limits;  ///< limits that act
  bool runs = false;
  bool moving = false;     ///< the target is on its way to the goal
  bool timed_out = false;  ///< the stream fell silent: the joints hold
  std::array<std::uint8_t, 1> spare{};

  bool operator==(const ArmSnapshot&) const = default;
};
static_assert(sizeof(ArmSnapshot) % 8 == 0);

}  // namespace jointrig
