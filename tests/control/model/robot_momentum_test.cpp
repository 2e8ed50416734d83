/// Momentum of the joints and the slope of their energy: against the inertia matrix and finite
/// differences of it.

#include <gtest/gtest.h>

#include <random>

#include "control/discovery/discovery.h"
#include "control/model/robot_model.h"
#include "tests/support/odd_arms.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Carried = std::vector<RobotModel::CarriedBody>;

constexpr double kStep = 1e-5;

struct Rig {
  explicit Rig(const std::string& xml, double spring_of_first = 0.0)
      : file(xml), robot(discover(file.path(), {.keyframe = {}, .pin_base = true}).config) {
    robot.joints[0].board.spring_stiffness = spring_of_first;
    model = std::make_unique<RobotModel>(robot);
  }

  [[nodiscard]] Eigen::Index count() const {
    return static_cast<Eigen::Index>(robot.joints.size());
  }
  void move_to(const VectorXd& q, const VectorXd& v, const Carried& carried = {}) {
    RobotState state;
    state.joints.resize(robot.joints.size());
    for (Eigen::Index i = 0; i < count(); ++i) {
      state.joints[static_cast<std::size_t>(i)].q = q[i];
      state.joints[static_cast<std::size_t>(i)].v = v[i];
    }
    model->carry(carried);
    model->update(state);
    model->update_velocities(state);
    model->update_coriolis();
    model->update_momentum();
  }
  MatrixXd inertia(const VectorXd& q) {
    move_to(q, VectorXd::Zero(count()));
    MatrixXd m(count(), count());
    model->mass_matrix(m);
    return m;
  }
  template <typename OfJoint>
  VectorXd all(OfJoint&& of_joint) {
    VectorXd out(count());
    for (Eigen::Index i = 0; i < count(); ++i) out[i] = of_joint(static_cast<JointIndex>(i));
    return out;
  }
  VectorXd momentum() {
    return all([this](JointIndex i) { return model->momentum(i); });
  }
  VectorXd energy_gradient() {
    return all([this](JointIndex i) { return model->energy_gradient(i); });
  }
  VectorXd coriolis() {
    return all([this](JointIndex i) { return model->coriolis(i); });
  }

  odd::TempModel file;
  RobotConfig robot;
  std::unique_ptr<RobotModel> model;
};

struct Numbers {
  VectorXd vector(Eigen::Index n, double most) {
    return VectorXd::NullaryExpr(n, [&] { return number_(engine_) * most; });
  }
  std::mt19937 engine_{5};
  std::uniform_real_distribution<double> number_{-1.0, 1.0};
};

void expect_near(const VectorXd& a, const VectorXd& b, double within) {
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), within) << a.transpose() << "\n" << b.transpose();
}

RobotModel::CarriedBody carry(FrameId frame, const KnownPayload& load) {
  return {frame, load, load};
}

class Momentum : public ::testing::TestWithParam<const char*> {};

TEST_P(Momentum, IsInertiaTimesVelocity) {
  Rig rig(GetParam());
  Numbers random;
  for (int trial = 0; trial < 5; ++trial) {
    const VectorXd q = random.vector(rig.count(), 0.8);
    const VectorXd v = random.vector(rig.count(), 2.0);
    const VectorXd expected = rig.inertia(q) * v;
    rig.move_to(q, v);
    expect_near(rig.momentum(), expected, 1e-12);
  }
}

/// Models whose followers, if they have any, keep to one slope.
class MomentumInMotion : public ::testing::TestWithParam<const char*> {};

TEST_P(MomentumInMotion, InertiaChangesByCoriolisAndItsTranspose) {
  Rig rig(GetParam());
  Numbers random;
  for (int trial = 0; trial < 5; ++trial) {
    const VectorXd q = random.vector(rig.count(), 0.8);
    const VectorXd v = random.vector(rig.count(), 2.0);
    const MatrixXd rate = (rig.inertia(q + kStep * v) - rig.inertia(q - kStep * v)) / (2.0 * kStep);
    rig.move_to(q, v);
    expect_near(rig.energy_gradient() + rig.coriolis(), rate * v, 1e-7);
  }
}

