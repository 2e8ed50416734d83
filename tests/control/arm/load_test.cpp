/// A load that an arm is told of: on the Franka arm in physics, where the load is a body of MuJoCo.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/control/stack/franka_in_physics.h"

namespace jointrig {
namespace {

constexpr std::size_t kLast = 6;  // joint 7, about the tool's axis

/// A plate across the flange: most of its inertia is about the last joint's axis.
const KnownPayload kPlate{2.0, {0.02, -0.01, 0.05}, {0.06, 0.07, 0.12, 0.005, 0.0, 0.0}};

/// Franka without friction, whose hand really carries the load.
RobotConfig loaded(const KnownPayload& load, double mass_scale = 1.0) {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.plant.friction_scale = 0.0;
  config.plant.mass_scale = mass_scale;
  if (load.mass == 0.0) return config;
  PayloadConfig body;
  body.body = "panda_hand";
  body.mass = load.mass;
  const double to_flange = 0.1034;  // of the tool's site on the hand, along z
  body.centre = {load.centre[0], load.centre[1], load.centre[2] + to_flange};
  body.inertia = load.inertia;
  config.plant.payloads.push_back(body);
  return config;
}

RobotConfig told(RobotConfig config, const KnownPayload& load) {
  config.arms[0].payload = load;
  return config;
}

struct Loaded : testing::FrankaInPhysics {
  explicit Loaded(const RobotConfig& config)
      : FrankaInPhysics(config), reader(rig.stack().events()) {}

  void move(std::size_t joint, double by, double duration) {
    client.send<TimedMove>({{static_cast<JointIndex>(joint), {q(joint) + by, duration}}});
  }
  double q(std::size_t joint) { return now().joints[joint].state.q; }
  std::vector<Event> events(EventKind kind) {
    std::vector<Event> found;
    for (Event e; reader.next(e);) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }

