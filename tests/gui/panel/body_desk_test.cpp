#include "gui/panel/body_desk.h"

#include <cmath>
#include <numbers>

#include "app/rig/rig.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

/// On its feet, with ideal joints: without what needs a model of the arms.
RobotConfig icub() {
  RobotConfig config = app::load_robot(harness::find_robot("icub")).config;
  config.pin_base = false;
  config.avoidance.reset();
  config.detection.reset();
  return config;
}

struct BodyDeskTest : ::testing::Test {
  BodyDeskTest() {
    desk.places.hands.resize(2);
    desk.places.hands[0].pose = {{0.1, 0.2, 0.3}, {1.0, 0.0, 0.0, 0.0}};
    desk.places.hands[1].arm = {{"shoulder", BodyColumn::Kind::kAngle},
                                {"rail", BodyColumn::Kind::kLength}};
    desk.places.hands[1].q = {0.5, 0.25};
    desk.places.pelvis_height = 0.52;
    t.commands();
  }
  void arm() {
    t.panel.set_access(Access::kArmed);
    t.commands();
  }
  /// Shows a snapshot in which the controller has these signals.
  void show(LawState state, std::initializer_list<std::pair<const char*, double>> signals) {
    Snapshot snapshot = t.rig.stack.snapshot();
    LawSnapshot& law = snapshot.laws[desk.law()];
    law.state = state;
    for (const auto& [name, value] : signals) snapshot.law_signals[number_of(name)] = value;
    t.panel.see(snapshot);
  }
  std::size_t number_of(const std::string& name) {
    const auto& all = t.panel.config().laws[desk.law()].signals;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].name == name) return i;
    }
    ADD_FAILURE() << "the law has no signal " << name;
    return 0;
  }
  Event event(EventKind kind, MessageId id, CommandKind command = CommandKind::kGoHome) {
    Event e;
    e.kind = kind;
    e.message = id;
    e.command = command;
    e.law = desk.law();
    return e;
  }
  void see_change(MessageId id, MessageChange change) {
    Event e = event(EventKind::kMessage, id);
    e.detail = static_cast<std::uint8_t>(change);
    t.panel.see(e);
  }
  BodyDesk::Task task(const std::string& name) {
    for (const BodyDesk::Task& one : desk.tasks()) {
      if (one.name == name) return one;
    }
    ADD_FAILURE() << "there is no task " << name;
    return {};
  }

  testing::RigWithPanel t{icub()};
  BodyDesk& desk = t.desks.body;
};

TEST(BodyDesk, IsThereForARobotOnFeetAlone) {
  testing::RigWithPanel on_feet(icub());
  EXPECT_TRUE(on_feet.desks.body.is_there());
  RobotConfig bolted = icub();
  bolted.pin_base = true;
  testing::RigWithPanel pinned(bolted);
  EXPECT_FALSE(pinned.desks.body.is_there());
  testing::RigWithPanel arm(3);
  EXPECT_FALSE(arm.desks.body.is_there());
}

