#include "control/model/loop_closure.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <string>

#include "control/discovery/discovery.h"
#include "control/model/robot_model.h"
#include "control/model/start_pose.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kG = 9.81;

/// A crank and a rocker of equal length 0.3 m, upright at 0, and a coupler that stays level. The
/// rocker's joint and the coupler's are passive.
constexpr const char* kParallelogram = R"(
<mujoco model="parallelogram">
  <compiler angle="radian"/>
  <worldbody>
    <body name="crank">
      <inertial pos="0 0 0.15" mass="1.2" diaginertia="0.01 0.01 0.001"/>
      <joint name="crank" axis="0 1 0" range="-1.2 1.2" armature="0.02"/>
      <body name="coupler" pos="0 0 0.3">
        <inertial pos="0.25 0 0" mass="2" diaginertia="0.001 0.05 0.05"/>
        <joint name="coupler" axis="0 1 0"/>
        <site name="tool" pos="0.1 0 0.2"/>
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
</mujoco>)";

/// Two motors in the base, one tip: its place is where two circles meet.
constexpr const char* kFiveBar = R"(
<mujoco model="five bar">
  <compiler angle="radian"/>
  <option timestep="0.0005"/>
  <worldbody>
    <body name="left" pos="-0.2 0 0">
      <inertial pos="-0.075 0 0.1" mass="1.1" diaginertia="0.008 0.008 0.001"/>
      <joint name="left" axis="0 1 0" range="-1 1" armature="0.03"/>
      <body name="left_rod" pos="-0.15 0 0.2">
        <inertial pos="0.2 0 0.15" mass="0.7" diaginertia="0.02 0.02 0.001"/>
        <joint name="left_rod" axis="0 1 0" damping="0.01"/>
        <site name="tip" pos="0.4 0 0.3"/>
      </body>
    </body>
    <body name="right" pos="0.2 0 0">
      <inertial pos="0.05 0 0.125" mass="0.9" diaginertia="0.007 0.007 0.001"/>
      <joint name="right" axis="0 1 0" range="-1 1" armature="0.02"/>
      <body name="right_rod" pos="0.1 0 0.25">
        <inertial pos="-0.125 0 0.125" mass="0.5" diaginertia="0.01 0.01 0.001"/>
        <joint name="right_rod" axis="0 1 0" damping="0.01"/>
      </body>
    </body>
  </worldbody>
  <equality>
    <connect name="tip" body1="left_rod" body2="right_rod" anchor="0.4 0 0.3"/>
  </equality>
  <actuator>
    <motor name="left" joint="left" ctrlrange="-40 40"/>
    <motor name="right" joint="right" ctrlrange="-40 40"/>
  </actuator>
  <keyframe>
    <key name="open" qpos="0.3 0 0.2 0"/>
  </keyframe>
</mujoco>)";

using Vector2 = Eigen::Vector2d;  // x and z
using Matrix2 = Eigen::Matrix2d;

/// Places of the five-bar's four links, by the geometry of circles: centre x, z and angle of each.
Eigen::Matrix<double, 12, 1> links_of(const Vector2& q) {
  const auto turned = [](const Vector2& v, double angle) {
    return Vector2(v.x() * std::cos(angle) + v.y() * std::sin(angle),
                   -v.x() * std::sin(angle) + v.y() * std::cos(angle));
  };
  const auto angle_of = [](const Vector2& v) { return std::atan2(-v.y(), v.x()); };
  const std::array<Vector2, 2> pivots{Vector2(-0.2, 0.0), Vector2(0.2, 0.0)};
  const std::array<Vector2, 2> cranks{Vector2(-0.15, 0.2), Vector2(0.1, 0.25)};
  const std::array<Vector2, 2> rods{Vector2(0.4, 0.3), Vector2(-0.25, 0.25)};
  std::array<Vector2, 2> elbows;
  for (std::size_t i = 0; i < 2; ++i) {
    elbows[i] = pivots[i] + turned(cranks[i], q[static_cast<Eigen::Index>(i)]);
  }
  const Vector2 across = elbows[1] - elbows[0];
  const double distance = across.norm();
  const double along =
      (rods[0].squaredNorm() - rods[1].squaredNorm() + distance * distance) / (2.0 * distance);
  const double height = std::sqrt(rods[0].squaredNorm() - along * along);
  const Vector2 unit = across / distance;
  const Vector2 tip = elbows[0] + along * unit + height * Vector2(-unit.y(), unit.x());
  Eigen::Matrix<double, 12, 1> links;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    const Vector2 rod = tip - elbows[i];
    links.segment<2>(at) = pivots[i] + 0.5 * (elbows[i] - pivots[i]);
    links[at + 2] = q[static_cast<Eigen::Index>(i)];
    links.segment<2>(at + 3) = elbows[i] + 0.5 * rod;
    links[at + 5] = angle_of(rod) - angle_of(rods[i]);
  }
  return links;
}

