#include "control/discovery/rebase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/discovery/torque_rate_gains.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

/// Two parallel slides; the first carries 2 kg, its motor gives 40 N.
constexpr const char* kSlides = R"(<mujoco><option gravity="0 0 0"/><worldbody>
  <body><joint name="a" type="slide" range="-1 1" armature="0.5"/>
    <geom size="0.1" mass="2" contype="0"/></body>
  <body><joint name="b" type="slide" range="-1 1"/><geom size="0.1" mass="3" contype="0"/></body>
  </worldbody><actuator><motor joint="a" ctrlrange="-40 40"/><motor joint="b"/></actuator></mujoco>)";

Discovery two_slides() {
  static const odd::TempModel file(kSlides);
  return discover(file.path());
}

const double kOmega = 20.0 * std::numbers::pi;

TEST(Rebase, LeavesAllAsItWasFoundWhereNothingIsTold) {
  Discovery found = two_slides();
  for (JointConfig& joint : found.config.joints) heed_torque_rate(joint);
  const RobotConfig before = found.config;

  rebase_defaults(found, before);

  EXPECT_EQ(found.config, before);
}

TEST(Rebase, AnArmatureInTheFileIsPartOfWhatTheMotorFeels) {
  Discovery found = two_slides();
  RobotConfig told = found.config;
  told.joints[0].board.armature = 1.5;
  told.joints[0].limits.tau_rate_max = 1e9;  // not what limits the gains here

  rebase_defaults(found, told);

  EXPECT_NEAR(found.config.joints[0].gains.inertia, 2.0 + 1.5, 1e-9);
  EXPECT_NEAR(found.config.joints[0].gains.kp, 3.5 * kOmega * kOmega, 1e-6);
  EXPECT_NEAR(found.config.joints[1].gains.inertia, 3.0 + *told.joints[1].board.armature, 1e-9)
      << "the motor that is taken where nothing is told";
}

TEST(Rebase, OfAMotorBehindASpringTheGainsReckonWithWhatItsTorqueLoopLeaves) {
  Discovery found = two_slides();
  RobotConfig told = found.config;
  told.joints[0].limits.tau_rate_max = 1e9;  // not what limits the gains here
  told.joints[0].board.armature = 1.5;
  told.joints[0].board.spring_stiffness = 900.0;
  told.joints[0].board.deflection_bandwidth_hz = 10.0;  // the motor on its spring alone: 3.9 Hz
  rebase_defaults(found, told);
  EXPECT_NEAR(found.config.joints[0].gains.inertia, 2.0 + 900.0 / (kOmega * kOmega), 1e-9);

  found = two_slides();
  told.joints[0].board.deflection_bandwidth_hz = 2.0;  // a loop that does nothing
  rebase_defaults(found, told);
  EXPECT_NEAR(found.config.joints[0].gains.inertia, 2.0 + 1.5, 1e-9);
}

TEST(Rebase, SpeedRangeAndTorqueOfTheFileCarryWhatFollowsFromThem) {
  Discovery found = two_slides();
  RobotConfig told = found.config;
  told.joints[0].limits.v_max = 0.1;
  told.joints[0].limits.q_max = -0.8;
  told.joints[0].q_start = -0.9;
  told.joints[0].limits.tau_max = 30.0;

  rebase_defaults(found, told);

  const JointLimits& limits = found.config.joints[0].limits;
  EXPECT_NEAR(limits.step_max, 0.001, 1e-12);     // 10 ms at full speed
  EXPECT_NEAR(limits.a_max, 0.5, 1e-12);          // in 0.2 s
  EXPECT_NEAR(limits.soft_margin, 0.002, 1e-12);  // 1 % of 0.2 m
  EXPECT_NEAR(limits.tau_rate_max, 1500.0, 1e-9);
  EXPECT_EQ(found.origins[0].tau_source, "robot file");
}

TEST(Rebase, GainsHeedTheTorqueRateAndSpeedOfTheFile) {
  Discovery found = two_slides();
  RobotConfig told = found.config;
  told.joints[0].limits.tau_rate_max = 100.0;

  rebase_defaults(found, told);

  const JointGains& gains = found.config.joints[0].gains;
  const double hz = rate_limited_bandwidth_hz(2.5, 100.0, told.joints[0].limits.v_max);
  ASSERT_LT(hz, 10.0);
  EXPECT_NEAR(gains.kp, 2.5 * std::pow(2.0 * std::numbers::pi * hz, 2), 1e-9);
}

/// Two hinges on one axis; what turns with both has 0.5 kg·m², what turns with the second 0.25, and
/// each motor 0.05: M = (0.8 0.25; 0.25 0.3).
constexpr const char* kOnOneAxis = R"(<mujoco><option gravity="0 0 0"/><worldbody>
  <body><joint name="a" axis="0 0 1" range="-170 170" armature="0.05"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.5 0.5 0.5"/>
    <body><joint name="b" axis="0 0 1" range="-170 170" armature="0.05"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.25 0.25 0.25"/></body></body></worldbody>
  <actuator><motor joint="a" ctrlrange="-4 4"/><motor joint="b" ctrlrange="-40 40"/></actuator>
  </mujoco>)";

