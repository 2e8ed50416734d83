/// Grippers in the loop, on joints whose physics can be worked out by hand: rigid stops are the
/// object.

#include "control/stack/grippers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/ideal_rig.h"

namespace jointrig {
namespace {

using testing::ideal_config;
using testing::IdealRig;

constexpr double kForce = 20.0;
/// w = 0.1 m over a mean share of two joints of 1 rad each: ∂w/∂q = 0.05 m/rad.
constexpr double kTorque = kForce * 0.05;

RobotConfig with_gripper() {
  RobotConfig config = ideal_config(3);  // the third is no joint of the gripper
  GripperConfig gripper;
  gripper.name = "hand";
  gripper.joints = {{.joint = 0, .open = 1.0, .closed = 0.0},
                    {.joint = 1, .open = -1.0, .closed = 0.0}};
  gripper.widths = {0.0, 0.1};
  gripper.force = kForce;
  config.grippers = {gripper};
  return config;
}

struct GripperRig : IdealRig {
  explicit GripperRig(const RobotConfig& config = with_gripper()) : IdealRig(config) {
    enter(ModeRequest::kPosition);
    client.post(OpenGripper{});
    run_for(4.0);
    events();
  }
  [[nodiscard]] const GripperSnapshot& now() const { return stack.snapshot().grippers[0]; }
  void place_object(double share) {
    robot.joint[0].q_low = share;
    robot.joint[1].q_high = -share;
  }
  void take_object_away() { robot.joint[0].q_low = robot.joint[1].q_high = 0.0; }
  /// The changes since the last look at events.
  std::vector<GripperChange> changes() {
    std::vector<GripperChange> all;
    for (const Event& e : events()) {
      if (e.kind != EventKind::kGripper) continue;
      EXPECT_EQ(e.gripper, 0);
      all.push_back(static_cast<GripperChange>(e.detail));
      last = e;
    }
    return all;
  }
  RejectReason refused(const Request& request) {
    last = answer([&] { return client.post(request); });
    return last.reason;
  }
  Event last;
};

using Changes = std::vector<GripperChange>;

TEST(GripperConfig, LeverIsTheDerivativeOfTheWidthByAJoint) {
  GripperConfig gripper;
  gripper.joints = {{0, 2.0, 0.5}, {1, -0.3, 0.1}};
  gripper.widths = {0.0, 0.01, 0.03, 0.09};
  const auto width = [&](double q0, double q1) {
    const double share = 0.5 * ((q0 - 0.5) / 1.5 + (q1 - 0.1) / -0.4);
    return gripper.width(share);
  };
  constexpr double kStep = 1e-6;
  const double q0 = 1.3;
  const double q1 = -0.05;
  const double share = 0.5 * (0.8 / 1.5 + 0.15 / 0.4);
  EXPECT_NEAR(gripper.lever(0, share), (width(q0 + kStep, q1) - width(q0, q1)) / kStep, 1e-9);
  EXPECT_NEAR(gripper.lever(1, share), (width(q0, q1 + kStep) - width(q0, q1)) / kStep, 1e-9);
  for (const double s : {0.0, 0.2, 0.5, 1.0})
    EXPECT_NEAR(gripper.share_of(gripper.width(s)), s, 1e-12);
}

TEST(Grippers, OpenCloseAndMoveAreToldWithTheWidth) {
  GripperRig rig;
  EXPECT_EQ(rig.now().state, GripperState::kOpen);
  EXPECT_NEAR(rig.now().width, 0.1, 1e-3);
  rig.client.post(CloseGripper{});
  rig.run(10);
  EXPECT_EQ(rig.now().state, GripperState::kMoving);
  rig.run_for(4.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kClosed});
  EXPECT_EQ(rig.now().state, GripperState::kClosed);
  rig.client.post(MoveGripper{.opening = 0.03});
  rig.run_for(4.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kReached});
  EXPECT_NEAR(rig.last.value, 0.03, 1e-3);
  EXPECT_NEAR(rig.joint(0).state.q, 0.3, 1e-3);
  EXPECT_NEAR(rig.joint(1).state.q, -0.3, 1e-3);
  EXPECT_EQ(rig.now().state, GripperState::kIdle);
  rig.client.post(MoveGripper{.opening = 0.5, .scale = OpeningScale::kShare});
  rig.run_for(4.0);
  EXPECT_NEAR(rig.now().width, 0.05, 1e-3);
}