TEST_F(BodyDeskTest, NothingThatMovesIsSentWithoutArmed) {
  for (const Access access : {Access::kObserve, Access::kControl}) {
    t.panel.set_access(access);
    t.commands();
    desk.send();
    desk.go_home_all();
    desk.change_height(0.02);
    desk.stand();
    EXPECT_EQ(t.commands().size(), 0U) << to_string(access);
  }
  desk.stop_all();
  EXPECT_EQ(t.only<StopAllTrajectories>().id, 1U) << "braking needs CONTROL alone";
  t.panel.set_access(Access::kObserve);
  desk.stop_all();
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(BodyDeskTest, AHandsMessageBeginsWhereTheHandIs) {
  arm();
  desk.begin(CommandKind::kHandTrajectory, 0);
  desk.send();
  const auto sent = t.only<HandTrajectory>();
  EXPECT_EQ(sent.id, 1U);
  EXPECT_EQ(sent.hand, 0U);
  const std::vector<double> row(sent.waypoints.begin(), sent.waypoints.end());
  EXPECT_EQ(row, (std::vector<double>{2.0, 0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0}));
}

TEST_F(BodyDeskTest, TypedAnglesBecomeAQuaternionAndMillimetresMetres) {
  arm();
  desk.begin(CommandKind::kHandTrajectory, 0);
  EXPECT_EQ(desk.form.type(0, 3, "450"), "");
  EXPECT_EQ(desk.form.type(0, 6, "90"), "");
  EXPECT_EQ(desk.form.type(0, 0, "3.5 s"), "");
  EXPECT_NE(desk.form.type(0, 0, "soon"), "");
  EXPECT_NE(desk.form.type(0, 1, "3 kg"), "");
  desk.send();
  const auto sent = t.only<HandTrajectory>();
  EXPECT_EQ(sent.waypoints[0], 3.5);
  EXPECT_NEAR(sent.waypoints[3], 0.45, 1e-12);
  // A quarter turn about z.
  EXPECT_NEAR(sent.waypoints[4], std::numbers::sqrt2 / 2.0, 1e-12);
  EXPECT_NEAR(sent.waypoints[7], std::numbers::sqrt2 / 2.0, 1e-12);
}

TEST_F(BodyDeskTest, AnArmsRowsAreItsJointsAndWaypointsFollowOneAnother) {
  arm();
  desk.begin(CommandKind::kArmJointTrajectory, 1);
  ASSERT_EQ(desk.form.columns().size(), 3U);
  EXPECT_EQ(desk.form.columns()[1].name, "shoulder");
  EXPECT_EQ(desk.form.unit_of(1), "°");
  EXPECT_EQ(desk.form.unit_of(2), "mm");
  desk.form.add_row();
  desk.form.add_row();
  desk.form.remove_row(1);
  EXPECT_EQ(desk.form.type(1, 1, "1 rad"), "");
  desk.send();
  const auto sent = t.only<ArmJointTrajectory>();
  EXPECT_EQ(sent.hand, 1U);
  const std::vector<double> rows(sent.waypoints.begin(), sent.waypoints.end());
  EXPECT_EQ(rows, (std::vector<double>{2.0, 0.5, 0.25, 6.0, 1.0, 0.25}));
}

TEST_F(BodyDeskTest, AFormIsFullAtTheMostWaypointsOfAMessage) {
  desk.begin(CommandKind::kHandTrajectory, 0);
  for (int i = 0; i < 30; ++i) desk.form.add_row();
  EXPECT_EQ(desk.form.rows().size(), kMaxWaypoints);
  arm();
  desk.send();
  EXPECT_EQ(t.only<HandTrajectory>().waypoints.size(), kMaxWaypoints * 8);
  desk.begin(CommandKind::kPelvisHeight, 0);
  desk.form.remove_row(0);
  EXPECT_EQ(desk.form.rows().size(), 1U) << "a message without waypoints is none";
}

TEST_F(BodyDeskTest, EveryKindOfMessageIsSentAsThatKindWithAllItsNumbers) {
  arm();
  ASSERT_EQ(message_kinds().size(), 20U);
  desk.places.hands[0].arm = desk.places.hands[1].arm;
  desk.places.hands[0].q = desk.places.hands[1].q;
  desk.places.neck = desk.places.hands[1];
  desk.begin(CommandKind::kPelvisHeight, 0);
  desk.form.collect();
  for (const CommandKind kind : message_kinds()) {
    desk.begin(kind, 0);
    desk.send();
    const Command sent = t.only_command();
    EXPECT_EQ(kind_of(sent), kind);
    EXPECT_GT(message_of(sent.request), 0U) << to_string(kind);
    std::size_t fields = 0;
    for_each_number_of(sent.request, [&](double) { ++fields; });
    EXPECT_GE(fields, fields_of(kind).size()) << to_string(kind);
  }
}

TEST_F(BodyDeskTest, RowsGetTheirVelocitiesInThePlacesOfTheMessage) {
  arm();
  desk.begin(CommandKind::kHandTrajectory, 0);
  desk.form.set("velocities", 1.0);
  ASSERT_EQ(desk.form.columns().size(), 13U);
  EXPECT_EQ(desk.form.unit_of(7), "mm/s");
  EXPECT_EQ(desk.form.unit_of(10), "°/s");
  EXPECT_EQ(desk.form.type(0, 8, "40"), "");
  EXPECT_EQ(desk.form.type(0, 12, "0.5 rad/s"), "");
  desk.send();
  const auto sent = t.only<HandTrajectory>();
  EXPECT_TRUE(sent.velocities);
  const std::vector<double> row(sent.waypoints.begin(), sent.waypoints.end());
  EXPECT_EQ(row, (std::vector<double>{2.0, 0.1, 0.2, 0.3, 1.0, 0.0, 0.0, 0.0, 0.0, 0.04, 0.0, 0.0,
                                      0.0, 0.5}));
  desk.form.set("velocities", 0.0);
  desk.send();
  EXPECT_EQ(t.only<HandTrajectory>().waypoints.size(), 8U);
}

TEST_F(BodyDeskTest, AStreamsPointGoesOnByItsSpeedsWhileItIsHeld) {
  arm();
  desk.begin(CommandKind::kHandTrajectory, 0);
  desk.form.add_row();
  desk.form.set("execution", static_cast<double>(Execution::kStream));
  ASSERT_EQ(desk.form.rows().size(), 1U);
  EXPECT_TRUE(desk.form.is_full()) << "one point";
  EXPECT_EQ(desk.form.type(0, 7, "50 mm/s"), "");
  EXPECT_EQ(desk.form.type(0, 12, "1 rad/s"), "");
  desk.hold(10.0);
  const auto first = t.only<HandTrajectory>();
  EXPECT_EQ(first.execution, Execution::kStream);
  EXPECT_EQ(first.integration, BodyForm::kGoesOn);
  EXPECT_EQ(first.waypoints[0], 0.0);
  EXPECT_EQ(first.waypoints[1], 0.1);
  desk.hold(10.01);
  EXPECT_EQ(t.commands().size(), 0U) << "not in every frame";
  desk.hold(10.4);
  const auto next = t.only<HandTrajectory>();
  EXPECT_EQ(next.id, first.id + 1);
  // 50 mm/s and 1 rad/s about z, for 0.4 s.
  EXPECT_NEAR(next.waypoints[1], 0.12, 1e-12);
  EXPECT_NEAR(next.waypoints[4], std::cos(0.2), 1e-12);
  EXPECT_NEAR(next.waypoints[7], std::sin(0.2), 1e-12);
  desk.release();
  desk.hold(20.0);
  EXPECT_EQ(t.only<HandTrajectory>().waypoints[1], 0.1) << "from its place again";
}

TEST_F(BodyDeskTest, AccelerationsAreOnesOfEachJointAndAreHeldToo) {
  arm();
  desk.begin(CommandKind::kArmDesiredAccelerations, 1);
  ASSERT_EQ(desk.form.columns().size(), 2U);
  EXPECT_EQ(desk.form.unit_of(0), "°/s²");
  EXPECT_EQ(desk.form.unit_of(1), "mm/s²");
  EXPECT_TRUE(desk.form.is_streamed());
  EXPECT_EQ(desk.form.type(0, 0, "1.5 rad/s²"), "");
  desk.hold(1.0);
  const auto sent = t.only<ArmDesiredAccelerations>();
  EXPECT_EQ(sent.hand, 1U);
  EXPECT_EQ(std::vector<double>(sent.accelerations.begin(), sent.accelerations.end()),
            (std::vector<double>{1.5, 0.0}));
  // Another comes before the joints' sender is taken for silent.
  EXPECT_LT(3.0 * BodyDesk::kStreamEvery, desk.config().acceleration_timeout);
}

TEST_F(BodyDeskTest, WhatWasCollectedIsOneMessageOfSeveralParts) {
  arm();
  desk.begin(CommandKind::kPelvisHeight, 0);
  desk.form.collect();
  EXPECT_EQ(desk.form.type(0, 1, "540 mm"), "");
  desk.form.collect();
  ASSERT_EQ(desk.form.collected().size(), 1U) << "in place of the first";
  desk.begin(CommandKind::kHandTrajectory, 1);
  EXPECT_EQ(desk.form.type("weights y", "4"), "");
  desk.form.set("left_out about z", 1.0);
  desk.form.set("frame", static_cast<double>(TaskFrame::kChest));
  desk.form.collect();
  desk.form.set("velocities", 1.0);
  EXPECT_NE(desk.form.why_not_collect(), "") << "the other one has none";
  desk.begin(CommandKind::kGoHome, 0);
  EXPECT_NE(desk.form.why_not_collect(), "");
  desk.begin(CommandKind::kWholeBodyTrajectory, 0);
  desk.send();
  const auto sent = t.only<WholeBodyTrajectory>();
  const double height = 4.0 * static_cast<double>(BodyTopic::kHeight);
  const std::vector<double> rows(sent.waypoints.begin(), sent.waypoints.end());
  EXPECT_EQ(rows, (std::vector<double>{height, 2.0, 0.54,                      //
                                       41.0,   0.0, 4.0,  0.0, 0.0, 0.0, 0.0,  //
                                       81.0,   0.0, 0.0,  0.0, 0.0, 0.0, 1.0,  //
                                       121.0,  2.0,                            //
                                       1.0,    2.0, 0.0,  0.0, 0.0, 1.0, 0.0, 0.0, 0.0}));
  desk.form.leave_out(0);
  desk.send();
  EXPECT_EQ(t.only<WholeBodyTrajectory>().waypoints.size(), 25U);
}

TEST_F(BodyDeskTest, AQueuedMessageSaysWhichOneItFollows) {
  arm();
  desk.begin(CommandKind::kPelvisHeight, 0);
  desk.form.set("execution", static_cast<double>(Execution::kQueue));
  EXPECT_EQ(desk.form.type("previous", "7"), "");
  EXPECT_NE(desk.form.type("previous", "the last"), "");
  desk.send();
  const auto sent = t.only<PelvisHeight>();
  EXPECT_EQ(sent.execution, Execution::kQueue);
  EXPECT_EQ(sent.previous, 7U);
}

TEST_F(BodyDeskTest, OneClickSendsEveryPartHomeWithAnIdEach) {
  arm();
  desk.go_home_all();
  const std::vector<Command> sent = t.commands();
  ASSERT_EQ(sent.size(), 4U);
  const auto expect = [&](std::size_t i, HomePart part, std::uint8_t hand) {
    const auto& home = testing::as<GoHome>(sent[i]);
    EXPECT_EQ(home, (GoHome{part, hand, static_cast<MessageId>(i + 1), 2.0}));
  };
  expect(0, HomePart::kArm, 0);
  expect(1, HomePart::kArm, 1);
  expect(2, HomePart::kChest, 0);
  expect(3, HomePart::kPelvis, 0);
}

TEST_F(BodyDeskTest, OneClickLowersThePelvisFromWhereItIs) {
  arm();
  desk.change_height(-0.02);
  const auto sent = t.only<PelvisHeight>();
  ASSERT_EQ(sent.waypoints.size(), 2U);
  EXPECT_EQ(sent.waypoints[0], 2.0);
  EXPECT_NEAR(sent.waypoints[1], 0.50, 1e-12);
}

TEST_F(BodyDeskTest, AnIdIsOneThatNobodyHasUsed) {
  t.panel.see(event(EventKind::kAccepted, 41));
  EXPECT_EQ(desk.next_id(), 42U);
  arm();
  desk.stop_all();
  EXPECT_EQ(desk.next_id(), 43U) << "its answer has not come yet";
}

TEST_F(BodyDeskTest, TheRobotsOwnAnswerIsListed) {
  arm();
  desk.change_height(-0.02);
  t.frames(2);
  ASSERT_EQ(desk.answers().size(), 1U);
  EXPECT_EQ(desk.answers()[0].state, AnswerState::kRefused) << "it is not in mode torque";
  EXPECT_NE(desk.answers()[0].why, "");
}

TEST_F(BodyDeskTest, AnAnswerGoesFromAcceptedToItsEnd) {
  t.panel.see(event(EventKind::kAccepted, 3, CommandKind::kPelvisHeight));
  EXPECT_EQ(BodyDesk::answer_text(desk.answers()[0]), "pelvis_height 3: accepted");
  see_change(3, MessageChange::kStarted);
  EXPECT_EQ(desk.answers()[0].state, AnswerState::kStarted);
  see_change(3, MessageChange::kCompleted);
  EXPECT_EQ(desk.answers()[0].state, AnswerState::kCompleted);
  t.panel.see(event(EventKind::kRejected, 4));
  ASSERT_EQ(desk.answers().size(), 2U);
  EXPECT_EQ(desk.answers()[1].state, AnswerState::kRefused);
  t.panel.see(event(EventKind::kAccepted, 5));
  see_change(5, MessageChange::kStarted);
  see_change(5, MessageChange::kReplaced);
  EXPECT_EQ(desk.answers()[2].state, AnswerState::kReplaced);
  t.panel.see(event(EventKind::kAccepted, 6));
  see_change(6, MessageChange::kDropped);
  EXPECT_EQ(desk.answers()[3].state, AnswerState::kDropped) << "it waited and never started";
  t.panel.see(event(EventKind::kAccepted, 7, CommandKind::kMove));
  EXPECT_EQ(desk.answers().size(), 4U) << "no message";
}

TEST_F(BodyDeskTest, AMessageOfTwoPartsIsCompletedWithTheSecond) {
  t.panel.see(event(EventKind::kAccepted, 9));
  see_change(9, MessageChange::kStarted);
  see_change(9, MessageChange::kStarted);
  see_change(9, MessageChange::kCompleted);
  EXPECT_EQ(desk.answers()[0].state, AnswerState::kStarted);
  see_change(9, MessageChange::kCompleted);
  EXPECT_EQ(desk.answers()[0].state, AnswerState::kCompleted);
}

TEST_F(BodyDeskTest, AMessageWhoseAcceptanceWasNotHeardIsListedToo) {
  t.panel.see(event(EventKind::kRejected, 8));
  see_change(8, MessageChange::kCompleted);
  ASSERT_EQ(desk.answers().size(), 2U);
  EXPECT_EQ(desk.answers()[0].state, AnswerState::kRefused) << "another one of the same id";
  EXPECT_EQ(desk.answers()[1].state, AnswerState::kCompleted);
}

TEST_F(BodyDeskTest, ItsStateIsToldInWords) {
  show(LawState::kRuns, {{"capture_inside", 0.062}});
  EXPECT_EQ(desk.state_text(), "stands, its capture point 62.0 mm inside the soles");
  EXPECT_FALSE(desk.is_falling());
  show(LawState::kRuns, {{"capture_inside", -0.012}});
  EXPECT_TRUE(desk.is_falling());
  EXPECT_EQ(desk.state_text(), "falling: its capture point is 12.0 mm outside the soles");
  show(LawState::kOff, {});
  EXPECT_EQ(desk.state_text(), "off");
  show(LawState::kWaits, {});
  EXPECT_EQ(desk.state_text(),
            "waits: " + t.panel.config().joints[0].name + " and 31 more are not in mode torque");
  show(LawState::kHolds, {});
  EXPECT_EQ(desk.state_text(), "holds until its base is known");
}

TEST_F(BodyDeskTest, WithEveryJointInTorqueItWaitsForItsBaseOrAJointThatIsHeld) {
  Snapshot snapshot = t.rig.stack.snapshot();
  snapshot.laws[desk.law()].state = LawState::kWaits;
  for (JointSnapshot& joint : snapshot.joints) joint.mode = JointMode::kTorque;
  t.panel.see(snapshot);
  EXPECT_EQ(desk.state_text(), "waits: its base is not known, or a joint is held");
}

TEST_F(BodyDeskTest, AFallIsToldWithItsCause) {
  Event fell = event(EventKind::kLawFailed, 0);
  fell.detail = static_cast<std::uint8_t>(LawFailure::kFell);
  fell.value = 0.053;
  fell.limit = 0.05;
  t.panel.see(fell);
  show(LawState::kFailed, {});
  EXPECT_EQ(
      desk.state_text(),
      "damped: it fell, its capture point 53.0 mm outside the soles (limit 50.0 mm). Stand it "
      "up, then Stand");
  Event tipped = fell;
  tipped.detail = static_cast<std::uint8_t>(LawFailure::kTipped);
  tipped.value = std::numbers::pi / 4.0;
  tipped.limit = std::numbers::pi / 6.0;
  t.panel.see(tipped);
  EXPECT_EQ(desk.state_text(),
            "damped: it tipped by 45.0 ° (limit 30.0 °). Stand it up, then Stand");
}

TEST_F(BodyDeskTest, WhatGaveWayIsNamed) {
  EXPECT_EQ(desk.gave_way_text(), "");
  Event gave = event(EventKind::kGaveWay, 0);
  gave.detail = static_cast<std::uint8_t>(BodyConstraint::kFoot);
  gave.value = 1.0;
  gave.time_ns = t.rig.stack.snapshot().time_ns - 2'500'000'000;
  t.panel.see(gave);
  show(LawState::kRuns, {{"gave_way", 1.0}});
  EXPECT_EQ(desk.gave_way_text(), "foot right, now");
  show(LawState::kRuns, {{"gave_way", 0.0}});
  EXPECT_EQ(desk.gave_way_text(), "foot right, 2.5 s ago");
  gave.detail = static_cast<std::uint8_t>(BodyConstraint::kJointLimits);
  t.panel.see(gave);
  EXPECT_EQ(desk.gave_way_text(), "joint limits, 2.5 s ago");
}

TEST_F(BodyDeskTest, TasksHaveTheirErrorsAndWeights) {
  show(LawState::kRuns, {{"com_error_x", 0.001},
                         {"com_error_y", -0.002},
                         {"height_error", 0.004},
                         {"left_hand_error", 0.03},
                         {"left_hand_turn", std::numbers::pi / 18.0}});
  EXPECT_EQ(task("centre of mass").error, "1.0 mm  -2.0 mm  0.0 mm");
  EXPECT_EQ(task("height").error, "4.0 mm");
  EXPECT_EQ(task("height").weight, desk.config().height_weight);
  EXPECT_EQ(task("height").weight_of, "height_weight");
  EXPECT_EQ(task("left hand").error, "30.0 mm  10.0 °");
  EXPECT_EQ(task("right hand").error, "–") << "no message moves it";
  EXPECT_EQ(task("chest").weight, desk.config().upright_weight);
  EXPECT_EQ(task("posture").weight, desk.config().posture_weight);
}

TEST_F(BodyDeskTest, AWeightIsThatWhichAMessageHasChosen) {
  show(LawState::kRuns, {{"left_hand_weight_x", 4.0}, {"chest_turn_weight_x", 0.0}});
  EXPECT_EQ(task("left hand").weight, 4.0);
  EXPECT_EQ(task("chest").weight, desk.config().upright_weight) << "nothing drives it";
  show(LawState::kWaits, {{"left_hand_weight_x", 4.0}});
  EXPECT_EQ(task("left hand").weight, desk.config().hand_weight);
}

TEST_F(BodyDeskTest, EveryValueIsFoundByAPartOfItsName) {
  show(LawState::kRuns, {{"left_force_z", 162.5}, {"joint_l_elbow_held", 3.0}});
  EXPECT_EQ(desk.values().size(), t.panel.config().laws[desk.law()].signals.size());
  desk.values_like = "left_force_z";
  ASSERT_EQ(desk.values().size(), 1U);
  EXPECT_EQ(desk.values()[0].text, "162.5 N");
  EXPECT_EQ(desk.values()[0].meaning, "of the scene on it, of the solution, in the world");
  desk.values_like = "l_elbow";
  EXPECT_EQ(desk.values().size(), 4U) << "wanted, error, weight, held";
  desk.values_like = "no such";
  EXPECT_TRUE(desk.values().empty());
}

TEST_F(BodyDeskTest, ContactForcesAreSharedBetweenTheFeet) {
  show(LawState::kRuns, {{"left_force", 240.0}, {"right_force", 80.0}});
  const auto feet = desk.feet();
  ASSERT_EQ(feet.size(), 2U);
  EXPECT_EQ(feet[0].name, "left");
  EXPECT_EQ(feet[0].share, 0.75);
  EXPECT_EQ(feet[1].force, 80.0);
  show(LawState::kOff, {});
  EXPECT_EQ(desk.feet()[0].share, 0.0) << "without a force there is nothing to share";
}

TEST_F(BodyDeskTest, StandTakesEveryJointToTorqueAndSwitchesTheControllerOnIfItIsOff) {
  arm();
  show(LawState::kWaits, {});
  desk.stand();
  const auto waits = t.only<SetMode>();
  EXPECT_EQ(waits.mode, ModeRequest::kTorque);
  EXPECT_EQ(waits.joints.count(), t.panel.config().joints.size());
  show(LawState::kFailed, {});
  desk.stand();
  const std::vector<Command> failed = t.commands();
  ASSERT_EQ(failed.size(), 2U);
  EXPECT_EQ(testing::as<SwitchLaw>(failed[0]), (SwitchLaw{desk.law(), true}));
  show(LawState::kRuns, {});
  desk.stand();
  EXPECT_EQ(t.commands().size(), 0U) << "it stands";
  show(LawState::kHolds, {});
  desk.stand();
  EXPECT_EQ(t.commands().size(), 0U) << "it will by itself";
  EXPECT_EQ(desk.why_not_stand(), "it holds until its base is known, then it stands");
}

}  // namespace
}  // namespace jointrig::gui
