#include "harness/log/log_messages.h"

#include <cstring>

#include "control/core/event.h"

namespace jointrig {
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

/// A bit each, as the field `limits` has them.
std::vector<MessageConstant> limit_constants() {
  std::vector<MessageConstant> constants = constants_of("LIMIT", kAllLimit);
  for (MessageConstant& constant : constants) constant.value = std::int64_t{1} << constant.value;
  return constants;
}

constexpr const char* kStampComment = "robot time of the cycle";

}  // namespace

JointMessage joint_message(TimeStamp stamp, const JointSnapshot& joint) noexcept {
  JointMessage m;
  m.stamp = stamp;
  m.q = joint.state.q;
  m.v = joint.state.v;
  m.tau = joint.state.tau;
  m.current = joint.state.current_A;
  m.temperature = joint.state.temperature_C;
  m.q_ref = joint.reference.q;
  m.v_ref = joint.reference.v;
  m.a_ref = joint.reference.a;
  m.tau_ref = joint.reference.tau;
  m.duty_ref = joint.reference.duty;
  m.q_cmd = joint.setpoint.q;
  m.v_cmd = joint.setpoint.v;
  m.tau_cmd = joint.setpoint.tau;
  m.duty_cmd = joint.setpoint.duty;
  m.stiffness = joint.stiffness;
  m.damping = joint.damping;
  m.error = joint.reference.q - joint.state.q;
  m.timeout_left = joint.timeout_left;
  m.tau_gravity_only = joint.effort.gravity;
  m.tau_model = joint.effort.model;
  m.tau_interaction = joint.effort.interaction;
  m.tau_external = joint.effort.external;
  m.mode = static_cast<std::uint8_t>(joint.mode);
  m.interaction = static_cast<std::uint8_t>(joint.interaction);
  m.board_status = static_cast<std::uint8_t>(joint.state.status);
  m.drive = static_cast<std::uint8_t>(joint.setpoint.drive);
  m.fault = static_cast<std::uint8_t>(joint.fault.code);
  m.limits = joint.limits.bits();
  m.moving = joint.moving;
  m.timed_out = joint.timed_out;
  m.extrapolated = joint.state.extrapolated;
  m.knows_external = joint.has_external;
  return m;
}

BoardMessage board_message(TimeStamp stamp, const JointSnapshot& joint) noexcept {
  BoardMessage m;
  m.stamp = stamp;
  m.supply = joint.state.supply_V;
  m.progress = joint.state.progress;
  m.board_fault_value = joint.state.fault_value;
  m.board_fault_limit = joint.state.fault_limit;
  m.fault_value = joint.fault.value;
  m.fault_limit = joint.fault.limit;
  m.fault_cycle = joint.fault.cycle;
  m.stiffness_cmd = joint.setpoint.stiffness;
  m.damping_cmd = joint.setpoint.damping;
  m.tau_hysteresis = joint.state.tau_hysteresis;
  m.hysteresis_state = joint.state.hysteresis_state;
  m.tau_crosstalk = joint.state.tau_crosstalk;
  m.missed = joint.state.missed;
  m.limit_cycles = joint.limit_cycles;
  m.board_fault = static_cast<std::uint8_t>(joint.state.fault);
  m.request = static_cast<std::uint8_t>(joint.setpoint.request);
  m.inputs = joint.state.inputs;
  return m;
}

RawMessage raw_message(TimeStamp stamp, const JointState& state) noexcept {
  RawMessage m;
  m.stamp = stamp;
  m.q = state.q;
  m.v = state.v;
  m.tau = state.tau;
  m.current = state.current_A;
  m.temperature = state.temperature_C;
  m.supply = state.supply_V;
  m.progress = state.progress;
  m.board_fault_value = state.fault_value;
  m.board_fault_limit = state.fault_limit;
  m.tau_hysteresis = state.tau_hysteresis;
  m.hysteresis_state = state.hysteresis_state;
  m.tau_crosstalk = state.tau_crosstalk;
  m.missed = state.missed;
  m.board_status = static_cast<std::uint8_t>(state.status);
  m.board_fault = static_cast<std::uint8_t>(state.fault);
  m.inputs = state.inputs;
  m.extrapolated = state.extrapolated;
  return m;
}

