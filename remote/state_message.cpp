#include "remote/state_message.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "harness/log/event_text.h"
#include "remote/arm_message.h"
#include "remote/law_message.h"
#include "remote/robot.pb.h"
#include "remote/state_fields.h"

namespace jointrig::remote {
namespace {

constexpr int kLongestDelay = 100;  // cycles, as in a robot file

template <typename T>
std::uint8_t byte_of(const T& value) {
  static_assert(sizeof(T) == 1);
  return std::bit_cast<std::uint8_t>(value);
}

/// A byte of another program is no flag before it is looked at.
template <typename T>
void set_from_byte(T& value, char byte) {
  if constexpr (std::is_same_v<T, bool>) {
    value = byte != 0;
  } else {
    value = std::bit_cast<T>(byte);
  }
}

void write_joints(const PerJoint<JointSnapshot>& joints, v1::Joints& message) {
  const auto count = static_cast<int>(joints.size());
#define JOINTRIG_WRITE(name, member)        \
  message.mutable_##name()->Reserve(count); \
  for (const JointSnapshot& joint : joints) message.add_##name(joint.member);
  JOINTRIG_REMOTE_JOINT_NUMBERS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
#define JOINTRIG_WRITE(name, member)                                               \
  for (const JointSnapshot& joint : joints) {                                      \
    message.mutable_##name()->push_back(static_cast<char>(byte_of(joint.member))); \
  }
  JOINTRIG_REMOTE_JOINT_BYTES(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
#define JOINTRIG_WRITE(name, member) \
  for (const JointSnapshot& joint : joints) message.add_##name(joint.member.bits());
  JOINTRIG_REMOTE_JOINT_BITS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
  message.mutable_limit_cycles()->Reserve(count * static_cast<int>(LimitCycles{}.size()));
  for (const JointSnapshot& joint : joints) {
    for (const std::uint32_t cycles : joint.limit_cycles) message.add_limit_cycles(cycles);
  }
}

void read_joints(const v1::Joints& message, PerJoint<JointSnapshot>& joints) {
  const std::size_t count = joints.size();
#define JOINTRIG_READ(name, member)                               \
  if (static_cast<std::size_t>(message.name##_size()) == count) { \
    for (std::size_t i = 0; i < count; ++i) {                     \
      joints[i].member = message.name(static_cast<int>(i));       \
    }                                                             \
  }
  JOINTRIG_REMOTE_JOINT_NUMBERS(JOINTRIG_READ)
#undef JOINTRIG_READ
#define JOINTRIG_READ(name, member)                       \
  if (message.name().size() == count) {                   \
    for (std::size_t i = 0; i < count; ++i) {             \
      set_from_byte(joints[i].member, message.name()[i]); \
    }                                                     \
  }
  JOINTRIG_REMOTE_JOINT_BYTES(JOINTRIG_READ)
#undef JOINTRIG_READ
#define JOINTRIG_READ(name, member)                                   \
  if (static_cast<std::size_t>(message.name##_size()) == count) {     \
    for (std::size_t i = 0; i < count; ++i) {                         \
      read_bits(message.name(static_cast<int>(i)), joints[i].member); \
    }                                                                 \
  }
  JOINTRIG_REMOTE_JOINT_BITS(JOINTRIG_READ)
#undef JOINTRIG_READ
  const std::size_t each = LimitCycles{}.size();
  if (static_cast<std::size_t>(message.limit_cycles_size()) != count * each) return;
  for (std::size_t i = 0; i < count * each; ++i) {
    joints[i / each].limit_cycles[i % each] = message.limit_cycles(static_cast<int>(i));
  }
}

bool has_trouble(const JointSnapshot& joint) {
  return joint.fault || joint.state.missed > 0 || joint.state.progress != 0.0;
}

void write_troubles(const PerJoint<JointSnapshot>& joints, v1::State& message) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointSnapshot& joint = joints[i];
    if (!has_trouble(joint)) continue;
    v1::Trouble& one = *message.add_troubles();
    one.set_joint(static_cast<std::uint32_t>(i));
    one.set_fault_value(joint.fault.value);
    one.set_fault_limit(joint.fault.limit);
    one.set_fault_cycle(joint.fault.cycle);
    one.set_missed(joint.state.missed);
    one.set_progress(joint.state.progress);
  }
}

void set_trouble(JointSnapshot& joint, const v1::Trouble& trouble) {
  joint.fault.value = trouble.fault_value();
  joint.fault.limit = trouble.fault_limit();
  joint.fault.cycle = trouble.fault_cycle();
  joint.state.missed = trouble.missed();
  joint.state.progress = trouble.progress();
}

void read_troubles(const v1::State& message, PerJoint<JointSnapshot>& joints) {
  for (JointSnapshot& joint : joints) set_trouble(joint, {});
  for (const v1::Trouble& one : message.troubles()) {
    if (one.joint() < joints.size()) set_trouble(joints[one.joint()], one);
  }
}

// A joint's limits in a description: its fields have the names of the members.
#define JOINTRIG_REMOTE_LIMITS(X) \
  X(q_min) X(q_max) X(soft_margin) X(v_max) X(a_max) X(tau_max) X(tau_rate_max) X(step_max)
// Likewise its gains.
#define JOINTRIG_REMOTE_GAINS(X) \
  X(inertia)                     \
  X(kp)                          \
  X(ki)                          \
  X(kd)                          \
  X(stiffness)                   \
  X(damping)                     \
  X(viscous)                     \
  X(friction) X(bandwidth_hz) X(damping_ratio) X(is_pid)

/// Values that a panel needs beside the limits.
void write_settings(const JointConfig& joint, v1::Joint& one) {
  one.set_q_start(joint.q_start);
#define JOINTRIG_WRITE(gain) one.mutable_gains()->set_##gain(joint.gains.gain);
  JOINTRIG_REMOTE_GAINS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
  one.mutable_gains()->set_friction(joint.board.friction.value_or(joint.gains.friction));
  one.set_timeout(joint.timeout.seconds);
  one.set_timeout_reaction(std::string(to_string(joint.timeout.reaction)));
  one.set_brake_torque(joint.brake.holding_torque);
  one.mutable_board()->set_encoder_step(joint.board.encoder_step);
  one.mutable_board()->set_velocity_bandwidth(joint.board.velocity_bandwidth_hz);
  one.mutable_board()->set_torque_bandwidth(joint.board.torque_bandwidth_hz);
  one.mutable_board()->set_spring_stiffness(joint.board.spring_stiffness);
  one.mutable_board()->set_deflection_bandwidth(joint.board.deflection_bandwidth_hz);
  one.set_board_closes_position(joint.board_closes_position);
}

void write_board(const JointCapabilities& board, v1::Board& one) {
  for (const DriveMode mode : kAllDriveMode) {
    if (board.drive_modes.has(mode)) one.add_drive_modes(static_cast<std::uint32_t>(mode));
  }
  one.set_needs_calibration(board.needs_calibration);
  one.set_senses_velocity(board.senses_velocity);
  one.set_senses_torque(board.senses_torque);
  one.set_reports_status(board.reports_status);
  one.set_compensates_gravity(board.compensates_gravity);
  one.set_cycle_ns(board.cycle_ns);
  one.set_bus(board.bus);
}

void read_board(const v1::Board& one, JointCapabilities& board) {
  for (const std::uint32_t mode : one.drive_modes()) {
    if (mode < kAllDriveMode.size()) board.drive_modes.add(kAllDriveMode[mode]);
  }
  board.needs_calibration = one.needs_calibration();
  board.senses_velocity = one.senses_velocity();
  board.senses_torque = one.senses_torque();
  board.reports_status = one.reports_status();
  board.compensates_gravity = one.compensates_gravity();
  board.cycle_ns = one.cycle_ns();
  board.bus = one.bus();
}

void read_settings(const v1::Joint& one, JointConfig& joint) {
  joint.q_start = one.q_start();
#define JOINTRIG_READ(gain) joint.gains.gain = one.gains().gain();
  JOINTRIG_REMOTE_GAINS(JOINTRIG_READ)
#undef JOINTRIG_READ
  joint.timeout.seconds = one.timeout();
  parse(one.timeout_reaction(), joint.timeout.reaction);
  joint.brake.holding_torque = one.brake_torque();
  joint.board.encoder_step = one.board().encoder_step();
  joint.board.velocity_bandwidth_hz = one.board().velocity_bandwidth();
  joint.board.torque_bandwidth_hz = one.board().torque_bandwidth();
  joint.board.spring_stiffness = one.board().spring_stiffness();
  joint.board.deflection_bandwidth_hz = one.board().deflection_bandwidth();
  joint.board_closes_position = one.board_closes_position();
}

void write_obstacle(const KnownObstacle& obstacle, v1::Obstacle& one) {
  one.set_name(std::string(text_of(obstacle.name)));
  one.set_shape(static_cast<std::uint32_t>(obstacle.shape));
  write_array(obstacle.size, one.mutable_size());
  write_array(obstacle.position, one.mutable_position());
  write_array(obstacle.orientation, one.mutable_orientation());
  write_array(obstacle.velocity, one.mutable_velocity());
  one.set_moves_for(obstacle.moves_for);
}

void read_obstacles(const v1::State& message, KnownObstacles& obstacles) {
  obstacles.clear();
  for (const v1::Obstacle& one : message.obstacles()) {
    if (obstacles.size() == kMaxObstacles || one.shape() >= kAllKnownShape.size()) continue;
    KnownObstacle obstacle;
    obstacle.name = obstacle_name(one.name());
    obstacle.shape = kAllKnownShape[one.shape()];
    read_array(one.size(), obstacle.size);
    read_array(one.position(), obstacle.position);
    read_array(one.orientation(), obstacle.orientation);
    read_array(one.velocity(), obstacle.velocity);
    obstacle.moves_for = one.moves_for();
    obstacles.push_back(obstacle);
  }
}

void write_plan(const PlanSnapshot& plan, v1::FollowedPlan& one) {
  one.set_slot(plan.slot);
  one.set_round(plan.round);
  for (std::size_t i = 0; i < kMaxJoints; ++i) {
    if (plan.joints.test(i)) one.add_joints(static_cast<std::uint32_t>(i));
  }
  one.set_time(plan.time);
  one.set_duration(plan.duration);
  one.set_pace(plan.pace);
  one.set_waypoint(plan.waypoint);
  one.set_waypoints(plan.waypoints);
  one.set_number(plan.number);
}

template <typename Plans>
void read_plans(const v1::State& message, Plans& plans) {
  plans.clear();
  for (const v1::FollowedPlan& one : message.plans()) {
    if (plans.size() == kMaxPlans) continue;
    PlanSnapshot plan;
    plan.slot = one.slot();
    plan.round = one.round();
    for (const std::uint32_t joint : one.joints()) {
      if (joint < kMaxJoints) plan.joints.set(joint);
    }
    plan.time = one.time();
    plan.duration = one.duration();
    plan.pace = one.pace();
    plan.waypoint = one.waypoint();
    plan.waypoints = one.waypoints();
    plan.number = one.number();
    plans.push_back(plan);
  }
}

}  // namespace

void write_state(const Snapshot& snapshot, const RobotConfig& robot, v1::State& message) {
  message.set_cycle(snapshot.cycle);
  message.set_time_ns(snapshot.time_ns);
  message.set_overruns(snapshot.overruns);
  message.set_speed_override(snapshot.speed_override);
  write_array(snapshot.gravity, message.mutable_gravity());
  write_joints(snapshot.joints, *message.mutable_joints());
  write_troubles(snapshot.joints, message);
  for (std::size_t i = 0; i < snapshot.arms.size() && i < robot.arms.size(); ++i) {
    write_arm(snapshot.arms[i], robot.arms[i].joints.size(), *message.add_arms());
  }
  write_protection(snapshot.protection, *message.mutable_protection());
  write_laws(snapshot, robot, message);
  for (const GripperSnapshot& gripper : snapshot.grippers) {
    v1::Gripper& one = *message.add_grippers();
    one.set_width(gripper.width);
    one.set_share(gripper.share);
    one.set_force(gripper.force);
    one.set_asked(gripper.asked);
    one.set_state(static_cast<std::uint32_t>(gripper.state));
  }
  for (const KnownObstacle& one : snapshot.obstacles) {
    write_obstacle(one, *message.add_obstacles());
  }
  for (const PlanSnapshot& plan : snapshot.plans) write_plan(plan, *message.add_plans());
  v1::Base& base = *message.mutable_base();
#define JOINTRIG_WRITE(name, member) write_array(snapshot.base.member, base.mutable_##name());
  JOINTRIG_REMOTE_BASE_NUMBERS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
  for (const ForceTorqueState& sensor : snapshot.force_torque) {
    write_array(sensor.force, message.mutable_force_torque());
    write_array(sensor.torque, message.mutable_force_torque());
  }
}

void read_state(const v1::State& message, const RobotConfig& robot, Snapshot& snapshot) {
  snapshot.cycle = message.cycle();
  snapshot.time_ns = message.time_ns();
  snapshot.overruns = message.overruns();
  snapshot.speed_override = message.speed_override();
  read_array(message.gravity(), snapshot.gravity);
  snapshot.joints.resize(robot.joints.size());
  snapshot.arms.resize(robot.arms.size());
  read_joints(message.joints(), snapshot.joints);
  read_troubles(message, snapshot.joints);
  if (static_cast<std::size_t>(message.arms_size()) == robot.arms.size()) {
    for (std::size_t i = 0; i < robot.arms.size(); ++i) {
      read_arm(message.arms(static_cast<int>(i)), robot.arms[i].joints.size(), snapshot.arms[i]);
    }
  }
  read_protection(message.protection(), snapshot.protection);
  read_laws(message, robot, snapshot);
  snapshot.grippers.resize(robot.grippers.size());
  if (static_cast<std::size_t>(message.grippers_size()) == robot.grippers.size()) {
    for (std::size_t i = 0; i < robot.grippers.size(); ++i) {
      const v1::Gripper& one = message.grippers(static_cast<int>(i));
      const bool is_word = one.state() < kAllGripperState.size();
      snapshot.grippers[i] = {
          .share = one.share(),
          .width = one.width(),
          .force = one.force(),
          .asked = one.asked(),
          .state = is_word ? kAllGripperState[one.state()] : GripperState::kIdle};
    }
  }
  read_obstacles(message, snapshot.obstacles);
  read_plans(message, snapshot.plans);
  const v1::Base& base = message.base();
#define JOINTRIG_READ(name, member) read_array(base.name(), snapshot.base.member);
  JOINTRIG_REMOTE_BASE_NUMBERS(JOINTRIG_READ)
#undef JOINTRIG_READ
  const std::size_t sensors = static_cast<std::size_t>(message.force_torque_size()) / 6;
  snapshot.force_torque.resize(std::min(sensors, kMaxForceTorqueSensors));
  for (std::size_t i = 0; i < snapshot.force_torque.size(); ++i) {
    const auto numbers = message.force_torque().begin() + static_cast<std::ptrdiff_t>(6 * i);
    std::copy_n(numbers, 3, snapshot.force_torque[i].force.begin());
    std::copy_n(numbers + 3, 3, snapshot.force_torque[i].torque.begin());
  }
}

EventRecord record_of(const Event& event, const RobotConfig& robot, std::string_view sender) {
  EventRecord record;
  record.time_ns = event.time_ns;
  record.cycle = event.cycle;
  record.number = event.number;
  record.value = event.value;
  record.limit = event.limit;
  record.kind = to_string(event.kind);
  if (event.joint < robot.joints.size()) record.joint = robot.joints[event.joint].name;
  if (event.arm < robot.arms.size()) record.arm = robot.arms[event.arm].name;
  record.sentence = harness::sentence(event, robot, sender);
  record.command = to_string(event.command);
  record.reason = to_string(event.reason);
  record.fault = to_string(event.fault);
  record.mode = to_string(event.mode);
  record.was = to_string(event.was);
  record.sender = sender;
  record.detail = event.detail;
  return record;
}

std::optional<Event> event_of(const EventRecord& record, const RobotConfig& robot) {
  Event event;
  if (!parse(record.kind, event.kind)) return std::nullopt;
  event.time_ns = record.time_ns;
  event.cycle = record.cycle;
  event.number = record.number;
  event.value = record.value;
  event.limit = record.limit;
  event.detail = record.detail;
  parse(record.command, event.command);
  parse(record.reason, event.reason);
  parse(record.fault, event.fault);
  parse(record.mode, event.mode);
  parse(record.was, event.was);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.joints[i].name == record.joint) event.joint = static_cast<JointIndex>(i);
  }
  for (std::size_t i = 0; i < robot.arms.size(); ++i) {
    if (robot.arms[i].name == record.arm) event.arm = static_cast<ArmIndex>(i);
  }
  return event;
}

