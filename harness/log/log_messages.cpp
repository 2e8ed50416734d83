#include "harness/log/log_messages.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "control/core/command_facts.h"
#include "harness/log/message_fields.h"

namespace jointrig::harness {

// A joint's snapshot contains the board's state.
template <typename Value>
struct ReadFrom<JointSnapshot, Value JointState::*> {
  static const Value& read(const JointSnapshot& joint, Value JointState::*member) noexcept {
    return joint.state.*member;
  }
};

namespace {

struct Units {
  const char* position;
  const char* velocity;
  const char* acceleration;
  const char* torque;
  const char* stiffness;
  const char* damping;
};

constexpr Units kHinge{"rad", "rad/s", "rad/s²", "N·m", "N·m/rad", "N·m·s/rad"};
constexpr Units kSlide{"m", "m/s", "m/s²", "N", "N/m", "N·s/m"};

std::string message_name(const char* name, bool slide) {
  return std::string("jointrig_msgs/msg/") + (slide ? "Slide" : "") + name;
}

/// One bit each, as in the field `limits`.
std::vector<MessageConstant> limit_constants() {
  std::vector<MessageConstant> constants = constants_of("LIMIT", kAllLimit);
  for (MessageConstant& constant : constants) constant.value = std::int64_t{1} << constant.value;
  return constants;
}

const Units& units_of(bool slide) noexcept { return slide ? kSlide : kHinge; }

template <typename Field>
void for_each_field_of_joint(const Units& u, Field&& field) {
  using M = JointMessage;
  using From = JointSnapshot;
  field("q", &M::q, &JointState::q, u.position, "measured position");
  field("v", &M::v, &JointState::v, u.velocity,
        "measured velocity; estimated where the board senses none, observed where its encoder is "
        "coarse");
  field("tau", &M::tau, &JointState::tau, u.torque, "measured torque after the gear");
  field("current", &M::current, &JointState::current_A, "A", "motor current");
  field("temperature", &M::temperature, &JointState::temperature_C, "degC", "motor winding");
  field(
      "q_ref", &M::q_ref, [](const From& from) { return from.reference.q; }, u.position,
      "reference: what is asked this cycle");
  field(
      "v_ref", &M::v_ref, [](const From& from) { return from.reference.v; }, u.velocity);
  field(
      "a_ref", &M::a_ref, [](const From& from) { return from.reference.a; }, u.acceleration);
  field(
      "tau_ref", &M::tau_ref, [](const From& from) { return from.reference.tau; }, u.torque,
      "of torque mode");
  field(
      "duty_ref", &M::duty_ref, [](const From& from) { return from.reference.duty; }, "",
      "of openloop mode, -1..1");
  field(
      "q_cmd", &M::q_cmd, [](const From& from) { return from.setpoint.q; }, u.position,
      "setpoint: what was sent to the board, after safety");
  field(
      "v_cmd", &M::v_cmd, [](const From& from) { return from.setpoint.v; }, u.velocity);
  field(
      "tau_cmd", &M::tau_cmd, [](const From& from) { return from.setpoint.tau; }, u.torque);
  field(
      "duty_cmd", &M::duty_cmd, [](const From& from) { return from.setpoint.duty; }, "", "-1..1");
  field("stiffness", &M::stiffness, &From::stiffness, u.stiffness,
        "of compliant, also while it is stored");
  field("damping", &M::damping, &From::damping, u.damping, "of compliant, also while it is stored");
  field(
      "error", &M::error, [](const From& from) { return from.reference.q - from.state.q; },
      u.position, "q_ref - q");
  field("timeout_left", &M::timeout_left, &From::timeout_left, "s",
        "until the command timeout; 0 where none runs");
  field(
      "tau_gravity_only", &M::tau_gravity_only,
      [](const From& from) { return from.effort.gravity; }, u.torque,
      "holds the joint, by the model");
  field(
      "tau_model", &M::tau_model, [](const From& from) { return from.effort.model; }, u.torque,
      "what of tau_cmd the model asks for: gravity, payload, Coriolis, friction, I a_ref");
  field(
      "tau_interaction", &M::tau_interaction,
      [](const From& from) { return from.effort.interaction; }, u.torque,
      "what of it an impedance asks for: the joint's, or that of its arm's tool");
  field(
      "tau_external", &M::tau_external, [](const From& from) { return from.effort.external; },
      u.torque, "of no motor, by the momentum observer");
  field(
      "tau_laws", &M::tau_laws, [](const From& from) { return from.effort.laws; }, u.torque,
      "of laws of one's own, before the limits");
  field("mode", &M::mode, &From::mode, "", "MODE_*");
  field("interaction", &M::interaction, &From::interaction, "", "INTERACTION_*");
  field("board_status", &M::board_status, &JointState::status, "", "BOARD_*");
  field(
      "drive", &M::drive, [](const From& from) { return from.setpoint.drive; }, "",
      "DRIVE_*: what the board was told to do");
  field(
      "fault", &M::fault, [](const From& from) { return from.fault.code; }, "", "FAULT_*, latched");
  field(
      "limits", &M::limits, [](const From& from) { return from.limits.bits(); }, "",
      "LIMIT_*, a bit each: what shapes the output");
  field("moving", &M::moving, &From::moving, "", "moving to a goal");
  field("timed_out", &M::timed_out, &From::timed_out, "", "the stream fell silent");
  field("extrapolated", &M::extrapolated, &JointState::extrapolated, "",
        "q was carried on from an older sample");
  field("knows_external", &M::knows_external, &From::has_external, "",
        "tau_external is worked out");
}

template <typename Field>
void for_each_field_of_board(const Units& u, Field&& field) {
  using M = BoardMessage;
  using From = JointSnapshot;
  field("supply", &M::supply, &JointState::supply_V, "V", "of the drive");
  field("progress", &M::progress, &JointState::progress, "", "of a calibration, 0..1");
  field("board_fault_value", &M::board_fault_value, &JointState::fault_value, "",
        "that the board reports");
  field("board_fault_limit", &M::board_fault_limit, &JointState::fault_limit, "",
        "that the board reports");
  field(
      "fault_value", &M::fault_value, [](const From& from) { return from.fault.value; }, "",
      "latched; its unit goes with the fault");
  field(
      "fault_limit", &M::fault_limit, [](const From& from) { return from.fault.limit; }, "",
      "latched");
  field(
      "fault_cycle", &M::fault_cycle, [](const From& from) { return from.fault.cycle; }, "",
      "first cycle of the latched fault");
  field(
      "stiffness_cmd", &M::stiffness_cmd, [](const From& from) { return from.setpoint.stiffness; },
      u.stiffness, "sent to a board with impedance drive");
  field(
      "damping_cmd", &M::damping_cmd, [](const From& from) { return from.setpoint.damping; },
      u.damping, "sent to a board with impedance drive");
  field("tau_hysteresis", &M::tau_hysteresis, &JointState::tau_hysteresis, u.torque,
        "in tau, of the spring's material");
  field("hysteresis_state", &M::hysteresis_state, &JointState::hysteresis_state, "",
        "of that model, -1..1");
  field("tau_crosstalk", &M::tau_crosstalk, &JointState::tau_crosstalk, u.torque,
        "in tau, of the joint before it");
  field("missed", &M::missed, &JointState::missed, "",
        "cycles of its bus since the last fresh sample");
  field("limit_cycles", &M::limit_cycles, &From::limit_cycles, "",
        "cycles in which each limit has acted, in the order of LIMIT_*");
  field("board_fault", &M::board_fault, &JointState::fault, "", "FAULT_* that the board reports");
  field(
      "request", &M::request, [](const From& from) { return from.setpoint.request; }, "",
      "REQUEST_* to the board's status machine");
  field("inputs", &M::inputs, &JointState::inputs, "", "digital inputs of the board, a bit each");
}

template <typename Field>
void for_each_field_of_raw(const Units& u, Field&& field) {
  using M = RawMessage;
  field("q", &M::q, &JointState::q, u.position);
  field("v", &M::v, &JointState::v, u.velocity);
  field("tau", &M::tau, &JointState::tau, u.torque);
  field("current", &M::current, &JointState::current_A, "A");
  field("temperature", &M::temperature, &JointState::temperature_C, "degC");
  field("supply", &M::supply, &JointState::supply_V, "V");
  field("progress", &M::progress, &JointState::progress);
  field("board_fault_value", &M::board_fault_value, &JointState::fault_value);
  field("board_fault_limit", &M::board_fault_limit, &JointState::fault_limit);
  field("tau_hysteresis", &M::tau_hysteresis, &JointState::tau_hysteresis, u.torque);
  field("hysteresis_state", &M::hysteresis_state, &JointState::hysteresis_state);
  field("tau_crosstalk", &M::tau_crosstalk, &JointState::tau_crosstalk, u.torque);
  field("missed", &M::missed, &JointState::missed, "",
        "cycles of its bus since the last fresh sample");
  field("board_status", &M::board_status, &JointState::status, "", "BOARD_*");
  field("board_fault", &M::board_fault, &JointState::fault, "", "FAULT_*");
  field("inputs", &M::inputs, &JointState::inputs, "", "digital inputs, a bit each");
  field("extrapolated", &M::extrapolated, &JointState::extrapolated, "",
        "q was carried on from an older sample");
}

template <ArmTerm term>
constexpr auto kTauOf =
    [](const ArmSnapshot& arm) noexcept { return arm.tau[static_cast<std::size_t>(term)]; };

std::array<std::uint8_t, 6> axes_of(const ArmSnapshot& arm) noexcept {
  std::array<std::uint8_t, 6> axes{};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = static_cast<std::uint8_t>(arm.interaction.axes[i]);
  }
  return axes;
}

template <typename Field>
void for_each_field_of_arm(Field&& field) {
  using M = ArmMessage;
  using From = ArmSnapshot;
  field(
      "position", &M::position, [](const From& from) { return from.tool.position; }, "m",
      "of the tool in the arm's base frame");
  field(
      "orientation", &M::orientation, [](const From& from) { return from.tool.orientation; }, "",
      "w x y z, likewise");
  field(
      "offset_position", &M::offset_position, [](const From& from) { return from.offset.position; },
      "m", "of the tool in the flange frame, the one that robot.yaml names as the tool");
  field("offset_orientation", &M::offset_orientation,
        [](const From& from) { return from.offset.orientation; });
  field(
      "target_position", &M::target_position, [](const From& from) { return from.target.position; },
      "m", "that the spring pulls to");
  field("target_orientation", &M::target_orientation,
        [](const From& from) { return from.target.orientation; });
  field(
      "goal_position", &M::goal_position, [](const From& from) { return from.goal.position; }, "m",
      "as asked for");
  field("goal_orientation", &M::goal_orientation,
        [](const From& from) { return from.goal.orientation; });
  field("error", &M::error, &From::error, "",
        "target minus tool, after clipping: three in m, three in rad");
  field("twist", &M::twist, &From::twist, "", "of the tool: three in m/s, three in rad/s");
  field("wrench", &M::wrench, &From::wrench, "",
        "of spring, damper and force on the tool: three in N, three in N·m");
  field("stiffness", &M::stiffness, &From::stiffness, "",
        "the diagonal, along its own axes: three in N/m, three in N·m/rad");
  field("inertia", &M::inertia, &From::inertia, "",
        "that the tool is shaped to: three in kg, three in kg·m²");
  field(
      "interaction_stiffness", &M::interaction_stiffness,
      [](const From& from) { return from.interaction.stiffness; }, "",
      "of interaction control: three in N/m, three in N·m/rad");
  field(
      "interaction_force", &M::interaction_force,
      [](const From& from) { return from.interaction.force; }, "",
      "asked for, or the limit: three in N, three in N·m");
  field(
      "cuff_left", &M::cuff_left, [](const From& from) { return from.interaction.cuff_left; }, "s",
      "for which a command holds the cuff");
  field(
      "drift", &M::drift, [](const From& from) { return from.interaction.drift; }, "rad",
      "predicted at the last grasp, of the worst joint; m of slides");
  field("damping_ratio", &M::damping_ratio, &From::damping_ratio, "",
        "0: damping was given in numbers");
  field(
      "payload_mass", &M::payload_mass, [](const From& from) { return from.payload.mass; }, "kg",
      "that the controller knows of");
  field(
      "payload_centre", &M::payload_centre, [](const From& from) { return from.payload.centre; },
      "m", "in the flange frame");
  field(
      "payload_inertia", &M::payload_inertia, [](const From& from) { return from.payload.inertia; },
      "kg·m²", "xx yy zz xy xz yz about its centre, along the flange's axes");
  field("timeout_left", &M::timeout_left, &From::timeout_left, "s",
        "until a stream of targets counts as silent");
  field(
      "sensed", &M::sensed, [](const From& from) { return from.forces.sensed; }, "",
      "wrench on the tool by its sensor, along the base's axes: three in N, three in N·m");
  field(
      "sensed_tool", &M::sensed_tool, [](const From& from) { return from.forces.sensed_tool; }, "",
      "the same along the tool's");
  field(
      "external", &M::external, [](const From& from) { return from.forces.external; }, "",
      "wrench on the tool that explains the joints' tau_external, along the base's axes");
  field(
      "external_tool", &M::external_tool,
      [](const From& from) { return from.forces.external_tool; }, "", "the same along the tool's");
  field(
      "sensor_bias", &M::sensor_bias, [](const From& from) { return from.forces.bias; }, "",
      "taken off the sensor, in its own frame");
  field(
      "sensor_filter", &M::sensor_filter, [](const From& from) { return from.forces.filter_hz; },
      "Hz", "cut-off of its low-pass; 0: none");
  field("tau_spring", &M::tau_spring, kTauOf<ArmTerm::kSpring>, "N·m",
        "joint by joint of the arm; N of slides");
  field("tau_damping", &M::tau_damping, kTauOf<ArmTerm::kDamping>, "N·m");
  field("tau_posture", &M::tau_posture, kTauOf<ArmTerm::kPosture>, "N·m");
  field("tau_gravity", &M::tau_gravity, kTauOf<ArmTerm::kGravity>, "N·m");
  field("tau_coriolis", &M::tau_coriolis, kTauOf<ArmTerm::kCoriolis>, "N·m");
  field("tau_friction", &M::tau_friction, kTauOf<ArmTerm::kFriction>, "N·m");
  field("tau_limits", &M::tau_limits, kTauOf<ArmTerm::kLimits>, "N·m");
  field("tau_payload", &M::tau_payload, kTauOf<ArmTerm::kPayload>, "N·m");
  field("tau_force", &M::tau_force, kTauOf<ArmTerm::kForce>, "N·m");
  field(
      "drive_wanted", &M::drive_wanted, [](const From& from) { return from.drive.wanted; }, "",
      "velocity that the tool is driven by: three in m/s, three in rad/s");
  field(
      "drive_had", &M::drive_had, [](const From& from) { return from.drive.had; }, "",
      "the part of it that the joints follow, likewise");
  field(
      "drive_share", &M::drive_share, [](const From& from) { return from.drive.share; }, "",
      "size of drive_had per size of drive_wanted");
  field(
      "drive_left", &M::drive_left, [](const From& from) { return from.drive.left; }, "s",
      "of the drive's time to live");
  field(
      "terms", &M::terms, [](const From& from) { return from.terms.bits(); }, "",
      "TERM_*, a bit each: switched on");
  field(
      "limits", &M::limits, [](const From& from) { return from.limits.bits(); }, "",
      "ARM_LIMIT_*, a bit each: what acts");
  field("axes", &M::axes, axes_of, "", "AXIS_* of interaction control, x y z, then about them");
  field(
      "guide", &M::guide, [](const From& from) { return from.interaction.guide; }, "", "GUIDE_*");
  field(
      "free_axes", &M::free_axes, [](const From& from) { return from.interaction.free_axes; }, "",
      "of hand guiding, a bit each from x");
  field(
      "interaction", &M::interaction, [](const From& from) { return from.interaction.active; }, "",
      "interaction control is on");
  field(
      "cuff", &M::cuff, [](const From& from) { return from.interaction.cuff; }, "", "grasped");
  field(
      "sensor", &M::sensor, [](const From& from) { return from.forces.sensor; }, "",
      "SENSOR_*: of its force/torque sensor");
  field("runs", &M::runs, &From::runs, "", "in mode cartesian, all motors on");
  field("moving", &M::moving, &From::moving, "", "the target is on its way to the goal");
  field("timed_out", &M::timed_out, &From::timed_out, "", "the stream fell silent");
  field(
      "taring", &M::taring, [](const From& from) { return from.forces.taring; }, "",
      "samples for a tare are being taken");
  field(
      "knows_external", &M::knows_external,
      [](const From& from) { return from.forces.has_external; }, "", "external is worked out");
  field(
      "drives", &M::drives, [](const From& from) { return from.drive.is_on; }, "",
      "its tool follows a velocity, or brakes from one");
  field(
      "drive_held_by", &M::drive_held_by, [](const From& from) { return from.drive.held_by; }, "",
      "DRIVE_CHANGE_*: what holds it back");
}

template <typename Field>
void for_each_field_of_event(Field&& field) {
  using From = EventInWords;
  field("cycle", [](const From& e) { return e.event.cycle; });
  field(
      "number", [](const From& e) { return e.event.number; }, "of the command answered");
  field(
      "value", [](const From& e) { return e.event.value; }, "unit by kind, or by quantity");
  field(
      "limit", [](const From& e) { return e.event.limit; }, "unit by kind, or by quantity");
  field(
      "sender", [](const From& e) { return e.event.sender; }, "of the command answered");
  field(
      "joint", [](const From& e) { return e.event.joint; }, "index, 65535 for none");
  field(
      "kind", [](const From& e) { return e.event.kind; }, "KIND_*");
  field(
      "command", [](const From& e) { return e.event.command; }, "COMMAND_*");
  field(
      "reason", [](const From& e) { return e.event.reason; }, "REASON_*");
  field(
      "fault", [](const From& e) { return e.event.fault; }, "FAULT_*");
  field(
      "mode", [](const From& e) { return e.event.mode; }, "MODE_*");
  field(
      "was", [](const From& e) { return e.event.was; }, "MODE_*");
  field(
      "detail", [](const From& e) { return e.event.detail; },
      "by kind: interaction, limit, reaction, loop stage, guiding, plan, gripper");
  field(
      "arm", [](const From& e) { return e.event.arm; }, "index, 255 for none");
  field(
      "law", [](const From& e) { return e.event.law; }, "index, 255 for none");
  field(
      "gripper", [](const From& e) { return e.event.gripper; }, "index, 255 for none");
  field(
      "quantity", [](const From& e) { return e.event.quantity; },
      "QUANTITY_*: of value and limit; QUANTITY_NUMBER where the kind says it");
  field(
      "waypoint", [](const From& e) { return e.event.waypoint; }, "of a plan, from 1; 0: none");
  field("kind_word", [](const From& e) { return to_string(e.event.kind); });
  field(
      "joint_name", [](const From& e) { return e.joint; }, "empty for none");
  field("sender_name", [](const From& e) { return e.sender; });
}

// Lists for message_fields.h. Units are left out if they are not requested.
const auto kJointFields = [](const auto& field) { for_each_field_of_joint(kHinge, field); };
const auto kBoardFields = [](const auto& field) { for_each_field_of_board(kHinge, field); };
const auto kRawFields = [](const auto& field) { for_each_field_of_raw(kHinge, field); };
const auto kArmFields = [](const auto& field) { for_each_field_of_arm(field); };

}  // namespace

