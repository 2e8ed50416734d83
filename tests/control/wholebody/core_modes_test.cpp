// The core's other modes, inverse kinematics and virtual model control, on the iCub.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "control/wholebody/feedback.h"
#include "tests/control/wholebody/icub_on_soles.h"
#include "tests/control/wholebody/plant_forces.h"

namespace jointrig {
namespace {

constexpr int kTried = 50;

class CoreModes : public ::testing::Test {
 protected:
  [[nodiscard]] int joints() const { return icub.model.joint_count(); }
  Eigen::MatrixXd jacobian_of(const BodyFrame& frame) {
    FloatingModel::Jacobian jacobian(6, icub.model.velocity_count());
    icub.model.jacobian(frame, jacobian);
    return jacobian;
  }
  /// Acceleration of a frame by an answer.
  SixNumbers acceleration_of(const BodyFrame& frame, const WholeBodySolution& answer) {
    return jacobian_of(frame) * answer.acceleration + icub.model.acceleration_bias(frame);
  }

  /// A joint is held by its torque limit, or by an end of its range of accelerations, or by
  /// nothing.
  void expect_joints_held_as_the_solution_has_it(const WholeBodySolution& answer) {
    const double horizon = CoreSettings{}.limit_horizon;
    for (int i = 0; i < joints(); ++i) {
      SCOPED_TRACE(icub.model.joints()[static_cast<std::size_t>(i)].name);
      const JointBounds& bounds = icub.bounds[static_cast<std::size_t>(i)];
      const double q = icub.model.q()[static_cast<std::size_t>(i)];
      const double v = icub.model.velocity()[6 + i];
      const auto reaching = [&](double end) {
        return std::clamp(2.0 * (end - q - v * horizon) / (horizon * horizon), -200.0, 200.0);
      };
      const auto stopping = [&](double speed) {
        return std::clamp((speed - v) / horizon, reaching(bounds.low), reaching(bounds.high));
      };
      const double a = answer.acceleration[6 + i];
      const double tau = answer.torque[i];
      const JointHold held = answer.active.joint[static_cast<std::size_t>(i)];
      const bool is_low = a < stopping(-bounds.velocity_max) + 1e-7;
      const bool is_high = a > stopping(bounds.velocity_max) - 1e-7;
      JointHold expected = JointHold::kNone;
      if (is_low) expected = JointHold::kLowest;
      if (is_high) expected = JointHold::kHighest;
      if (tau < -bounds.torque_max + 1e-7) expected = JointHold::kTorqueLow;
      if (tau > bounds.torque_max - 1e-7) expected = JointHold::kTorqueHigh;
      EXPECT_EQ(held, expected);
    }
  }