bool same_bits(const BoardMessage& a, const BoardMessage& b) noexcept {
  // From the first field behind the stamp to the end of the last: no holes between.
  constexpr std::size_t kFrom = offsetof(BoardMessage, supply);
  constexpr std::size_t kTo = offsetof(BoardMessage, inputs) + sizeof(BoardMessage::inputs);
  return std::memcmp(reinterpret_cast<const std::byte*>(&a) + kFrom,
                     reinterpret_cast<const std::byte*>(&b) + kFrom, kTo - kFrom) == 0;
}

bool same_bits(const JointState& a, const JointState& b) noexcept {
  // Mostly they are copies of one another, holes and all.
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
  state.q = joint.q;
  state.v = joint.v;
  state.tau = joint.tau;
  state.current_A = joint.current;
  state.temperature_C = joint.temperature;
  state.supply_V = board.supply;
  state.progress = board.progress;
  state.status = static_cast<BoardStatus>(joint.board_status);
  state.fault = static_cast<FaultCode>(board.board_fault);
  state.fault_value = board.board_fault_value;
  state.fault_limit = board.board_fault_limit;
  state.tau_hysteresis = board.tau_hysteresis;
  state.hysteresis_state = board.hysteresis_state;
  state.tau_crosstalk = board.tau_crosstalk;
  state.missed = board.missed;
  state.inputs = board.inputs;
  state.extrapolated = joint.extrapolated;
  return state;
}

JointState joint_state(const RawMessage& raw) noexcept {
  JointState state;
  state.q = raw.q;
  state.v = raw.v;
  state.tau = raw.tau;
  state.current_A = raw.current;
  state.temperature_C = raw.temperature;
  state.supply_V = raw.supply;
  state.progress = raw.progress;
  state.status = static_cast<BoardStatus>(raw.board_status);
  state.fault = static_cast<FaultCode>(raw.board_fault);
  state.fault_value = raw.board_fault_value;
  state.fault_limit = raw.board_fault_limit;
  state.tau_hysteresis = raw.tau_hysteresis;
  state.hysteresis_state = raw.hysteresis_state;
  state.tau_crosstalk = raw.tau_crosstalk;
  state.missed = raw.missed;
  state.inputs = raw.inputs;
  state.extrapolated = raw.extrapolated;
  return state;
}

StructSchema<JointMessage> joint_message_schema(bool slide) {
  using M = JointMessage;
  const Units& u = slide ? kSlide : kHinge;
  StructSchema<M> s(message_name("Joint", slide));
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("q", &M::q, u.position, "measured position");
  s.field("v", &M::v, u.velocity, "measured velocity, estimated where the board senses none");
  s.field("tau", &M::tau, u.torque, "measured torque after the gear");
  s.field("current", &M::current, "A", "motor current");
  s.field("temperature", &M::temperature, "degC", "motor winding");
  s.field("q_ref", &M::q_ref, u.position, "reference: what is asked this cycle");
  s.field("v_ref", &M::v_ref, u.velocity);
  s.field("a_ref", &M::a_ref, u.acceleration);
  s.field("tau_ref", &M::tau_ref, u.torque, "of torque mode");
  s.field("duty_ref", &M::duty_ref, "", "of openloop mode, -1..1");
  s.field("q_cmd", &M::q_cmd, u.position, "setpoint: what was sent to the board, after safety");
  s.field("v_cmd", &M::v_cmd, u.velocity);
  s.field("tau_cmd", &M::tau_cmd, u.torque);
  s.field("duty_cmd", &M::duty_cmd, "", "-1..1");
  s.field("stiffness", &M::stiffness, u.stiffness, "of compliant, also while it is stored");
  s.field("damping", &M::damping, u.damping, "of compliant, also while it is stored");
  s.field("error", &M::error, u.position, "q_ref - q");
  s.field("timeout_left", &M::timeout_left, "s", "until the command timeout; 0 where none runs");
  s.field("tau_gravity_only", &M::tau_gravity_only, u.torque, "holds the joint, by the model");
  s.field("tau_model", &M::tau_model, u.torque,
          "what of tau_cmd the model asks for: gravity, payload, Coriolis, friction, I a_ref");
  s.field("tau_interaction", &M::tau_interaction, u.torque,
          "what of it an impedance asks for: the joint's, or that of its arm's tool");
  s.field("tau_external", &M::tau_external, u.torque, "of no motor, by the momentum observer");
  s.field("mode", &M::mode, "", "MODE_*");
  s.field("interaction", &M::interaction, "", "INTERACTION_*");
  s.field("board_status", &M::board_status, "", "BOARD_*");
  s.field("drive", &M::drive, "", "DRIVE_*: what the board was told to do");
  s.field("fault", &M::fault, "", "FAULT_*, latched");
  s.field("limits", &M::limits, "", "LIMIT_*, a bit each: what shapes the output");
  s.field("moving", &M::moving, "", "a goal is being approached");
  s.field("timed_out", &M::timed_out, "", "the stream fell silent");
  s.field("extrapolated", &M::extrapolated, "", "q was carried on from an older sample");
  s.field("knows_external", &M::knows_external, "", "tau_external is worked out");
  s.constants(constants_of("MODE", kAllJointMode));
  s.constants(constants_of("INTERACTION", kAllInteractionMode));
  s.constants(constants_of("BOARD", kAllBoardStatus));
  s.constants(constants_of("DRIVE", kAllDriveMode));
  s.constants(constants_of("FAULT", kAllFaultCode));
  s.constants(limit_constants());
  return s;
}

