// A motor comes on with the torque that carries its joint; from there on the torque rate holds.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"

namespace jointrig {
namespace {

constexpr std::size_t kJoints = 8;  // seven of the arm, a finger

/// The Franka arm in physics, all motors off.
struct Idle {
  explicit Idle(const RobotConfig& config = app::load_robot(harness::find_robot("franka")).config)
      : rig(config, {}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        reader(rig.stack().events()) {
    rig.start();
    step(1);
  }
  void step(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      rig.loop().step();
      Event event;
      while (reader.next(event)) {
        if (event.kind == EventKind::kEngaged) engaged.push_back(event);
      }
    }
  }
  void motors_on() { client.set_mode(client.select("all"), ModeRequest::kPosition); }
  [[nodiscard]] const JointSnapshot& joint(std::size_t i) {
    return rig.stack().snapshot().joints[i];
  }
  [[nodiscard]] double most_in_a_cycle(std::size_t i) {
    return rig.stack().config().joints[i].limits.tau_rate_max * 1e-3;
  }

  app::Rig rig;
  RobotClient client;
  EventRing::Reader reader;
  std::vector<Event> engaged;
};

TEST(Engaging, AStandingArmIsCarriedFromTheFirstCycleAndEachJointBeyondItsRateSaysSo) {
  Idle arm;
  arm.motors_on();
  arm.step(10);  // its boards take a few cycles
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < kJoints; ++i) {
    if (std::abs(arm.joint(i).effort.gravity) > 2.0 * arm.most_in_a_cycle(i)) ++beyond;
    // It brakes, too: each joint fell freely until its board was on.
    EXPECT_NEAR(arm.joint(i).setpoint.tau, arm.joint(i).effort.gravity,
                2.0 * arm.most_in_a_cycle(i));
  }
  ASSERT_GT(beyond, 1U) << "no joint of this arm needs more than its rate: the test shows nothing";
  EXPECT_GE(arm.engaged.size(), beyond);
  for (const Event& event : arm.engaged) {
    EXPECT_NEAR(event.value, arm.joint(event.joint).effort.gravity, 0.05) << event.joint;
    EXPECT_DOUBLE_EQ(event.limit, arm.most_in_a_cycle(event.joint));
  }
  arm.step(300);
  for (std::size_t i = 0; i < kJoints; ++i) EXPECT_NEAR(arm.joint(i).state.v, 0.0, 2e-3) << i;
}

TEST(Engaging, AFallingArmIsCarriedAtOnceAndBrakedWithinTheTorqueRate) {
  Idle arm;
  arm.step(150);
  ASSERT_GT(std::abs(arm.joint(3).state.v), 0.5) << "nothing falls: the test shows nothing";
  arm.motors_on();
  std::array<double, kJoints> last{};
  for (int cycle = 0; cycle < 500; ++cycle) {
    arm.step(1);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const JointSnapshot& joint = arm.joint(i);
      const double carried = cycle == 0 ? std::abs(joint.effort.gravity) : 0.0;
      EXPECT_LE(std::abs(joint.setpoint.tau - last[i]), carried + 1.001 * arm.most_in_a_cycle(i))
          << "joint " << i << ", cycle " << cycle;
      last[i] = joint.setpoint.tau;
    }
  }
  EXPECT_FALSE(arm.engaged.empty());
  for (std::size_t i = 0; i < kJoints; ++i) EXPECT_NEAR(arm.joint(i).state.v, 0.0, 0.05) << i;
}

TEST(Engaging, OutOfOpenloopAMotorWhoseBackEmfBrakesItWithinACycleKeepsTheTorqueThatItHas) {
  constexpr std::size_t kForearm = 3;
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  // kt²/R = 60² / 0.5 = 7200 N·m·s/rad: on 1 kg·m² that is 0.14 ms.
  config.joints[kForearm].board.torque_constant = 60.0;
  Idle arm(config);
  arm.motors_on();
  arm.step(300);
  const JointSet forearm = arm.client.select(config.joints[kForearm].name);
  arm.client.set_mode(forearm, ModeRequest::kOpenloop);
  arm.step(200);
  ASSERT_EQ(arm.joint(kForearm).mode, JointMode::kOpenloop);
  const double had = arm.joint(kForearm).state.tau;  // of a weight of 23 N·m, most of it
  ASSERT_NEAR(had, 20.0, 5.0);
  arm.client.set_mode(forearm, ModeRequest::kPosition);
  for (int cycle = 0; cycle < 5; ++cycle) {
    arm.step(1);
    EXPECT_NEAR(arm.joint(kForearm).setpoint.tau, had, 10.0) << cycle;
  }
}

}  // namespace
}  // namespace jointrig