  soles::Icub icub;
  std::mt19937 random{29};
  WholeBodyCore core{icub.model, soles::both_soles(icub.model), icub.bounds};
};

// Inverse kinematics -----------------------------------------------------------------------------

TEST_F(CoreModes, KinematicsIsTheLeastSquaresThatADenseSolverFindsWithTheSolesHeld) {
  CoreSettings settings;
  settings.acceleration_max = 1e9;
  const std::vector<JointBounds> none(icub.bounds.size());
  WholeBodyCore free(icub.model, soles::both_soles(icub.model), none, settings);
  const int nv = icub.model.velocity_count();
  for (int i = 0; i < kTried; ++i) {
    SCOPED_TRACE(i);
    icub.shake(random);
    WholeBodyCommand command = soles::stand(icub, random);
    command.mode = CoreMode::kInverseKinematics;
    const WholeBodySolution& answer = free.solve(icub.model, command);
    ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);

    // [H Cᵀ; C 0] [v̇; λ] = [g; c]
    Eigen::MatrixXd hessian = settings.acceleration_weight * Eigen::MatrixXd::Identity(nv, nv);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(nv);
    const auto add = [&](const Eigen::MatrixXd& rows, const Eigen::VectorXd& wanted,
                         const Eigen::VectorXd& weights) {
      hessian += rows.transpose() * weights.asDiagonal() * rows;
      gradient += rows.transpose() * weights.cwiseProduct(wanted);
    };
    const SpatialTask& chest = command.spatial[0];
    add(jacobian_of(chest.frame).bottomRows(3),
        (chest.acceleration - icub.model.acceleration_bias(chest.frame)).tail(3),
        Eigen::VectorXd::Ones(3));
    add(icub.model.momentum_matrix(), command.momentum.rate - icub.model.momentum_bias(),
        command.momentum.weights);
    Eigen::MatrixXd posture = Eigen::MatrixXd::Zero(joints(), nv);
    posture.rightCols(joints()).setIdentity();
    add(posture, command.privileged.acceleration, command.privileged.weights);
    Eigen::MatrixXd soles(12, nv);
    Eigen::VectorXd held(12);
    for (int c = 0; c < 2; ++c) {
      const BodyFrame& frame = free.contacts()[static_cast<std::size_t>(c)].frame;
      soles.middleRows(6 * c, 6) = jacobian_of(frame);
      held.segment(6 * c, 6) = -icub.model.acceleration_bias(frame);
    }
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(nv + 12, nv + 12);
    whole.topLeftCorner(nv, nv) = hessian;
    whole.topRightCorner(nv, 12) = soles.transpose();
    whole.bottomLeftCorner(12, nv) = soles;
    Eigen::VectorXd right(nv + 12);
    right << gradient, held;
    const Eigen::VectorXd expected = whole.fullPivLu().solve(right).head(nv);

    EXPECT_LT((answer.acceleration - expected).norm(), 1e-6 * std::max(1.0, expected.norm()));
    EXPECT_EQ(answer.torque.norm(), 0.0) << "it knows nothing of torques";
    EXPECT_EQ(answer.contact_wrench[0].norm(), 0.0);
  }
}

TEST_F(CoreModes, AHandMovedByKinematicsGoesAsACriticallyDampedSpringAndTheSolesStand) {
  icub.read();
  const double omega = 8.0;
  const BodyFrame hand = icub.model.find_frame("l_palm");
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  command.mode = CoreMode::kInverseKinematics;
  SpatialTask& reach = command.spatial[1];
  reach.on = true;
  reach.firmness = Firmness::kHard;
  reach.frame = hand;
  reach.axes = {true, true, true, false, false, false};
  FrameGoal goal;
  const Eigen::Vector3d way(0.04, 0.02, 0.03);
  goal.position = icub.model.position(hand) + way;
  const Eigen::Vector3d com = icub.model.com();
  std::array<Eigen::Vector3d, 2> sole;
  for (std::size_t c = 0; c < 2; ++c) sole[c] = icub.model.position(core.contacts()[c].frame);

  const double dt = 1e-4;
  const double end = 0.3;
  for (double t = 0.0; t < end - 0.5 * dt; t += dt) {
    ASSERT_TRUE(icub.read());
    reach.acceleration =
        towards(icub.model, hand, goal, FeedbackGains::critical(omega * omega), {});
    command.momentum.rate =
        momentum_towards(icub.model, com, FeedbackGains::critical(60.0), /*spin_damping=*/2.0);
    const WholeBodySolution& answer = core.solve(icub.model, command);
    ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);
    // The joints go where they are told, the base as the soles have it.
    const Eigen::VectorXd mean = icub.model.velocity() + 0.5 * dt * answer.acceleration;
    mj_integratePos(&icub.plant, icub.data->qpos, mean.data(), dt);
    for (int i = 0; i < icub.plant.nv; ++i) icub.data->qvel[i] += dt * answer.acceleration[i];
  }
  icub.read();

  // x'' + 2 ω x' + ω² x = 0 from rest.
  const double left = (1.0 + omega * end) * std::exp(-omega * end);
  const Eigen::Vector3d missing = goal.position - icub.model.position(hand);
  EXPECT_LT((missing - left * way).norm(), 0.002 * way.norm());
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_LT((icub.model.position(core.contacts()[c].frame) - sole[c]).norm(), 1e-5);
  }
  EXPECT_LT((icub.model.com() - com).head<2>().norm(), 1e-3) << "it stays above the soles";
}