void fill(JointMessage& message, TimeStamp stamp, const JointSnapshot& joint) noexcept {
  fill(message, stamp, joint, kJointFields);
}

void fill(BoardMessage& message, TimeStamp stamp, const JointSnapshot& joint) noexcept {
  fill(message, stamp, joint, kBoardFields);
}

RawMessage raw_message(TimeStamp stamp, const JointState& state) noexcept {
  return message_of<RawMessage>(stamp, state, kRawFields);
}

ArmMessage arm_message(TimeStamp stamp, const ArmSnapshot& arm) noexcept {
  return message_of<ArmMessage>(stamp, arm, kArmFields);
}

bool same_bits(const BoardMessage& a, const BoardMessage& b) noexcept {
  // From the first field after the stamp to the end of the last: no holes between.
  constexpr std::size_t kFrom = offsetof(BoardMessage, supply);
  constexpr std::size_t kTo = offsetof(BoardMessage, inputs) + sizeof(BoardMessage::inputs);
  return std::memcmp(reinterpret_cast<const std::byte*>(&a) + kFrom,
                     reinterpret_cast<const std::byte*>(&b) + kFrom, kTo - kFrom) == 0;
}

bool same_bits(const JointState& a, const JointState& b) noexcept {
  // Usually they are copies of one another, including the holes.
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,bugprone-raw-memory-call-on-non-trivial-type)
  if (std::memcmp(&a, &b, sizeof a) == 0) return true;
  const RawMessage x = raw_message({}, a);  // without the holes of JointState
  const RawMessage y = raw_message({}, b);
  constexpr std::size_t kTo = offsetof(RawMessage, extrapolated) + sizeof(RawMessage::extrapolated);
  return std::memcmp(reinterpret_cast<const std::byte*>(&x), reinterpret_cast<const std::byte*>(&y),
                     kTo) == 0;
}