constexpr std::array<double, 4> kMasses{1.1, 0.7, 0.9, 0.5};
constexpr std::array<double, 4> kInertias{0.008, 0.02, 0.007, 0.01};

double height_energy(const Vector2& q) {
  const auto links = links_of(q);
  double energy = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    energy += kG * kMasses[i] * links[static_cast<Eigen::Index>(3 * i + 1)];
  }
  return energy;
}

Vector2 weight_at(const Vector2& q) {
  constexpr double kStep = 1e-5;
  Vector2 torque;
  for (int i = 0; i < 2; ++i) {
    const Vector2 step = kStep * Vector2::Unit(i);
    torque[i] = (height_energy(q + step) - height_energy(q - step)) / (2.0 * kStep);
  }
  return torque;
}

Matrix2 inertia_at(const Vector2& q) {
  constexpr double kStep = 1e-5;
  Eigen::Matrix<double, 12, 2> slopes;
  for (int i = 0; i < 2; ++i) {
    const Vector2 step = kStep * Vector2::Unit(i);
    slopes.col(i) = (links_of(q + step) - links_of(q - step)) / (2.0 * kStep);
  }
  Matrix2 inertia = Vector2(0.03, 0.02).asDiagonal();
  for (std::size_t i = 0; i < 4; ++i) {
    const auto centre = slopes.middleRows<2>(static_cast<Eigen::Index>(3 * i));
    const auto turn = slopes.row(static_cast<Eigen::Index>(3 * i + 2));
    inertia += kMasses[i] * centre.transpose() * centre + kInertias[i] * turn.transpose() * turn;
  }
  return inertia;
}

/// ∂M/∂q_i
Matrix2 inertia_slope(const Vector2& q, int i) {
  constexpr double kStep = 1e-4;
  const Vector2 step = kStep * Vector2::Unit(i);
  return (inertia_at(q + step) - inertia_at(q - step)) / (2.0 * kStep);
}

struct Rig {
  explicit Rig(const std::string& xml)
      : file(xml), found(discover(file.path())), model(found.config) {}

  /// As over some cycles: one takes steps from the pose of the cycle before.
  void go(const std::vector<double>& q, const std::vector<double>& v) {
    RobotState state;
    state.joints.resize(q.size());
    for (std::size_t i = 0; i < q.size(); ++i) {
      state.joints[i].q = q[i];
      state.joints[i].v = v[i];
    }
    for (int i = 0; i < 10; ++i) model.update(state);
    model.update_velocities(state);
    model.update_coriolis();
    model.update_momentum();
  }

  odd::TempModel file;
  Discovery found;
  RobotModel model;
};

const std::vector<Vector2> kPoses{{0.0, 0.0}, {0.3, 0.2}, {-0.35, 0.25}, {0.2, -0.4}};