  EventRing::Reader reader;
};

/// The largest error of the last joint in a quick move [rad].
double error_of_a_move(const RobotConfig& config) {
  Loaded robot(config);
  robot.move(kLast, 0.8, 0.8);
  double worst = 0.0;
  for (int n = 0; n < 1200; ++n) {
    robot.run(1);
    const JointSnapshot& joint = robot.now().joints[kLast];
    worst = std::max(worst, std::abs(joint.reference.q - joint.state.q));
  }
  return worst;
}

TEST(Load, ToldWithItsInertiaIsMovedAsExactlyAsNone) {
  KnownPayload point = kPlate;
  point.inertia = {};
  const double bare = error_of_a_move(loaded({}));
  const double as_point = error_of_a_move(told(loaded(kPlate), point));
  const double whole = error_of_a_move(told(loaded(kPlate), kPlate));
  EXPECT_LT(whole, 1.5 * bare + 1e-5);
  EXPECT_GT(as_point, 3.0 * whole) << "what is told matters: " << bare;
}

TEST(Load, ToldWithItsInertiaIsNoExternalTorqueInMotion) {
  const auto worst = [](const RobotConfig& config) {
    Loaded robot(config);
    for (const std::size_t joint : {3U, 4U, 5U, 6U}) robot.move(joint, joint == 3 ? 0.5 : 0.8, 0.8);
    double most = 0.0;
    for (int n = 0; n < 900; ++n) {
      robot.run(1);
      for (std::size_t i = 0; i < 7; ++i) {
        most = std::max(most, std::abs(robot.now().joints[i].effort.external));
      }
    }
    return most;
  };
  KnownPayload point = kPlate;
  point.inertia = {};
  const double bare = worst(loaded({}));
  const double whole = worst(told(loaded(kPlate), kPlate));
  EXPECT_LT(whole, 1.5 * bare + 0.05);
  EXPECT_GT(worst(told(loaded(kPlate), point)), 1.6 * whole) << bare;
}

/// 1.5 rad/s about the plate's axis: 0.27 N·m·s come into the momentum, and no torque did that.
TEST(Load, ToldInMotionIsNoBlowToTheStiffLaw) {
  Loaded robot(loaded(kPlate));
  robot.move(kLast, -1.6, 2.0);
  robot.run(1000);
  robot.client.post(SetPayload{0, kPlate.mass, kPlate.centre, kPlate.inertia});
  double worst = 0.0;
  for (int n = 0; n < 150; ++n) {
    robot.run(1);
    const JointSnapshot& joint = robot.now().joints[kLast];
    worst = std::max(worst, std::abs(joint.reference.q - joint.state.q));
  }
  EXPECT_LT(worst, 1e-3) << worst;
}

TEST(Load, IsCarriedByJointsBeforeTheArmToo) {
  RobotConfig config = told(loaded(kPlate), kPlate);
  ArmConfig& arm = config.arms[0];
  arm.joints = {2, 3, 4, 5, 6};
  arm.posture_weights.assign(5, 1.0);
  arm.friction.resize(5);
  Loaded robot(config);
  robot.run(2000);
  const JointSnapshot& shoulder = robot.now().joints[1];
  // 2 kg * 9.81 m/s² * 0.33 m; missing, the servo would hold 6 N·m by an error of some mrad.
  EXPECT_NEAR(shoulder.reference.q, shoulder.state.q, 2e-4);
  EXPECT_NEAR(shoulder.setpoint.tau, shoulder.effort.gravity - 6.4, 0.7);
}

/// Weight of the plate at the shoulder: 2 kg * 9.81 m/s² * 0.33 m of lever, in 100 cycles.
constexpr double kBlended = 6.5 / 100.0;
constexpr double kNoise = 0.3;  // of a stiff hold, by the encoders' steps [N·m a cycle]

class ChangeOfLoad : public ::testing::TestWithParam<ModeRequest> {};

TEST_P(ChangeOfLoad, IsBlendedAndTheArmStaysWhereItIs) {
  Loaded robot(loaded(kPlate));
  robot.client.set_mode(robot.client.select("arm"), GetParam());
  robot.run(2000);
  robot.events(EventKind::kLoadChanged);
  std::array<double, 7> before{};
  for (std::size_t i = 0; i < 7; ++i) before[i] = robot.q(i);
  const ToolPose tool = robot.arm().tool;
  const bool holds = GetParam() == ModeRequest::kPosition;
  robot.client.post(SetPayload{0, kPlate.mass, kPlate.centre, kPlate.inertia});
  EXPECT_LT(robot.hardest_step(99), kNoise + kBlended);
  EXPECT_EQ(robot.arm().payload, kPlate) << "told at once";
  EXPECT_TRUE(robot.events(EventKind::kLoadChanged).empty()) << "not before it counts whole";
  EXPECT_LT(robot.hardest_step(500), kNoise + kBlended);
  const std::vector<Event> changes = robot.events(EventKind::kLoadChanged);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].arm, 0);
  EXPECT_EQ(changes[0].value, 2.0);
  EXPECT_EQ(changes[0].limit, 0.0);
  robot.run(2000);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(robot.now().joints[i].effort.external, 0.0, 0.1) << i;
    if (holds) {
      EXPECT_NEAR(robot.q(i), before[i], 1e-3) << i;
    }
  }
  // A spring of 600 N/m had sagged by the weight, 32.7 mm, and is relaxed now.
  if (!holds) {
    EXPECT_NEAR(robot.arm().tool.position[2] - tool.position[2], 2.0 * 9.81 / 600, 2e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, ChangeOfLoad,
                         ::testing::Values(ModeRequest::kPosition, ModeRequest::kCartesian));

TEST(Load, ThatIsTakenWhileToldIsHeldByTheJoints) {
  // Nothing is there, and 2 kg are told: the observer of the stiff law takes it off again.
  Loaded robot(loaded({}));
  const double q = robot.q(1);
  robot.client.post(SetPayload{0, kPlate.mass, kPlate.centre, kPlate.inertia});
  double worst = 0.0;
  for (int n = 0; n < 2000; ++n) {
    robot.run(1);
    worst = std::max(worst, std::abs(robot.q(1) - q));
  }
  EXPECT_LT(worst, 3e-3);
  EXPECT_NEAR(robot.q(1), q, 2e-4);
}

TEST(Load, ToldDuringATareStartsItAgain) {
  Loaded robot(loaded(kPlate));
  robot.client.post(TareForceSensor{0});
  robot.run(50);
  ASSERT_TRUE(robot.arm().forces.taring);
  robot.client.post(SetPayload{0, kPlate.mass, kPlate.centre, kPlate.inertia});
  robot.run(150);
  EXPECT_TRUE(robot.arm().forces.taring) << "its samples of before don't count";
  robot.run(1000);
  EXPECT_FALSE(robot.arm().forces.taring);
  // Its weight is known, so that nothing is left to be a bias but the settling of the arm; half of
  // the weight would be 9.8 N.
  for (const double bias : robot.arm().forces.bias) EXPECT_NEAR(bias, 0.0, 0.5);
  for (const double sensed : robot.arm().forces.sensed) EXPECT_NEAR(sensed, 0.0, 0.5);
}

}  // namespace
}  // namespace jointrig
