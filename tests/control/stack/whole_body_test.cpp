// The whole-body controller in the stack: the iCub on its feet. scenarios/whole_body has the rest.

#include <gtest/gtest.h>

#include <algorithm>
#include <any>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/stack/config_error.h"
#include "control/stack/whole_body_signals.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

/// Its detection of contacts, too, is that of a robot which isn't bolted down.
RobotConfig icub() {
  return app::load_robot(harness::find_robot("icub"),
                         [](RobotConfig& config) {
                           config.pin_base = false;
                           config.scene_path = "scenes/empty_floor.xml";
                         })
      .config;
}

/// The iCub on a floor, of which nothing has been asked: limp.
struct LimpIcub {
  explicit LimpIcub(const RobotConfig& config = icub())
      : rig(config, {}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        all(client.select("all")),
        reader(rig.stack().events()) {
    rig.start();
    run(1);
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  const LawSnapshot& law() { return rig.stack().snapshot().laws[0]; }
  /// Events of a kind since the last call.
  std::vector<Event> events(EventKind kind) {
    std::vector<Event> found;
    for (Event e; reader.next(e);) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }
  [[nodiscard]] bool are_all_in(JointMode mode) {
    const auto& joints = rig.stack().snapshot().joints;
    return std::all_of(joints.begin(), joints.end(),
                       [mode](const JointSnapshot& joint) { return joint.mode == mode; });
  }
  /// Height of its base, in truth [m].
  [[nodiscard]] double height() { return rig.plant()->base().position[2]; }

  app::Rig rig;
  RobotClient client;
  JointSet all;
  EventRing::Reader reader;
};

/// The iCub on a floor, held in mode position.
struct Icub : LimpIcub {
  explicit Icub(const RobotConfig& config = icub()) : LimpIcub(config) {
    client.set_mode(all, ModeRequest::kPosition);
    run(300);
  }
};

std::string refusal(const RobotConfig& config, BackendKind backend = BackendKind::kSim) {
  try {
    app::RigOptions options;
    options.backend = backend;
    app::Rig rig(config, options);
    rig.start();
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "";
}

TEST(WholeBody, IsRefusedWithOneSentenceWhereItCanNotBe) {
  EXPECT_EQ(refusal(icub()), "");
  EXPECT_EQ(refusal(icub(), BackendKind::kBoards), "")
      << "its sensors are nodes of their own there";
  EXPECT_NE(refusal(icub(), BackendKind::kKinematic)
                .find("backend kinematic doesn't read its imu \"root_imu\"; give it a `device`"),
            std::string::npos)
      << refusal(icub(), BackendKind::kKinematic);
  RobotConfig no_imu = icub();
  no_imu.whole_body->imu = {};
  EXPECT_EQ(refusal(no_imu), "") << "the simulation tells where the base is";
  EXPECT_NE(refusal(no_imu, BackendKind::kBoards).find("it names no `imu`"), std::string::npos);
  RobotConfig elsewhere = icub();
  elsewhere.whole_body->imu.site = "head_imu";
  EXPECT_NE(refusal(elsewhere).find("doesn't read its imu \"head_imu\""), std::string::npos)
      << refusal(elsewhere);

  RobotConfig no_feet = icub();
  no_feet.whole_body->feet.clear();
  EXPECT_NE(refusal(no_feet).find("it has no feet"), std::string::npos);
  RobotConfig no_frame = icub();
  no_frame.whole_body->feet[0].frame = "l_soul";
  EXPECT_NE(refusal(no_frame).find("l_sole"), std::string::npos) << refusal(no_frame);
  RobotConfig no_weight = icub();
  no_weight.whole_body->force_weight = 0.0;
  EXPECT_NE(refusal(no_weight).find("force_weight"), std::string::npos);
  RobotConfig pinned = no_feet;
  pinned.pin_base = true;
  EXPECT_EQ(refusal(pinned), "") << "a pinned base needs no controller";
}

TEST(WholeBody, WaitsUntilEveryJointIsInModeTorque) {
  Icub robot;
  EXPECT_EQ(robot.law().state, LawState::kWaits);
  JointSet most = robot.all;
  most.reset(5);
  robot.client.set_mode(most, ModeRequest::kTorque);
  robot.run(5);
  EXPECT_EQ(robot.law().state, LawState::kWaits);
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(5);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

// Limp, it would be lower by 5 mm = g t²/2 after a free fall of 32 ms, and its base isn't known
// before 250 ms: limp until then it falls.
TEST(WholeBody, LimpAndAskedForTorqueItHoldsUntilItsBaseIsKnownAndStands) {
  LimpIcub robot;
  const double start = robot.height();
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(2);
  EXPECT_EQ(robot.law().state, LawState::kHolds);
  EXPECT_TRUE(robot.are_all_in(JointMode::kPosition));
  double lowest = start;
  int held = 0;
  for (int i = 0; i < 3000; ++i) {
    robot.run(1);
    lowest = std::min(lowest, robot.height());
    if (robot.law().state != LawState::kHolds) continue;
    ++held;
    EXPECT_TRUE(robot.are_all_in(JointMode::kPosition));
  }
  constexpr double kKnownAfter = BaseEstimator::kCalmTime + BaseEstimator::kBeginTime;
  EXPECT_GT(held, static_cast<int>(1e3 * kKnownAfter) - 20);
  EXPECT_LT(held, static_cast<int>(1e3 * kTorquePatience));
  EXPECT_TRUE(robot.are_all_in(JointMode::kTorque));
  EXPECT_EQ(robot.law().state, LawState::kRuns);
  EXPECT_GT(lowest, start - 5e-3);
  std::vector<LawState> told;
  for (const Event& e : robot.events(EventKind::kLawState)) {
    told.push_back(static_cast<LawState>(e.detail));
  }
  const std::vector<LawState> expected{LawState::kHolds, LawState::kRuns};
  ASSERT_GE(told.size(), 2U);
  EXPECT_EQ(std::vector<LawState>(told.end() - 2, told.end()), expected);
}

/// The robot's state after each cycle.
std::vector<std::uint64_t> hashes(LimpIcub& robot, int cycles) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < cycles; ++i) {
    robot.run(1);
    all.push_back(robot.rig.hash());
  }
  return all;
}

TEST(WholeBody, ItGoesToTorqueAsOneThatIsAskedForPositionAndThenForTorqueOnceItsBaseIsKnown) {
  LimpIcub asked;
  asked.client.set_mode(asked.all, ModeRequest::kTorque);
  std::vector<std::uint64_t> by_itself;
  while (asked.law().state != LawState::kRuns && by_itself.size() < 1000) {
    by_itself.push_back(hashes(asked, 1).front());
  }
  ASSERT_EQ(asked.law().state, LawState::kRuns);
  const auto known = static_cast<int>(by_itself.size());
  for (const std::uint64_t hash : hashes(asked, 500)) by_itself.push_back(hash);

  LimpIcub led;
  led.client.set_mode(led.all, ModeRequest::kPosition);
  std::vector<std::uint64_t> by_hand = hashes(led, known - 1);
  led.client.set_mode(led.all, ModeRequest::kTorque);
  for (const std::uint64_t hash : hashes(led, 501)) by_hand.push_back(hash);
  EXPECT_EQ(by_itself, by_hand);
}

TEST(WholeBody, RestoredWhileItHoldsItComesToTheSameBits) {
  LimpIcub robot;
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(100);
  ASSERT_EQ(robot.law().state, LawState::kHolds);
  const Stack::State stack = robot.rig.stack().state();
  const std::any world = robot.rig.save();
  const std::vector<std::uint64_t> first = hashes(robot, 600);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
  robot.rig.restore(world);
  robot.rig.stack().restore(stack);
  EXPECT_EQ(hashes(robot, 600), first);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

/// The events of a second, and some cycles, in which its base stays unknown.
std::vector<Event> why_held(LimpIcub& robot) {
  const int patience = static_cast<int>(1e3 * kTorquePatience);
  robot.run(patience - 5);
  EXPECT_TRUE(robot.events(EventKind::kStaysHeld).empty()) << "before its time";
  robot.run(10);
  EXPECT_TRUE(robot.are_all_in(JointMode::kPosition)) << "they hold on";
  EXPECT_EQ(robot.law().state, LawState::kWaits);
  return robot.events(EventKind::kStaysHeld);
}

TEST(WholeBody, WhereItsBaseStaysUnknownItHoldsOnAndTellsWhyAfterASecond) {
  LimpIcub blind;
  sim::SimSensors& sensors = *blind.rig.sensors();
  sensors.inject(*sensors.find_imu("root_imu"), sim::SimSensorFault::kStale, true);
  blind.run(8);
  blind.client.set_mode(blind.all, ModeRequest::kTorque);
  std::vector<Event> told = why_held(blind);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<TorqueObstacle>(told[0].detail), TorqueObstacle::kNoImu);
  EXPECT_EQ(told[0].law, 0);
  EXPECT_EQ(told[0].joint, kNoJoint);

  // By 16 N more than its weight of 324 N it rises by 25 cm in that second.
  LimpIcub lifted;
  sim::Wrench pull;
  pull.body = lifted.rig.plant()->body("chest");
  pull.force = {0.0, 0.0, 340.0};
  lifted.rig.plant()->apply(pull);
  lifted.client.set_mode(lifted.all, ModeRequest::kTorque);
  told = why_held(lifted);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<TorqueObstacle>(told[0].detail), TorqueObstacle::kNoFoot);
}

TEST(WholeBody, AJointThatStillMovesKeepsItFromTorqueAndIsNamed) {
  LimpIcub robot;
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(50);
  robot.client.timed_move(robot.client.select("neck_yaw"), 0.1, 3.0);
  robot.run(2);
  EXPECT_TRUE(robot.events(EventKind::kRejected).empty());
  robot.run(static_cast<int>(1e3 * kTorquePatience));
  const std::vector<Event> told = robot.events(EventKind::kStaysHeld);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<TorqueObstacle>(told[0].detail), TorqueObstacle::kJointMoves);
  EXPECT_EQ(told[0].joint, joint_named(robot.rig.stack().config(), "neck_yaw"));
  EXPECT_TRUE(robot.are_all_in(JointMode::kPosition));
}