JointState joint_state(const JointMessage& joint, const BoardMessage& board) noexcept {
  JointState state;
  read_back(state, joint, kJointFields);
  read_back(state, board, kBoardFields);
  return state;
}

JointState joint_state(const RawMessage& raw) noexcept {
  JointState state;
  read_back(state, raw, kRawFields);
  return state;
}

std::string constant_name(std::string_view prefix, std::string_view word) {
  std::string name(prefix);
  name += '_';
  name += word;
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == ' ') c = '_';
  }
  return name;
}

StructSchema<JointMessage> joint_message_schema(bool slide) {
  StructSchema<JointMessage> s(message_name("Joint", slide));
  add_fields(s, [&](const auto& field) { for_each_field_of_joint(units_of(slide), field); });
  s.constants(constants_of("MODE", kAllJointMode));
  s.constants(constants_of("INTERACTION", kAllInteractionMode));
  s.constants(constants_of("BOARD", kAllBoardStatus));
  s.constants(constants_of("DRIVE", kAllDriveMode));
  s.constants(constants_of("FAULT", kAllFaultCode));
  s.constants(limit_constants());
  return s;
}

StructSchema<BoardMessage> board_message_schema(bool slide) {
  StructSchema<BoardMessage> s(message_name("Board", slide));
  add_fields(s, [&](const auto& field) { for_each_field_of_board(units_of(slide), field); });
  s.constants(constants_of("FAULT", kAllFaultCode));
  s.constants(constants_of("REQUEST", kAllBoardRequest));
  s.constants(limit_constants());
  return s;
}