#define JOINTRIG_REMOTE_EVENT_FIELDS(X) \
  X(time_ns)                            \
  X(cycle)                              \
  X(kind)                               \
  X(joint)                              \
  X(arm)                                \
  X(sentence) X(value) X(limit) X(number) X(command) X(reason) X(fault) X(mode) X(was) X(sender)

void write_event(const EventRecord& record, v1::Event& message) {
#define JOINTRIG_WRITE(name) message.set_##name(record.name);
  JOINTRIG_REMOTE_EVENT_FIELDS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
  message.set_detail(record.detail);
}

EventRecord read_event(const v1::Event& message) {
  EventRecord record;
#define JOINTRIG_READ(name) record.name = message.name();
  JOINTRIG_REMOTE_EVENT_FIELDS(JOINTRIG_READ)
#undef JOINTRIG_READ
  record.detail = static_cast<std::uint8_t>(message.detail());
  return record;
}

void write_facts(const RobotFacts& facts, v1::Description& message) {
  const RobotConfig& robot = facts.config;
  message.set_name(robot.name);
  message.set_backend(facts.backend);
  message.set_version(facts.version);
  message.set_period_ns(robot.period_ns);
  message.set_on_buses(facts.is_on_buses);
  message.set_is_real(facts.is_real);
  message.set_pins_base(robot.pin_base);
  message.set_delay_cycles(robot.delay_cycles);
  for (const std::string& note : facts.notes) message.add_notes(note);
  for (const JointConfig& joint : robot.joints) {
    v1::Joint& one = *message.add_joints();
    one.set_name(joint.name);
    one.set_slide(joint.slide);
#define JOINTRIG_WRITE(limit) one.set_##limit(joint.limits.limit);
    JOINTRIG_REMOTE_LIMITS(JOINTRIG_WRITE)
#undef JOINTRIG_WRITE
    write_settings(joint, one);
    const auto index = static_cast<std::size_t>(message.joints_size() - 1);
    if (index >= facts.boards.size()) continue;
    write_board(facts.boards[index], *one.mutable_board());
  }
  for (const PartConfig& part : robot.parts) {
    v1::Part& one = *message.add_parts();
    one.set_name(part.name);
    for (const JointIndex joint : part.joints) one.add_joints(robot.joints[joint].name);
  }
  for (const PoseConfig& pose : robot.poses) {
    v1::Pose& one = *message.add_poses();
    one.set_name(pose.name);
    for (std::size_t i = 0; i < pose.q.size(); ++i) {
      if (pose.q[i]) (*one.mutable_positions())[robot.joints[i].name] = *pose.q[i];
    }
  }
  for (const ArmConfig& arm : robot.arms) {
    message.add_arms(arm.name);
    v1::ArmJoints& joints = *message.add_arm_joints();
    for (const JointIndex joint : arm.joints) joints.add_names(robot.joints[joint].name);
    joints.set_tool(arm.tool);
    joints.set_base(arm.base);
    write_arm_settings(arm, *joints.mutable_settings());
  }
  for (const GripperConfig& gripper : robot.grippers) message.add_grippers(gripper.name);
  write_law_facts(robot, message);
}