TEST(LoopClosure, ParallelogramWeighsAndTurnsAsItsThreeLinksThatStayParallel) {
  Rig rig(kParallelogram);
  FrameJacobian jacobian(6, 1);
  Eigen::MatrixXd inertia(1, 1);
  const FrameId tool = rig.model.find_frame("tool");
  for (const double q : {0.0, 0.4, -0.9}) {
    rig.go({q}, {1.5});
    // Height of the crank's and rocker's centres 0.15 cos q, of the coupler's 0.3 cos q.
    EXPECT_NEAR(rig.model.gravity(0), -kG * 0.3 * std::sin(q) * (0.6 + 0.4 + 2.0), 1e-5) << q;
    rig.model.mass_matrix(inertia);
    const double expected = 0.02 + 0.01 + 1.2 * 0.0225 + 0.007 + 0.8 * 0.0225 + 2.0 * 0.09;
    EXPECT_NEAR(inertia(0, 0), expected, 1e-6) << q;
    EXPECT_NEAR(rig.model.momentum(0), 1.5 * expected, 1e-6) << q;
    EXPECT_NEAR(rig.model.coriolis(0), 0.0, 1e-5) << q;
    rig.model.jacobian(tool, jacobian);
    EXPECT_NEAR(jacobian(0, 0), 0.3 * std::cos(q), 1e-6) << q;
    EXPECT_NEAR(jacobian(2, 0), -0.3 * std::sin(q), 1e-6) << q;
    EXPECT_NEAR(jacobian.col(0).tail<3>().norm(), 0.0, 1e-6) << q << ": it stays level";
    const FramePose pose = rig.model.pose(tool);
    EXPECT_NEAR(pose.position.x(), 0.3 * std::sin(q) + 0.1, 1e-8) << q;
    EXPECT_NEAR(pose.position.z(), 0.3 * std::cos(q) + 0.2, 1e-8) << q;
    std::array<double, 1> pushed{};
    const int body = mj_name2id(&rig.model.compiled(), mjOBJ_BODY, "coupler");
    rig.model.add_force(body, pose.position, {3.0, 0.0, 5.0}, pushed);
    EXPECT_NEAR(pushed[0], 3.0 * 0.3 * std::cos(q) - 5.0 * 0.3 * std::sin(q), 1e-5) << q;
  }
}

TEST(LoopClosure, FiveBarHasTheDynamicsOfItsEnergies) {
  Rig rig(kFiveBar);
  Eigen::MatrixXd inertia(2, 2);
  const Vector2 v(0.8, -1.3);
  for (const Vector2& q : kPoses) {
    rig.go({q[0], q[1]}, {v[0], v[1]});
    const Vector2 weight = weight_at(q);
    const Matrix2 expected = inertia_at(q);
    const Matrix2 change = inertia_slope(q, 0) * v[0] + inertia_slope(q, 1) * v[1];
    rig.model.mass_matrix(inertia);
    EXPECT_LT((inertia - expected).norm(), 2e-6) << inertia << "\n" << expected;
    for (int i = 0; i < 2; ++i) {
      const auto joint = static_cast<JointIndex>(i);
      const double gradient = 0.5 * v.dot(inertia_slope(q, i) * v);
      EXPECT_NEAR(rig.model.gravity(joint), weight[i], 2e-5) << q.transpose();
      EXPECT_NEAR(rig.model.momentum(joint), (expected * v)[i], 5e-6) << q.transpose();
      EXPECT_NEAR(rig.model.energy_gradient(joint), gradient, 2e-5) << q.transpose();
      EXPECT_NEAR(rig.model.coriolis(joint), (change * v)[i] - gradient, 2e-5) << q.transpose();
    }
  }
}

TEST(LoopClosure, TheGravityTorqueHoldsThePlant) {
  Rig rig(kFiveBar);
  const Mjcf mjcf = load_mjcf(rig.file.path());
  const mjModel& m = *mjcf.as_written;
  const DataPtr d = make_data(m, rig.file.path());
  for (JointConfig& joint : rig.found.config.joints) joint.q_start = 0.3;
  apply_start(rig.found.config, mjcf.start, m, *d);
  rig.go({0.3, 0.3}, {0.0, 0.0});
  for (int step = 0; step < 400; ++step) {
    d->ctrl[0] = rig.model.gravity(0);
    d->ctrl[1] = rig.model.gravity(1);
    mj_step(&m, d.get());
  }
  // Free, the links would fall by some 0.2 m in 0.2 s.
  for (int joint = 0; joint < m.njnt; ++joint) EXPECT_NEAR(d->qvel[joint], 0.0, 5e-3) << joint;
  EXPECT_NEAR(d->qpos[0], 0.3, 1e-3);
  EXPECT_NEAR(d->qpos[2], 0.3, 1e-3);
}