StructSchema<RawMessage> raw_message_schema(bool slide) {
  StructSchema<RawMessage> s(message_name("Raw", slide));
  add_fields(s, [&](const auto& field) { for_each_field_of_raw(units_of(slide), field); });
  s.constants(constants_of("BOARD", kAllBoardStatus));
  s.constants(constants_of("FAULT", kAllFaultCode));
  return s;
}

StructSchema<ArmMessage> arm_message_schema() {
  StructSchema<ArmMessage> s("jointrig_msgs/msg/Arm");
  add_fields(s, kArmFields);
  s.constants(constants_of("SENSOR", kAllForceSensorState));
  s.constants(constants_of("TERM", kAllArmTerm));
  s.constants(constants_of("ARM_LIMIT", kAllArmLimit));
  s.constants(constants_of("AXIS", kAllInteractionAxis));
  s.constants(constants_of("GUIDE", kAllGuideState));
  s.constants(constants_of("DRIVE_CHANGE", kAllDriveChange));
  return s;
}

StructSchema<GripperMessage> gripper_message_schema() {
  using M = GripperMessage;
  StructSchema<M> s("jointrig_msgs/msg/Gripper");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("width", &M::width, "m", "between the fingertips; 0 where it is unknown");
  s.field("share", &M::share, "", "of the way from closed to open");
  s.field("force", &M::force, "N", "with which the fingertips press, by external torques");
  s.field("asked", &M::asked, "N", "of the grasp, while one is on");
  s.field("state", &M::state, "", "GRIPPER_*");
  s.constants(constants_of("GRIPPER", kAllGripperState));
  return s;
}

