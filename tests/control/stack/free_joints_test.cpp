/// Joints that computed torque moves beside joints that nothing holds: they feel the Schur
/// complement of the inertia, and the others' torques. The judge is the physics.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "sim/sim_backend.h"
#include "tests/control/discovery/published_models.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

/// Two links of 1 m, level and stretched out, with 0.3 kg at the elbow and 1 kg at the end, and
/// motors of 0.01 kg·m²:
///
///     M = [[0.3 + 4 + 0.01, 2], [2, 1 + 0.01]] kg·m²
///
/// Beside a limp elbow the shoulder feels 4.31 − 4/1.01 = 0.350 kg·m²; the elbow beside a limp
/// shoulder 1.01 − 4/4.31 = 0.0819. By M alone both loops have 12.3 times the gain that they are
/// designed for.
constexpr double kShoulder = 4.31;
constexpr double kBetween = 2.0;
constexpr double kElbow = 1.01;

std::string two_links(double friction = 0.0) {
  return fmt::format(R"(
<mujoco model="two links">
  <option gravity="0 0 0"/>
  <default><joint armature="0.01" frictionloss="{}"/></default>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 0 1"/>
      <inertial pos="1 0 0" mass="0.3" diaginertia="1e-6 1e-6 1e-6"/>
      <body name="lower" pos="1 0 0">
        <joint name="elbow" axis="0 0 1"/>
        <inertial pos="1 0 0" mass="1" diaginertia="1e-6 1e-6 1e-6"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" ctrlrange="-40 40"/>
    <motor joint="elbow" ctrlrange="-40 40"/>
  </actuator>
</mujoco>)",
                     friction);
}