TEST(LoopClosure, StartsClosed) {
  // The keyframe leaves the rods where they are at 0.
  Rig rig(kFiveBar);
  const Mjcf mjcf = load_mjcf(rig.file.path());
  const DataPtr d = make_data(*mjcf.as_written, rig.file.path());
  apply_start(rig.found.config, mjcf.start, *mjcf.as_written, *d);
  mj_forward(mjcf.as_written.get(), d.get());
  EXPECT_EQ(d->qpos[0], 0.3);
  EXPECT_EQ(d->qpos[2], 0.2);
  const auto links = links_of({0.3, 0.2});
  EXPECT_NEAR(d->qpos[1], links[5] - 0.3, 1e-9);
  EXPECT_NEAR(d->qpos[3], links[11] - 0.2, 1e-9);
  ASSERT_EQ(d->ne, 3);
  for (int row = 0; row < 3; ++row) EXPECT_NEAR(d->efc_pos[row], 0.0, 1e-9);
}

/// The parallelogram with a leaf spring between its crank and all that the crank carries, about the
/// same axis (as the shins of Cassie).
constexpr const char* kSpringy = R"(
<mujoco model="springy parallelogram">
  <compiler angle="radian"/>
  <worldbody>
    <body name="crank">
      <inertial pos="0 0 0.15" mass="1.2" diaginertia="0.01 0.01 0.001"/>
      <joint name="crank" axis="0 1 0" range="-1.2 1.2" armature="0.02"/>
      <body name="leaf">
        <inertial pos="0 0 0.3" mass="0.1" diaginertia="0.001 0.001 0.001"/>
        <joint name="leaf" axis="0 1 0" stiffness="2000"/>
        <body name="coupler" pos="0 0 0.3">
          <inertial pos="0.25 0 0" mass="2" diaginertia="0.001 0.05 0.05"/>
          <joint name="coupler" axis="0 1 0"/>
          <site name="tool" pos="0.1 0 0.2"/>
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
</mujoco>)";

TEST(LoopClosure, ASpringStandsForGravityAndSlowMotionsAndIsFreeForQuickOnes) {
  Rig rig(kSpringy);
  rig.go({0.4}, {0.0});
  EXPECT_NEAR(rig.model.gravity(0), -kG * 0.3 * std::sin(0.4) * (0.6 + 0.4 + 2.0 + 0.1), 1e-5);
  Eigen::MatrixXd inertia(1, 1);
  ASSERT_TRUE(rig.model.has_springs_in_loops());
  const double motor = 0.02 + 0.01 + 1.2 * 0.0225;  // and its crank
  const double behind = 0.001 + 0.1 * 0.09 + 2.0 * 0.09 + 0.007 + 0.8 * 0.0225;
  rig.model.mass_matrix(inertia);
  EXPECT_NEAR(inertia(0, 0), motor, 1e-6);
  rig.model.slow_mass_matrix(inertia);
  EXPECT_NEAR(inertia(0, 0), motor + behind, 1e-6);

  const Mjcf mjcf = load_mjcf(rig.file.path());
  const DataPtr d = make_data(*mjcf.as_written, rig.file.path());
  mj_forward(mjcf.as_written.get(), d.get());
  LoopClosure loops(*mjcf.as_written, {0}, {});
  EXPECT_NEAR(loops.slowest_spring(*mjcf.as_written, *d), std::sqrt(2000.0 / behind), 1e-3);
}