TEST(Grippers, KeepTheSpeedOfTheWidthThatIsAskedFor) {
  GripperRig rig;
  rig.client.post(CloseGripper{.speed = 0.02});
  double fastest = 0.0;
  double before = rig.now().width;
  for (int i = 0; i < 12000; ++i) {
    rig.run(1);
    fastest = std::max(fastest, (before - rig.now().width) / 1e-3);
    before = rig.now().width;
  }
  EXPECT_NEAR(fastest, 0.02, 1e-3);
}

TEST(Grippers, PressWithTheTorqueOfTheForceAndNeverWithMore) {
  GripperRig rig;
  rig.place_object(0.4);
  rig.client.post(Grasp{});
  for (int i = 0; i < 4000; ++i) {
    rig.run(1);
    ASSERT_GE(rig.joint(0).setpoint.tau, -kTorque - 1e-9) << i;
    ASSERT_LE(rig.joint(1).setpoint.tau, kTorque + 1e-9) << i;
  }
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kGrasped});
  EXPECT_NEAR(rig.last.value, 0.04, 1e-3);
  EXPECT_EQ(rig.last.limit, kForce);
  EXPECT_EQ(rig.now().state, GripperState::kGrasped);
  EXPECT_EQ(rig.now().asked, kForce);
  EXPECT_NEAR(rig.joint(0).setpoint.tau, -kTorque, 1e-9);
  EXPECT_NEAR(rig.joint(1).setpoint.tau, kTorque, 1e-9);
}

TEST(Grippers, TellThatAnObjectIsLostAndHoldWhereTheyAre) {
  GripperRig rig;
  rig.place_object(0.4);
  rig.client.post(Grasp{.force = 500.0});
  rig.run_for(4.0);
  ASSERT_EQ(rig.changes(), Changes{GripperChange::kGrasped});
  rig.take_object_away();
  rig.run_for(1.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kLost});
  EXPECT_LT(rig.last.value, 0.04);
  EXPECT_NEAR(rig.last.limit, 0.04, 1e-3);
  EXPECT_EQ(rig.now().state, GripperState::kLost);
  EXPECT_EQ(rig.joint(0).mode, JointMode::kPosition) << "no fault for a joint that snaps";
  EXPECT_NEAR(rig.joint(0).state.v, 0.0, 1e-3);
  EXPECT_GT(rig.now().share, 0.0) << "it does not close to its end";
  rig.client.post(OpenGripper{});
  rig.run_for(4.0);
  EXPECT_EQ(rig.now().state, GripperState::kOpen);
}

TEST(Grippers, MissWhatIsNotThereAndWhatIsOfAnotherWidth) {
  GripperRig rig;
  rig.client.post(Grasp{});
  rig.run_for(4.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kMissed});
  EXPECT_EQ(rig.now().state, GripperState::kMissed);
  rig.client.post(OpenGripper{});
  rig.run_for(4.0);
  rig.changes();
  rig.place_object(0.4);
  rig.client.post(Grasp{.width = 0.03});
  rig.run_for(4.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kMissed});
  EXPECT_NEAR(rig.last.limit, 0.035, 1e-9) << "width + epsilon_outer";
  rig.client.post(OpenGripper{});
  rig.run_for(4.0);
  rig.changes();
  rig.client.post(Grasp{.width = 0.038});
  rig.run_for(4.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kGrasped});
}

TEST(Grippers, AStopEndsAMotionAndKeepsAnObject) {
  GripperRig rig;
  const Stop all{rig.client.select("all")};
  rig.client.post(CloseGripper{});
  rig.run(900);
  rig.client.post(all);
  rig.run_for(1.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kStopped});
  EXPECT_EQ(rig.now().state, GripperState::kIdle);
  EXPECT_GT(rig.now().share, 0.1);
  rig.place_object(0.4);
  rig.client.post(Grasp{});
  rig.run_for(4.0);
  ASSERT_EQ(rig.changes(), Changes{GripperChange::kGrasped});
  rig.client.post(all);
  rig.run_for(1.0);
  EXPECT_EQ(rig.changes(), Changes{});
  EXPECT_NEAR(rig.joint(0).setpoint.tau, -kTorque, 1e-9);
}