/// A robot in physics, of which some joints float.
struct Floating {
  explicit Floating(const RobotConfig& config)
      : rig(config, {}), client(rig.stack().config(), rig.stack().inbox(), "test") {
    rig.start();
    run(1);
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(500);
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  /// Runs, and gives the largest distance of a joint from its reference, and its largest speed.
  struct Peak {
    double off = 0.0;
    double speed = 0.0;
  };
  Peak watch(std::size_t k, int cycles) {
    Peak peak;
    for (int i = 0; i < cycles; ++i) {
      // The reference of a cycle is where the joint is to be two cycles later.
      const double wanted = joint(k).reference.q;
      rig.loop().step();
      peak.off = std::max(peak.off, std::abs(truth(k).q - wanted));
      peak.speed = std::max(peak.speed, std::abs(truth(k).v));
    }
    return peak;
  }
  [[nodiscard]] sim::JointTruth truth(std::size_t k) { return rig.sim()->truth(k); }
  [[nodiscard]] const JointSnapshot& joint(std::size_t k) {
    return rig.stack().snapshot().joints[k];
  }
  [[nodiscard]] const JointLimits& limits(std::size_t k) {
    return rig.stack().config().joints[k].limits;
  }

  app::Rig rig;
  RobotClient client;
};

struct TwoLinks : Floating {
  explicit TwoLinks(double friction = 0.0) : TwoLinks(odd::TempModel(two_links(friction))) {}
  explicit TwoLinks(const odd::TempModel& model)
      : Floating(app::load_robot(harness::find_robot(model.path())).config) {}
};

TEST(FreeJoints, AHeldJointGivesWhatTheTorqueOfAFloatingOneAsksOfIt) {
  for (const std::size_t limp : {1U, 0U}) {
    SCOPED_TRACE(limp);
    TwoLinks robot;
    const std::size_t held = 1 - limp;
    robot.client.set_mode(JointSet{}.set(limp), ModeRequest::kTorque);
    robot.run(100);
    constexpr double kTorque = 0.5;  // less than a cycle's rate
    const double own = limp == 1 ? kElbow : kShoulder;
    robot.client.send<StreamTorque>({{static_cast<JointIndex>(limp), {kTorque}}});
    robot.run(1);
    EXPECT_NEAR(robot.joint(limp).setpoint.tau, kTorque, 1e-9);
    // The held joint stands, M_rf a_f = M_rf / M_ff τ_f.
    EXPECT_NEAR(robot.joint(held).setpoint.tau, kBetween / own * kTorque, 1e-6);
    const double from = robot.truth(limp).q;
    double off = 0.0;
    for (int i = 0; i < 100; ++i) {
      robot.client.send<StreamTorque>({{static_cast<JointIndex>(limp), {kTorque}}});
      robot.run(1);
      off = std::max(off, std::abs(robot.truth(held).q - robot.joint(held).reference.q));
    }
    EXPECT_NEAR(robot.truth(limp).q - from, 0.5 * kTorque / own * 0.1 * 0.1,
                0.05 * 0.5 * kTorque / own * 0.1 * 0.1);
    EXPECT_LT(off, 1e-4) << "as if it were bolted";
  }
}

// Each way in which a joint can be limp: torque 0, no motor, a soft spring.
TEST(FreeJoints, AJointMovesAndStandsBesideOneThatNothingHolds) {
  for (const std::size_t limp : {1U, 0U}) {
    for (const ModeRequest mode :
         {ModeRequest::kTorque, ModeRequest::kIdle, ModeRequest::kPosition}) {
      SCOPED_TRACE(fmt::format("{} {}", limp, to_string(mode)));
      TwoLinks robot;
      const std::size_t held = 1 - limp;
      if (mode == ModeRequest::kPosition) {
        robot.client.set_interaction(JointSet{}.set(limp), InteractionMode::kCompliant);
      } else {
        robot.client.set_mode(JointSet{}.set(limp), mode);
      }
      robot.run(100);
      const double goal = robot.joint(held).reference.q + 0.3;
      robot.client.send<TimedMove>({{static_cast<JointIndex>(held), {goal, 1.0}}});
      // The path's peak is 15/8 · 0.3 rad/s; 2 cycles at that speed are 1.1 mrad.
      const Floating::Peak moved = robot.watch(held, 1300);
      EXPECT_LT(moved.off, 3e-3);
      EXPECT_LT(moved.speed, 1.05 * 15.0 / 8.0 * 0.3);
      const Floating::Peak stands = robot.watch(held, 1000);
      EXPECT_LT(stands.off, 1e-3);
      EXPECT_LT(stands.speed, 5e-3);
    }
  }
}

// A limp elbow with a friction of 5 N·m is carried along like a held one, up to 5 / 2 = 2.5 rad/s²
// of the shoulder.
TEST(FreeJoints, AnIdleJointThatItsFrictionHoldsCountsAsHeld) {
  for (const bool idle : {false, true}) {
    SCOPED_TRACE(idle);
    TwoLinks robot(5.0);
    if (idle) robot.client.set_mode(JointSet{}.set(1), ModeRequest::kIdle);
    robot.run(200);
    const double goal = robot.joint(0).reference.q + 0.2;
    robot.client.send<TimedMove>({{0, {goal, 1.0}}});
    // The path's peak is 10/√3 · 0.2 = 1.155 rad/s², at 0.211 s.
    double most = 0.0;
    double off = 0.0;
    for (int i = 0; i < 1500; ++i) {
      robot.run(1);
      const double a = std::abs(robot.truth(0).q - robot.joint(0).reference.q);
      off = std::max(off, a);
      if (i < 500) most = std::max(most, robot.joint(0).setpoint.tau);
    }
    // Beside its own friction of 5 N·m, which the law feeds forward. Beside a limp elbow it would
    // be 0.350 · 1.155. MuJoCo's friction lets the elbow creep.
    EXPECT_NEAR(most, kShoulder * 1.155 + 5.0, 0.25 * kShoulder * 1.155);
    EXPECT_LT(off, 2e-3);
    EXPECT_NEAR(robot.truth(1).q, 0.0, 0.01);
  }
}

// Between a held joint and a limp one nothing jumps, also where friction decides which it is.
TEST(FreeJoints, AnElbowThatIsLetGoAndCaughtDoesntMoveTheShoulder) {
  for (const double friction : {0.0, 0.3, 5.0}) {
    SCOPED_TRACE(friction);
    TwoLinks robot(friction);
    double off = 0.0;
    double step = 0.0;
    double before = robot.joint(0).setpoint.tau;
    for (int i = 0; i < 3000; ++i) {
      if (i % 600 == 100) robot.client.set_mode(JointSet{}.set(1), ModeRequest::kTorque);
      if (i % 600 == 400) robot.client.set_mode(JointSet{}.set(1), ModeRequest::kPosition);
      const bool is_limp = i % 600 > 100 && i % 600 < 400;
      // 2 Hz, through the friction and back.
      if (is_limp) robot.client.send<StreamTorque>({{1, {1.0 * std::sin(12.6e-3 * i)}}});
      robot.run(1);
      off = std::max(off, std::abs(robot.truth(0).q - robot.joint(0).reference.q));
      step = std::max(step, std::abs(robot.joint(0).setpoint.tau - before));
      before = robot.joint(0).setpoint.tau;
    }
    EXPECT_LT(off, 5e-3);
    EXPECT_LE(step, 1.001e-3 * robot.limits(0).tau_rate_max);
  }
}

TEST(FreeJoints, TheCycleAllocatesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  TwoLinks robot(0.3);
  robot.client.set_mode(JointSet{}.set(1), ModeRequest::kTorque);
  robot.run(100);
  RealtimeGuard guard;
  robot.run(1000);
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

/// The right arm of a Baxter (robosuite), whose upper arm turns about nearly the same axis by its
/// shoulder and by its elbow's twist: e0 beside a limp s0 feels a tenth of M_ii. With three cycles
/// of delay M_ii alone swings there by 1°, at 2 rad/s, for ever.
TEST(FreeJoints, TheTwistOfABaxtersElbowStandsBesideALimpShoulderWithAnyDelay) {
  const std::string folder = testing::package_folder("robosuite");
  if (folder.empty()) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  RobotConfig config =
      app::load_robot(harness::find_robot(folder + "/models/assets/robots/baxter/robot.xml"))
          .config;
  const auto index_of = [&](const std::string& name) {
    const auto is_it = [&](const JointConfig& joint) { return joint.name == name; };
    return static_cast<std::size_t>(
        std::find_if(config.joints.begin(), config.joints.end(), is_it) - config.joints.begin());
  };
  const std::vector<std::pair<std::string, double>> pose{
      // [degrees]
      {"right_s0", -66.0}, {"right_s1", -87.0}, {"right_e0", 17.0},  {"right_e1", 80.0},
      {"right_w0", -75.0}, {"right_w1", -54.0}, {"right_w2", -117.0}};
  for (const auto& [name, degrees] : pose) {
    ASSERT_LT(index_of(name), config.joints.size()) << name;
    config.joints[index_of(name)].q_start = degrees * std::numbers::pi / 180.0;
  }
  const std::size_t held = index_of("right_e0");
  for (const int delay : {1, 3}) {
    for (const ModeRequest mode : {ModeRequest::kTorque, ModeRequest::kIdle}) {
      SCOPED_TRACE(fmt::format("{} cycles, {}", delay, to_string(mode)));
      config.delay_cycles = delay;
      Floating arm(config);
      arm.client.set_mode(JointSet{}.set(index_of("right_s0")), mode);
      arm.run(200);
      const double q = arm.joint(held).reference.q;
      arm.client.send<TimedMove>({{static_cast<JointIndex>(held), {q - 0.087, 1.0}}});
      arm.run(1700);
      EXPECT_NEAR(arm.joint(held).reference.q, q - 0.087, 1e-9);
      const Floating::Peak stands = arm.watch(held, 300);
      EXPECT_LT(stands.off, 1e-3);
      EXPECT_LT(stands.speed, 0.02);
    }
  }
}

/// A published arm that floats, but for one joint, which is pushed aside by 5° and comes back.
void one_joint_of(const std::string& robot, const std::string& name) {
  const std::string folder = testing::package_folder("robosuite");
  if (folder.empty()) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  const std::string path = folder + "/models/assets/robots/" + robot + "/robot.xml";
  const RobotConfig config = app::load_robot(harness::find_robot(path)).config;
  const auto is_it = [&](const JointConfig& joint) { return joint.name == name; };
  const auto found = std::find_if(config.joints.begin(), config.joints.end(), is_it);
  ASSERT_NE(found, config.joints.end());
  const auto held = static_cast<std::size_t>(found - config.joints.begin());
  Floating arm(config);
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (i != held) arm.client.set_mode(JointSet{}.set(i), ModeRequest::kTorque);
  }
  arm.run(200);
  const Floating::Peak still = arm.watch(held, 500);
  EXPECT_LT(still.speed, 0.01);
  const double q = arm.joint(held).reference.q;
  const double way = q + 0.087 < found->limits.q_max - 0.05 ? 0.087 : -0.087;
  arm.client.send<TimedMove>({{static_cast<JointIndex>(held), {q + way, 2.0}}});
  const Floating::Peak moved = arm.watch(held, 2200);
  EXPECT_NEAR(arm.joint(held).reference.q, q + way, 1e-9);
  EXPECT_LT(moved.off, 0.1 * 0.087);
  const Floating::Peak stands = arm.watch(held, 300);
  EXPECT_LT(stands.off, 0.05 * 0.087);
  EXPECT_LT(stands.speed, 0.02);
}

TEST(FreeJoints, TheElbowOfAnIiwaBesideTheRestAfloat) { one_joint_of("iiwa", "joint_4"); }
TEST(FreeJoints, TheShoulderOfASawyerBesideTheRestAfloat) { one_joint_of("sawyer", "right_j1"); }
TEST(FreeJoints, TheShoulderOfSpotsArmBesideTheRestAfloat) { one_joint_of("spot_arm", "arm_sh1"); }
TEST(FreeJoints, TheElbowOfSpotsArmBesideTheRestAfloat) { one_joint_of("spot_arm", "arm_el0"); }

}  // namespace
}  // namespace jointrig