TEST(WholeBody, StopAnotherModeAndItsSwitchEndTheWayToTorqueWithoutAWord) {
  const auto ends_in = [](JointMode mode, LawState state, auto&& act) {
    LimpIcub robot;
    robot.client.set_mode(robot.all, ModeRequest::kTorque);
    robot.run(230);
    EXPECT_EQ(robot.law().state, LawState::kHolds);
    act(robot);
    robot.run(40);  // its base is known meanwhile
    EXPECT_TRUE(robot.are_all_in(mode));
    EXPECT_EQ(robot.law().state, state);
    EXPECT_TRUE(robot.events(EventKind::kStaysHeld).empty());
  };
  ends_in(JointMode::kPosition, LawState::kWaits,
          [](LimpIcub& robot) { robot.client.stop(robot.all); });
  ends_in(JointMode::kPosition, LawState::kWaits,
          [](LimpIcub& robot) { robot.client.set_mode(robot.all, ModeRequest::kPosition); });
  ends_in(JointMode::kIdle, LawState::kWaits,
          [](LimpIcub& robot) { robot.client.set_mode(robot.all, ModeRequest::kIdle); });
  ends_in(JointMode::kPosition, LawState::kOff,
          [](LimpIcub& robot) { robot.client.switch_law(kWholeBodyLaw, false); });
}

