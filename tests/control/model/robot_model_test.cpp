#include "control/model/robot_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "control/discovery/discovery.h"
#include "control/model/bare_model.h"
#include "tests/support/odd_arms.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kG = 9.81;

/// A model from text, its configuration discovered.
struct Rig {
  explicit Rig(const std::string& xml, bool pin = false)
      : file(xml),
        robot(discover(file.path(), {.keyframe = {}, .pin_base = pin}).config),
        model(robot) {}

  void move_to(const std::vector<double>& q) {
    RobotState state;
    state.joints.resize(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) state.joints[i].q = q[i];
    state.base = base;
    model.update(state);
  }

  odd::TempModel file;
  RobotConfig robot;
  RobotModel model;
  BaseState base;
};

RobotState with(const std::vector<double>& q) {
  RobotState state;
  state.joints.resize(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) state.joints[i].q = q[i];
  return state;
}

TEST(RobotModel, HoldsAPendulumWithItsWeightTimesItsLever) {
  RobotConfig robot = discover("tests/control/model/pendulum.xml").config;
  RobotModel model(robot);
  for (const double q : {0.0, 0.3, M_PI / 2, 2.5, -1.1}) {
    model.update(with({q}));
    // Turned by q about +y the rod, 0.25 m below the hinge, is at x = -0.25 sin q.
    EXPECT_NEAR(model.gravity(0), 2.0 * kG * 0.25 * std::sin(q), 1e-12) << q;
  }
}

TEST(RobotModel, HoldsAPendulumOnAWallWithItsWeightTimesItsLever) {
  // The world's x axis of the model points down: the rod, at z = -0.25 cos q, hangs along x for
  // q = -90 degrees.
  RobotConfig robot =
      discover("tests/control/model/pendulum.xml", {.gravity = {{kG, 0.0, 0.0}}}).config;
  ASSERT_TRUE(robot.gravity.has_value());
  RobotModel model(robot);
  for (const double q : {0.0, 0.3, -M_PI / 2, 2.5, -1.1}) {
    model.update(with({q}));
    EXPECT_NEAR(model.gravity(0), 2.0 * kG * 0.25 * std::cos(q), 1e-12) << q;
  }
}

TEST(RobotModel, PinnedBaseKeepsTheGravityOfItsFile) {
  Rig rig(odd::kThreeLinks);
  const double upright = rig.model.gravity(0);
  RobotConfig hanging = rig.robot;
  hanging.gravity = {{0.0, 0.0, kG}};
  EXPECT_NEAR(RobotModel(hanging).gravity(0), -upright, 1e-12);
  hanging.pin_base = true;  // compiled anew
  EXPECT_NEAR(RobotModel(hanging).gravity(0), -upright, 1e-12);
}

TEST(RobotModel, HoldsTheStartBeforeTheFirstUpdate) {
  Rig rig(odd::kThreeLinks);
  const double before = rig.model.gravity(0);
  rig.move_to({0.1, -0.2, 0.5});  // the keyframe "home"
  EXPECT_NE(before, 0.0);
  EXPECT_EQ(rig.model.gravity(0), before);
}

TEST(RobotModel, AModelWhoseGravityIsSetAnewHasTheTorquesOfOneThatWasLoadedWithIt) {
  Rig rig(odd::kSpringyChain);
  RobotConfig other = rig.robot;
  other.gravity = {{-4.0, 3.0, 5.0}};
  RobotModel loaded(other);
  rig.model.set_free_fall({-4.0, 3.0, 5.0});
  const std::vector<double> q{0.3, -0.7, 1.1};
  rig.move_to(q);
  loaded.update(with(q));
  for (JointIndex i = 0; i < q.size(); ++i) EXPECT_EQ(rig.model.gravity(i), loaded.gravity(i)) << i;
  EXPECT_EQ(rig.model.free_fall(), loaded.free_fall());
}

