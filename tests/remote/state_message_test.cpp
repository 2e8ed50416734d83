#include "remote/state_message.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "remote/robot.pb.h"
#include "remote/state_fields.h"

namespace jointrig::remote {
namespace {

RobotConfig robot_of(std::size_t joints, std::size_t arms) {
  RobotConfig robot;
  robot.name = "odd";
  robot.joints.resize(joints);
  for (std::size_t i = 0; i < joints; ++i) robot.joints[i].name = "j" + std::to_string(i);
  robot.arms.resize(arms);
  for (std::size_t i = 0; i < arms; ++i) {
    robot.arms[i].name = "arm" + std::to_string(i);
    robot.arms[i].joints = {0};
  }
  return robot;
}

/// Every number another one.
std::unique_ptr<Snapshot> filled(const RobotConfig& robot) {
  auto snapshot = std::make_unique<Snapshot>();
  double next = 0.5;
  snapshot->cycle = 12345;
  snapshot->time_ns = 12'345'000'000;
  snapshot->overruns = 3;
  snapshot->speed_override = 0.25;
  snapshot->gravity = {1.0, -2.0, 9.0};
  snapshot->joints.resize(robot.joints.size());
  snapshot->arms.resize(robot.arms.size());
  for (JointSnapshot& joint : snapshot->joints) {
#define JOINTRIG_FILL(name, member) joint.member = next += 1.0;
    JOINTRIG_REMOTE_JOINT_NUMBERS(JOINTRIG_FILL)
#undef JOINTRIG_FILL
    joint.mode = JointMode::kVelocity;
    joint.interaction = InteractionMode::kCompliant;
    joint.fault = {FaultCode::kOverTemperature, next += 1.0, next += 1.0, 77};
    joint.state.missed = 21;
    joint.state.progress = 0.25;
    joint.limits.add(Limit::kTorque);
    joint.moving = true;
    joint.has_external = true;
    joint.suppressed.set(Suppressible::kContactSafety);
  }
  for (ArmSnapshot& arm : snapshot->arms) {
#define JOINTRIG_FILL(name, member) \
  for (double& number : arm.member) number = next += 1.0;
    JOINTRIG_REMOTE_ARM_NUMBERS(JOINTRIG_FILL)
#undef JOINTRIG_FILL
#define JOINTRIG_FILL(name, member) arm.member = static_cast<decltype(arm.member)>(next += 1.0);
    JOINTRIG_REMOTE_ARM_FLAGS(JOINTRIG_FILL)
#undef JOINTRIG_FILL
    arm.terms.set(ArmTerm::kPosture);
    arm.limits.set(ArmLimit::kGain);
    arm.forces.sensor = ForceSensorState::kFrozen;
    arm.drive.held_by = DriveChange::kSingular;
    arm.interaction.guide = GuideState::kStopped;
    arm.interaction.free_axes = 0b101;
    arm.interaction.axes.back() = InteractionAxis::kForce;
    arm.interaction.note = {next += 1.0, next += 1.0, 0, GuideChange::kTooFast};
    for (auto& term : arm.tau) term[0] = next += 1.0;
  }
  ProtectionSnapshot& protection = snapshot->protection;
#define JOINTRIG_FILL(name) protection.name = static_cast<decltype(protection.name)>(next += 1.0);
  JOINTRIG_REMOTE_PROTECTION_NUMBERS(JOINTRIG_FILL)
#undef JOINTRIG_FILL
  for (double& number : protection.suppressed_for) number = next += 1.0;
  for (double& number : protection.suppressed_left) number = next += 1.0;
  protection.suppressed_by.back() = 7;
  protection.on.set(Protection::kCollisionDetection);
  protection.suppressed.set(Suppressible::kCuff);
#define JOINTRIG_FILL(name, member) \
  for (double& number : snapshot->base.member) number = next += 1.0;
  JOINTRIG_REMOTE_BASE_NUMBERS(JOINTRIG_FILL)
#undef JOINTRIG_FILL
  snapshot->plans.push_back({1.25, 4.5, 0.5, JointSet{}.set(1), 3, 9, 2, 5, 4});
  snapshot->force_torque.resize(2);
  for (ForceTorqueState& sensor : snapshot->force_torque) {
    for (double& number : sensor.force) number = next += 1.0;
    for (double& number : sensor.torque) number = next += 1.0;
  }
  return snapshot;
}

TEST(StateMessage, ASnapshotComesBackWithAllThatItCarries) {
  const RobotConfig robot = robot_of(5, 2);
  const auto sent = filled(robot);
  v1::State message;
  write_state(*sent, robot, message);
  std::string bytes;
  ASSERT_TRUE(message.SerializeToString(&bytes));
  v1::State received;
  ASSERT_TRUE(received.ParseFromString(bytes));
  const auto got = std::make_unique<Snapshot>();

  read_state(received, robot, *got);

  EXPECT_EQ(got->cycle, sent->cycle);
  EXPECT_EQ(got->time_ns, sent->time_ns);
  EXPECT_EQ(got->speed_override, sent->speed_override);
  EXPECT_EQ(got->gravity, sent->gravity);
  EXPECT_TRUE(got->joints == sent->joints);
  EXPECT_TRUE(got->arms == sent->arms);
  EXPECT_TRUE(got->protection == sent->protection);
  EXPECT_TRUE(got->base == sent->base);
  EXPECT_TRUE(got->force_torque == sent->force_torque);
  ASSERT_EQ(got->plans.size(), 1U);
  EXPECT_TRUE(got->plans[0] == sent->plans[0]);
  sent->plans.clear();
  message.Clear();
  write_state(*sent, robot, message);
  read_state(message, robot, *got);
  EXPECT_TRUE(got->plans.empty()) << "a plan that is over";
}

TEST(StateMessage, ATroubleThatIsOverIsNotLeftBehind) {
  const RobotConfig robot = robot_of(2, 0);
  auto sent = filled(robot);
  v1::State message;
  write_state(*sent, robot, message);
  const auto got = std::make_unique<Snapshot>();
  read_state(message, robot, *got);
  EXPECT_EQ(got->joints[1].state.missed, 21U);

  sent->joints[1].fault = {};
  sent->joints[1].state.missed = 0;
  sent->joints[1].state.progress = 0.0;
  message.Clear();
  write_state(*sent, robot, message);
  EXPECT_EQ(message.troubles_size(), 1) << "the other joint's";
  read_state(message, robot, *got);
  EXPECT_TRUE(got->joints == sent->joints);
}

TEST(StateMessage, TorquesOfAnArmThatStoppedAreGone) {
  const RobotConfig robot = robot_of(1, 1);
  auto sent = filled(robot);
  v1::State message;
  write_state(*sent, robot, message);
  const auto got = std::make_unique<Snapshot>();
  read_state(message, robot, *got);
  EXPECT_NE(got->arms[0].tau[0][0], 0.0);

  sent->arms[0].runs = false;
  sent->arms[0].tau = {};
  sent->arms[0].interaction.note = {};
  message.Clear();
  write_state(*sent, robot, message);
  read_state(message, robot, *got);
  EXPECT_TRUE(got->arms == sent->arms);
}

TEST(StateMessage, AWordThatThisVersionDoesNotKnowChangesNothing) {
  const RobotConfig robot = robot_of(1, 1);
  const auto sent = filled(robot);
  v1::State message;
  write_state(*sent, robot, message);
  message.mutable_arms(0)->set_guide(200);
  message.mutable_arms(0)->set_axes(std::string(6, '\xff'));
  message.mutable_arms(0)->set_free_axes(0xFFFF);
  message.mutable_arms(0)->mutable_note()->set_what(1000);
  const auto got = std::make_unique<Snapshot>();
  read_state(message, robot, *got);
  EXPECT_EQ(got->arms[0].interaction.guide, GuideState::kOff);
  EXPECT_EQ(got->arms[0].interaction.axes, InteractionSnapshot{}.axes);
  EXPECT_EQ(got->arms[0].interaction.free_axes, kAllAxes);
  EXPECT_EQ(got->arms[0].interaction.note.what, GuideNote{}.what);
}

TEST(StateMessage, TheMessageHasNoFieldThatIsNotFilled) {
  const RobotConfig robot = robot_of(1, 1);
  const auto sent = filled(robot);
  v1::State message;
  write_state(*sent, robot, message);
  for (const auto* part : {static_cast<const google::protobuf::Message*>(&message.joints()),
                           static_cast<const google::protobuf::Message*>(&message.arms(0)),
                           static_cast<const google::protobuf::Message*>(&message.protection()),
                           static_cast<const google::protobuf::Message*>(&message.base())}) {
    std::vector<const google::protobuf::FieldDescriptor*> set;
    part->GetReflection()->ListFields(*part, &set);
    EXPECT_EQ(set.size(), static_cast<std::size_t>(part->GetDescriptor()->field_count()));
  }
}

TEST(StateMessage, AStateOfAnotherRobotChangesNothingOfThisOne) {
  const RobotConfig other = robot_of(5, 2);
  const auto sent = filled(other);
  v1::State message;
  write_state(*sent, other, message);
  const RobotConfig robot = robot_of(3, 1);
  const auto got = std::make_unique<Snapshot>();
  read_state(message, robot, *got);
  EXPECT_EQ(got->joints.size(), 3U);
  EXPECT_EQ(got->joints[0].state.q, 0.0);
  EXPECT_EQ(got->arms.size(), 1U);
}

TEST(StateMessage, TheDescriptionBringsNamesLimitsPartsAndPoses) {
  RobotFacts facts{robot_of(3, 1), "sim", "1.2.3", {"a note"}};
  facts.config.joints[1].slide = true;
  facts.config.joints[2].limits.v_max = 2.5;
  facts.config.joints[2].limits.q_min = -0.75;
  facts.config.joints[1].gains = {.inertia = 0.5, .kp = 100.0, .kd = 2.0, .is_pid = true};
  facts.config.joints[1].q_start = -0.5;
  facts.config.joints[1].timeout = {0.3, TimeoutReaction::kDamp};
  facts.config.joints[1].brake.holding_torque = 7.0;
  facts.config.joints[1].board.encoder_step = 1e-3;
  facts.boards.resize(3);
  facts.boards[2].needs_calibration = true;
  facts.boards[2].bus = "can1";
  facts.is_on_buses = true;
  facts.is_real = true;
  facts.config.parts.push_back({"hand", {2, 0}});
  facts.config.arms[0].joints = {0, 2};
  facts.config.arms[0].tool = "hand";
  facts.config.arms[0].base = "shoulder";
  ArmConfig& arm = facts.config.arms[0];
  double next = 0.5;
#define JOINTRIG_FILL(name, member) \
  for (double& number : arm.member) number = next += 1.0;
  JOINTRIG_REMOTE_ARM_SIXES(JOINTRIG_FILL)
#undef JOINTRIG_FILL
#define JOINTRIG_FILL(name) arm.name = next += 1.0;
  JOINTRIG_REMOTE_ARM_SETTINGS(JOINTRIG_FILL)
#undef JOINTRIG_FILL
  arm.frame = ToolFrame::kTool;
  facts.config.pin_base = true;
  facts.config.poses.push_back({"home", {0.1, std::nullopt, 0.3}});
  v1::Description message;
  write_facts(facts, message);

  const RobotFacts got = read_facts(message);

  EXPECT_EQ(got.config.name, "odd");
  EXPECT_TRUE(got.config.parts == facts.config.parts);
  EXPECT_TRUE(got.config.poses == facts.config.poses);
  EXPECT_TRUE(got.config.arms == facts.config.arms);
  EXPECT_TRUE(got.config.pin_base);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(got.config.joints[i].name, facts.config.joints[i].name);
    EXPECT_EQ(got.config.joints[i].slide, facts.config.joints[i].slide);
    EXPECT_TRUE(got.config.joints[i].limits == facts.config.joints[i].limits);
  }
  EXPECT_TRUE(got.config.joints[1].gains == facts.config.joints[1].gains);
  EXPECT_EQ(got.config.joints[1].q_start, -0.5);
  EXPECT_TRUE(got.config.joints[1].timeout == facts.config.joints[1].timeout);
  EXPECT_EQ(got.config.joints[1].brake.holding_torque, 7.0);
  EXPECT_EQ(got.config.joints[1].board.encoder_step, 1e-3);
  EXPECT_TRUE(got.boards[2].needs_calibration);
  EXPECT_FALSE(got.boards[1].needs_calibration);
  EXPECT_EQ(got.boards[2].bus, "can1");
  EXPECT_TRUE(got.is_on_buses && got.is_real);
  EXPECT_EQ(got.backend, "sim");
  EXPECT_EQ(got.notes, facts.notes);
}

TEST(StateMessage, TheDescriptionBringsTheLagsOnWhichTheMarginOfAGainDepends) {
  RobotFacts facts{robot_of(2, 0), "sim", "1.2.3", {}};
  facts.config.delay_cycles = 3;
  facts.config.joints[1].board_closes_position = true;
  BoardConfig& board = facts.config.joints[1].board;
  board.velocity_bandwidth_hz = 90.0;
  board.torque_bandwidth_hz = 700.0;
  board.spring_stiffness = 5000.0;
  board.deflection_bandwidth_hz = 25.0;
  v1::Description message;
  write_facts(facts, message);
  const RobotFacts got = read_facts(message);
  EXPECT_EQ(got.config.delay_cycles, 3);
  EXPECT_FALSE(got.config.joints[0].board_closes_position);
  EXPECT_TRUE(got.config.joints[1].board_closes_position);
  EXPECT_EQ(got.config.joints[1].board.velocity_bandwidth_hz, 90.0);
  EXPECT_EQ(got.config.joints[1].board.torque_bandwidth_hz, 700.0);
  EXPECT_EQ(got.config.joints[1].board.spring_stiffness, 5000.0);
  EXPECT_EQ(got.config.joints[1].board.deflection_bandwidth_hz, 25.0);
  message.set_delay_cycles(2'000'000'000);
  EXPECT_EQ(read_facts(message).config.delay_cycles, 100) << "no loop of a robot file has more";
}

/// Two laws, the second one with a range that has no end.
std::vector<LawConfig> some_laws() {
  LawConfig spring;
  spring.name = "spring";
  spring.joints = {2, 0};
  spring.budget = 5e-5;
  spring.parameters = {{"k", "N·m/rad", 3.0, 0.0, 9.0, false}, {"q", "rad", 0.5, -1.0, 1.0, true}};
  spring.signals = {{"error", "rad", "way from the target"}, {"energy", "J"}};
  LawConfig body;
  body.name = kWholeBodyLaw;
  body.is_whole_body = true;
  body.parameters = {{"gain", "", 1.0}};
  body.signals = {{"com_error_x", "m"}};
  return {spring, body};
}

TEST(StateMessage, TheDescriptionBringsLawsAndThePartsOfARobotOnFeet) {
  RobotFacts facts{robot_of(3, 0), "sim", "1.2.3", {}};
  facts.config.laws = some_laws();
  WholeBodyConfig& body = facts.config.whole_body.emplace();
  body.feet = {{"l_foot", "l_sole", {0.1, 0.2, 0.3}, {0.16, 0.07}, {}}};
  body.hands = {{"left", "l_palm", "l_fingers", {}}};
  body.chest = "chest";
  body.head = "head";
  body.pelvis = "root";
  body.upright = {"neck"};
  body.com_weight = 2.5;
  body.height_weight = 7.5;
  v1::Description message;
  write_facts(facts, message);
  const RobotFacts got = read_facts(message);
  ASSERT_EQ(got.config.laws.size(), 2U);
  EXPECT_TRUE(got.config.laws == facts.config.laws);
  EXPECT_TRUE(got.config.whole_body == facts.config.whole_body);

  for (std::size_t i = 0; i < kMaxLaws; ++i) message.add_laws();
  EXPECT_THROW(static_cast<void>(read_facts(message)), std::invalid_argument) << "too many laws";
  message.clear_laws();
  v1::Law& wide = *message.add_laws();
  for (std::size_t i = 0; i <= kMaxSignals; ++i) wide.add_signals();
  EXPECT_THROW(static_cast<void>(read_facts(message)), std::invalid_argument) << "signals";
}

TEST(StateMessage, AStateBringsParametersAndSignalsOfLaws) {
  RobotConfig robot = robot_of(3, 0);
  robot.laws = some_laws();
  const auto sent = filled(robot);
  sent->laws.resize(2);
  sent->laws[0].state = LawState::kRuns;
  sent->laws[0].took_us = 12.5F;
  sent->laws[0].parameters[0] = 4.0;
  sent->laws[0].parameters[1] = -0.25;
  sent->laws[1].state = LawState::kHolds;
  sent->laws[1].parameters[0] = 2.0;
  for (const double value : {0.1, 0.2, 0.3}) sent->law_signals.push_back(value);
  v1::State message;
  write_state(*sent, robot, message);
  const auto got = std::make_unique<Snapshot>();
  read_state(message, robot, *got);
  EXPECT_TRUE(got->laws == sent->laws);
  EXPECT_TRUE(got->law_signals == sent->law_signals);

  message.mutable_laws(0)->set_state(99);
  message.add_law_signals(0.4);
  got->law_signals[0] = -1.0;
  read_state(message, robot, *got);
  EXPECT_EQ(got->laws[0].state, LawState::kRuns) << "no state of this version";
  EXPECT_EQ(got->law_signals[0], -1.0) << "signals of another robot";
}

TEST(StateMessage, AnEventComesBackFromItsWords) {
  const RobotConfig robot = robot_of(3, 2);
  Event sent;
  sent.kind = EventKind::kFault;
  sent.time_ns = 1'500'000'000;
  sent.cycle = 1500;
  sent.number = 12;
  sent.value = 91.5;
  sent.limit = 90.0;
  sent.joint = 2;
  sent.arm = 1;
  sent.command = CommandKind::kMove;
  sent.reason = RejectReason::kOutOfRange;
  sent.fault = FaultCode::kOverTemperature;
  sent.mode = JointMode::kHwFault;
  sent.was = JointMode::kPosition;
  sent.detail = 3;
  v1::Event message;
  write_event(record_of(sent, robot, "anna"), message);

  const EventRecord record = read_event(message);
  std::optional<Event> got = event_of(record, robot);

  ASSERT_TRUE(got);
  EXPECT_EQ(record.sender, "anna") << "a name, since numbers of senders are the server's own";
  EXPECT_TRUE(*got == sent);
  EventRecord strange = record;
  strange.kind = "of a later version";
  EXPECT_FALSE(event_of(strange, robot));
}

TEST(StateMessage, ADescriptionOfMoreJointsThanARobotHasIsRefused) {
  v1::Description message;
  message.set_period_ns(1'000'000);
  for (std::size_t i = 0; i <= kMaxJoints; ++i) message.add_joints();
  EXPECT_THROW(static_cast<void>(read_facts(message)), std::invalid_argument);
}

}  // namespace
}  // namespace jointrig::remote