StructSchema<LoopMessage> loop_message_schema() {
  using M = LoopMessage;
  StructSchema<M> s("jointrig_msgs/msg/Loop");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("cycle", &M::cycle, "", "number of the cycle");
  s.field("overruns", &M::overruns, "", "cycles so far that took too long");
  s.field("log_dropped", &M::log_dropped, "", "cycles so far that this log lacks");
  s.field("speed_override", &M::speed_override, "", "factor on the speed of all references");
  s.field("read_us", &M::read_us, "us", "wall clock");
  s.field("decide_us", &M::decide_us, "us", "wall clock");
  s.field("write_us", &M::write_us, "us", "wall clock");
  s.field("jitter_us", &M::jitter_us, "us", "wall clock: wake-up after the time due");
  return s;
}

StructSchema<BaseMessage> base_message_schema() {
  using M = BaseMessage;
  StructSchema<M> s("jointrig_msgs/msg/Base");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("position", &M::position, "m", "of the base frame in the world");
  s.field("orientation", &M::orientation, "", "w x y z, base frame in the world");
  s.field("linear_velocity", &M::linear_velocity, "m/s", "in the world frame");
  s.field("angular_velocity", &M::angular_velocity, "rad/s", "in the base frame");
  return s;
}

StructSchema<ForceTorqueMessage> force_torque_message_schema() {
  using M = ForceTorqueMessage;
  StructSchema<M> s("jointrig_msgs/msg/ForceTorque");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("force", &M::force, "N", "in the frame of its site");
  s.field("torque", &M::torque, "N·m", "in the frame of its site");
  s.field("missed", &M::missed, "", "samples since the last fresh one");
  return s;
}

