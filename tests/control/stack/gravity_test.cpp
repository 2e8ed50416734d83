// Another direction of gravity while the robot runs: torques judged by the potential energy of the
// model's bodies, and by the springs of an arm that hangs on a wall.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "control/discovery/discovery.h"
#include "control/model/mjcf.h"
#include "control/model/model_files.h"
#include "harness/log/event_text.h"
#include "tests/control/stack/franka_in_physics.h"
#include "tests/support/standing_arm.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

using Vector = std::array<double, 3>;
constexpr std::size_t kArmJoints = 7;
constexpr Vector kUpright{0.0, 0.0, -9.81};
constexpr Vector kOnWall{9.81, 0.0, 0.0};

RobotConfig franka() {
  RobotConfig config = app::load_robot(harness::find_robot("franka")).config;
  config.plant.friction_scale = 0.0;
  return config;
}

/// −Σ m g·x of the bodies of the MJCF.
double potential(const mjModel& m, mjData& d, const Vector& g) {
  mj_kinematics(&m, &d);
  double energy = 0.0;
  for (int body = 1; body < m.nbody; ++body) {
    energy -= m.body_mass[body] * mju_dot3(g.data(), d.xipos + 3 * body);
  }
  return energy;
}

/// ∂E/∂q of the joints of the arm by central differences, with all joints where they are.
std::vector<double> slopes(const RobotConfig& robot, const Snapshot& now, const Vector& g) {
  const Mjcf mjcf = load_mjcf(robot.model_path);
  const mjModel& m = *mjcf.as_written;
  const DataPtr d = make_data(m, robot.model_path);
  std::vector<int> places;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const int id = mj_name2id(&m, mjOBJ_JOINT, robot.joints[i].name.c_str());
    places.push_back(m.jnt_qposadr[id]);
    d->qpos[places.back()] = now.joints[i].state.q;
  }
  for (int e = 0; e < m.neq; ++e) {  // the other finger
    if (m.eq_type[e] != mjEQ_JOINT) continue;
    const double leader = d->qpos[m.jnt_qposadr[m.eq_obj2id[e]]];
    d->qpos[m.jnt_qposadr[m.eq_obj1id[e]]] =
        m.eq_data[mjNEQDATA * e] + m.eq_data[mjNEQDATA * e + 1] * leader;
  }
  std::vector<double> found;
  for (std::size_t i = 0; i < kArmJoints; ++i) {
    constexpr double kStep = 1e-5;
    double& q = d->qpos[places[i]];
    const double at = q;
    q = at + kStep;
    const double above = potential(m, *d, g);
    q = at - kStep;
    const double below = potential(m, *d, g);
    q = at;
    found.push_back((above - below) / (2.0 * kStep));
  }
  return found;
}

struct Standing : testing::StandingArm {
  explicit Standing(const RobotConfig& robot = franka(), bool boards_have_gravity = false)
      : StandingArm(robot, [&](JointCapabilities& board) {
          board.compensates_gravity = boards_have_gravity;
        }) {
    run(1);
  }
  /// The sentence of the refusal, or nothing.
  std::string answer(const Vector& gravity) {
    events(EventKind::kRejected);
    client.post(SetGravity{gravity});
    run(1);
    for (const Event& e : events(EventKind::kRejected)) return harness::sentence(e, config, "test");
    return {};
  }
  [[nodiscard]] double torque(std::size_t joint) const {
    return stack.snapshot().joints[joint].effort.gravity;
  }
};

TEST(Gravity, TorquesAreTheSlopesOfThePotentialEnergyInTheDirectionThatTheRobotWasTold) {
  Standing arm;
  for (const Vector& told : {kOnWall, Vector{-3.0, 5.0, 7.0}, Vector{}, kUpright}) {
    ASSERT_EQ(arm.answer(told), "");
    arm.run(500);
    EXPECT_EQ(arm.stack.snapshot().gravity, told);
    const std::vector<double> wanted = slopes(arm.config, arm.stack.snapshot(), told);
    for (std::size_t i = 0; i < kArmJoints; ++i) {
      EXPECT_NEAR(arm.torque(i), wanted[i], 1e-6) << i;
    }
  }
}

TEST(Gravity, EachTorqueGoesToItsNewOneAlongAStraightLineInHalfASecond) {
  Standing arm;
  constexpr std::size_t kShoulder = 1;
  const double before = arm.torque(kShoulder);
  arm.client.post(SetGravity{kOnWall});
  std::vector<double> way;
  for (int n = 0; n < 600; ++n) {
    arm.run(1);
    way.push_back(arm.torque(kShoulder));
  }
  const double after = way.back();
  ASSERT_GT(std::abs(after - before), 5.0);
  for (std::size_t n = 0; n < way.size(); ++n) {
    const double share = std::min(1e-3 * static_cast<double>(n + 1) / kGravityTurns, 1.0);
    EXPECT_NEAR(way[n], before + share * (after - before), 1e-9) << n;
  }
}