/// Energy of gravity, springs and gravity compensation, from the plant's side.
double potential(const std::string& path, const std::vector<double>& q) {
  const Mjcf mjcf = load_mjcf(path);
  mjModel& m = *mjcf.as_written;
  const DataPtr d = make_data(m, path);
  mju_copy(d->qpos, q.data(), static_cast<int>(m.nq));
  mj_kinematics(&m, d.get());
  double energy = 0.0;
  for (int b = 1; b < m.nbody; ++b) {
    energy -=
        m.body_mass[b] * (1.0 - m.body_gravcomp[b]) * mju_dot3(m.opt.gravity, d->xipos + 3 * b);
  }
  for (int j = 0; j < m.njnt; ++j) {
    const double stretch = q[static_cast<std::size_t>(j)] - m.qpos_spring[j];
    energy += 0.5 * m.jnt_stiffness[j] * stretch * stretch;
  }
  return energy;
}

TEST(RobotModel, HoldingTorqueIsTheSlopeOfThePotentialEnergy) {
  Rig rig(odd::kSpringyChain);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> position(-1.5, 1.5);
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> q{position(random), position(random), position(random)};
    rig.move_to(q);
    for (std::size_t i = 0; i < q.size(); ++i) {
      constexpr double kStep = 1e-5;
      std::vector<double> above = q;
      std::vector<double> below = q;
      above[i] += kStep;
      below[i] -= kStep;
      const double slope =
          (potential(rig.file.path(), above) - potential(rig.file.path(), below)) / (2.0 * kStep);
      EXPECT_NEAR(rig.model.gravity(static_cast<JointIndex>(i)), slope, 1e-6);
    }
  }
}

/// ½ vᵀ M(q) v of the joints, of a model placed at q.
double kinetic(Rig& rig, const std::vector<double>& q, const std::vector<double>& v) {
  rig.move_to(q);
  const auto n = static_cast<Eigen::Index>(q.size());
  Eigen::MatrixXd inertia(n, n);
  rig.model.mass_matrix(inertia);
  const Eigen::Map<const Eigen::VectorXd> speed(v.data(), n);
  return 0.5 * speed.dot(inertia * speed);
}

TEST(RobotModel, CoriolisTorqueIsWhatLagrangeMakesOfTheKineticEnergy) {
  Rig rig(odd::kThreeLinks);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> q(3);
    std::vector<double> v(3);
    for (double& x : q) x = number(random);
    for (double& x : v) x = number(random);
    constexpr double kStep = 1e-5;
    const auto moved = [&](std::size_t i, double step) {
      std::vector<double> p = q;
      p[i] += step;
      return p;
    };
    // d/dt (M v) at constant v, less the slope of the energy.
    const auto momentum = [&](double t) {
      std::vector<double> p = q;
      for (std::size_t i = 0; i < 3; ++i) p[i] += t * v[i];
      rig.move_to(p);
      Eigen::MatrixXd inertia(3, 3);
      rig.model.mass_matrix(inertia);
      return Eigen::VectorXd(inertia * Eigen::Map<const Eigen::VectorXd>(v.data(), 3));
    };
    const Eigen::VectorXd rate = (momentum(kStep) - momentum(-kStep)) / (2.0 * kStep);
    std::vector<double> expected(3);
    for (std::size_t i = 0; i < 3; ++i) {
      const double slope =
          (kinetic(rig, moved(i, kStep), v) - kinetic(rig, moved(i, -kStep), v)) / (2.0 * kStep);
      expected[i] = rate[static_cast<Eigen::Index>(i)] - slope;
    }
    rig.move_to(q);
    const double gravity = rig.model.gravity(1);
    RobotState state = with(q);
    for (std::size_t i = 0; i < 3; ++i) state.joints[i].v = v[i];
    rig.model.update_velocities(state);
    rig.model.update_coriolis();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(rig.model.coriolis(static_cast<JointIndex>(i)), expected[i], 1e-7);
    }
    rig.move_to(q);
    EXPECT_EQ(rig.model.gravity(1), gravity) << "speeds leave no trace in what holds the pose";
  }
}