StructSchema<ImuMessage> imu_message_schema() {
  using M = ImuMessage;
  StructSchema<M> s("jointrig_msgs/msg/Imu");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("acceleration", &M::acceleration, "m/s²", "in the frame of its site, gravity included");
  s.field("angular_velocity", &M::angular_velocity, "rad/s", "in the frame of its site");
  s.field("missed", &M::missed, "", "samples since the last fresh one");
  return s;
}

StructSchema<JointTruthMessage> joint_truth_message_schema(bool slide) {
  using M = JointTruthMessage;
  const std::string name = slide ? "SlideJointTruth" : "JointTruth";
  StructSchema<M> s("jointrig_msgs/msg/" + name);
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("q", &M::q, slide ? "m" : "rad", "of the plant's joint, before any encoder");
  s.field("v", &M::v, slide ? "m/s" : "rad/s");
  s.field("tau", &M::tau, slide ? "N" : "N·m", "that acts on it");
  return s;
}

StructSchema<PointMessage> point_message_schema() {
  using M = PointMessage;
  StructSchema<M> s("jointrig_msgs/msg/Point");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("x", &M::x, "m", "of its origin, in the world");
  s.field("y", &M::y, "m");
  s.field("z", &M::z, "m");
  return s;
}

StructSchema<ContactMessage> contact_message_schema() {
  using M = ContactMessage;
  StructSchema<M> s("jointrig_msgs/msg/Contact");
  s.field("stamp", &M::stamp, "", "robot time of the cycle");
  s.field("force", &M::force, "N", "magnitude of the sum of all contact forces on the body");
  return s;
}

