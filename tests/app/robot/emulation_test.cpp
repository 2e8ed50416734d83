// The stack makes the drive modes that a board lacks: equal pendulums in one simulated world, each
// on a board with other drive modes, get the same command. Those whose loop is emulated go the way
// of the one whose board closes it natively, as far as physics lets them.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "app/robot/robot.h"
#include "app/robot/robot_core.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

using Values = std::vector<double>;

constexpr std::array kNames{"by_torque", "by_position", "by_velocity", "by_impedance"};
constexpr std::size_t kTorque = 0;
constexpr std::size_t kPosition = 1;
constexpr std::size_t kVelocity = 2;
constexpr std::size_t kImpedance = 3;
constexpr std::size_t kCount = kNames.size();
constexpr std::uint64_t kAll = (1U << kCount) - 1U;
constexpr const char* kBoards =
    "joints:\n"
    "  by_torque: {board: {drive_modes: [off, torque]}}\n"
    "  by_position: {board: {drive_modes: [off, position]}}\n"
    "  by_velocity: {board: {drive_modes: [off, velocity]}}\n"
    "  by_impedance: {board: {drive_modes: [off, position, impedance]}}\n";

constexpr double kFriction = 0.05;  // Coulomb's [N·m]
constexpr double kDt = 1e-3;        // [s]

std::string pendulums() {
  std::string bodies;
  std::string motors;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::string name = kNames[i];
    bodies += "<body name='link_" + name + "' pos='0 " + std::to_string(0.3 * i) +
              " 1'><joint name='" + name + "' axis='0 1 0' range='-2 2' armature='0.05'" +
              " frictionloss='" + std::to_string(kFriction) + "' actuatorfrcrange='-20 20'/>" +
              "<geom type='capsule' fromto='0 0 0 0 0 -0.3' size='0.02' mass='1'/></body>";
    motors += "<motor name='motor_" + name + "' joint='" + name + "'/>";
  }
  return "<mujoco><compiler angle='radian'/><worldbody>" + bodies + "</worldbody><actuator>" +
         motors + "</actuator></mujoco>";
}

Values of_all(double value) { return Values(kCount, value); }

/// Largest differences of two joints in a while.
struct Apart {
  double q = 0.0;  // [rad]
  double v = 0.0;  // [rad/s]
};

class Emulation : public testing::Test {
 protected:
  Emulation()
      : file(pendulums()),
        core(file.path(), {.backend = "sim", .settings = kBoards}),
        all(core, "all", JointSet(kAll)) {
    EXPECT_EQ(all.joint_names(), std::vector<std::string>(kNames.begin(), kNames.end()));
    all.set_position(all.commanded_position());
    run(0.5);
  }

  static void nothing() {}
  /// @param command  in each step
  void run(double seconds, const std::function<void()>& look = nothing,
           const std::function<void()>& command = nothing) {
    const double end = to_seconds(core.now().time_ns) + seconds - 1e-9;
    while (to_seconds(core.now().time_ns) < end) {
      core.begin_step();
      command();
      core.end_step();
      look();
    }
  }
  /// True positions and speeds: those of physics, not of the boards.
  sim::JointTruth truth(std::size_t joint) { return core.rig().plant()->joint(joint); }

  /// Runs, and compares each joint with the native one.
  std::array<Apart, kCount> run_beside(std::size_t native, double seconds,
                                       const std::function<void()>& command = nothing) {
    std::array<Apart, kCount> apart;
    const auto look = [&] {
      const sim::JointTruth own = truth(native);
      for (std::size_t i = 0; i < kCount; ++i) {
        apart[i].q = std::max(apart[i].q, std::abs(truth(i).q - own.q));
        apart[i].v = std::max(apart[i].v, std::abs(truth(i).v - own.v));
      }
    };
    run(seconds, look, command);
    return apart;
  }

  /// Distance from its goal at which friction keeps a joint, without an integrator [rad].
  [[nodiscard]] double rest() const { return kFriction / core.config().joints[kTorque].gains.kp; }

  /// A loop that isn't told of the acceleration a lags by I a/k. Critically damped at ω² = k/I its
  /// speed is off by a/(e ω) at most after a step of it; half of a/ω leaves room for an integrator.
  /// @param change  of the acceleration at once, by a_max: 2 from speeding up to slowing down
  void expect_lag(const std::array<Apart, kCount>& beside, double change = 1.0) const {
    const JointConfig& joint = core.config().joints[kTorque];
    const double a = change * joint.limits.a_max;
    const double omega = std::sqrt(joint.gains.kp / joint.gains.inertia);
    for (std::size_t i = 0; i < kCount; ++i) {
      EXPECT_LT(beside[i].q, a / (omega * omega) + rest()) << kNames[i];
      EXPECT_LT(beside[i].v, 0.5 * a / omega) << kNames[i];
    }
  }
  void expect_rest_at(double q) {
    for (std::size_t i = 0; i < kCount; ++i) {
      EXPECT_NEAR(truth(i).q, q, rest()) << kNames[i];
      EXPECT_NEAR(truth(i).v, 0.0, 1e-3) << kNames[i];
    }
  }

  odd::TempModel file;
  RobotCore core;
  RobotPart all;
};