StructSchema<BoardMessage> board_message_schema(bool slide) {
  using M = BoardMessage;
  const Units& u = slide ? kSlide : kHinge;
  StructSchema<M> s(message_name("Board", slide));
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("supply", &M::supply, "V", "of the drive");
  s.field("progress", &M::progress, "", "of a calibration, 0..1");
  s.field("board_fault_value", &M::board_fault_value, "", "that the board reports");
  s.field("board_fault_limit", &M::board_fault_limit, "", "that the board reports");
  s.field("fault_value", &M::fault_value, "", "latched; its unit goes with the fault");
  s.field("fault_limit", &M::fault_limit, "", "latched");
  s.field("fault_cycle", &M::fault_cycle, "", "first cycle of the latched fault");
  s.field("stiffness_cmd", &M::stiffness_cmd, u.stiffness, "sent to a board with impedance drive");
  s.field("damping_cmd", &M::damping_cmd, u.damping, "sent to a board with impedance drive");
  s.field("tau_hysteresis", &M::tau_hysteresis, u.torque, "in tau, of the spring's material");
  s.field("hysteresis_state", &M::hysteresis_state, "", "of that model, -1..1");
  s.field("tau_crosstalk", &M::tau_crosstalk, u.torque, "in tau, of the joint before it");
  s.field("missed", &M::missed, "", "cycles of its bus since the last fresh sample");
  s.field("limit_cycles", &M::limit_cycles, "",
          "cycles in which each limit has acted, in the order of LIMIT_*");
  s.field("board_fault", &M::board_fault, "", "FAULT_* that the board reports");
  s.field("request", &M::request, "", "REQUEST_* to the board's status machine");
  s.field("inputs", &M::inputs, "", "digital inputs of the board, a bit each");
  s.constants(constants_of("FAULT", kAllFaultCode));
  s.constants(constants_of("REQUEST", kAllBoardRequest));
  s.constants(limit_constants());
  return s;
}

StructSchema<RawMessage> raw_message_schema(bool slide) {
  using M = RawMessage;
  const Units& u = slide ? kSlide : kHinge;
  StructSchema<M> s(message_name("Raw", slide));
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("q", &M::q, u.position).field("v", &M::v, u.velocity).field("tau", &M::tau, u.torque);
  s.field("current", &M::current, "A").field("temperature", &M::temperature, "degC");
  s.field("supply", &M::supply, "V").field("progress", &M::progress);
  s.field("board_fault_value", &M::board_fault_value);
  s.field("board_fault_limit", &M::board_fault_limit);
  s.field("tau_hysteresis", &M::tau_hysteresis, u.torque);
  s.field("hysteresis_state", &M::hysteresis_state);
  s.field("tau_crosstalk", &M::tau_crosstalk, u.torque);
  s.field("missed", &M::missed, "", "cycles of its bus since the last fresh sample");
  s.field("board_status", &M::board_status, "", "BOARD_*");
  s.field("board_fault", &M::board_fault, "", "FAULT_*");
  s.field("inputs", &M::inputs, "", "digital inputs, a bit each");
  s.field("extrapolated", &M::extrapolated, "", "q was carried on from an older sample");
  s.constants(constants_of("BOARD", kAllBoardStatus));
  s.constants(constants_of("FAULT", kAllFaultCode));
  return s;
}