RobotFacts read_facts(const v1::Description& message) {
  if (message.joints_size() > static_cast<int>(kMaxJoints) ||
      message.arms_size() > static_cast<int>(kMaxArms) ||
      message.grippers_size() > static_cast<int>(kMaxGrippers) || message.period_ns() <= 0) {
    throw std::invalid_argument(
        fmt::format("{} has {} joints and {} arms: this is no robot of this version",
                    message.name(), message.joints_size(), message.arms_size()));
  }
  RobotFacts facts;
  RobotConfig& robot = facts.config;
  robot.name = message.name();
  facts.backend = message.backend();
  facts.version = message.version();
  robot.period_ns = message.period_ns();
  facts.is_on_buses = message.on_buses();
  facts.is_real = message.is_real();
  robot.pin_base = message.pins_base();
  robot.delay_cycles = std::clamp(message.delay_cycles(), 0, kLongestDelay);
  facts.notes.assign(message.notes().begin(), message.notes().end());
  const auto index_of = [&](const std::string& name) {
    const auto is_it = [&](const JointConfig& joint) { return joint.name == name; };
    return static_cast<std::size_t>(std::find_if(robot.joints.begin(), robot.joints.end(), is_it) -
                                    robot.joints.begin());
  };
  for (const v1::Joint& one : message.joints()) {
    JointConfig& joint = robot.joints.emplace_back();
    joint.name = one.name();
    joint.slide = one.slide();
#define JOINTRIG_READ(limit) joint.limits.limit = one.limit();
    JOINTRIG_REMOTE_LIMITS(JOINTRIG_READ)
#undef JOINTRIG_READ
    read_settings(one, joint);
    JointCapabilities& board = facts.boards.emplace_back();
    board.joint = one.name();
    read_board(one.board(), board);
  }
  for (const v1::Part& one : message.parts()) {
    PartConfig& part = robot.parts.emplace_back();
    part.name = one.name();
    for (const std::string& name : one.joints()) {
      const std::size_t joint = index_of(name);
      if (joint < robot.joints.size()) part.joints.push_back(static_cast<JointIndex>(joint));
    }
  }
  for (const v1::Pose& one : message.poses()) {
    PoseConfig& pose = robot.poses.emplace_back();
    pose.name = one.name();
    pose.q.resize(robot.joints.size());
    for (const auto& [name, position] : one.positions()) {
      const std::size_t joint = index_of(name);
      if (joint < pose.q.size()) pose.q[joint] = position;
    }
  }
  for (int i = 0; i < message.arms_size(); ++i) {
    ArmConfig& arm = robot.arms.emplace_back();
    arm.name = message.arms(i);
    if (i >= message.arm_joints_size()) continue;
    arm.tool = message.arm_joints(i).tool();
    arm.base = message.arm_joints(i).base();
    read_arm_settings(message.arm_joints(i).settings(), arm);
    for (const std::string& name : message.arm_joints(i).names()) {
      const std::size_t joint = index_of(name);
      if (joint < robot.joints.size()) arm.joints.push_back(static_cast<JointIndex>(joint));
    }
  }
  for (const std::string& name : message.grippers()) robot.grippers.emplace_back().name = name;
  read_law_facts(message, robot);
  return facts;
}

}  // namespace jointrig::remote
