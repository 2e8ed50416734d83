/// Hand guiding of own robots in physics: with encoders as they are, masses that the model doesn't
/// know, and a hand. The plant's truth judges.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"

namespace jointrig {
namespace {

constexpr double kDriftTime = ArmGuide::kDriftTime;

RobotConfig robot(const std::string& name) {
  return app::load_robot(harness::find_robot(name)).config;
}

/// A robot in physics, in position mode for a while.
struct Guided {
  explicit Guided(const RobotConfig& config)
      : rig(config, {}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        events(rig.stack().events()) {
    rig.start();
    rig.loop().step();
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(2.0);
  }
  void run(double seconds) {
    const auto cycles = static_cast<int>(std::lround(seconds * 1000.0));
    for (int i = 0; i < cycles; ++i) {
      rig.loop().step();
      for (Event e; events.next(e);) {
        if (e.kind == EventKind::kGuide) told.push_back(e);
      }
    }
  }
  [[nodiscard]] const ArmSnapshot& arm() { return rig.stack().snapshot().arms[0]; }
  [[nodiscard]] GuideState state() { return arm().interaction.guide; }
  [[nodiscard]] std::vector<JointIndex> joints() { return rig.stack().config().arms[0].joints; }
  [[nodiscard]] double q(JointIndex joint) { return rig.sim()->truth(joint).q; }
  void grasp(double seconds) { client.post(SetCuff{0, seconds}); }
  [[nodiscard]] int times(GuideChange what) const {
    return static_cast<int>(std::count_if(told.begin(), told.end(), [&](const Event& e) {
      return e.detail == static_cast<std::uint8_t>(what);
    }));
  }
  [[nodiscard]] const Event& first(GuideChange what) const {
    return *std::find_if(told.begin(), told.end(), [&](const Event& e) {
      return e.detail == static_cast<std::uint8_t>(what);
    });
  }

  app::Rig rig;
  RobotClient client;
  EventRing::Reader events;
  std::vector<Event> told;
};

struct ArmGuideOf : ::testing::TestWithParam<const char*> {};

TEST_P(ArmGuideOf, IsLetGoWithAnEncoderThatIsNoisyOrCoarse) {
  struct Encoder {
    double noise;
    double step;
  };
  constexpr double kTurn = 6.283185307179586;
  for (const Encoder encoder : {Encoder{10e-6, 2e-6},
                                {50e-6, 2e-6},
                                {0.0, kTurn / (1 << 17)},
                                {20e-6, kTurn / (1 << 16)}}) {
    SCOPED_TRACE(encoder.noise);
    SCOPED_TRACE(encoder.step);
    RobotConfig config = robot(GetParam());
    config.plant.encoder_noise = encoder.noise;
    for (JointConfig& joint : config.joints) joint.board.encoder_step = encoder.step;
    Guided arm(config);
    arm.grasp(10.0);
    arm.run(0.5);
    EXPECT_EQ(arm.state(), GuideState::kGuiding);
    arm.run(4.0);
    EXPECT_EQ(arm.state(), GuideState::kGuiding) << "and stays so";
    EXPECT_LT(arm.arm().interaction.drift, 0.1);
  }
}

TEST_P(ArmGuideOf, DriftsAsFarAsItPredictsWithMassesThatTheModelDoesNotKnow) {
  for (const double scale : {0.9, 0.95, 1.05, 1.1}) {
    SCOPED_TRACE(scale);
    RobotConfig config = robot(GetParam());
    config.plant.mass_scale = scale;
    config.plant.friction_scale = 0.0;
    for (JointConfig& joint : config.joints) joint.gains.friction = joint.gains.viscous = 0.0;
    for (FrictionConfig& friction : config.arms[0].friction) friction = {};
    Guided arm(config);
    arm.grasp(10.0);
    arm.run(0.001);
    ASSERT_EQ(arm.times(GuideChange::kLetGo), 1);
    const Event& told = arm.first(GuideChange::kLetGo);
    std::map<JointIndex, double> start;
    for (const JointIndex joint : arm.joints()) start[joint] = arm.q(joint);
    arm.run(kDriftTime);
    EXPECT_EQ(arm.state(), GuideState::kGuiding);
    double furthest = 0.0;
    for (const JointIndex joint : arm.joints()) {
      furthest = std::max(furthest, std::abs(arm.q(joint) - start[joint]));
    }
    const double drift = std::abs(arm.q(told.joint) - start[told.joint]);
    EXPECT_NEAR(drift, told.value, 0.3 * told.value + 0.005);
    EXPECT_NEAR(furthest, told.value, 0.3 * told.value + 0.005) << "no other joint goes further";
    EXPECT_LT(furthest, 0.4) << "slow: a fifth of a radian a second";
  }
}

INSTANTIATE_TEST_SUITE_P(OwnRobots, ArmGuideOf, ::testing::Values("franka", "sawyer"));

TEST(ArmGuideTells, AJointThatStillMovesOnceWithItsSpeedAndTheLimit) {
  RobotConfig config = robot("franka");
  Guided arm(config);
  arm.client.timed_move(arm.client.select("panda_joint1"), 0.8, 2.0);
  arm.run(1.0);
  arm.grasp(10.0);
  arm.run(0.05);
  EXPECT_EQ(arm.state(), GuideState::kBraking);
  ASSERT_EQ(arm.times(GuideChange::kMoving), 1);
  const Event& told = arm.first(GuideChange::kMoving);
  EXPECT_EQ(told.joint, 0);
  EXPECT_GT(told.value, 0.2);
  EXPECT_LT(told.value, 2.0);
  EXPECT_EQ(told.limit, ArmGuide::kStandSpeed);
  const GuideNote note = arm.arm().interaction.note;
  EXPECT_EQ(note.what, GuideChange::kMoving) << "for the panel";
  EXPECT_EQ(note.joint, 0);
  arm.run(2.0);
  EXPECT_EQ(arm.state(), GuideState::kGuiding);
  EXPECT_EQ(arm.times(GuideChange::kMoving), 1);
}

TEST(ArmGuideTells, AMotorThatIsComingOnAndAModeThatDoesNotHold) {
  RobotConfig config = robot("franka");
  config.arms[0].zero_g.cuff_joint = 6;
  config.arms[0].zero_g.cuff_input = 2;
  Guided arm(config);
  arm.client.set_mode(arm.client.select("panda_joint3"), ModeRequest::kIdle);
  arm.run(0.05);
  arm.rig.sim()->inject(6, sim::SimFault::kDigitalInput, 2.0, to_ns(0.02));
  arm.run(0.05);
  ASSERT_EQ(arm.times(GuideChange::kWrongMode), 1);
  EXPECT_EQ(arm.first(GuideChange::kWrongMode).joint, 2) << "the one that doesn't hold";
  arm.client.set_mode(arm.client.select("panda_joint3"), ModeRequest::kPosition);
  arm.grasp(10.0);
  arm.run(0.01);
  EXPECT_EQ(arm.state(), GuideState::kBraking);
  ASSERT_EQ(arm.times(GuideChange::kEngaging), 1);
  EXPECT_EQ(arm.first(GuideChange::kEngaging).joint, 2);
  arm.run(3.0);
  EXPECT_EQ(arm.state(), GuideState::kGuiding) << "the same grasp lets go once it is on";
}

TEST(ArmGuideTells, AJointAtTheEndOfItsTorqueWithBothNumbers) {
  RobotConfig config = robot("franka");
  config.plant.friction_scale = 300.0;     // so that friction holds it
  config.joints[3].limits.tau_max = 15.0;  // of a weight of 22 N·m
  config.detection->on = false;            // such a friction looks like a squish
  Guided arm(config);
  arm.grasp(10.0);
  arm.run(1.0);
  EXPECT_EQ(arm.state(), GuideState::kBraking);
  ASSERT_EQ(arm.times(GuideChange::kSaturated), 1);
  const Event& told = arm.first(GuideChange::kSaturated);
  EXPECT_EQ(told.joint, 3);
  EXPECT_GE(told.value, 0.98 * 15.0);
  EXPECT_EQ(told.limit, 15.0);
}

}  // namespace
}  // namespace jointrig