TEST_F(CoreModes, KinematicsHeedsRangesAndNamesWhatGivesWay) {
  icub.read();
  const int knee = icub.model.find_joint("l_knee");
  icub.data->qpos[icub.plant.jnt_qposadr[knee + 1]] =
      icub.bounds[static_cast<std::size_t>(knee)].low + 1e-4;
  icub.data->qvel[6 + knee] = -0.2;
  icub.read();
  WholeBodyCommand command;
  command.mode = CoreMode::kInverseKinematics;
  command.joints.on = true;
  command.joints.acceleration.setZero(joints());
  command.joints.weights.setOnes(joints());
  command.joints.acceleration[knee] = -100.0;
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);
  EXPECT_GE(answer.acceleration[6 + knee], 7.9) << "2 (d - v T) / T², as in inverse dynamics";
  EXPECT_EQ(answer.active.ranges, 1);

  // A hand and, hard as well, the same hand elsewhere.
  for (const std::size_t t : {1U, 2U}) {
    SpatialTask& hand = command.spatial[t];
    hand.on = true;
    hand.firmness = Firmness::kHard;
    hand.frame = icub.model.find_frame("l_palm");
    hand.axes = {false, false, true, false, false, false};
    hand.acceleration[2] = t == 1U ? 1.0 : -1.0;
  }
  core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kGaveWay);
  EXPECT_EQ(answer.gave_way[0], (GaveWay{Yielding::kSpatialTask, 2}));
  EXPECT_NEAR(acceleration_of(command.spatial[1].frame, answer)[2], 1.0, 1e-8);
}

// Virtual model control --------------------------------------------------------------------------

TEST_F(CoreModes, AtRestTheVirtualModelCarriesTheRobotByItsSolesAsStaticsHasIt) {
  icub.read();
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  command.mode = CoreMode::kVirtualModel;
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);

  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(icub.model.velocity_count());
  const Eigen::VectorXd needed = soles::forces_that_take(icub, rest);
  const Eigen::VectorXd left = needed - soles::forces_of_points(icub, core);
  EXPECT_LT((left.tail(joints()) - answer.torque).norm(), 1e-9);
  // The weight is 324 N; the forces' own weights take a little.
  EXPECT_LT(left.head<6>().norm(), 0.05);
  EXPECT_EQ(answer.acceleration.norm(), 0.0);
}

TEST_F(CoreModes, InTheAirAVirtualModelPullsAFrameAsSomebodyOutsideWould) {
  for (int i = 0; i < kTried; ++i) {
    SCOPED_TRACE(i);
    icub.shake(random);
    WholeBodyCommand command;
    command.mode = CoreMode::kVirtualModel;
    SpatialTask& hand = command.spatial[3];
    hand.on = true;
    hand.frame = icub.model.find_frame("l_palm");
    hand.acceleration << 1.0, -2.0, 0.5, 3.0, -1.0, 2.0;
    const WholeBodySolution& answer = core.solve(icub.model, command);
    ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);

    // Beside what holds the joints there is Jᵀ F of one wrench, and it accelerates the hand so.
    const Eigen::MatrixXd jacobian = jacobian_of(hand.frame);
    const Eigen::VectorXd beside = answer.torque - icub.model.bias().tail(joints());
    const Eigen::MatrixXd of_joints = jacobian.rightCols(joints()).transpose();
    const Eigen::VectorXd force = of_joints.colPivHouseholderQr().solve(beside);
    EXPECT_LT((of_joints * force - beside).norm(), 1e-8);
    const Eigen::VectorXd moved = icub.model.inertia().ldlt().solve(jacobian.transpose() * force);
    const SixNumbers got = jacobian * moved + icub.model.acceleration_bias(hand.frame);
    EXPECT_LT((got - hand.acceleration).norm(), 1e-6);
  }
}