SchemaPtr event_message_schema() {
  std::vector<MessageField> fields{
      {.name = "stamp", .type = FieldType::kMessage, .message = time_schema()}};
  for_each_field_of_event([&fields](const char* name, auto read, const char* comment = "") {
    using Value = std::invoke_result_t<decltype(read), const EventInWords&>;
    FieldType type = FieldType::kString;
    if constexpr (!std::is_same_v<Value, std::string_view>) type = field_type_of<Value>();
    fields.push_back({.name = name, .type = type, .comment = comment});
  });
  std::vector<MessageConstant> constants;
  const auto add = [&](const std::vector<MessageConstant>& more) {
    constants.insert(constants.end(), more.begin(), more.end());
  };
  add(constants_of("KIND", kAllEventKind));
  add(constants_of("COMMAND", kAllCommandKind));
  add(constants_of("REASON", kAllRejectReason));
  add(constants_of("FAULT", kAllFaultCode));
  add(constants_of("MODE", kAllJointMode));
  add(constants_of("QUANTITY", kAllQuantityKind));
  return std::make_shared<const MessageSchema>("jointrig_msgs/msg/Event", fields, constants);
}

bool encode(const EventInWords& said, SchemaEncoder& out) noexcept {
  const TimeStamp stamp = to_stamp(said.event.time_ns);
  out.put(stamp.sec);
  out.put(stamp.nanosec);
  for_each_field_of_event([&](const char* /*name*/, auto read, const char* /*comment*/ = "") {
    const auto value = read(said);
    using Value = std::remove_const_t<decltype(value)>;
    if constexpr (std::is_enum_v<Value>) {
      out.put(static_cast<std::underlying_type_t<Value>>(value));
    } else {
      out.put(value);
    }
  });
  return out.complete();
}

