/// Loads that the observers make of momentum and torque, with values by hand: joints of 1 kg·m² and
/// 50 N·m, without their motors, in cycles of 1 ms.

#include "control/stack/joint_loads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/ideal_robot.h"

namespace jointrig {
namespace {

/// A joint and one beside it, whose readings of speed are given by hand.
class IdleJoint {
 public:
  IdleJoint() : config_(testing::ideal_config(2)), model_(nullptr, config_), loads_(config_) {
    const testing::IdealRobot robot(config_);
    for (std::size_t i = 0; i < 2; ++i) {
      setups_.push_back(make_setup(config_.joints[i], robot.capabilities[i], 1e-3));
      controls_.emplace_back(setups_[i]);
    }
    for (int i = 0; i < 3; ++i) read(0.0);
  }

  /// Load as the velocity envelope sees it [N·m]
  [[nodiscard]] double quick() const { return loads_.quick(0); }

  /// One cycle, in which the encoders read these speeds; and the load as others feel it [N·m]
  double read(double v, double beside = 0.0) {
    RobotState robot;
    robot.joints.resize(2);
    ++cycle_;
    for (std::size_t i = 0; i < 2; ++i) {
      robot.joints[i].v = i == 0 ? v : beside;
      robot.joints[i].status = BoardStatus::kReady;
      controls_[i].follow(setups_[i], robot.joints[i], cycle_);
    }
    model_.advance(robot, controls_);
    model_.place_velocities(controls_);
    loads_.advance(model_, {setups_, controls_});
    return loads_.calm(0);
  }

 private:
  RobotConfig config_;
  std::vector<JointSetup> setups_;
  std::vector<JointControl> controls_;
  PlacedModel model_;
  JointLoads loads_;
  std::uint64_t cycle_ = 0;
};

/// Share of a cycle in 10 ms.
const double kCycle = 1.0 - std::exp(-0.1);

TEST(JointLoads, ACycleOfALoadCountsByItsShareOfTenMilliseconds) {
  IdleJoint joint;
  // 0.03 rad/s in 1 ms are 30 N·m.
  EXPECT_NEAR(joint.read(0.03), kCycle * 30.0, 1e-9);
  EXPECT_NEAR(joint.read(0.06), (kCycle + kCycle * (1.0 - kCycle)) * 30.0, 1e-9);
}

TEST(JointLoads, ALoadBeyondTheMotorsTorqueCountsAsThatTorque) {
  IdleJoint joint;
  // 0.199 rad/s in 1 ms are 199 N·m, less than four times the motor's 50.
  EXPECT_NEAR(joint.read(0.199), kCycle * 50.0, 1e-9);
  EXPECT_NEAR(joint.read(0.0), kCycle * (1.0 - kCycle) * 50.0 - kCycle * 50.0, 1e-9);
}

TEST(JointLoads,
     AJoltBeyondFourTimesTheMotorsTorqueCountsForNothingAndIsForgottenIn20Milliseconds) {
  for (const double sign : {1.0, -1.0}) {
    IdleJoint joint;
    EXPECT_EQ(joint.read(sign * 0.201), 0.0) << "201 N·m";
    // Back at once is the same jolt; it is deaf from there on, also to 30 N·m.
    EXPECT_EQ(joint.read(0.0), 0.0);
    double v = 0.0;
    for (int i = 1; i < 20; ++i) EXPECT_EQ(joint.read(v += 0.03), 0.0) << i << " ms later";
    EXPECT_NEAR(joint.read(v += 0.03), kCycle * 30.0, 1e-9) << "20 ms later";
  }
}

TEST(JointLoads, WhatWasHeardBeforeAJoltFadesWhileItIsDeaf) {
  IdleJoint joint;
  const double before = joint.read(0.03);
  ASSERT_GT(before, 1.0);
  EXPECT_NEAR(joint.read(1.0), (1.0 - kCycle) * before, 1e-9);
  EXPECT_NEAR(joint.read(1.03), (1.0 - kCycle) * (1.0 - kCycle) * before, 1e-9);
}

// No inertia is between the two. Where there is one, as between the links of an arm,
// false_speeds_test has the other half.
TEST(JointLoads, AnImpossibleSpeedOfAJointThatThisOneDoesNotFeelDeafensItNot) {
  for (const double impossible : {4.1, -3000.0}) {  // v_max is 2
    IdleJoint joint;
    joint.read(0.03);
    const double share = 1.0 - std::exp(-0.5);  // 500 1/s
    const double heard = share * 30.0;
    EXPECT_NEAR(joint.quick(), heard, 1e-9);
    joint.read(0.05, impossible);
    EXPECT_NEAR(joint.quick(), heard + share * (20.0 - heard), 1e-9);
  }
}

// A finger that loses its grasp snaps shut, and has to be braked before its stop.
TEST(JointLoads, AJointsOwnSpeedIsBelievedHoweverHighItIs) {
  IdleJoint joint;
  joint.read(3.99);
  const double before = joint.quick();
  joint.read(4.05);
  EXPECT_NE(joint.quick(), before);
}

}  // namespace
}  // namespace jointrig