TEST(Grippers, StopAtWhatStandsInTheWayOfAMotion) {
  GripperRig rig;
  rig.place_object(0.4);
  rig.client.post(CloseGripper{});
  rig.run_for(4.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kStalled});
  EXPECT_EQ(rig.now().state, GripperState::kStalled);
  EXPECT_NEAR(rig.joint(0).setpoint.tau, 0.0, 0.05) << "it presses on nothing";
}

TEST(Grippers, TellThatAProtectionTookTheirGoal) {
  for (const Request& request : {Request{CloseGripper{}}, Request{Grasp{}}}) {
    GripperRig rig;
    rig.client.post(request);
    rig.run(500);
    Stack::State state = rig.stack.state();
    for (std::size_t i = 0; i < 2; ++i) state.joints[i].halt();  // as collision avoidance does
    rig.stack.restore(state);
    rig.run(500);
    EXPECT_EQ(rig.changes(), Changes{GripperChange::kStalled});
    EXPECT_EQ(rig.now().state, GripperState::kStalled);
    EXPECT_EQ(rig.now().asked, 0.0) << "it is no object";
  }
}

TEST(Grippers, GiveWayToOtherCommandsForTheirJointsAlone) {
  GripperRig rig;
  rig.place_object(0.4);
  rig.client.post(Grasp{});
  rig.run_for(4.0);
  ASSERT_EQ(rig.changes(), Changes{GripperChange::kGrasped});
  rig.client.move(JointSet{}.set(2), 0.5);
  rig.run(10);
  EXPECT_EQ(rig.now().state, GripperState::kGrasped) << "not its joint";
  rig.client.move(JointSet{}.set(0), 0.8);
  rig.run_for(2.0);
  EXPECT_EQ(rig.now().asked, 0.0);
  EXPECT_NEAR(rig.joint(0).state.q, 0.8, 1e-2);
}

TEST(Grippers, RefuseWhatCantBeDoneWithTheNumberAndItsLimit) {
  GripperRig rig;
  EXPECT_EQ(rig.refused(OpenGripper{.gripper = 1}), RejectReason::kUnknownGripper);
  EXPECT_EQ(rig.refused(MoveGripper{.opening = 0.11}), RejectReason::kOutOfRange);
  EXPECT_EQ(rig.last.limit, 0.1);
  EXPECT_EQ(rig.last.detail, 1 + place_of<MoveGripper>("opening"));
  EXPECT_EQ(rig.refused(MoveGripper{.opening = 1.1, .scale = OpeningScale::kShare}),
            RejectReason::kOutOfRange);
  // v_max of 2 rad/s on a way of 1 rad: 0.1 m in half a second.
  EXPECT_EQ(rig.refused(CloseGripper{.speed = 0.21}), RejectReason::kOutOfRange);
  EXPECT_NEAR(rig.last.limit, 0.2, 1e-12);
  // 50 N·m at 0.05 m/rad.
  EXPECT_EQ(rig.refused(Grasp{.force = 1001.0}), RejectReason::kOutOfRange);
  EXPECT_NEAR(rig.last.limit, 1000.0, 1e-9);
  EXPECT_EQ(rig.refused(Grasp{.force = -1.0}), RejectReason::kOutOfRange);
  EXPECT_EQ(rig.refused(Grasp{.width = 0.2}), RejectReason::kOutOfRange);
  rig.client.set_mode(JointSet{}.set(1), ModeRequest::kVelocity);
  rig.run(5);
  EXPECT_EQ(rig.refused(OpenGripper{}), RejectReason::kWrongMode);
  EXPECT_EQ(rig.last.joint, 1);
}

TEST(Grippers, AForceBelowFrictionIsRefused) {
  RobotConfig config = with_gripper();
  config.joints[1].gains.friction = 0.5;
  GripperRig rig(config);
  EXPECT_EQ(rig.refused(Grasp{.force = 11.0}), RejectReason::kOutOfRange);
  EXPECT_NEAR(rig.last.limit, 1.2 * 0.5 / 0.05, 1e-9);
}

