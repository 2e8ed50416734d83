#include "control/stack/loop_margin.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <regex>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/control/stack/franka_in_physics.h"

namespace jointrig {
namespace {

constexpr std::size_t kElbow = 3;

RobotConfig franka() { return app::load_robot(harness::find_robot("franka")).config; }

std::vector<std::string> notes(const RobotConfig& config) {
  return app::Rig(config, {}).robot_notes();
}

/// The largest speed of the elbow in the last of five seconds, after a small push, in physics.
double swing(const RobotConfig& config) {
  app::Rig rig(config, {});
  RobotClient client(rig.stack().config(), rig.stack().inbox(), "test");
  rig.start();
  rig.loop().step();
  client.set_mode(client.select("all"), ModeRequest::kPosition);
  double largest = 0.0;
  for (int cycle = 0; cycle < 5000; ++cycle) {
    rig.loop().step();
    if (cycle == 1000) client.move(client.select("panda_joint4"), config.joints[kElbow].q_start);
    const double v = rig.stack().snapshot().joints[kElbow].state.v;
    if (cycle >= 4000) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

/// A PID of the given natural frequency, for the inertia that the joint feels.
RobotConfig with_pid(double hz, double ki_share = 0.1) {
  RobotConfig config = franka();
  JointGains& gains = config.joints[kElbow].gains;
  const double w = 2.0 * std::numbers::pi * hz;
  gains.kp = gains.inertia * w * w;
  gains.ki = gains.kp * w * ki_share;
  gains.kd = 2.0 * gains.inertia * w;
  gains.is_pid = true;
  return config;
}

TEST(LoopMargin, EveryRobotThatShipsHasItWithItsDefaults) {
  for (const std::string name : {"franka", "sawyer", "icub_upper_body"}) {
    SCOPED_TRACE(name);
    const RobotConfig config = app::load_robot(harness::find_robot(name)).config;
    const std::vector<std::string> said = notes(config);
    EXPECT_TRUE(said.empty()) << said.front();
  }
}

TEST(LoopMargin, APidThatSwingsUpInPhysicsIsNamedWithALineThatHolds) {
  const RobotConfig config = with_pid(45.0);
  ASSERT_GT(swing(config), 0.2) << "it doesn't swing: the test shows nothing";
  const std::vector<std::string> said = notes(config);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("panda_joint4"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("as it is"), std::string::npos) << said[0];

  const std::regex line("panda_joint4: \\{kp: ([0-9.e+]+), ki: ([0-9.e+]+), kd: ([0-9.e+]+)\\}");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(said[0], found, line)) << said[0];
  RobotConfig pasted = config;
  JointGains& gains = pasted.joints[kElbow].gains;
  gains.kp = std::stod(found[1]);
  gains.ki = std::stod(found[2]);
  gains.kd = std::stod(found[3]);
  EXPECT_TRUE(notes(pasted).empty());
  EXPECT_LT(swing(pasted), 0.01);
}

TEST(LoopMargin, TheLineThatHoldsLowersTheGainThatIsTooHighAlone) {
  RobotConfig config = with_pid(6.0);
  JointGains& gains = config.joints[kElbow].gains;
  gains.kd = 2000.0;
  std::vector<std::string> said = notes(config);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find(fmt::format("kp: {:.3g}, ki: {:.3g}, ", gains.kp, gains.ki)),
            std::string::npos)
      << said[0];

  config = with_pid(6.0, 5.0);
  said = notes(config);
  ASSERT_EQ(said.size(), 1U);
  const JointGains& with_integral = config.joints[kElbow].gains;
  EXPECT_NE(said[0].find(fmt::format("kp: {:.3g}, ", with_integral.kp)), std::string::npos)
      << said[0];
  EXPECT_NE(said[0].find(fmt::format("kd: {:.3g}}}", with_integral.kd)), std::string::npos)
      << said[0];
}

TEST(LoopMargin, APidOfAModestBandwidthIsNotNamed) { EXPECT_TRUE(notes(with_pid(6.0)).empty()); }

TEST(LoopMargin, DelaysOfTheBoardsCount) {
  RobotConfig config = with_pid(18.0);
  EXPECT_TRUE(notes(config).empty());
  config.delay_cycles = 5;
  const std::vector<std::string> said = notes(config);
  ASSERT_FALSE(said.empty());
  EXPECT_NE(said[0].find("panda_joint4"), std::string::npos) << said[0];
}

TEST(LoopMargin, ADamperOfTheCompliantLawThatIsTooStrongForItsJointIsNamed) {
  RobotConfig config = franka();
  config.joints[6].gains.damping = 400.0;
  const std::vector<std::string> said = notes(config);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("panda_joint7: its loop (compliant)"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("damping"), std::string::npos) << said[0];
}

/// The Franka without friction, with a late loop.
RobotConfig late_franka(double damping_ratio) {
  RobotConfig config = app::load_robot(harness::find_robot("franka"), [](RobotConfig& robot) {
                         robot.delay_cycles = 10;
                       }).config;
  config.plant.friction_scale = 0.0;
  config.arms[0].damping_ratio = damping_ratio;
  return config;
}

/// The largest speed of the arm's joints in the fifth second after its tool was moved by 3 cm.
double tool_swing(const RobotConfig& config) {
  testing::FrankaInPhysics physics(config);
  physics.client.set_mode(physics.client.select("arm"), ModeRequest::kCartesian);
  physics.run(100);
  SetToolTarget down{{0, physics.arm().tool.position, physics.arm().tool.orientation}};
  down.position[2] -= 0.03;
  physics.client.post(down);
  double largest = 0.0;
  for (int cycle = 0; cycle < 5000; ++cycle) {
    physics.run(1);
    for (const JointIndex joint : config.arms[0].joints) {
      const double v = physics.now().joints[joint].state.v;
      if (cycle >= 4000) largest = std::max(largest, std::abs(v));
    }
  }
  return largest;
}

TEST(LoopMargin, AToolThatSwingsUpInPhysicsIsNamedWithALineThatHolds) {
  const RobotConfig config = late_franka(0.01);
  ASSERT_GT(tool_swing(config), 0.2) << "it doesn't swing: the test shows nothing";
  const std::vector<std::string> said = notes(config);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("arm arm: its loop (cartesian) swings up at "), std::string::npos)
      << said[0];
  EXPECT_NE(said[0].find("as it is"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find("arms: {arm: {damping_ratio: 0.7}}"), std::string::npos) << said[0];

  const RobotConfig pasted = late_franka(0.7);
  EXPECT_TRUE(notes(pasted).empty());
  EXPECT_LT(tool_swing(pasted), 0.01);
}

}  // namespace
}  // namespace jointrig
