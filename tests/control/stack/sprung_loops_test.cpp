/// A joint that carries a leaf spring in a kinematic loop: its references feel the spring standing,
/// its feedback feels it free (computed_torque.h). The judge is the physics.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/joint/joint_control.h"
#include "control/laws/servo_law.h"
#include "sim/sim_backend.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

/// A motor with its crank, a leaf spring, and a parallelogram that stays as it is: two inertias on
/// a spring, by hand
///
///     J_1 = 0.02 + 0.01 + 1.2 · 0.15²                               = 0.057 kg·m²
///     J_2 = 0.001 + 0.1 · 0.3² + 2 · 0.3² + 0.007 + 0.8 · 0.15²     = 0.215 kg·m²
///     I(s) = J_1 + J_2 k / (k + d s + J_2 s²)
constexpr double kMotor = 0.057;
constexpr double kBehind = 0.215;
constexpr double kStiffness = 1500.0;  // [N·m/rad]: it swings at 84 rad/s

std::string leg(double damping) {
  return fmt::format(R"(
<mujoco model="leg">
  <compiler angle="radian"/>
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="crank">
      <inertial pos="0 0 0.15" mass="1.2" diaginertia="0.01 0.01 0.001"/>
      <joint name="crank" axis="0 1 0" range="-1.2 1.2" armature="0.02"/>
      <body name="leaf">
        <inertial pos="0 0 0.3" mass="0.1" diaginertia="0.001 0.001 0.001"/>
        <joint name="leaf" axis="0 1 0" stiffness="{}" damping="{}"/>
        <body name="coupler" pos="0 0 0.3">
          <inertial pos="0.25 0 0" mass="2" diaginertia="0.001 0.05 0.05"/>
          <joint name="coupler" axis="0 1 0"/>
        </body>
      </body>
    </body>
    <body name="rocker" pos="0.5 0 0">
      <inertial pos="0 0 0.15" mass="0.8" diaginertia="0.007 0.007 0.001"/>
      <joint name="rocker" axis="0 1 0"/>
    </body>
  </worldbody>
  <equality>
    <connect body1="coupler" body2="rocker" anchor="0.5 0 0"/>
  </equality>
  <actuator>
    <motor name="crank" joint="crank" ctrlrange="-40 40"/>
  </actuator>
</mujoco>)",
                     kStiffness, damping);
}

struct Leg {
  /// @param bandwidth_hz  of the law; 0: its default
  explicit Leg(double damping, double bandwidth_hz = 0.0)
      : rig(config(odd::TempModel(leg(damping)), bandwidth_hz), {}),
        client(rig.stack().config(), rig.stack().inbox(), "test") {
    rig.start();
    run(1);
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(300);
  }

  static RobotConfig config(const odd::TempModel& model, double bandwidth_hz) {
    RobotConfig robot = app::load_robot(harness::find_robot(model.path())).config;
    robot.joints[0].gains.bandwidth_hz = bandwidth_hz;
    return robot;
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  [[nodiscard]] double q() { return rig.sim()->truth(0).q; }
  [[nodiscard]] const JointSnapshot& joint() { return rig.stack().snapshot().joints[0]; }
  [[nodiscard]] const JointLimits& limits() { return rig.stack().config().joints[0].limits; }

  app::Rig rig;
  RobotClient client;
};

/// With the springs free in both places the crank would lag by
///
///     e = (I(0) − J_1) a / (J_1 ω²)
TEST(SprungLoops, AReferenceOfConstantAccelerationIsFollowedByTheInertiaOfTheStandingSpring) {
  constexpr double kA = 2.0;       // [rad/s²]
  constexpr double kSettle = 0.3;  // [s]
  constexpr double kEnd = 0.6;     // [s]
  Leg leg(4.0);                    // its spring comes to rest meanwhile
  const double from = leg.q() - 0.3;
  leg.client.send<TimedMove>({{0, {from, 1.0}}});
  leg.run(1800);
  leg.client.set_mode(leg.client.select("all"), ModeRequest::kPositionDirect);
  leg.run(100);
  double torque = 0.0;
  double error = 0.0;
  int count = 0;
  for (int i = 0; i < static_cast<int>(kEnd * 1000); ++i) {
    const double t = 1e-3 * i;
    leg.client.send<StreamTrajectory>({{0, {.q = from + kA * t * t / 2.0, .v = kA * t, .a = kA}}});
    // The reference of a cycle is where the joint is to be two cycles later.
    const double wanted = leg.joint().reference.q;
    leg.run(1);
    if (t < kSettle) continue;
    torque += leg.joint().setpoint.tau;
    error += wanted - leg.q();
    ++count;
  }
  EXPECT_NEAR(torque / count, (kMotor + kBehind) * kA, 0.03 * (kMotor + kBehind) * kA);
  JointCapabilities board;
  board.senses_velocity = true;
  const JointConfig& config = leg.rig.stack().config().joints[0];
  const double w = servo_design(loop_time(config, board, 1e-3, 1), config).w;
  EXPECT_LT(std::abs(error / count), 0.2 * kBehind * kA / (kMotor * w * w));
}

/// Largest share of the way by which the crank passes its goal within 1.2 s.
template <typename Lead>
double overshoot(Leg& leg, double goal, const Lead& lead) {
  const double from = leg.q();
  double most = 0.0;
  for (int i = 0; i < 1200; ++i) {
    lead(i);
    leg.run(1);
    most = std::max(most, (leg.q() - goal) / (goal - from));
  }
  return most;
}

// The highest bandwidth is where, in a linear model of the loop, a feedback that counts with the
// standing spring swings up.
TEST(SprungLoops, AMoveAndAHeldSampleOvershootByLessThanFivePercent) {
  for (const double bandwidth_hz : {0.0, 8.7}) {
    SCOPED_TRACE(bandwidth_hz);
    Leg moves(0.1, bandwidth_hz);
    const double goal = moves.q() + 0.1745;
    const double moved = overshoot(moves, goal, [&](int i) {
      const double speed = 0.5 * moves.limits().v_max;
      if (i == 0) moves.client.send<Move>({{0, {goal, speed}}});
    });
    EXPECT_LT(moved, 0.05);

    Leg held(0.1, bandwidth_hz);
    held.client.set_mode(held.client.select("all"), ModeRequest::kPositionDirect);
    held.run(50);
    const double sample = held.q() + 0.95 * held.limits().step_max;
    EXPECT_LT(overshoot(held, sample,
                        [&](int) {
                          held.client.send<StreamPosition>({{0, {sample}}});
                        }),
              0.05);
  }
}

}  // namespace
}  // namespace jointrig