StructSchema<LoopMessage> loop_message_schema() {
  using M = LoopMessage;
  StructSchema<M> s("jointrig_msgs/msg/Loop");
  s.field("stamp", &M::stamp, "", kStampComment);
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
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("position", &M::position, "m", "of the base frame in the world");
  s.field("orientation", &M::orientation, "", "w x y z, base frame in the world");
  s.field("linear_velocity", &M::linear_velocity, "m/s", "in the world frame");
  s.field("angular_velocity", &M::angular_velocity, "rad/s", "in the base frame");
  return s;
}

StructSchema<ForceTorqueMessage> force_torque_message_schema() {
  using M = ForceTorqueMessage;
  StructSchema<M> s("jointrig_msgs/msg/ForceTorque");
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("force", &M::force, "N", "in the frame of its site");
  s.field("torque", &M::torque, "N·m", "in the frame of its site");
  s.field("missed", &M::missed, "", "samples since the last fresh one");
  return s;
}

StructSchema<ImuMessage> imu_message_schema() {
  using M = ImuMessage;
  StructSchema<M> s("jointrig_msgs/msg/Imu");
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("acceleration", &M::acceleration, "m/s²", "in the frame of its site, gravity included");
  s.field("angular_velocity", &M::angular_velocity, "rad/s", "in the frame of its site");
  return s;
}

ArmMessage arm_message(TimeStamp stamp, const ArmSnapshot& arm) noexcept {
  const auto tau = [&](ArmTerm term) { return arm.tau[static_cast<std::size_t>(term)]; };
  ArmMessage m;
  m.stamp = stamp;
  m.position = arm.tool.position;
  m.orientation = arm.tool.orientation;
  m.target_position = arm.target.position;
  m.target_orientation = arm.target.orientation;
  m.goal_position = arm.goal.position;
  m.goal_orientation = arm.goal.orientation;
  m.error = arm.error;
  m.twist = arm.twist;
  m.wrench = arm.wrench;
  m.stiffness = arm.stiffness;
  m.inertia = arm.inertia;
  m.interaction_stiffness = arm.interaction.stiffness;
  m.interaction_force = arm.interaction.force;
  m.cuff_left = arm.interaction.cuff_left;
  m.drift = arm.interaction.drift;
  m.damping_ratio = arm.damping_ratio;
  m.payload_mass = arm.payload.mass;
  m.payload_centre = arm.payload.centre;
  m.timeout_left = arm.timeout_left;
  m.sensed = arm.forces.sensed;
  m.sensed_tool = arm.forces.sensed_tool;
  m.external = arm.forces.external;
  m.external_tool = arm.forces.external_tool;
  m.sensor_bias = arm.forces.bias;
  m.sensor_filter = arm.forces.filter_hz;
  m.sensor = static_cast<std::uint8_t>(arm.forces.sensor);
  m.taring = arm.forces.taring;
  m.knows_external = arm.forces.has_external;
  m.tau_spring = tau(ArmTerm::kSpring);
  m.tau_damping = tau(ArmTerm::kDamping);
  m.tau_posture = tau(ArmTerm::kPosture);
  m.tau_gravity = tau(ArmTerm::kGravity);
  m.tau_coriolis = tau(ArmTerm::kCoriolis);
  m.tau_friction = tau(ArmTerm::kFriction);
  m.tau_limits = tau(ArmTerm::kLimits);
  m.tau_payload = tau(ArmTerm::kPayload);
  m.tau_force = tau(ArmTerm::kForce);
  m.terms = arm.terms.bits();
  m.limits = arm.limits.bits();
  for (std::size_t i = 0; i < m.axes.size(); ++i) {
    m.axes[i] = static_cast<std::uint8_t>(arm.interaction.axes[i]);
  }
  m.guide = static_cast<std::uint8_t>(arm.interaction.guide);
  m.free_axes = arm.interaction.free_axes;
  m.interaction = arm.interaction.active;
  m.cuff = arm.interaction.cuff;
  m.runs = arm.runs;
  m.moving = arm.moving;
  m.timed_out = arm.timed_out;
  return m;
}