/// Light fingers on a short way, which press with all of their torque: the torque that presses is
/// many times what leads them.
RobotConfig with_small_hand() {
  constexpr double kInertia = 0.2;
  RobotConfig config = with_gripper();
  for (std::size_t i = 0; i < 2; ++i) {
    JointGains& gains = config.joints[i].gains;
    for (double* const gain :
         {&gains.inertia, &gains.kp, &gains.ki, &gains.kd, &gains.stiffness, &gains.damping}) {
      *gain *= kInertia;
    }
    config.joints[i].limits.v_max = 0.5;
  }
  GripperConfig& hand = config.grippers[0];
  hand.joints[0].open = 0.04;
  hand.joints[1].open = -0.04;
  hand.widths = {0.0, 0.08};
  hand.force = 50.0;
  return config;
}

TEST(Grippers, ASmallHandThatLetsGoOfAnObjectOpens) {
  for (const bool all_the_way : {true, false}) {
    GripperRig rig(with_small_hand());
    rig.robot.inertia = 0.2;
    rig.place_object(0.02);
    rig.client.post(Grasp{});
    rig.run_for(2.0);
    ASSERT_EQ(rig.changes(), Changes{GripperChange::kGrasped});
    rig.client.post(all_the_way ? Request{OpenGripper{}} : Request{MoveGripper{.opening = 0.06}});
    rig.run_for(2.0);
    EXPECT_EQ(rig.changes(),
              Changes{all_the_way ? GripperChange::kOpened : GripperChange::kReached});
    EXPECT_NEAR(rig.now().width, all_the_way ? 0.08 : 0.06, 1e-3);
  }
}

TEST(Grippers, AnotherForceOnAnObjectThatIsHeldNeverLetsItGo) {
  GripperRig rig(with_small_hand());
  rig.robot.inertia = 0.2;
  rig.place_object(0.02);
  rig.client.post(Grasp{});
  rig.run_for(2.0);
  rig.client.post(Grasp{.force = 20.0});
  for (int i = 0; i < 1000; ++i) {
    rig.run(1);
    ASSERT_LE(rig.joint(0).setpoint.tau, 0.0) << i;
  }
  EXPECT_EQ(rig.now().state, GripperState::kGrasped);
}

TEST(Grippers, WithoutAWidthMoveBySharesAndGraspWithNoForce) {
  RobotConfig config = with_gripper();
  config.grippers[0].widths.clear();
  GripperRig rig(config);
  EXPECT_EQ(rig.refused(Grasp{}), RejectReason::kNoWidth);
  EXPECT_EQ(rig.refused(MoveGripper{.opening = 0.05}), RejectReason::kNoWidth);
  EXPECT_EQ(rig.refused(OpenGripper{.speed = 0.1}), RejectReason::kNoWidth);
  rig.client.post(MoveGripper{.opening = 0.25, .scale = OpeningScale::kShare});
  rig.run_for(4.0);
  EXPECT_EQ(rig.changes(), Changes{GripperChange::kReached});
  EXPECT_NEAR(rig.last.value, 0.25, 0.01);
}

TEST(Grippers, AStateThatIsRestoredGoesOnTheSameToTheBit) {
  GripperRig rig;
  rig.place_object(0.4);
  rig.client.post(Grasp{});
  rig.run(900);
  const Stack::State saved = rig.stack.state();
  const std::vector<testing::IdealRobot::Joint> joints = rig.robot.joint;
  rig.run(1500);
  const GripperSnapshot once = rig.now();
  ASSERT_EQ(once.state, GripperState::kGrasped);
  GripperRig other;
  other.place_object(0.4);
  other.client.post(Grasp{});
  other.run(900);
  other.stack.restore(saved);
  other.run(1500);
  EXPECT_EQ(other.now(), once);
}

TEST(Grippers, ARobotsConfigurationIsCheckedBeforeTheFirstCycle) {
  RobotConfig config = with_gripper();
  config.grippers[0].joints[0].open = config.grippers[0].joints[0].closed;
  EXPECT_THROW(IdealRig{config}, ConfigError);
  config = with_gripper();
  config.grippers[0].widths = {0.0, 0.1, 0.05};
  EXPECT_THROW(IdealRig{config}, ConfigError);
  config = with_gripper();
  config.grippers[0].joints[0].joint = 7;
  EXPECT_THROW(IdealRig{config}, ConfigError);
}

}  // namespace
}  // namespace jointrig