TEST_P(MomentumInMotion, ItsDriftIsTheSlopeOfTheKineticEnergy) {
  Rig rig(GetParam());
  Numbers random;
  const VectorXd q = random.vector(rig.count(), 0.8);
  const VectorXd v = random.vector(rig.count(), 2.0);
  VectorXd slope(rig.count());
  for (Eigen::Index i = 0; i < rig.count(); ++i) {
    const VectorXd way = kStep * VectorXd::Unit(rig.count(), i);
    const MatrixXd change = rig.inertia(q + way) - rig.inertia(q - way);
    slope[i] = 0.5 * v.dot(change * v) / (2.0 * kStep);
  }
  rig.move_to(q, v);
  expect_near(rig.energy_gradient(), slope, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(OddArms, Momentum,
                         ::testing::Values(odd::kThreeLinks, odd::kSpringyChain, odd::kMenagerie));
INSTANTIATE_TEST_SUITE_P(OddArms, MomentumInMotion,
                         ::testing::Values(odd::kThreeLinks, odd::kSpringyChain));

TEST(Momentum, AMassThatIsCarriedCountsAsAPointOfTheTool) {
  Rig rig(odd::kThreeLinks);
  Numbers random;
  const VectorXd q = random.vector(3, 0.8);
  const VectorXd v = random.vector(3, 2.0);
  const FrameId body = rig.model->mount_of(2);
  const Carried carried{carry(body, {1.7, {0.1, -0.2, 0.3}, {}})};
  // By the path of the point: J_c of finite differences, momentum m J_cᵀ J_c v, energy of it.
  const auto point = [&](const VectorXd& at) {
    rig.move_to(at, VectorXd::Zero(3));
    const FramePose pose = rig.model->pose(body);
    return Eigen::Vector3d(pose.position + pose.rotation * Eigen::Vector3d(0.1, -0.2, 0.3));
  };
  const auto jacobian = [&](const VectorXd& at) {
    Eigen::Matrix3d j;
    for (int i = 0; i < 3; ++i) {
      const VectorXd way = kStep * VectorXd::Unit(3, i);
      j.col(i) = (point(at + way) - point(at - way)) / (2.0 * kStep);
    }
    return j;
  };
  const auto energy = [&](const VectorXd& at) {
    return 0.5 * 1.7 * (jacobian(at) * v).squaredNorm();
  };
  const Eigen::Matrix3d j = jacobian(q);
  VectorXd slope(3);
  constexpr double kWide = 1e-3;  // differences of differences
  for (int i = 0; i < 3; ++i) {
    const VectorXd way = kWide * VectorXd::Unit(3, i);
    slope[i] = (energy(q + way) - energy(q - way)) / (2.0 * kWide);
  }
  rig.move_to(q, v);
  const VectorXd momentum = rig.momentum();
  const VectorXd gradient = rig.energy_gradient();
  rig.move_to(q, v, carried);
  expect_near(rig.momentum() - momentum, 1.7 * j.transpose() * (j * v), 1e-8);
  expect_near(rig.energy_gradient() - gradient, slope, 1e-4);
  const VectorXd held = rig.all([&](JointIndex i) { return rig.model->carried_gravity(i); });
  expect_near(held, -1.7 * j.transpose() * rig.model->free_fall(), 1e-8);
}

/// The three links with the load as a body of the MJCF.
std::string with_load_in_the_hand(const std::string& inertial) {
  std::string xml = odd::kThreeLinks;
  const std::string site = R"(<site name="tip" pos="0.05 0 0.02" euler="0.3 -0.5 0.7"/>)";
  const std::string plain = R"(<site name="tip" pos="0.05 0 0.02"/>)";
  const std::string body =
      R"(<body pos="0.05 0 0.02" euler="0.3 -0.5 0.7">)" + inertial + "</body>";
  return xml.replace(xml.find(plain), plain.size(), site + (inertial.empty() ? "" : body));
}

constexpr const char* kInertial =
    R"(<inertial pos="0.1 -0.2 0.3" mass="1.7" fullinertia="0.03 0.05 0.04 0.01 -0.004 -0.01"/>)";
const KnownPayload kLoad{1.7, {0.1, -0.2, 0.3}, {0.03, 0.05, 0.04, 0.01, -0.004, -0.01}};

TEST(Load, ThatIsToldCountsAsABodyOfTheModelWould) {
  Rig told(with_load_in_the_hand(""));
  Rig real(with_load_in_the_hand(kInertial));
  Numbers random;
  const Carried carried{carry(told.model->find_frame("tip"), kLoad)};
  const auto mass_of = [](Rig& rig) {
    MatrixXd m(rig.count(), rig.count());
    rig.model->mass_matrix(m);
    return m;
  };
  for (int trial = 0; trial < 5; ++trial) {
    const VectorXd q = random.vector(3, 0.8);
    const VectorXd v = random.vector(3, 2.0);
    told.move_to(q, v);
    const VectorXd bare = told.all([&](JointIndex i) { return told.model->gravity(i); });
    const MatrixXd bare_mass = mass_of(told);
    told.move_to(q, v, carried);
    real.move_to(q, v);
    EXPECT_LT((mass_of(told) - mass_of(real)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_GT((mass_of(told) - bare_mass).cwiseAbs().maxCoeff(), 0.1);
    expect_near(told.coriolis(), real.coriolis(), 1e-12);
    expect_near(told.momentum(), real.momentum(), 1e-12);
    expect_near(told.energy_gradient(), real.energy_gradient(), 1e-12);
    expect_near(told.all([&](JointIndex i) { return told.model->gravity(i); }), bare, 1e-14);
    expect_near(bare + told.all([&](JointIndex i) { return told.model->carried_gravity(i); }),
                real.all([&](JointIndex i) { return real.model->gravity(i); }), 1e-12);
    told.move_to(q, v);
    expect_near(told.all([&](JointIndex i) { return told.model->carried_gravity(i); }),
                VectorXd::Zero(3), 1e-300);
    EXPECT_EQ(mass_of(told), bare_mass) << "taken off again";
  }
}

TEST(Load, InertiaResistsATurnAboutItsOwnAxis) {
  // A wrist about x with the load's centre on its axis: its inertia alone counts.
  Rig rig(odd::kThreeLinks);
  const VectorXd q = VectorXd::Zero(3);
  const FrameId hand = rig.model->find_frame("hand");
  const MatrixXd before = rig.inertia(q);
  rig.move_to(q, q, {carry(hand, {2.0, {0.2, 0.0, 0.0}, {0.03, 0.05, 0.04, 0.0, 0.0, 0.0}})});
  MatrixXd after(3, 3);
  rig.model->mass_matrix(after);
  EXPECT_NEAR(after(2, 2) - before(2, 2), 0.03, 1e-12);
  // The elbow turns about −y, 0.3 + 0.2 m away.
  EXPECT_NEAR(after(1, 1) - before(1, 1), 0.05 + 2.0 * 0.25, 1e-12);
}

TEST(Load, OnAPlainSlideCountsInItsInertia) {
  Rig rig(R"(
    <mujoco><worldbody><body name="cart"><joint name="a" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="2"/></body></worldbody>
      <actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)");
  rig.robot.joints[0].board.armature = 0.4;
  rig.model = std::make_unique<RobotModel>(rig.robot);
  const VectorXd still = VectorXd::Zero(1);
  EXPECT_NEAR(rig.inertia(still)(0, 0), 2.4, 1e-12);
  rig.move_to(still, still, {carry(rig.model->find_frame("cart"), {1.5, {0.1, 0.0, 0.0}, {}})});
  MatrixXd m(1, 1);
  rig.model->mass_matrix(m);
  EXPECT_NEAR(m(0, 0), 3.9, 1e-12);
}

TEST(Load, ItsChangeInMotionIsAChangeOfMomentum) {
  Rig rig(with_load_in_the_hand(""));
  Numbers random;
  const VectorXd q = random.vector(3, 0.8);
  const VectorXd v = random.vector(3, 2.0);
  const FrameId tip = rig.model->find_frame("tip");
  const KnownPayload other{0.6, {0.0, 0.1, 0.0}, {0.002, 0.001, 0.002, 0.0, 0.0, 0.0}};
  rig.move_to(q, v, {carry(tip, kLoad)});
  const VectorXd before = rig.momentum();
  rig.move_to(q, v, {{tip, other, kLoad}});
  const auto change = [&] {
    return rig.all([&](JointIndex i) { return rig.model->momentum_change(i); });
  };
  EXPECT_GT(change().cwiseAbs().maxCoeff(), 0.1);
  expect_near(change(), rig.momentum() - before, 1e-12);
  rig.move_to(q, v, {carry(tip, other)});
  expect_near(change(), VectorXd::Zero(3), 1e-300);
}

TEST(Momentum, AMotorBehindASpringIsNotPartOfIt) {
  const std::string xml = R"(
    <mujoco><worldbody><body><joint name="a" axis="0 0 1" armature="0.4"/>
      <geom size="0.1" mass="2" pos="0.5 0 0"/></body></worldbody>
      <actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)";
  const double sphere = 0.4 * 2.0 * 0.01 + 2.0 * 0.25;  // 2/5 m r² + m d²
  Rig rigid(xml);
  rigid.move_to(VectorXd::Zero(1), VectorXd::Constant(1, 3.0));
  EXPECT_NEAR(rigid.model->momentum(0), 3.0 * (sphere + 0.4), 1e-12);
  Rig elastic(xml, /*spring_of_first=*/100.0);
  elastic.move_to(VectorXd::Zero(1), VectorXd::Constant(1, 3.0));
  EXPECT_NEAR(elastic.model->momentum(0), 3.0 * sphere, 1e-12);
}

TEST(Momentum, OfAMotorIsThatOfTheBoardsArmatureWhereItHasOne) {
  Rig rig(R"(
    <mujoco><worldbody><body><joint name="a" axis="0 0 1" armature="0.4"/>
      <geom size="0.1" mass="2" pos="0.5 0 0"/></body></worldbody>
      <actuator><motor joint="a" ctrlrange="-9 9"/></actuator></mujoco>)");
  const double sphere = 0.4 * 2.0 * 0.01 + 2.0 * 0.25;  // 2/5 m r² + m d²
  rig.robot.joints[0].board.armature = 0.7;
  rig.model = std::make_unique<RobotModel>(rig.robot);
  rig.move_to(VectorXd::Zero(1), VectorXd::Constant(1, 3.0));
  EXPECT_NEAR(rig.model->momentum(0), 3.0 * (sphere + 0.7), 1e-12);
}

TEST(Momentum, LeavesNoTraceInWhatHoldsThePose) {
  Rig rig(odd::kThreeLinks);
  const VectorXd q = VectorXd::Constant(3, 0.3);
  rig.move_to(q, VectorXd::Zero(3));
  const double gravity = rig.model->gravity(1);
  rig.move_to(q, VectorXd::Constant(3, 5.0));
  rig.move_to(q, VectorXd::Constant(3, 5.0));
  EXPECT_EQ(rig.model->gravity(1), gravity);
}

}  // namespace
}  // namespace jointrig
