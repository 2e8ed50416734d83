/// Force/torque sensors and external torques in the stack, on states that are made up.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/rig/rig.h"
#include "tests/support/requests.h"
#include "tests/support/standing_arm.h"

namespace jointrig {
namespace {

RobotConfig franka() { return app::load_robot(harness::find_robot("franka")).config; }

/// A Franka that stands still on boards that measure no torque, and a sensor at its wrist.
struct Standing : testing::StandingArm {
  explicit Standing(const RobotConfig& robot = franka(), bool senses_torque = false)
      : StandingArm(robot, [&](JointCapabilities& board) { board.senses_torque = senses_torque; }) {
  }

  RejectReason answer(CommandKind kind) {
    client.post(testing::arm_request(kind, {}));
    events(EventKind::kRejected);
    run(1);
    for (const Event& e : events(EventKind::kRejected)) return e.reason;
    return RejectReason::kNone;
  }
  [[nodiscard]] const ArmForces& forces() const { return stack.snapshot().arms[0].forces; }
};

TEST(Forces, ASensorThatTheBackendLacksIsAbsentWithASentenceAndNotTared) {
  Standing robot;
  const auto sentences = robot.stack.connect_force_sensors({"another_site"});
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_NE(sentences[0].find("wrist_sensor"), std::string::npos) << sentences[0];
  robot.run(1);
  EXPECT_EQ(robot.answer(CommandKind::kTareForceSensor), RejectReason::kNoForceSensor);
  EXPECT_EQ(robot.forces().sensor, ForceSensorState::kNone);
  EXPECT_EQ(robot.forces().sensed, Six{});
}

TEST(Forces, ASiteWithoutSensorsOrBehindTheToolIsRefused) {
  RobotConfig config = franka();
  config.arms[0].force_sensor.site = "tool_centre_point";
  EXPECT_THROW(Standing{config}, ConfigError);
  config = franka();
  config.arms[0].tool = "panda_link5";
  config.arms[0].joints = {0, 1, 2, 3, 4};
  config.arms[0].friction.clear();
  config.arms[0].posture_weights.assign(5, 1.0);
  EXPECT_THROW(Standing{config}, ConfigError);
}

TEST(Forces, ASensorThatFallsSilentOrMadIsToldOfOnceAndNotTared) {
  Standing robot;
  ASSERT_TRUE(robot.stack.connect_force_sensors({"wrist_sensor"}).empty());
  robot.state.force_torque.resize(1);
  robot.run(10);
  EXPECT_EQ(robot.forces().sensor, ForceSensorState::kGood);
  robot.events(EventKind::kForceSensor);
  robot.state.force_torque[0].missed = 7;
  robot.run(10);
  auto told = robot.events(EventKind::kForceSensor);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<ForceSensorState>(told[0].detail), ForceSensorState::kStale);
  EXPECT_EQ(told[0].value, 7.0);
  EXPECT_EQ(told[0].quantity, QuantityKind::kNone) << "of samples";
  EXPECT_EQ(robot.answer(CommandKind::kTareForceSensor), RejectReason::kSensorFaulty);
  robot.state.force_torque[0] = {};
  robot.state.force_torque[0].torque[1] = std::numeric_limits<double>::quiet_NaN();
  robot.run(10);
  told = robot.events(EventKind::kForceSensor);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(static_cast<ForceSensorState>(told[0].detail), ForceSensorState::kNotFinite);
  EXPECT_EQ(told[0].number, 4U);
  EXPECT_EQ(told[0].quantity, QuantityKind::kTorque);
  for (const double part : robot.forces().sensed) EXPECT_TRUE(std::isfinite(part));
  robot.state.force_torque[0] = {};
  robot.run(1);
  EXPECT_EQ(robot.answer(CommandKind::kTareForceSensor), RejectReason::kNone);
  robot.run(300);
  EXPECT_EQ(robot.events(EventKind::kTared).size(), 1U);
}

TEST(Forces, WhereBoardsMeasureNoTorqueTheOneThatWasSentCounts) {
  Standing robot;
  robot.run(1);
  EXPECT_FALSE(robot.stack.snapshot().joints[1].has_external) << "the motors are off";
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kTorque);
  robot.run(3000);
  // It stands, and gets what carries it, so that nothing else can be there; then 5 N·m more, which
  // only an external torque of as much the other way explains.
  const JointSnapshot& joint = robot.stack.snapshot().joints[1];
  EXPECT_TRUE(joint.has_external);
  EXPECT_NEAR(joint.effort.external, 0.0, 1e-6);
  EXPECT_NEAR(joint.effort.model, joint.effort.gravity, 1e-12);
  for (int n = 0; n < 500; ++n) {
    robot.client.send<StreamTorque>({{1, {5.0}}});
    robot.run(1);
  }
  EXPECT_NEAR(joint.effort.external, -5.0, 1e-5);
}

TEST(Forces, AGapInTheSamplesOfAJointLeavesItsEstimateAsItWas) {
  Standing robot(franka(), /*senses_torque=*/true);
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kPosition);
  for (std::size_t i = 0; i < 7; ++i) robot.state.joints[i].tau = 3.0;
  robot.run(2000);
  const double before = robot.stack.snapshot().joints[2].effort.external;
  robot.state.joints[2].missed = 1;
  robot.state.joints[2].q += 0.01;
  robot.run(1);
  robot.state.joints[2].missed = 0;
  robot.run(1);
  EXPECT_EQ(robot.stack.snapshot().joints[2].effort.external, before);
}