TEST(WholeBody, ItGoesFromLimpToTorqueWithoutAnAllocation) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  LimpIcub robot;
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  RealtimeGuard guard;
  robot.run(600);
  const ViolationCounts counts = guard.violations();
  EXPECT_EQ(counts, kNoViolations) << guard.report();
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

/// Bounded to one iteration, the solver comes to no end while a push of 400 N topples the robot:
/// more than one bound holds then.
TEST(WholeBody, TellsThatItHasNoSolutionAfterItsHoldTimeAndDamps) {
  RobotConfig config = icub();
  config.whole_body->iterations = 1;
  Icub robot(config);
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(20);
  ASSERT_EQ(robot.law().state, LawState::kRuns);
  sim::Wrench push;
  push.body = robot.rig.plant()->body("chest");
  push.force = {400.0, 0.0, 0.0};
  robot.rig.plant()->apply(push);
  int without = 0;
  for (int i = 0; i < 200 && robot.law().state == LawState::kRuns; ++i) {
    robot.run(1);
    const bool is_solved = robot.rig.stack().snapshot().law_signals[BodySignal::kUnsolved] == 0.0;
    if (robot.law().state == LawState::kRuns) without = is_solved ? 0 : without + 1;
  }
  EXPECT_EQ(without, 5) << "5 ms of the last torques";
  const std::vector<Event> failures = robot.events(EventKind::kLawFailed);
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(static_cast<LawFailure>(failures[0].detail), LawFailure::kNoSolution);
  EXPECT_EQ(failures[0].law, 0);
  EXPECT_EQ(failures[0].limit, config.whole_body->hold_time);

  // Once blended in, what each joint gets is damping alone.
  robot.run(300);
  const Stack& stack = robot.rig.stack();
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const JointSnapshot& joint = stack.snapshot().joints[i];
    ASSERT_EQ(joint.mode, JointMode::kTorque);
    const double power = (joint.effort.laws + joint.effort.gravity) * joint.state.v;
    EXPECT_LE(power, 0.0) << config.joints[i].name;
  }
}