TEST(RobotModel, ASpringyTendonIsHeldToo) {
  const odd::TempModel file(R"(
    <mujoco><option gravity="0 0 0"/>
      <worldbody><body><joint name="a" type="slide"/><geom size="0.1"/></body></worldbody>
      <tendon><fixed name="t" stiffness="50" springlength="0.1"><joint joint="a" coef="2"/></fixed>
      </tendon>
      <actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)");
  RobotModel model(discover(file.path()).config);

  model.update(with({0.3}));

  // Length 2 q, spring force 50 (0.6 - 0.1), at twice the lever.
  EXPECT_NEAR(model.gravity(0), 2.0 * 50.0 * 0.5, 1e-12);
}

TEST(RobotModel, AMotorCarriesItsFollowersOverTheirSlopes) {
  Rig rig(odd::kMenagerie, /*pin=*/true);
  ASSERT_EQ(rig.robot.joints[0].name, "leader");
  const double q = 0.3;
  rig.move_to({q, 0.5});

  // Each arm: 0.5 kg at 0.1 m, level at 0, turning down for positive angles.
  const auto arm = [](double angle) { return -0.5 * kG * 0.1 * std::cos(angle); };
  const double follower = 0.2 - 2.0 * q + 0.5 * q * q;
  const double slope = -2.0 + q;
  const double slider = 0.5 * kG;
  EXPECT_NEAR(rig.model.gravity(0), arm(q) + slope * (arm(follower) + 0.1 * slider), 1e-9);
}

TEST(RobotModel, ATiltedBaseTurnsGravity) {
  Rig rig(odd::kFloatingArm);
  rig.move_to({0.0});
  const double level = rig.model.gravity(0);
  rig.base.orientation = {std::cos(0.4), std::sin(0.4), 0.0, 0.0};
  rig.base.position = {3.0, 2.0, 1.0};
  rig.move_to({0.0});

  // The arm's axis is the base's z: upright nothing pulls; tipped by 0.8 rad about x, gravity
  // in the base is g (0, -sin 0.8, -cos 0.8), and it turns the arm's mass centre (x, y).
  const Mjcf mjcf = load_mjcf(rig.file.path());
  const int arm = mj_name2id(mjcf.as_written.get(), mjOBJ_BODY, "arm");
  const double mass = mjcf.as_written->body_mass[arm];
  const double x = mjcf.as_written->body_ipos[3 * arm];
  EXPECT_NEAR(level, 0.0, 1e-12);
  EXPECT_NEAR(rig.model.gravity(0), mass * kG * std::sin(0.8) * x, 1e-9);
}

TEST(RobotModel, ABrokenMeasurementKeepsTheJointWhereItWasLast) {
  Rig rig(odd::kThreeLinks);
  rig.move_to({0.4, -0.7, 0.1});
  const double gravity = rig.model.gravity(0);

  for (const double broken : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
    rig.move_to({0.4, broken, 0.1});
    EXPECT_EQ(rig.model.gravity(0), gravity);
  }
  rig.move_to({0.4, 0.0, 0.1});
  EXPECT_TRUE(std::isfinite(rig.model.gravity(0)));
  EXPECT_NE(rig.model.gravity(0), gravity) << "alive again";
}

TEST(RobotModel, ABrokenBaseKeepsItsPose) {
  Rig rig(odd::kFloatingArm);
  rig.base.orientation = {std::cos(0.4), std::sin(0.4), 0.0, 0.0};
  rig.move_to({0.1});
  const double gravity = rig.model.gravity(0);
  rig.base.orientation = {0.0, 0.0, 0.0, 0.0};
  rig.move_to({0.1});
  EXPECT_EQ(rig.model.gravity(0), gravity);
  rig.base.orientation = {std::nan(""), 0.0, 0.0, 1.0};
  rig.move_to({0.1});
  EXPECT_EQ(rig.model.gravity(0), gravity);
}

