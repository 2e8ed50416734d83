#pragma once
/// A command is plain data with a sender, a number and a time: whatever a panel or a scenario can
/// ask, a wire can carry. It is taken whole or refused whole. Names are resolved by the sender
/// (control/exchange/command_builder.h); the loop sees indices.

#include <cstdint>

#include "control/core/arm.h"
#include "control/core/enumeration.h"
#include "control/core/fixed_vector.h"
#include "control/core/modes.h"
#include "control/core/types.h"

namespace jointrig {

///     kind             values[i] of each joint named             modes that take it
///     set_mode         -  (request)                               by the transition table
///     set_interaction  -  (interaction)                           any: stored where it has no use
///     set_impedance    a = stiffness, b = damping                 any: stored where it has no use
///     move             a = goal q, b = speed (0: the joint's own) position, mixed
///     timed_move       a = goal q, b = duration [s] from now      position, mixed
///     stream_position  a = q                                      position_direct
///     stream_trajectory  a = q, b = v, c = acceleration           position_direct
///     velocity         a = v                                      velocity, mixed
///     torque           a = tau                                    torque
///     duty             a = duty, -1..1                            openloop
///     calibrate        -                                          by the transition table
///     stop             -  decelerates and holds                   any: nothing to do where not
///     moving
///     set_parameter    a = value, b = which JointParameter        any: from this cycle on
///     set_posture      a = q                                      cartesian: of joints of an arm
///     suppress         a = which Suppressible (protection.h)      any: for kSuppressionTime from
///     now
///
/// Two are the robot's, name no joint and carry one value:
///
///     set_speed_override  a = factor on the speed of all references
///     set_protection      a = which Protection, b = 0 or 1
///
/// Commands for an arm name no joints; what they carry is in `numbers`. The first two are for mode
/// cartesian, the others for any:
///
///     set_tool_target     x y z, then w x y z of a quaternion, in its base frame
///     stream_tool_target  the same
///     set_tool_stiffness  6 along the axes, or 36 of a matrix, row by row [N/m, N/rad, N·m/rad]
///     set_tool_damping    1: a damping ratio; 6 or 36: likewise [N·s/m, N·s/rad, N·m·s/rad]
///     set_arm_term        which ArmTerm, 0 or 1
///     tare_force_sensor   -: what its sensor reads now beside tool and payload is its bias
///     set_force_filter    cut-off of its sensor's low-pass [Hz], 0 for none
///     set_payload         mass [kg], x y z of its centre in the tool frame [m]
///     set_tool_inertia    6 along the axes, that the tool is shaped to; all 0: its own [kg, kg·m²]
///     set_interaction_control  control/core/interaction_command.h; no numbers: off
///     set_cuff            for how long from now on the cuff is grasped; 0: it is let go [s]
///     set_free_axes       6 flags: what is free while the arm is guided; which ToolFrame's axes
#define JOINTRIG_COMMAND_KINDS(X)                      \
  X(kSetMode, "set_mode")                              \
  X(kSetInteraction, "set_interaction")                \
  X(kSetImpedance, "set_impedance")                    \
  X(kMove, "move")                                     \
  X(kTimedMove, "timed_move")                          \
  X(kStreamPosition, "stream_position")                \
  X(kStreamTrajectory, "stream_trajectory")            \
  X(kVelocity, "velocity")                             \
  X(kTorque, "torque")                                 \
  X(kDuty, "duty")                                     \
  X(kCalibrate, "calibrate")                           \
  X(kStop, "stop")                                     \
  X(kSetParameter, "set_parameter")                    \
  X(kSetSpeedOverride, "set_speed_override")           \
  X(kSetPosture, "set_posture")                        \
  X(kSuppress, "suppress")                             \
  X(kSetProtection, "set_protection")                  \
  X(kSetToolTarget, "set_tool_target")                 \
  X(kStreamToolTarget, "stream_tool_target")           \
  X(kSetToolStiffness, "set_tool_stiffness")           \
  X(kSetToolDamping, "set_tool_damping")               \
  X(kSetArmTerm, "set_arm_term")                       \
  X(kTareForceSensor, "tare_force_sensor")             \
  X(kSetForceFilter, "set_force_filter")               \
  X(kSetPayload, "set_payload")                        \
  X(kSetToolInertia, "set_tool_inertia")               \
  X(kSetInteractionControl, "set_interaction_control") \
  X(kSetCuff, "set_cuff")                              \
  X(kSetFreeAxes, "set_free_axes")
JOINTRIG_ENUM(CommandKind, JOINTRIG_COMMAND_KINDS)

constexpr bool is_for_arm(CommandKind kind) noexcept { return kind >= CommandKind::kSetToolTarget; }

inline constexpr std::size_t kMaxCommandNumbers = 64;

/// Least factor of set_speed_override; 1 is the most. Standing still is what stop is for.
inline constexpr double kLeastSpeedOverride = 0.01;

struct JointValue {
  double a = 0.0;
  double b = 0.0;
  double c = 0.0;
  bool operator==(const JointValue&) const = default;
};

struct Command {
  CommandKind kind = CommandKind::kStop;
  ModeRequest request = ModeRequest::kIdle;               ///< of set_mode
  InteractionMode interaction = InteractionMode::kStiff;  ///< of set_interaction
  ArmIndex arm = kNoArm;
  std::uint16_t sender = 0;  ///< who asks: an id handed out by the inbox
  std::uint64_t number = 0;  ///< counts up per sender; the answer carries it
  TimeNs time_ns = 0;        ///< robot time of the snapshot it was computed from; 0: not checked
  JointSet joints;
  PerJoint<JointValue> values;  ///< one per joint in `joints`, by rising index; empty where unused
  FixedVector<double, kMaxCommandNumbers> numbers;  ///< of a command for an arm
};

}  // namespace jointrig