class RestoredGravity : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Gravity, RestoredGravity, ::testing::Values(200, 700));

TEST_P(RestoredGravity, AStackThatIsRestoredOnTheWayOrBehindItGoesOnToTheBit) {
  Standing arm;
  arm.client.set_mode(arm.client.select("all"), ModeRequest::kTorque);
  arm.client.post(SetGravity{kOnWall});
  arm.run(GetParam());
  Stack other(arm.config, Standing::boards_of(arm.config, {}),
              std::make_unique<RobotModel>(arm.config));
  other.restore(arm.stack.state());
  RobotCommand command;
  for (int n = 0; n < 600; ++n) {
    arm.run(1);
    other.cycle(arm.state, command);
    ASSERT_EQ(command, arm.command) << n;
    ASSERT_EQ(other.snapshot().gravity, arm.stack.snapshot().gravity) << n;
  }
}

TEST(Gravity, ADirectionThatCantBeMeantIsRefusedInASentence) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Standing arm;
  EXPECT_EQ(arm.answer({12.0, 0.0, -16.0}), "") << "20 m/s²";
  const auto expect_said = [](const std::string& said, const std::string& part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  expect_said(arm.answer({12.1, 0.0, -16.0}),
              "a gravity of 20.0602 m/s² is out of range; give a vector of at most 20 m/s²");
  expect_said(arm.answer({0.0, kNan, 0.0}), "its gravity along y is nan; send finite numbers");
  arm.run(600);
  EXPECT_EQ(arm.stack.snapshot().gravity, (Vector{12.0, 0.0, -16.0})) << "what was taken stays";

  Standing of_boards(franka(), true);
  expect_said(of_boards.answer(kOnWall), "panda_joint1: rejected set_gravity");
  expect_said(
      of_boards.answer(kOnWall),
      "(unsupported): its board compensates gravity by itself, and goes on in the direction");
  EXPECT_EQ(of_boards.stack.snapshot().gravity, kUpright);
}

TEST(Gravity, ARobotWhoseBaseFloatsIsToldByItsModelAlone) {
  const odd::TempModel file(R"(<mujoco><worldbody><body pos="0 0 1"><freejoint/>
      <geom type="box" size=".1 .1 .1"/>
      <body name="arm"><joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body>
    </body></worldbody><actuator><motor joint="elbow" ctrlrange="-9 9"/></actuator></mujoco>)");
  const std::string said = Standing(discover(file.path(), {}).config).answer(kOnWall);
  EXPECT_NE(said.find("the robot's base floats, and is known in the world"), std::string::npos)
      << said;
  const RobotConfig bolted = discover(file.path(), {.keyframe = {}, .pin_base = true}).config;
  EXPECT_EQ(Standing(bolted).answer(kOnWall), "");
}

/// The arm in physics on a wall, each joint on a spring; the controller is told something else.
struct OnWall : testing::FrankaInPhysics {
  OnWall() : FrankaInPhysics(config()) {
    client.set_interaction(client.select("arm"), InteractionMode::kCompliant);
    client.set_impedance(client.select("arm"), kStiffness, kDamping);
    run(1000);
  }
  static RobotConfig config() {
    RobotConfig robot = franka();
    robot.gravity = kOnWall;
    robot.avoidance.reset();  // springs give way
    robot.detection.reset();
    return robot;
  }
  void tell(const Vector& gravity) {
    client.post(SetGravity{gravity});
    run(6000);
  }
  [[nodiscard]] double off(std::size_t joint) {
    const JointSnapshot& j = now().joints[joint];
    return j.state.q - j.reference.q;
  }
  static constexpr double kStiffness = 200.0;  // N·m/rad
  static constexpr double kDamping = 20.0;     // N·m·s/rad
};

TEST(Gravity, AnArmOnAWallSagsByTheTorqueThatItWasNotToldOfOverItsStiffnessAndHoldsOnceItIs) {
  OnWall arm;
  std::array<double, kArmJoints> right{};
  for (std::size_t i = 0; i < kArmJoints; ++i) {
    right[i] = arm.off(i);
    EXPECT_LT(std::abs(right[i]), 1e-4) << i;
  }
  arm.tell(kUpright);
  const RobotConfig robot = OnWall::config();
  const std::vector<double> acts = slopes(robot, arm.now(), kOnWall);
  const std::vector<double> told = slopes(robot, arm.now(), kUpright);
  double most = 0.0;
  for (std::size_t i = 0; i < kArmJoints; ++i) {
    const double sag = (told[i] - acts[i]) / OnWall::kStiffness;
    EXPECT_NEAR(arm.off(i), sag, 1e-3 + 0.02 * std::abs(sag)) << i;
    most = std::max(most, std::abs(sag));
  }
  EXPECT_GT(most, 0.05) << "rad";

  arm.tell(kOnWall);
  for (std::size_t i = 0; i < kArmJoints; ++i) EXPECT_NEAR(arm.off(i), right[i], 1e-5) << i;
}

}  // namespace
}  // namespace jointrig