TEST(Rebase, DefaultAccelerationsLetAllJointsBrakeTogether) {
  const odd::TempModel file(kOnOneAxis);
  Discovery found = discover(file.path());
  // 0.8 a + 0.25 b = 0.8 · 4 N·m, with equal terms, since each alone asks for more than half.
  EXPECT_NEAR(found.config.joints[0].limits.a_max, 1.6 / 0.8, 1e-9);
  EXPECT_NEAR(found.config.joints[1].limits.a_max, 1.6 / 0.25, 1e-9);

  RobotConfig told = found.config;
  rebase_defaults(found, told);
  EXPECT_NEAR(found.config.joints[0].limits.a_max, 2.0, 1e-9);
  EXPECT_NEAR(found.config.joints[1].limits.a_max, 6.4, 1e-9);

  told.joints[1].limits.a_max = 8.0;  // the file's stays: 2 of the 3.2 N·m
  rebase_defaults(found, told);
  EXPECT_NEAR(found.config.joints[0].limits.a_max, 1.2 / 0.8, 1e-9);

  found = discover(file.path());
  told.joints[1].limits.a_max = 20.0;  // 5 N·m: more than there is, and no reason to crawl
  rebase_defaults(found, told);
  EXPECT_NEAR(found.config.joints[0].limits.a_max, 0.25 * 3.2 / 0.8, 1e-9);
}

TEST(Rebase, AnAccelerationThatIsNoLoadForAnotherJointStaysAsItIs) {
  std::string light = kOnOneAxis;
  for (const char* big : {"mass=\"1\" diaginertia=\"0.25 0.25 0.25\"/></body>"}) {
    light.replace(light.find(big), std::string(big).size(),
                  "mass=\"1\" diaginertia=\"0.002 0.002 0.002\"/></body>");
  }
  const odd::TempModel file(light);
  const Discovery found = discover(file.path());
  const double a = found.config.joints[0].limits.a_max;
  const double b = found.config.joints[1].limits.a_max;
  EXPECT_NEAR(b, found.config.joints[1].limits.v_max / 0.2, 1e-9);
  EXPECT_LE(0.552 * a + 0.002 * b, 0.8 * 4.0 + 1e-9);
}

bool says_of(const Discovery& found, const std::string& joint, const std::string& words) {
  return std::any_of(found.findings.begin(), found.findings.end(), [&](const Remark& remark) {
    return remark.text.find(words) != std::string::npos &&
           std::find(remark.names.begin(), remark.names.end(), joint) != remark.names.end();
  });
}

TEST(Rebase, ATorqueThatTheFileGivesIsNoEstimate) {
  Discovery found = two_slides();
  ASSERT_TRUE(says_of(found, "b", "is an estimate"));
  RobotConfig told = found.config;
  told.joints[1].limits.tau_max = 30.0;

  rebase_defaults(found, told);

  EXPECT_FALSE(says_of(found, "b", "is an estimate"));
}

TEST(Rebase, AMotorInertiaThatTheFileGivesIsNoEstimate) {
  Discovery found = two_slides();
  ASSERT_TRUE(says_of(found, "b", "states no motor inertia"));
  ASSERT_FALSE(says_of(found, "a", "states no motor inertia"));
  RobotConfig told = found.config;
  rebase_defaults(found, told);
  EXPECT_TRUE(says_of(found, "b", "states no motor inertia"));

  told.joints[1].board.armature = 0.3;
  rebase_defaults(found, told);
  EXPECT_FALSE(says_of(found, "b", "states no motor inertia"));
}

TEST(Rebase, WhetherAMotorIsTooWeakIsJudgedByTheTorqueAndStartOfTheFile) {
  const odd::TempModel file(R"(<mujoco><worldbody><body><joint name="a" axis="0 1 0"/>
    <inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody>
    <actuator><motor joint="a" ctrlrange="-20 20"/></actuator></mujoco>)");
  Discovery found = discover(file.path());
  const auto errors = [&] {
    return std::count_if(found.findings.begin(), found.findings.end(),
                         [](const Remark& remark) { return remark.severity == Severity::kError; });
  };
  ASSERT_EQ(errors(), 0);
  RobotConfig told = found.config;
  told.joints[0].limits.tau_max = 9.0;
  rebase_defaults(found, told);
  EXPECT_EQ(errors(), 1) << "9.81 N·m of weight";

  told.joints[0].q_start = std::numbers::pi / 2;  // hangs
  rebase_defaults(found, told);
  EXPECT_EQ(errors(), 0);
}

}  // namespace
}  // namespace jointrig