/// COMMAND_*, and COMMAND_FIELD_* for each field with words of its own: SET_MODE_MODE_IDLE.
static std::vector<MessageConstant> command_constants() {
  std::vector<MessageConstant> constants = constants_of("COMMAND", kAllCommandKind);
  for (const CommandKind kind : kAllCommandKind) {
    for (const FieldInfo& field : fields_of(kind)) {
      const std::string prefix = constant_name(to_string(kind), field.name);
      for (std::size_t i = 0; i < field.words.size(); ++i) {
        constants.push_back({constant_name(prefix, field.words[i]), FieldType::kUint8,
                             static_cast<std::int64_t>(i)});
      }
    }
  }
  return constants;
}

SchemaPtr command_message_schema() {
  const auto number = [](const char* name, FieldType type, const char* comment,
                         FieldShape shape = FieldShape::kSingle) {
    return MessageField{.name = name, .type = type, .comment = comment, .shape = shape};
  };
  return std::make_shared<const MessageSchema>(
      "jointrig_msgs/msg/Command",
      std::vector<MessageField>{
          {.name = "stamp", .type = FieldType::kMessage, .message = time_schema()},
          number("cycle", FieldType::kUint64, "that drained it"),
          number("number", FieldType::kUint64, "counts up for each sender"),
          number("time_ns", FieldType::kInt64, "of the snapshot it was computed from; 0: unknown"),
          number("sender", FieldType::kUint16, ""),
          number("kind", FieldType::kUint8, "COMMAND_*"),
          number("arm", FieldType::kUint8, "index, 255 for none"),
          number("joints", FieldType::kUint16, "indices, rising", FieldShape::kSequence),
          number("fields", FieldType::kString, "names of its own numbers (docs/commands.md)",
                 FieldShape::kSequence),
          number("value_fields", FieldType::kString, "names of the numbers of each joint",
                 FieldShape::kSequence),
          number("numbers", FieldType::kFloat64,
                 "its own, then those of each joint; a word as its index", FieldShape::kSequence)},
      command_constants());
}

}  // namespace jointrig::harness