TEST_F(CoreModes, OnItsSolesTheGroundAnswersToWhatTheVirtualModelPulls) {
  icub.read();
  WholeBodyCommand command;
  command.mode = CoreMode::kVirtualModel;
  for (std::size_t c = 0; c < 2; ++c) {
    command.contacts[c].on = true;
    command.contacts[c].friction = soles::kSoleFriction;
  }
  // Momentum is the command's along x alone: there the hand's pull adds nothing.
  command.momentum.on = true;
  command.momentum.axes = {true, false, false, false, false, false};
  command.momentum.rate[0] = 15.0;
  SpatialTask& hand = command.spatial[0];
  hand.on = true;
  hand.frame = icub.model.find_frame("l_palm");
  hand.axes = {true, true, true, false, false, false};
  hand.acceleration << 3.0, 1.0, -2.0, 0.0, 0.0, 0.0;
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);

  const Eigen::MatrixXd rows = jacobian_of(hand.frame).topRows(3);
  const Eigen::MatrixXd mobility = rows * icub.model.inertia().ldlt().solve(rows.transpose());
  const Eigen::Vector3d pull = mobility.ldlt().solve(hand.acceleration.head<3>());
  const Eigen::Vector3d arm = icub.model.position(hand.frame) - icub.model.com();
  SixNumbers ground = SixNumbers::Zero();
  for (std::size_t c = 0; c < 2; ++c) {
    const Eigen::Vector3d from = icub.model.position(core.contacts()[c].frame) - icub.model.com();
    const SixNumbers& wrench = answer.contact_wrench[c];
    const Eigen::Vector3d force = wrench.head<3>();
    ground.head<3>() += force;
    ground.tail<3>() += wrench.tail<3>() + from.cross(force);
  }
  SixNumbers expected;
  expected << 15.0, pull.y(), pull.z() + 9.81 * icub.model.mass(), arm.cross(pull);
  EXPECT_LT((ground - expected).norm(), 0.05) << "of 324 N";
}

TEST_F(CoreModes, AJointOfTheVirtualModelIsPulledByItsOwnInertia) {
  icub.read();
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  command.mode = CoreMode::kVirtualModel;
  const Eigen::VectorXd before = core.solve(icub.model, command).torque;
  const int elbow = icub.model.find_joint("r_elbow");
  const int knee = icub.model.find_joint("r_knee");
  command.privileged.acceleration[elbow] = 2.0;
  command.privileged.acceleration[knee] = 2.0;
  const Eigen::VectorXd change = core.solve(icub.model, command).torque - before;
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(joints());
  expected[elbow] = 2.0 * icub.model.inertia()(6 + elbow, 6 + elbow);
  EXPECT_LT((change - expected).norm(), 1e-9) << "the legs are the soles' to move";

  command.contacts[1].on = false;
  command.privileged.acceleration.setZero();
  const Eigen::VectorXd lifted = core.solve(icub.model, command).torque;
  command.privileged.acceleration[knee] = 2.0;
  const double pulled = core.solve(icub.model, command).torque[knee] - lifted[knee];
  EXPECT_NEAR(pulled, 2.0 * icub.model.inertia()(6 + knee, 6 + knee), 1e-9);
}

TEST_F(CoreModes, ForcesOfTheVirtualModelPushStayInTheConeAndItsTorquesWithinTheirLimits) {
  int cut = 0;
  for (int i = 0; i < kTried; ++i) {
    SCOPED_TRACE(i);
    icub.shake(random);
    WholeBodyCommand command = soles::stand(icub, random, 30.0);
    command.mode = CoreMode::kVirtualModel;
    const WholeBodySolution& answer = core.solve(icub.model, command);
    ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);
    for (std::size_t c = 0; c < 2; ++c) {
      const Eigen::Matrix3d axes = icub.model.rotation(core.contacts()[c].frame);
      for (int p = 0; p < 4; ++p) {
        const Eigen::Vector3d force = axes.transpose() * answer.point_force[c].col(p);
        EXPECT_GE(force.z(), -1e-6);
        EXPECT_LE(force.head<2>().norm(), soles::kSoleFriction * force.z() + 1e-6);
      }
    }
    int at_limit = 0;
    for (int j = 0; j < joints(); ++j) {
      const double most = icub.bounds[static_cast<std::size_t>(j)].torque_max;
      EXPECT_LE(std::abs(answer.torque[j]), most);
      at_limit += std::abs(answer.torque[j]) == most ? 1 : 0;
    }
    EXPECT_EQ(answer.active.torques, at_limit);
    cut += at_limit;
  }
  EXPECT_GT(cut, 0) << "nothing came to a limit: the test asks for too little";
}

TEST_F(CoreModes, ANumberThatIsNotFiniteGetsNoAnswerInAnyMode) {
  icub.read();
  for (const CoreMode mode :
       {CoreMode::kInverseDynamics, CoreMode::kInverseKinematics, CoreMode::kVirtualModel}) {
    SCOPED_TRACE(static_cast<int>(mode));
    WholeBodyCommand command = soles::stand(icub, random, 0.0);
    command.mode = mode;
    command.privileged.acceleration[20] = std::nan("");
    EXPECT_EQ(core.solve(icub.model, command).outcome, CoreOutcome::kNoAnswer);
    command.privileged.acceleration[20] = 0.0;
    EXPECT_EQ(core.solve(icub.model, command).outcome, CoreOutcome::kSolved);
  }
}