TEST(Forces, APayloadThatIsToldInMotionIsNoBlow) {
  Standing robot(franka(), /*senses_torque=*/true);
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kPosition);
  robot.state.joints[0].v = 0.5;
  robot.run(1000);
  const JointSnapshot& joint = robot.stack.snapshot().joints[0];
  ASSERT_TRUE(joint.has_external);
  const double before = joint.effort.external;
  // 0.3 m beside an upright axis: it weighs nothing there, and has 2 kg * 0.09 m² * 0.5 rad/s.
  robot.client.post(SetPayload{.arm = 0, .mass = 2.0});
  for (int n = 0; n < 200; ++n) {
    robot.run(1);
    ASSERT_NEAR(joint.effort.external, before, 1e-6) << n;
  }
  EXPECT_EQ(robot.stack.snapshot().arms[0].payload.mass, 2.0);
}

TEST(Forces, AContactOfTheHandSaysWhetherItIsAForceOrATorqueThoughLimitsAreEqual) {
  RobotConfig config = franka();
  config.detection->on = true;
  config.detection->hand_force_max = config.detection->hand_torque_max = 30.0;
  config.arms[0].force_sensor.torque_max = 100.0;
  for (JointConfig& joint : config.joints) joint.impact_torque = joint.squish_torque = 1e9;
  for (const QuantityKind quantity : {QuantityKind::kForce, QuantityKind::kTorque}) {
    SCOPED_TRACE(to_string(quantity));
    Standing robot(config);
    ASSERT_TRUE(robot.stack.connect_force_sensors({"wrist_sensor"}).empty());
    robot.state.force_torque.resize(1);
    robot.client.set_mode(robot.client.select("arm"), ModeRequest::kPosition);
    ForceTorqueState& sample = robot.state.force_torque[0];
    const auto run = [&](int cycles) {
      for (int n = 0; n < cycles; ++n) {
        sample.force[0] = 1e-3 * (n % 2);  // a sample that stands is a fault
        robot.run(1);
      }
    };
    run(200);
    ASSERT_EQ(robot.answer(CommandKind::kTareForceSensor), RejectReason::kNone);
    run(300);
    robot.events(EventKind::kContact);
    (quantity == QuantityKind::kForce ? sample.force : sample.torque)[2] = 45.0;
    run(200);
    const std::vector<Event> contacts = robot.events(EventKind::kContact);
    ASSERT_FALSE(contacts.empty());
    EXPECT_EQ(static_cast<ContactKind>(contacts[0].detail), ContactKind::kHandWrench);
    EXPECT_EQ(contacts[0].limit, 30.0);
    EXPECT_EQ(contacts[0].quantity, quantity);
  }
}

TEST(Forces, AGainOfNothingSwitchesTheEstimateOff) {
  RobotConfig config = franka();
  config.external_torque.gain = 0.0;
  Standing robot(config, /*senses_torque=*/true);
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kPosition);
  robot.state.joints[1].tau = 50.0;
  robot.run(100);
  EXPECT_FALSE(robot.stack.snapshot().joints[1].has_external);
  EXPECT_EQ(robot.stack.snapshot().joints[1].effort.external, 0.0);
  config.external_torque.gain = -1.0;
  EXPECT_THROW(Standing{config}, ConfigError);
}

TEST(Forces, WithTheEstimateOffNothingIsKnownThoughDetectionListens) {
  RobotConfig config = franka();
  config.external_torque.gain = 0.0;
  config.detection->on = true;
  Standing robot(config, /*senses_torque=*/true);
  robot.client.set_mode(robot.client.select("arm"), ModeRequest::kPosition);
  // Torque that carries it: nothing external, so far.
  robot.run(1);
  const Snapshot& now = robot.stack.snapshot();
  const auto carry = [&](double more) {
    for (std::size_t i = 0; i < 7; ++i) {
      robot.state.joints[i].tau = now.joints[i].effort.gravity + (i == 1 ? more : 0.0);
    }
  };
  carry(0.0);
  robot.run(1000);
  EXPECT_LT(now.protection.squish, 0.01);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_FALSE(now.joints[i].has_external) << "joint " << i;
    EXPECT_EQ(now.joints[i].effort.external, 0.0);
  }
  EXPECT_FALSE(now.arms[0].forces.has_external);
  EXPECT_EQ(now.arms[0].forces.external, Six{});
  // Detection has an observer of its own: half as much again as its threshold is a contact.
  EXPECT_TRUE(robot.events(EventKind::kContact).empty());
  const double threshold = kImpactShare * config.joints[1].limits.tau_max;
  carry(1.5 * threshold);
  robot.run(20);
  const std::vector<Event> contacts = robot.events(EventKind::kContact);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(static_cast<ContactKind>(contacts[0].detail), ContactKind::kImpact);
  EXPECT_EQ(contacts[0].joint, 1);
}

}  // namespace
}  // namespace jointrig
