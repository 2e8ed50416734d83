#pragma once
/// All commands: plain data with a sender, a number and a time, so that a wire can carry each of
/// them. A command is accepted whole or refused whole. The sender resolves names
/// (control/exchange/robot_client.h); the loop sees indices.
///
/// A new command is a struct with its fields, ranges and modes (joint_commands.h, arm_commands.h,
/// body_commands.h, gripper_commands.h) and a line in JOINTRIG_COMMANDS. Admission, log, sentences
/// and docs/commands.md read that definition; the compiler asks for a `take` in the stack, in a
/// joint or in an arm. A check beyond the ranges of the fields is an overload of `examine`
/// (control/stack) or `check` (control/joint).

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "control/core/arm_commands.h"
#include "control/core/body_commands.h"
#include "control/core/enumeration.h"
#include "control/core/gripper_commands.h"
#include "control/core/joint_commands.h"
#include "control/core/obstacle.h"
#include "control/core/types.h"

namespace jointrig {

#define JOINTRIG_COMMANDS(X)                                \
  X(SetMode, "set_mode")                                    \
  X(SetInteraction, "set_interaction")                      \
  X(SetImpedance, "set_impedance")                          \
  X(Move, "move")                                           \
  X(TimedMove, "timed_move")                                \
  X(SetJointTarget, "set_joint_target")                     \
  X(StreamPosition, "stream_position")                      \
  X(StreamTrajectory, "stream_trajectory")                  \
  X(StreamVelocity, "velocity")                             \
  X(StreamTorque, "torque")                                 \
  X(StreamDuty, "duty")                                     \
  X(Calibrate, "calibrate")                                 \
  X(Stop, "stop")                                           \
  X(SetParameter, "set_parameter")                          \
  X(SetSpeedOverride, "set_speed_override")                 \
  X(FollowPlan, "follow_plan")                              \
  X(SetPosture, "set_posture")                              \
  X(Suppress, "suppress")                                   \
  X(SetProtection, "set_protection")                        \
  X(SwitchLaw, "switch_law")                                \
  X(SetLawParameter, "set_law_parameter")                   \
  X(SetToolTarget, "set_tool_target")                       \
  X(StreamToolTarget, "stream_tool_target")                 \
  X(SetToolStiffness, "set_tool_stiffness")                 \
  X(SetToolDamping, "set_tool_damping")                     \
  X(SetArmTerm, "set_arm_term")                             \
  X(TareForceSensor, "tare_force_sensor")                   \
  X(SetForceFilter, "set_force_filter")                     \
  X(SetPayload, "set_payload")                              \
  X(SetTool, "set_tool")                                    \
  X(SetToolInertia, "set_tool_inertia")                     \
  X(SetInteractionControl, "set_interaction_control")       \
  X(SetCuff, "set_cuff")                                    \
  X(SetFreeAxes, "set_free_axes")                           \
  X(HandTrajectory, "hand_trajectory")                      \
  X(ArmJointTrajectory, "arm_trajectory")                   \
  X(ChestTrajectory, "chest_trajectory")                    \
  X(HeadTrajectory, "head_trajectory")                      \
  X(PelvisOrientation, "pelvis_orientation")                \
  X(PelvisHeight, "pelvis_height")                          \
  X(FootTrajectory, "foot_trajectory")                      \
  X(FootLoadBearing, "foot_load_bearing")                   \
  X(HandLoadBearing, "hand_load_bearing")                   \
  X(GoHome, "go_home")                                      \
  X(StopAllTrajectories, "stop_all_trajectories")           \
  X(FootstepList, "footstep_list")                          \
  X(PauseWalking, "pause_walking")                          \
  X(OpenGripper, "open_gripper")                            \
  X(CloseGripper, "close_gripper")                          \
  X(MoveGripper, "move_gripper")                            \
  X(Grasp, "grasp")                                         \
  X(NeckTrajectory, "neck_trajectory")                      \
  X(ArmDesiredAccelerations, "arm_desired_accelerations")   \
  X(NeckDesiredAccelerations, "neck_desired_accelerations") \
  X(WholeBodyTrajectory, "whole_body_trajectory")           \
  X(PelvisTrajectory, "pelvis_trajectory")                  \
  X(HandConfiguration, "hand_configuration")                \
  X(Footstep, "footstep")                                   \
  X(SetObstacle, "set_obstacle")                            \
  X(RemoveObstacle, "remove_obstacle")                      \
  X(DriveTool, "drive_tool")                                \
  X(Cancel, "cancel")                                       \
  X(SetGravity, "set_gravity")

/// `CommandKind::kMove` is the kind of `Move`.
#define JOINTRIG_COMMAND_MEMBER(Type, word) k##Type,
#define JOINTRIG_COMMAND_WORD(Type, word) std::string_view{word},
enum class CommandKind : std::uint8_t { JOINTRIG_COMMANDS(JOINTRIG_COMMAND_MEMBER) };
inline constexpr std::array kCommandKindWords{JOINTRIG_COMMANDS(JOINTRIG_COMMAND_WORD)};
inline constexpr auto kAllCommandKind = [] {
  std::array<CommandKind, kCommandKindWords.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<CommandKind>(i);
  return all;
}();
constexpr std::string_view to_string(CommandKind kind) noexcept {
  const auto index = static_cast<std::size_t>(kind);
  return index < kCommandKindWords.size() ? kCommandKindWords[index] : std::string_view{"?"};
}
constexpr bool parse(std::string_view word, CommandKind& kind) noexcept {
  for (const CommandKind candidate : kAllCommandKind) {
    if (to_string(candidate) != word) continue;
    kind = candidate;
    return true;
  }
  return false;
}

namespace detail {
template <typename... Types>
struct TypeList {
  using Variant = std::variant<Types...>;
};
#define JOINTRIG_COMMAND_TYPE(Type, word) , Type
template <typename /*Nothing*/, typename... Types>
using TailOf = TypeList<Types...>;
using CommandTypes = TailOf<void JOINTRIG_COMMANDS(JOINTRIG_COMMAND_TYPE)>;
}  // namespace detail

/// A command of any kind; its index is its kind.
using Request = detail::CommandTypes::Variant;
static_assert(std::variant_size_v<Request> == kAllCommandKind.size());

template <typename C>
concept NamesJoints = requires(C command) {
  command.joints;
};
template <typename C>
concept HasValues = requires(C command) {
  command.values;
};
template <typename C>
concept IsForArm = requires(C command) {
  command.arm;
};
template <typename C>
concept IsForLaw = requires(C command) {
  command.law;
};
template <typename C>
concept IsOfObstacle = std::is_same_v<C, SetObstacle> || std::is_same_v<C, RemoveObstacle>;
template <typename C>
concept HasFields = requires {
  C::kFields;
};
/// True if the command must be repeated: a silent stream is a timeout.
template <typename C>
constexpr bool is_streamed() noexcept {
  if constexpr (requires { C::kStreamed; }) return C::kStreamed;
  return false;
}

/// True if the command asks for motion; modes, gains and terms don't.
template <typename C>
constexpr bool starts_motion() noexcept {
  if constexpr (requires { C::kStartsMotion; }) return C::kStartsMotion;
  return is_streamed<C>();
}

struct Command {
  Request request = Stop{};
  std::uint16_t sender = 0;  ///< id of the sender, given by the inbox
  std::uint64_t number = 0;  ///< counts up per sender; the answer repeats it
  TimeNs time_ns = 0;        ///< robot time of the snapshot that the sender used; 0: not checked
};

constexpr CommandKind kind_of(const Request& request) noexcept {
  return static_cast<CommandKind>(request.index());
}
constexpr CommandKind kind_of(const Command& command) noexcept { return kind_of(command.request); }

namespace detail {
template <typename C, typename... Types>
consteval std::size_t place_in(TypeList<Types...>) {
  std::size_t place = 0;
  static_cast<void>((... || (std::is_same_v<C, Types> || (++place, false))));
  return place;
}
template <typename Visit, typename... Types>
constexpr void with_type(CommandKind kind, Visit&& visit, TypeList<Types...>) {
  std::size_t i = 0;
  ((i++ == static_cast<std::size_t>(kind) ? visit(std::type_identity<Types>{}) : void()), ...);
}
}  // namespace detail

/// The kind of a command's type.
template <typename C>
consteval CommandKind kind_of() {
  return static_cast<CommandKind>(detail::place_in<C>(detail::CommandTypes{}));
}

/// Calls `visit(std::type_identity<C>)` with the command's type.
template <typename Visit>
constexpr void with_command_type(CommandKind kind, Visit&& visit) {
  detail::with_type(kind, visit, detail::CommandTypes{});
}

/// The joints that the command names; none for a command to an arm or to the robot.
JointSet joints_of(const Request& request) noexcept;
ArmIndex arm_of(const Request& request) noexcept;           ///< kNoArm for others
MessageId message_of(const Request& request) noexcept;      ///< 0 for a command that is no message
LawIndex law_of(const Request& request) noexcept;           ///< kNoLaw for others
GripperIndex gripper_of(const Request& request) noexcept;   ///< kNoGripper for others
ObstacleName obstacle_of(const Request& request) noexcept;  ///< empty for others

/// Place of the first number of a field.
template <typename C>
consteval std::size_t place_of(std::string_view field) {
  for (const FieldInfo& info : field_infos<C>()) {
    if (info.name == field) return info.place;
  }
  throw std::out_of_range("no such field");
}

}  // namespace jointrig