/// The centre of mass is sent over the edge of the soles.
TEST(WholeBody, AllocatesLocksThrowsAndPrintsNothingWhileItStandsFallsAndIsDamped) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Icub robot;
  robot.client.set_mode(robot.all, ModeRequest::kTorque);
  robot.run(500);
  robot.client.set_law_parameter(kWholeBodyLaw, "com_x", 0.3);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
  RealtimeGuard guard;
  robot.run(6000);
  const ViolationCounts counts = guard.violations();
  EXPECT_EQ(counts, kNoViolations) << guard.report();
  EXPECT_EQ(robot.law().state, LawState::kFailed);
  const std::vector<Event> failures = robot.events(EventKind::kLawFailed);
  ASSERT_EQ(failures.size(), 1U);
  const auto why = static_cast<LawFailure>(failures[0].detail);
  EXPECT_TRUE(why == LawFailure::kFell || why == LawFailure::kTipped);
}

/// The robot's messages, sent while it stands.
struct ObeyingIcub : Icub {
  ObeyingIcub() {
    client.set_mode(all, ModeRequest::kTorque);
    run(1500);
    events(EventKind::kMessage);
  }

  [[nodiscard]] double signal(std::string_view name) {
    const LawConfig& config = rig.stack().config().laws[0];
    for (std::size_t i = 0; i < config.signals.size(); ++i) {
      if (config.signals[i].name == name) return rig.stack().snapshot().law_signals[i];
    }
    ADD_FAILURE() << "no signal " << name;
    return 0.0;
  }
  /// The answer to a message.
  Event answer(const Request& request) {
    const std::uint64_t number = client.post(request);
    run(2);
    for (Event e; reader.next(e);) {
      const bool is_answer = e.kind == EventKind::kAccepted || e.kind == EventKind::kRejected;
      if (is_answer && e.number == number) return e;
    }
    ADD_FAILURE() << "no answer";
    return {};
  }
};

WaypointRows row(std::initializer_list<double> numbers) {
  WaypointRows rows;
  for (const double number : numbers) rows.push_back(number);
  return rows;
}