StructSchema<ArmMessage> arm_message_schema() {
  using M = ArmMessage;
  StructSchema<M> s("jointrig_msgs/msg/Arm");
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("position", &M::position, "m", "of the tool in the arm's base frame");
  s.field("orientation", &M::orientation, "", "w x y z, likewise");
  s.field("target_position", &M::target_position, "m", "that the spring pulls to");
  s.field("target_orientation", &M::target_orientation);
  s.field("goal_position", &M::goal_position, "m", "as asked for");
  s.field("goal_orientation", &M::goal_orientation);
  s.field("error", &M::error, "", "target minus tool, after clipping: three in m, three in rad");
  s.field("twist", &M::twist, "", "of the tool: three in m/s, three in rad/s");
  s.field("wrench", &M::wrench, "",
          "of spring, damper and force on the tool: three in N, three in N·m");
  s.field("stiffness", &M::stiffness, "",
          "the diagonal, along its own axes: three in N/m, three in N·m/rad");
  s.field("inertia", &M::inertia, "", "that the tool is shaped to: three in kg, three in kg·m²");
  s.field("interaction_stiffness", &M::interaction_stiffness, "",
          "of interaction control: three in N/m, three in N·m/rad");
  s.field("interaction_force", &M::interaction_force, "",
          "asked for, or the limit: three in N, three in N·m");
  s.field("cuff_left", &M::cuff_left, "s", "for which a command holds the cuff");
  s.field("drift", &M::drift, "rad",
          "predicted at the last grasp, of the worst joint; m of slides");
  s.field("damping_ratio", &M::damping_ratio, "", "0: damping was given in numbers");
  s.field("payload_mass", &M::payload_mass, "kg", "that the controller knows of");
  s.field("payload_centre", &M::payload_centre, "m", "in the tool frame");
  s.field("timeout_left", &M::timeout_left, "s", "until a stream of targets counts as silent");
  s.field("sensed", &M::sensed, "",
          "wrench on the tool by its sensor, along the base's axes: three in N, three in N·m");
  s.field("sensed_tool", &M::sensed_tool, "", "the same along the tool's");
  s.field("external", &M::external, "",
          "wrench on the tool that explains the joints' tau_external, along the base's axes");
  s.field("external_tool", &M::external_tool, "", "the same along the tool's");
  s.field("sensor_bias", &M::sensor_bias, "", "taken off the sensor, in its own frame");
  s.field("sensor_filter", &M::sensor_filter, "Hz", "cut-off of its low-pass; 0: none");
  s.field("tau_spring", &M::tau_spring, "N·m", "joint by joint of the arm; N of slides");
  s.field("tau_damping", &M::tau_damping, "N·m").field("tau_posture", &M::tau_posture, "N·m");
  s.field("tau_gravity", &M::tau_gravity, "N·m").field("tau_coriolis", &M::tau_coriolis, "N·m");
  s.field("tau_friction", &M::tau_friction, "N·m").field("tau_limits", &M::tau_limits, "N·m");
  s.field("tau_payload", &M::tau_payload, "N·m").field("tau_force", &M::tau_force, "N·m");
  s.field("terms", &M::terms, "", "TERM_*, a bit each: switched on");
  s.field("limits", &M::limits, "", "ARM_LIMIT_*, a bit each: what acts");
  s.field("axes", &M::axes, "", "AXIS_* of interaction control, x y z, then about them");
  s.field("guide", &M::guide, "", "GUIDE_*");
  s.field("free_axes", &M::free_axes, "", "of hand guiding, a bit each from x");
  s.field("interaction", &M::interaction, "", "interaction control is on");
  s.field("cuff", &M::cuff, "", "grasped");
  s.field("sensor", &M::sensor, "", "SENSOR_*: of its force/torque sensor");
  s.field("runs", &M::runs, "", "in mode cartesian, all motors on");
  s.field("moving", &M::moving, "", "the target is on its way to the goal");
  s.field("timed_out", &M::timed_out, "", "the stream fell silent");
  s.field("taring", &M::taring, "", "samples for a tare are being taken");
  s.field("knows_external", &M::knows_external, "", "external is worked out");
  s.constants(constants_of("SENSOR", kAllForceSensorState));
  s.constants(constants_of("TERM", kAllArmTerm));
  s.constants(constants_of("ARM_LIMIT", kAllArmLimit));
  s.constants(constants_of("AXIS", kAllInteractionAxis));
  s.constants(constants_of("GUIDE", kAllGuideState));
  return s;
}