TEST(LoopClosure, WithoutASpringSlowMotionsFeelTheSameInertia) {
  Rig rig(kFiveBar);
  rig.go({0.3, 0.2}, {0.0, 0.0});
  EXPECT_FALSE(rig.model.has_springs_in_loops());
  Eigen::MatrixXd inertia(2, 2);
  Eigen::MatrixXd slow(2, 2);
  rig.model.mass_matrix(inertia);
  rig.model.slow_mass_matrix(slow);
  EXPECT_EQ(inertia, slow);
}

TEST(LoopClosure, AFarPoseIsClosedWithinTwentyStepsAndAnImpossibleOneLeftWhereItIsNearest) {
  Rig rig(kFiveBar);
  const FrameId tip = rig.model.find_frame("tip");
  rig.go({0.0, 0.0}, {0.0, 0.0});
  const std::array<JointIndex, 2> joints{0, 1};
  rig.model.look_elsewhere(joints, std::array<double, 2>{-0.5, 0.4});
  const auto links = links_of({-0.5, 0.4});
  const Vector2 elbow = Vector2(-0.2, 0.0) + 2.0 * (links.segment<2>(0) - Vector2(-0.2, 0.0));
  const Vector2 expected = elbow + 2.0 * (links.segment<2>(3) - elbow);
  EXPECT_NEAR(rig.model.pose_elsewhere(tip).position.x(), expected.x(), 1e-8);
  EXPECT_NEAR(rig.model.pose_elsewhere(tip).position.z(), expected.y(), 1e-8);
  // Pulled apart, the rods point at each other; nothing turns wild.
  rig.go({-2.2, 2.2}, {0.0, 0.0});
  const Eigen::Vector3d stretched = rig.model.pose(tip).position;
  rig.go({-2.2, 2.2}, {0.0, 0.0});
  EXPECT_LT((rig.model.pose(tip).position - stretched).norm(), 1e-3);
  EXPECT_TRUE(std::isfinite(rig.model.gravity(0)));
}

TEST(LoopClosure, InspectionTellsOfLoops) {
  const auto text_of = [](const Discovery& found) {
    std::string text;
    for (const Remark& remark : found.findings) text += remark.text + "\n";
    return text;
  };
  const Rig rig(kFiveBar);
  EXPECT_NE(text_of(rig.found).find("\"left_rod\" on \"right_rod\""), std::string::npos)
      << text_of(rig.found);
  EXPECT_NE(text_of(rig.found).find("follows the motors of its kinematic loop"), std::string::npos);
  EXPECT_NEAR(rig.found.origins[0].gravity, weight_at({0.3, 0.2})[0], 2e-5);

  std::string apart = kFiveBar;
  apart.replace(apart.find("0.3 0 0.2 0"), 11, "-0.9 0 0.9 0");
  const odd::TempModel pulled(apart);
  EXPECT_NE(text_of(discover(pulled.path())).find("can't be closed in the start pose"),
            std::string::npos)
      << text_of(discover(pulled.path()));

  std::string welded = kFiveBar;
  welded.replace(welded.find("<connect name=\"tip\""), 19, "<weld");
  welded.replace(welded.find("anchor=\"0.4 0 0.3\""), 18, "");
  const odd::TempModel weld(welded);
  EXPECT_NE(text_of(discover(weld.path())).find("welds \"left_rod\" on \"right_rod\""),
            std::string::npos)
      << text_of(discover(weld.path()));
}

TEST(LoopClosure, AllocatesNothingInTheCycle) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Rig rig(kSpringy);
  const FrameId tool = rig.model.find_frame("tool");
  FrameJacobian jacobian(6, 1);
  Eigen::MatrixXd inertia(1, 1);
  RobotState state;
  state.joints.resize(1);
  double sum = 0.0;
  RealtimeGuard guard;
  for (int i = 0; i < 500; ++i) {
    state.joints[0].q = 0.001 * i;
    state.joints[0].v = 1.0;
    rig.model.update(state);
    rig.model.update_velocities(state);
    rig.model.update_coriolis();
    rig.model.update_momentum();
    rig.model.jacobian(tool, jacobian);
    rig.model.mass_matrix(inertia);
    sum += rig.model.gravity(0) + jacobian(0, 0) + inertia(0, 0);
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace jointrig