TEST(WholeBodyMessages, HandsGoWhereTheyAreToldWhileItStands) {
  ObeyingIcub robot;
  // Without that the pelvis tilts by what the arms weigh, and the wrist comes to its range.
  PelvisOrientation level;
  level.id = 9;
  level.waypoints = row({1.0, 1.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(robot.answer(level).kind, EventKind::kAccepted);
  HandTrajectory left;
  left.id = 1;
  // Where the palm is with the shoulder at -30 and 40 deg and the elbow at 60.
  left.waypoints = row({3.0, 0.275, 0.23, 0.7, 0.8373561, -0.5198337, -0.1600828, 0.0546013});
  ArmJointTrajectory right;
  right.id = 2;
  right.hand = 1;
  right.waypoints = row({2.0, -0.6, 0.4, 0.1, 1.0, 0.1, 0.0, 0.0});
  EXPECT_EQ(robot.answer(left).kind, EventKind::kAccepted);
  EXPECT_EQ(robot.answer(right).kind, EventKind::kAccepted);
  robot.run(4000);
  EXPECT_LT(robot.signal("left_hand_error"), 0.01);
  EXPECT_LT(robot.signal("left_hand_turn"), 0.05);
  EXPECT_LT(robot.signal("right_arm_error"), 0.01);
  EXPECT_GT(robot.signal("capture_inside"), 0.02);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
  const std::size_t elbow = joint_named(robot.rig.stack().config(), "r_elbow");
  EXPECT_NEAR(robot.rig.stack().snapshot().joints[elbow].state.q, 1.0, 0.01);
  std::vector<MessageId> completed;
  for (const Event& told : robot.events(EventKind::kMessage)) {
    if (static_cast<MessageChange>(told.detail) == MessageChange::kCompleted) {
      completed.push_back(told.message);
    }
  }
  EXPECT_EQ(completed, (std::vector<MessageId>{9, 2, 1}));

  EXPECT_EQ(robot.answer(GoHome{HomePart::kArm, 1, 3, 2.0}).kind, EventKind::kAccepted);
  robot.run(4000);
  EXPECT_NEAR(robot.rig.stack().snapshot().joints[elbow].state.q, 0.75, 0.02) << "as at the start";
}

TEST(WholeBodyMessages, AFootIsLiftedAndPutDownAndAHandPressesWithoutAnAllocation) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  ObeyingIcub robot;
  EXPECT_EQ(robot.answer(FootLoadBearing{1, 1, false, 0.5}).reason, RejectReason::kBearsLoad);
  robot.client.set_law_parameter(kWholeBodyLaw, "com_y", 0.075);
  robot.run(2500);
  const auto run_guarded = [&](int cycles) {
    RealtimeGuard guard;
    robot.run(cycles);
    const ViolationCounts counts = guard.violations();
    EXPECT_EQ(counts, kNoViolations) << guard.report();
  };
  EXPECT_EQ(robot.answer(FootLoadBearing{1, 1, false, 0.5}).kind, EventKind::kAccepted);
  run_guarded(700);
  FootTrajectory up;
  up.hand = 1;
  up.id = 2;
  up.waypoints = row({1.0, -0.0265, -0.07, 0.0305, 1.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(robot.answer(up).kind, EventKind::kAccepted);
  run_guarded(1200);
  EXPECT_EQ(robot.signal("right_force"), 0.0);
  EXPECT_LT(robot.signal("right_foot_error"), 0.003);
  EXPECT_EQ(robot.answer(FootLoadBearing{1, 3, true, 0.5}).reason, RejectReason::kInTheAir);
  up.id = 3;
  up.waypoints[3] = 0.01;
  EXPECT_EQ(robot.answer(up).kind, EventKind::kAccepted);
  run_guarded(1200);
  EXPECT_EQ(robot.answer(FootLoadBearing{1, 4, true, 0.5}).kind, EventKind::kAccepted);
  EXPECT_EQ(robot
                .answer(HandLoadBearing{.hand = 0,
                                        .id = 5,
                                        .bears = true,
                                        .duration = 0.1,
                                        .force = 1.0,
                                        .normal = {0.0, 0.0, 1.0}})
                .kind,
            EventKind::kAccepted);
  run_guarded(150);
  EXPECT_GT(robot.signal("left_hand_force"), 0.5);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

TEST(WholeBodyMessages, ItSquatsTurnsItsChestAndComesBack) {
  ObeyingIcub robot;
  const double height = robot.signal("pelvis_height");
  PelvisHeight squat;
  squat.id = 1;
  squat.waypoints = row({2.0, height - 0.03});
  ChestTrajectory turn;
  turn.id = 1;
  turn.waypoints = row({2.0, std::cos(0.15), 0.0, 0.0, std::sin(0.15)});
  EXPECT_EQ(robot.answer(squat).kind, EventKind::kAccepted);
  EXPECT_EQ(robot.answer(turn).kind, EventKind::kAccepted);
  robot.run(4000);
  EXPECT_NEAR(robot.signal("pelvis_height"), height - 0.03, 0.003);
  EXPECT_LT(robot.signal("chest_error"), 0.02);
  EXPECT_LT(robot.signal("pelvis_error"), 0.02) << "the pelvis stays level";
  EXPECT_GT(robot.signal("capture_inside"), 0.02);
  EXPECT_EQ(robot.answer(GoHome{HomePart::kPelvis, 0, 2, 2.0}).kind, EventKind::kAccepted);
  EXPECT_EQ(robot.answer(GoHome{HomePart::kChest, 0, 2, 2.0}).kind, EventKind::kAccepted);
  robot.run(4000);
  EXPECT_NEAR(robot.signal("pelvis_height"), height, 0.01);
  EXPECT_EQ(robot.law().state, LawState::kRuns);
}

/// The weight is shifted to 6 mm from the soles' front edge, and back.
TEST(WholeBodyMessages, ItsBalanceIsToldAtEachChangeWithTheIdOfTheLastMessage) {
  Icub starts;
  starts.client.set_mode(starts.all, ModeRequest::kTorque);
  starts.run(500);
  std::vector<Event> told = starts.events(EventKind::kBalance);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<BalanceState>(told[0].detail), BalanceState::kInside);
  EXPECT_EQ(told[0].message, 0U) << "none has come";
  EXPECT_GT(told[0].value, 0.03);

  ObeyingIcub robot;
  ChestTrajectory turn;
  turn.id = 12;
  turn.waypoints = row({1.0, 1.0, 0.0, 0.0, 0.0});
  EXPECT_EQ(robot.answer(turn).kind, EventKind::kAccepted);
  robot.client.set_law_parameter(kWholeBodyLaw, "com_x", 0.074);
  robot.run(4000);
  told = robot.events(EventKind::kBalance);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<BalanceState>(told[0].detail), BalanceState::kEdge);
  EXPECT_EQ(told[0].message, 12U);
  EXPECT_LT(told[0].value, told[0].limit);
  EXPECT_NEAR(told[0].direction, 0.0, 0.2) << "ahead";
  robot.client.set_law_parameter(kWholeBodyLaw, "com_x", 0.0);
  robot.run(4000);
  told = robot.events(EventKind::kBalance);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<BalanceState>(told[0].detail), BalanceState::kInside);
  EXPECT_GT(told[0].value, told[0].limit);
}

TEST(WholeBodyMessages, ARefusalNamesIdFieldAndReason) {
  ObeyingIcub robot;
  ChestTrajectory turn;
  turn.id = 12;
  turn.waypoints = row({1.0, 1.0, 0.0, 0.0, 0.1});
  const Event e = robot.answer(turn);
  EXPECT_EQ(e.kind, EventKind::kRejected);
  EXPECT_EQ(e.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(e.message, 12U);
  EXPECT_EQ(e.waypoint, 1);
  EXPECT_NEAR(e.value, std::sqrt(1.01), 1e-12) << "the quaternion's length";
  EXPECT_EQ(robot.answer(StopAllTrajectories{0}).reason, RejectReason::kNoId);
  const Event pause = robot.answer(PauseWalking{4, true});
  EXPECT_EQ(pause.reason, RejectReason::kNotWalking);
  EXPECT_EQ(pause.detail, 1 + place_of<PauseWalking>("pause"));
}

TEST(WholeBodyMessages, WithoutAControllerThatRunsTheyAreRefusedAndItsEndDropsThem) {
  Icub waiting;
  EXPECT_EQ(waiting.law().state, LawState::kWaits);
  ChestTrajectory turn;
  turn.id = 1;
  turn.waypoints = row({1.0, std::cos(0.1), 0.0, 0.0, std::sin(0.1)});
  waiting.client.post(turn);
  waiting.run(2);
  EXPECT_EQ(waiting.events(EventKind::kRejected).at(0).reason, RejectReason::kNotStanding);

  ObeyingIcub robot;
  EXPECT_EQ(robot.answer(turn).kind, EventKind::kAccepted);
  robot.client.switch_law(kWholeBodyLaw, false);
  robot.run(2);
  const std::vector<Event> told = robot.events(EventKind::kMessage);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(static_cast<MessageChange>(told.back().detail), MessageChange::kDropped);
}

TEST(WholeBodyMessages, AllocateLockThrowAndPrintNothingInTheCycle) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  ObeyingIcub robot;
  HandTrajectory hand;
  hand.id = 1;
  hand.waypoints = row({1.5, 0.22, 0.15, 0.62, std::sqrt(0.5), 0.0, -std::sqrt(0.5), 0.0});
  PelvisHeight squat;
  squat.id = 1;
  squat.waypoints = row({1.0, robot.signal("pelvis_height") - 0.02});
  robot.client.post(hand);
  robot.client.post(squat);
  robot.client.post(GoHome{HomePart::kArm, 1, 3, 1.0});
  robot.client.post(PauseWalking{0, true});
  ArmDesiredAccelerations fast;
  fast.hand = 1;
  fast.id = 4;
  for (int k = 0; k < 7; ++k) fast.accelerations.push_back(k == 3 ? 0.5 : 0.0);
  HeadTrajectory stream;
  stream.id = 5;
  stream.execution = Execution::kStream;
  stream.integration = 0.1;
  stream.frame = TaskFrame::kChest;
  stream.weights[2] = 2.0;
  stream.waypoints = row({0.0, 1.0, 0.0, 0.0, 0.0});
  WholeBodyTrajectory whole;
  whole.id = 6;
  whole.waypoints = row({8.0, 1.0, std::cos(0.05), 0.0, 0.0, std::sin(0.05), 28.0, 1.0, 0.1, 0, 0});
  RealtimeGuard guard;
  robot.run(300);
  for (const Request& request : {Request(fast), Request(stream), Request(whole)}) {
    robot.client.post(request);
    robot.run(200);  // accelerations and stream fall silent
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

}  // namespace
}  // namespace jointrig
