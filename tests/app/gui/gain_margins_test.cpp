#include "app/gui/gain_margins.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/ideal_robot.h"

namespace jointrig::app {
namespace {

/// Two joints with unlike lags; the loop has three cycles of delay.
RobotConfig laggy_robot() {
  RobotConfig robot = testing::ideal_config(2);
  robot.delay_cycles = 3;
  for (JointConfig& joint : robot.joints) {
    joint.gains = {.inertia = 1.0, .kp = 400.0, .kd = 40.0, .stiffness = 50.0, .damping = 5.0};
  }
  robot.joints[1].board.torque_bandwidth_hz = 60.0;
  return robot;
}

TEST(GainMargins, OfARobotElsewhereAreThoseOfItsLoop) {
  const RobotConfig config = laggy_robot();
  const testing::IdealRobot robot(config);
  std::vector<JointSetup> setups;
  for (std::size_t i = 0; i < 2; ++i) {
    setups.push_back(make_setup(config.joints[i], robot.capabilities[i], 1e-3, 3));
  }
  remote::RobotFacts facts;
  facts.config = config;
  facts.boards = robot.capabilities;
  const auto here = margins_of(setups, 3);
  const auto there = margins_of(facts);
  for (JointIndex joint = 0; joint < 2; ++joint) {
    for (const JointParameter gain : {JointParameter::kKd, JointParameter::kDamping}) {
      const double margin = there(joint, config.joints[joint], gain, 1e5);
      EXPECT_TRUE(margin > 0.0 && margin < 1e5) << margin;
      EXPECT_EQ(margin, here(joint, config.joints[joint], gain, 1e5));
    }
  }
  const auto kd = [&](JointIndex joint) {
    return there(joint, config.joints[joint], JointParameter::kKd, 1e5);
  };
  EXPECT_LT(kd(1), 0.9 * kd(0)) << "its motor lags";
}

TEST(GainMargins, AJointThatCantBeSetUpHereHasNone) {
  remote::RobotFacts facts;
  facts.config = laggy_robot();
  facts.boards.resize(1);  // takes nothing; of the other joint nothing is told
  const auto there = margins_of(facts);
  for (JointIndex joint = 0; joint < 3; ++joint) {
    EXPECT_TRUE(std::isinf(there(joint, facts.config.joints[0], JointParameter::kKd, 1e5)));
  }
}

}  // namespace
}  // namespace jointrig::app