TEST_F(Emulation, AVelocityMadeOfPositionsOrTorqueIsThatOfABoardThatHasIt) {
  const double v = 0.5;
  const double time = 1.0;
  all.set_velocity(of_all(v), time);
  const auto at_speed = run_beside(kVelocity, 0.2);
  expect_lag(at_speed);
  for (const Apart& apart : run_beside(kVelocity, 0.7)) EXPECT_LT(apart.v, 0.01 * v);
  expect_lag(run_beside(kVelocity, 1.5));
  for (std::size_t i = 0; i < kCount; ++i) {
    // Both ramps are alike: the way is v T.
    EXPECT_NEAR(truth(i).q, v * time, rest()) << kNames[i];
    EXPECT_NEAR(truth(i).v, 0.0, 1e-3) << kNames[i];
  }
}

TEST_F(Emulation, AMotionMadeOfTorqueOrVelocityIsThatOfABoardThatTakesPositions) {
  all.move_to(of_all(-0.4));
  expect_lag(run_beside(kPosition, 2.5));
  expect_rest_at(-0.4);
  all.set_piecewise_cubic({1.0, 2.5}, {of_all(0.5), of_all(0.0)}, {of_all(0.1), of_all(0.0)});
  expect_lag(run_beside(kPosition, 3.5));
  expect_rest_at(0.0);
}

TEST_F(Emulation, APositionMadeOfTorqueOrVelocityIsThatOfABoardThatTakesIt) {
  all.set_position(of_all(0.2));
  run(3.0);
  expect_rest_at(0.2);
}

TEST_F(Emulation, SamplesOfAPathMadeOfTorqueOrVelocityAreThoseOfABoardThatTakesPositions) {
  const double size = 0.3;
  const double w = 3.0;  // [rad/s]
  const double start = to_seconds(core.now().time_ns);
  double highest = 0.0;
  const auto command = [&] {
    const double angle = w * (to_seconds(core.now().time_ns) - start);
    all.set_pid(of_all(0.5 * size * (1.0 - std::cos(angle))),
                of_all(0.5 * size * w * std::sin(angle)),
                of_all(0.5 * size * w * w * std::cos(angle)));
    highest = std::max(highest, truth(kPosition).q);
  };
  expect_lag(run_beside(kPosition, 2.0 * std::numbers::pi / w, command));
  EXPECT_NEAR(highest, size, 0.02) << "it was that path";
  all.set_position(of_all(0.0));
  run(1.0);
  expect_rest_at(0.0);
}

TEST_F(Emulation, ATrajectoryMadeOfTorqueOrVelocityIsThatOfABoardThatTakesPositions) {
  all.follow({{.q = of_all(-0.3)}, {.q = of_all(-0.5), .speed = 0.5}, {.q = of_all(0.1)}});
  expect_lag(run_beside(kPosition, 3.0), 2.0);
  expect_rest_at(0.1);
}

TEST_F(Emulation, TargetsMadeOfTorqueOrVelocityAreThoseOfABoardThatHasTheLoop) {
  TargetOptions bounds;
  bounds.speed = of_all(0.8);
  all.set_target(of_all(0.4), bounds);
  expect_lag(run_beside(kPosition, 0.3), 2.0);
  all.set_target(of_all(-0.2), bounds);  // replaced on its way
  expect_lag(run_beside(kPosition, 2.5), 2.0);
  expect_rest_at(-0.2);

  const double v = 0.5;
  const auto renewed = [&] { all.set_velocity_target(of_all(v)); };
  expect_lag(run_beside(kVelocity, 0.3, renewed), 2.0);
  for (const Apart& apart : run_beside(kVelocity, 0.5, renewed)) EXPECT_LT(apart.v, 0.02 * v);
}

TEST_F(Emulation, ASpringMadeOfTorqueGivesWayAsThatOfABoardThatHasOne) {
  const double stiffness = 20.0;  // [N·m/rad]
  const double push = 2.0;        // [N·m]
  core.release(JointSet(kAll));   // of the position that it holds
  core.enter(JointSet(kAll), ControlMode::kPosition);
  const JointSet soft = JointSet().set(kTorque).set(kImpedance);
  SetImpedance spring;
  spring.joints = soft;
  for (int i = 0; i < 2; ++i) spring.values.push_back({stiffness, 1.5});
  core.post(spring, soft);
  core.post(SetInteraction{soft, InteractionMode::kCompliant}, soft);
  run(0.5);
  for (std::size_t i = 0; i < kCount; ++i) {
    sim::Wrench wrench;
    wrench.joint = static_cast<int>(i);
    wrench.along = push;
    ASSERT_TRUE(core.rig().plant()->apply(wrench));
  }
  const Apart apart = run_beside(kImpedance, 2.0)[kTorque];
  // The stack's torque acts two cycles later; neither gives way faster than 1 rad/s.
  EXPECT_LT(apart.q, 2.0 * kDt);
  for (const std::size_t i : {kTorque, kImpedance}) {
    EXPECT_NEAR(truth(i).q, push / stiffness, kFriction / stiffness) << kNames[i];
  }
  for (const std::size_t i : {kPosition, kVelocity})
    EXPECT_LT(truth(i).q, 0.01) << "they are stiff";

  const JointSet hard = JointSet().set(kPosition).set(kVelocity);
  core.post(SetInteraction{hard, InteractionMode::kCompliant}, hard);
  EXPECT_THROW(run(0.01), Refused) << "positions or velocities alone make no spring";
}

}  // namespace
}  // namespace jointrig