TEST(RobotModel, TheJacobianIsTheSlopeOfTheFramesPose) {
  Rig rig(odd::kSpringyChain);
  const FrameId tool = rig.model.find_frame("tool");
  const std::vector<double> q{0.3, -0.2, 0.9};
  FrameJacobian jacobian(6, 3);
  rig.move_to(q);
  rig.model.jacobian(tool, jacobian);
  for (std::size_t i = 0; i < q.size(); ++i) {
    constexpr double kStep = 1e-6;
    std::vector<double> above = q;
    std::vector<double> below = q;
    above[i] += kStep;
    below[i] -= kStep;
    rig.move_to(above);
    const FramePose ahead = rig.model.pose(tool);
    rig.move_to(below);
    const FramePose behind = rig.model.pose(tool);
    const Eigen::Vector3d linear = (ahead.position - behind.position) / (2.0 * kStep);
    const Eigen::Matrix3d spin =
        (ahead.rotation - behind.rotation) / (2.0 * kStep) * behind.rotation.transpose();
    const Eigen::Vector3d angular(spin(2, 1), spin(0, 2), spin(1, 0));
    const auto column = jacobian.col(static_cast<Eigen::Index>(i));
    EXPECT_LT((column.head<3>() - linear).norm(), 1e-8);
    EXPECT_LT((column.tail<3>() - angular).norm(), 1e-5);
  }
}

TEST(RobotModel, AFollowersFrameMovesWithItsLeader) {
  Rig rig(odd::kMenagerie, /*pin=*/true);
  const Mjcf mjcf = load_mjcf(rig.file.path());
  const mjModel& m = *mjcf.as_written;
  const int slider = m.jnt_bodyid[mj_name2id(&m, mjOBJ_JOINT, "follower_of_follower")];
  const FrameId frame{mjOBJ_BODY, slider};
  FrameJacobian jacobian(6, 2);

  rig.move_to({0.3, 0.5});
  rig.model.jacobian(frame, jacobian);

  EXPECT_NEAR(jacobian(2, 0), 0.1 * (-2.0 + 0.3), 1e-12);
  EXPECT_EQ(jacobian(2, 1), 0.0);
}

TEST(RobotModel, FindsSitesAndBodiesAndSuggestsTheRightName) {
  Rig rig(odd::kSpringyChain);
  EXPECT_EQ(rig.model.find_frame("compensated").type, mjOBJ_BODY);
  EXPECT_EQ(rig.model.find_frame("tool").type, mjOBJ_SITE);
  try {
    [[maybe_unused]] const FrameId frame = rig.model.find_frame("tol");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "there is no site or body \"tol\"; did you mean \"tool\"?");
  }
}

TEST(RobotModel, TheMassMatrixOfTwoPointsIsTheTextbooks) {
  Rig rig(odd::kTwoPoints);
  const double q = 0.7;
  rig.move_to({0.2, q});
  Eigen::MatrixXd inertia(2, 2);
  rig.model.mass_matrix(inertia);

  const double inner = 2.0 * 0.5 * 0.5;
  const double c = 0.5 * 0.4 * std::cos(q);
  const double motor = *rig.robot.joints[0].board.armature;  // of its torque and speed
  EXPECT_NEAR(inertia(0, 0), inner + 0.25 + 0.16 + 2.0 * c + motor, 1e-8);
  EXPECT_NEAR(inertia(0, 1), 0.16 + c, 1e-8);
  EXPECT_NEAR(inertia(1, 0), 0.16 + c, 1e-8);
  EXPECT_NEAR(inertia(1, 1), 0.16 + *rig.robot.joints[1].board.armature, 1e-8);
}

TEST(RobotModel, MotorsTurnWithTheirJointsAndBehindASpringAsFarAsTheirTorqueLoopLeavesThem) {
  Rig rig(odd::kTwoPoints);
  for (JointConfig& joint : rig.robot.joints) joint.board.armature = 0.0;
  RobotModel bare(rig.robot);
  bare.update(with({0.2, 0.7}));
  Eigen::MatrixXd links(2, 2);
  bare.mass_matrix(links);

  rig.robot.joints[0].board.armature = 0.3;
  // The loop at w = 2 π 20 Hz makes a motor of 0.05 kg·m² as light as k / w².
  rig.robot.joints[1].board.armature = 0.05;
  rig.robot.joints[1].board.spring_stiffness = 200.0;
  rig.robot.joints[1].board.deflection_bandwidth_hz = 20.0;
  RobotModel driven(rig.robot);
  driven.update(with({0.2, 0.7}));
  Eigen::MatrixXd inertia(2, 2);
  driven.mass_matrix(inertia);

  EXPECT_NEAR(inertia(0, 0) - links(0, 0), 0.3, 1e-12);
  EXPECT_NEAR(inertia(1, 1) - links(1, 1), 200.0 / (40 * M_PI * 40 * M_PI), 1e-12);
  EXPECT_NEAR(inertia(0, 1) - links(0, 1), 0.0, 1e-12);
}