TEST_F(CoreModes, AModeLeavesNothingToTheNextOne) {
  icub.shake(random);
  CoreSettings settings;
  settings.change_weight = 0.1;
  WholeBodyCommand command = soles::stand(icub, random);
  WholeBodyCore fresh(icub.model, soles::both_soles(icub.model), icub.bounds, settings);
  WholeBodyCore used(icub.model, soles::both_soles(icub.model), icub.bounds, settings);
  for (const CoreMode mode : {CoreMode::kVirtualModel, CoreMode::kInverseKinematics}) {
    command.mode = mode;
    used.solve(icub.model, command);
    ASSERT_EQ(used.solution().outcome, CoreOutcome::kSolved);
  }
  command.mode = CoreMode::kInverseDynamics;
  const Eigen::VectorXd expected = fresh.solve(icub.model, command).torque;
  EXPECT_EQ(used.solve(icub.model, command).torque, expected);
}

// Active constraints -----------------------------------------------------------------------------

TEST_F(CoreModes, AJointThatIsOutOfItsRangeIsNamedWithTheEndThatHoldsIt) {
  // 2 (d - v T) / T² = 80 rad/s² back, more than its speed limit has otherwise: no room is left.
  const int knee = icub.model.find_joint("l_knee");
  icub.read();
  icub.bounds[static_cast<std::size_t>(knee)].low =
      icub.model.q()[static_cast<std::size_t>(knee)] + 0.1;
  WholeBodyCore narrow(icub.model, soles::both_soles(icub.model), icub.bounds);
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  const WholeBodySolution& answer = narrow.solve(icub.model, command);
  ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer);
  EXPECT_EQ(answer.active.joint[static_cast<std::size_t>(knee)], JointHold::kLowest);
  EXPECT_NEAR(answer.acceleration[6 + knee], 80.0, 1e-6);
  EXPECT_GE(answer.active.ranges, 1);
  EXPECT_EQ(answer.active.loads, 0);
}

TEST_F(CoreModes, ActiveConstraintsAreCountedByKind) {
  bool has_torques = false;
  bool has_edges = false;
  for (int i = 0; i < kTried; ++i) {
    SCOPED_TRACE(i);
    icub.shake(random);
    const WholeBodySolution& answer = core.solve(icub.model, soles::stand(icub, random, 10.0));
    if (answer.outcome != CoreOutcome::kSolved) continue;
    int torques = 0;
    for (int j = 0; j < joints(); ++j) {
      const double most = icub.bounds[static_cast<std::size_t>(j)].torque_max;
      torques += std::abs(answer.torque[j]) > most - 1e-7 ? 1 : 0;
    }
    int empty = 0;
    const Eigen::VectorXd z = core.variables();
    for (int e = joints(); e < z.size(); ++e) empty += z[e] < 1e-9 ? 1 : 0;
    EXPECT_EQ(answer.active.torques, torques);
    EXPECT_EQ(answer.active.edges, empty);
    expect_joints_held_as_the_solution_has_it(answer);
    for (std::size_t c = 0; c < 2; ++c) {
      const Eigen::VectorXd own = z.segment(joints() + 16 * static_cast<int>(c), 16);
      EXPECT_EQ(answer.active.edges_of[c], (own.array() < 1e-9).count());
    }
    EXPECT_EQ(answer.active.loads, 0);
    has_torques |= torques > 0;
    has_edges |= empty > 0;
  }
  EXPECT_TRUE(has_torques);
  EXPECT_TRUE(has_edges);

  apply(icub.mjcf.start, icub.plant, *icub.data);
  icub.read();
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  command.contacts[0].force_max = 100.0;
  const ActiveConstraints& active = core.solve(icub.model, command).active;
  EXPECT_EQ(active.loads, 1) << "it would bear half of 324 N";
  EXPECT_TRUE(active.is_loaded[0]);
  EXPECT_FALSE(active.is_loaded[1]);
}

}  // namespace
}  // namespace jointrig