StructSchema<JointTruthMessage> joint_truth_message_schema(bool slide) {
  using M = JointTruthMessage;
  const std::string name = slide ? "SlideJointTruth" : "JointTruth";
  StructSchema<M> s("jointrig_msgs/msg/" + name);
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("q", &M::q, slide ? "m" : "rad", "of the plant's joint, before any encoder");
  s.field("v", &M::v, slide ? "m/s" : "rad/s");
  s.field("tau", &M::tau, slide ? "N" : "N·m", "that acts on it");
  return s;
}

StructSchema<PointMessage> point_message_schema() {
  using M = PointMessage;
  StructSchema<M> s("jointrig_msgs/msg/Point");
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("x", &M::x, "m", "of its origin, in the world");
  s.field("y", &M::y, "m");
  s.field("z", &M::z, "m");
  return s;
}

StructSchema<ContactMessage> contact_message_schema() {
  using M = ContactMessage;
  StructSchema<M> s("jointrig_msgs/msg/Contact");
  s.field("stamp", &M::stamp, "", kStampComment);
  s.field("force", &M::force, "N", "magnitude of the sum of all contact forces on the body");
  return s;
}

SchemaPtr event_message_schema() {
  const auto number = [](const char* name, FieldType type, const char* comment) {
    return MessageField{.name = name, .type = type, .comment = comment};
  };
  std::vector<MessageConstant> constants;
  const auto add = [&](const std::vector<MessageConstant>& more) {
    constants.insert(constants.end(), more.begin(), more.end());
  };
  add(constants_of("KIND", kAllEventKind));
  add(constants_of("COMMAND", kAllCommandKind));
  add(constants_of("REASON", kAllRejectReason));
  add(constants_of("FAULT", kAllFaultCode));
  add(constants_of("MODE", kAllJointMode));
  return std::make_shared<const MessageSchema>(
      "jointrig_msgs/msg/Event",
      std::vector<MessageField>{
          {.name = "stamp", .type = FieldType::kMessage, .message = time_schema()},
          number("cycle", FieldType::kUint64, ""),
          number("number", FieldType::kUint64, "of the command answered"),
          number("value", FieldType::kFloat64, "unit by kind"),
          number("limit", FieldType::kFloat64, "unit by kind"),
          number("sender", FieldType::kUint16, "of the command answered"),
          number("joint", FieldType::kUint16, "index, 65535 for none"),
          number("kind", FieldType::kUint8, "KIND_*"),
          number("command", FieldType::kUint8, "COMMAND_*"),
          number("reason", FieldType::kUint8, "REASON_*"),
          number("fault", FieldType::kUint8, "FAULT_*"),
          number("mode", FieldType::kUint8, "MODE_*"),
          number("was", FieldType::kUint8, "MODE_*"),
          number("detail", FieldType::kUint8,
                 "by kind: interaction, limit, reaction, loop stage, guiding"),
          number("arm", FieldType::kUint8, "index, 255 for none"),
          number("kind_word", FieldType::kString, ""),
          number("joint_name", FieldType::kString, "empty for none"),
          number("sender_name", FieldType::kString, "")},
      constants);
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
          number("numbers", FieldType::kFloat64, "its own, then those of each joint",
                 FieldShape::kSequence)},
      constants_of("COMMAND", kAllCommandKind));
}

}  // namespace jointrig
