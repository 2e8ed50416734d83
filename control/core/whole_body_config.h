#pragma once
/// The whole-body controller of a robot with a floating base as its configuration has it
/// (docs/whole-body.md has every key). Nothing of the program's weights is hidden: each is here.

#include <array>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/forces.h"

namespace jointrig {

/// Form in which the controller's program answers (control/wholebody/core.h has the equations).
///
///     inverse_dynamics    torques, accelerations and forces, by the equations of motion
///     inverse_kinematics  accelerations alone, for boards without torque: they move a robot of the
///                         controller's own, which leads the joints in mode position
///     virtual_model       torques alone: each task pulls by a virtual force, and the contacts
///                         carry what the momentum takes
#define JOINTRIG_CORE_MODES(X)                \
  X(kInverseDynamics, "inverse_dynamics")     \
  X(kInverseKinematics, "inverse_kinematics") \
  X(kVirtualModel, "virtual_model")
JOINTRIG_ENUM(CoreMode, JOINTRIG_CORE_MODES)

/// A flat sole: a rectangle in the frame of a site or body, whose z is the normal into the robot.
struct FootConfig {
  std::string name;
  std::string frame;               ///< site or body
  std::array<double, 3> centre{};  ///< of the rectangle, in the frame [m]
  std::array<double, 2> size{};    ///< along x and y of the frame [m]
  ForceSensorConfig force_sensor;  ///< between it and the leg; `mass`, `filter_hz`: not used
  bool operator==(const FootConfig&) const = default;
};

/// A joint of a hand's fingers, where they are open and closed [rad or m].
struct FingerConfig {
  std::string joint;
  double open = 0.0;
  double closed = 0.0;
  bool operator==(const FingerConfig&) const = default;
};

/// A hand that messages move.
struct HandConfig {
  std::string name;
  std::string frame;                  ///< site or body
  std::string gripper;                ///< its fingers, by the name of a gripper; empty: none
  std::vector<FingerConfig> fingers;  ///< those of the gripper, once the controller is built
  bool operator==(const HandConfig&) const = default;
};

struct WholeBodyConfig {
  std::vector<FootConfig> feet;   ///< 1 to 4
  std::vector<HandConfig> hands;  ///< parts that messages move; empty: none
  std::string chest;              ///< likewise, site or body; the chest keeps its orientation
  std::string head;
  std::string pelvis;
  std::vector<std::string> upright;  ///< sites or bodies that keep their orientation
  std::string place;                 ///< file and line, for messages
  CoreMode mode = CoreMode::kInverseDynamics;
  ImuConfig imu;                    ///< of the base; without a site the backend must tell the pose
  double contact_force = 15.0;      ///< of a foot's sensor, from which it bears [N]
  double base_speed_gain = 60.0;    ///< of the base's estimate: its speed to that of the legs [1/s]
  double base_tilt_gain = 20.0;     ///< tilt from what is left between the two [1/s²]
  double base_turn_gain = 0.5;      ///< orientation to that of soles that stand [1/s]
  double base_bias_gain = 0.06;     ///< the gyro's bias from the same [1/s²]
  double base_place_gain = 2.0;     ///< place to that of soles that stand [1/s]
  double friction = 0.5;            ///< Coulomb's μ of the soles
  double com_stiffness = 60.0;      ///< of the centre of mass [1/s²]
  double com_damping = 15.5;        ///< [1/s]
  double com_weight = 1.0;          ///< of the linear momentum's rate [1/N²]
  double spin_damping = 2.0;        ///< of the angular momentum [1/s]
  double spin_weight = 0.02;        ///< of its rate [1/(N·m)²]
  double upright_stiffness = 50.0;  ///< [1/s²]
  double upright_damping = 14.1;    ///< [1/s]
  double upright_weight = 1.0;      ///< [s⁴/rad²]
  double posture_stiffness = 50.0;  ///< of the joints, towards where they were at the start [1/s²]
  double posture_damping = 14.1;    ///< [1/s]
  double posture_weight = 0.1;      ///< [s⁴/rad²]
  double hand_stiffness = 50.0;     ///< of a hand that a message moves [1/s²]
  double hand_damping = 14.1;       ///< [1/s]
  double hand_weight = 1.0;         ///< [s⁴/m², s⁴/rad²]
  double arm_stiffness = 50.0;      ///< of the joints of an arm that a message moves [1/s²]
  double arm_damping = 14.1;        ///< [1/s]
  double arm_weight = 1.0;          ///< [s⁴/rad²]
  double height_stiffness = 50.0;   ///< of the pelvis, once a message has moved it [1/s²]
  double height_damping = 14.1;     ///< [1/s]
  double height_weight = 10.0;      ///< [s⁴/m²]
  double message_speed = 0.5;       ///< largest that a message may ask for [m/s]
  double message_turn_speed = 1.5;  ///< likewise [rad/s]
  double acceleration_timeout = 0.1;  ///< in which another message of accelerations must come [s]
  double foot_damping = 20.0;         ///< a sole that moves comes to rest with it [1/s]
  double swing_stiffness = 100.0;     ///< of a foot in the air [1/s²]
  double swing_damping = 20.0;        ///< [1/s]
  double swing_weight = 10.0;         ///< [s⁴/m², s⁴/rad²]
  double lift_margin = 0.01;    ///< capture point inside the other soles when a foot unloads [m]
  double touch_height = 0.005;  ///< of a sole that begins to bear, above the others [m]
  double ground_lost = 0.02;  ///< way of a sole that bears, beyond which it has lost its ground [m]
  double hand_force_max = 60.0;       ///< largest that a hand may be told to bear [N]
  double bearing_weight = 1.0;        ///< of the force that a hand bears [1/N²]
  double acceleration_weight = 1e-3;  ///< r_a of the program (control/wholebody/core.h) [s⁴/rad²]
  double force_weight = 1e-5;         ///< r_ρ [1/N²]
  double torque_weight = 0.0;         ///< r_τ [1/(N·m)²]
  double change_weight = 0.0;         ///< r_c
  double released_weight = 1e5;       ///< of each row of a constraint that gave way
  double acceleration_max = 200.0;    ///< of a joint [rad/s² or m/s²]
  double limit_horizon = 0.05;        ///< in which a joint may use up the way to its limit [s]
  int iterations = 300;               ///< of the solver, per attempt
  int attempts = 6;                   ///< constraints that may give way in a cycle, plus one
  double shift_speed = 0.05;          ///< of the wanted centre of mass [m/s]
  double hold_time = 0.005;      ///< for which the last torques stay without a new solution [s]
  double capture_beyond = 0.05;  ///< way of the capture point out of the soles that is a fall [m]
  double tilt_max = 0.7;         ///< tilt of the base since the start that is a fall [rad]
  double fall_damping = 100.0;   ///< of the joints after a fall, per inertia that each feels [1/s]
  // Settings of mode inverse_kinematics (equations: control/wholebody/balance_lead.h).
  double servo_bandwidth = 3.0;  ///< at which it sways on the stiffness of its joints [Hz]
  double balance_gain = 2.0;     ///< of the capture point, beyond what keeps it where it is
  double lead_max = 0.05;        ///< largest way of the centre of mass for balance [m]
  double away_max = 0.2;  ///< of a joint's reference from where the joint is [rad or m]: a choice
  bool operator==(const WholeBodyConfig&) const = default;
};

inline constexpr std::size_t kMaxFeet = 4;
inline constexpr std::size_t kMaxUpright = 12;
/// The controller is one of the robot's laws (law_config.h), under this name.
inline constexpr const char* kWholeBodyLaw = "whole_body";

/// Constraints that gave way in a cycle of the whole-body controller, where not everything could be
/// met.
///
///     frame          acceleration of a frame that was to be met exactly
///     momentum       likewise the momentum
///     joint_limits   ranges, speeds and accelerations of the joints
///     foot           a foot or hand that was to stand still
///     ground         a foot that bears has left its place by more than ground_lost
///     reference      a joint's reference was more than away_max from where the joint is
///     unloaded       a foot that is to bear has had no force by its sensor for 0.1 s
#define JOINTRIG_BODY_CONSTRAINTS(X) \
  X(kFrame, "frame")                 \
  X(kMomentum, "momentum")           \
  X(kJointLimits, "joint_limits")    \
  X(kFoot, "foot")                   \
  X(kGround, "ground")               \
  X(kReference, "reference")         \
  X(kUnloaded, "unloaded")
JOINTRIG_ENUM(BodyConstraint, JOINTRIG_BODY_CONSTRAINTS)

/// How it stands, by its capture point.
///
///     inside   of the soles' edge by lift_margin and more
///     edge     nearer to it; it still needs no step
///     outside  it needs a step or a push back to stay up
#define JOINTRIG_BALANCE_STATES(X) \
  X(kInside, "inside")             \
  X(kEdge, "edge")                 \
  X(kOutside, "outside")
JOINTRIG_ENUM(BalanceState, JOINTRIG_BALANCE_STATES)

/// Time for which joints hold until the base is known, where mode torque was asked for [s] (a
/// choice: a drive enables within 0.5 s, and then a robot on its feet is known after 0.25 s).
inline constexpr double kTorquePatience = 1.0;

/// The obstacle on the way from mode position to mode torque for the joints of a robot on feet.
///
///     no_imu       nobody knows where its base is: its IMU gives nothing
///     no_foot      likewise: no foot bears
///     looking      likewise; value = time on its feet so far, limit = time that it takes [s]
///     feet_apart   likewise: its feet tell different speeds; value = by so much, limit [m/s]
///     turns        likewise: it turns as one that falls does; value, limit [rad/s]
///     no_gravity   likewise: IMU and legs don't agree on gravity; value = theirs, limit = g [m/s²]
///     joint_off    the motor of a joint isn't on
///     joint_held   a joint is held, or in a hand
///     joint_moves  a joint is on its way
#define JOINTRIG_TORQUE_OBSTACLES(X) \
  X(kNoImu, "no_imu")                \
  X(kNoFoot, "no_foot")              \
  X(kLooking, "looking")             \
  X(kFeetApart, "feet_apart")        \
  X(kTurns, "turns")                 \
  X(kNoGravity, "no_gravity")        \
  X(kJointOff, "joint_off")          \
  X(kJointHeld, "joint_held")        \
  X(kJointMoves, "joint_moves")
JOINTRIG_ENUM(TorqueObstacle, JOINTRIG_TORQUE_OBSTACLES)

}  // namespace jointrig