TEST(BareModel, HasNoGeomsActuatorsOrEqualitiesAndTheSameMasses) {
  const Mjcf mjcf = parse_mjcf(odd::kMenagerie, "robot.xml");
  const mjModel& whole = *mjcf.as_written;
  const ModelPtr bare = compile_bare(mjcf, whole);

  EXPECT_EQ(bare->ngeom + bare->nactuator + bare->neq + bare->ntendon, 0);
  ASSERT_EQ(bare->nbody, whole.nbody);
  for (int b = 0; b < whole.nbody; ++b) {
    EXPECT_NEAR(bare->body_mass[b], whole.body_mass[b], 1e-12);
    EXPECT_NEAR(bare->body_inertia[3 * b + 1], whole.body_inertia[3 * b + 1], 1e-12);
    EXPECT_NEAR(bare->body_ipos[3 * b], whole.body_ipos[3 * b], 1e-12);
  }
}

TEST(RobotModel, RefusesAJointThatIsNotThere) {
  RobotConfig robot = discover("tests/control/model/pendulum.xml").config;
  robot.joints[0].name = "hing";
  try {
    const RobotModel model(robot);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(),
                 "tests/control/model/pendulum.xml: there is no joint \"hing\"; did you mean "
                 "\"hinge\"?");
  }
}

/// A hinge beside its body's origin, a follower by a square, a slide: what moves what.
TEST(RobotModel, NoPointMovesFurtherThanItsLeversSay) {
  Rig rig(R"(<mujoco><compiler angle="radian" autolimits="true"/><worldbody>
    <body name="door"><joint name="hinge" axis="0 0 1" pos="0.3 0 0" range="-2 2"/>
      <geom size="0.1" mass="1"/>
      <body name="drawer" pos="0.5 0 0"><joint name="rail" type="slide" axis="0 1 0" range="-0.4 0.1"/>
        <geom size="0.1" mass="1"/>
        <body name="lid" pos="0 0 0.2"><joint name="flap" axis="1 0 0" pos="0 0.1 0" range="-9 9"/>
          <geom size="0.1" mass="1"/></body></body></body>
    </worldbody>
    <equality><joint joint1="flap" joint2="hinge" polycoef="0 0 1 0 0"/></equality>
    <actuator><motor joint="hinge" ctrlrange="-9 9"/><motor joint="rail" ctrlrange="-9 9"/></actuator></mujoco>)");
  ASSERT_EQ(rig.robot.joints.size(), 2U);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  double nearest = 1.0;
  for (const char* name : {"door", "drawer", "lid"}) {
    const FrameId body = rig.model.find_frame(name);
    const std::vector<RobotModel::Lever> levers = rig.model.levers(body.id, 0.25);
    const Eigen::Vector3d point = Eigen::Vector3d(0.1, -0.2, 0.1);  // within 0.25 m
    for (int n = 0; n < 2000; ++n) {
      const std::vector<double> from{-2.0 + 4.0 * share(random), -0.4 + 0.5 * share(random)};
      const std::vector<double> to{from[0] + 0.01 * (share(random) - 0.5),
                                   from[1] + 0.01 * (share(random) - 0.5)};
      const auto place = [&](const std::vector<double>& q) -> Eigen::Vector3d {
        rig.move_to(q);
        const FramePose at = rig.model.pose(body);
        return at.position + at.rotation * point;
      };
      double most = 0.0;
      for (const RobotModel::Lever& lever : levers) {
        most += lever.most * std::abs(to[lever.joint] - from[lever.joint]);
      }
      const double moved = (place(to) - place(from)).norm();
      EXPECT_LE(moved, most + 1e-12) << name;
      nearest = std::min(nearest, most - moved);
    }
  }
  EXPECT_LT(nearest, 1e-3);
}

}  // namespace
}  // namespace jointrig
