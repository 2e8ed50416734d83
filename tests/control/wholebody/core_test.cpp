#include "control/wholebody/core.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "tests/control/discovery/published_models.h"
#include "tests/control/wholebody/icub_on_soles.h"
#include "tests/control/wholebody/plant_forces.h"

namespace jointrig {
namespace {

using soles::forces_of_points;
using soles::forces_that_take;
using soles::Icub;

constexpr int kStates = 100;

class WholeBody : public ::testing::Test {
 protected:
  Icub icub;
  std::mt19937 random{15};
  WholeBodyCore core{icub.model, soles::both_soles(icub.model), icub.bounds};
};

TEST_F(WholeBody, TorquesAndContactForcesAreMuJoCosInverseDynamicsOfTheSolvedAccelerations) {
  for (int i = 0; i < kStates; ++i) {
    SCOPED_TRACE(i);
    icub.shake(random);
    const WholeBodySolution& answer = core.solve(icub.model, soles::stand(icub, random));
    ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer);

    const Eigen::VectorXd needed = forces_that_take(icub, answer.acceleration);
    Eigen::VectorXd given = forces_of_points(icub, core);
    given.tail(icub.model.joint_count()) += answer.torque;

    EXPECT_LT((needed - given).cwiseAbs().maxCoeff(), 1e-9 * std::max(1.0, needed.norm()));
  }
}

TEST(WholeBodyOfOthers, TheEquationsOfMotionHoldForDmControlsHumanoidWithItsSpringsAndOddAxes) {
  const std::filesystem::path folder = testing::package_folder("dm_control");
  if (folder.empty()) GTEST_SKIP() << "dm_control is not installed: scripts/test.sh does it";
  const Mjcf mjcf = load_mjcf((folder / "suite/humanoid.xml").string());
  mjModel* plant = mjcf.as_written.get();
  plant->opt.disableflags |= mjDSBL_CONSTRAINT;
  FloatingModel model(mjcf);
  std::vector<ContactSetup> contacts;
  for (const char* name : {"left_foot", "right_foot"}) {
    contacts.push_back({name, model.find_frame(name), {{0.1, 0.03, -0.02}, {-0.05, 0.0, -0.02}}});
  }
  std::vector<JointBounds> bounds(static_cast<std::size_t>(model.joint_count()));
  for (JointBounds& bound : bounds) bound.torque_max = 150.0;
  WholeBodyCore core(model, contacts, bounds);
  const DataPtr data = make_data(*plant, mjcf.path);
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int i = 0; i < kStates; ++i) {
    SCOPED_TRACE(i);
    for (int k = 7; k < plant->nq; ++k) data->qpos[k] = 0.2 * normal(random);
    for (int k = 0; k < plant->nv; ++k) data->qvel[k] = 0.5 * normal(random);
    const soles::BodyState state = soles::state_of(*plant, *data);
    ASSERT_TRUE(model.update(state.base, state.q, state.v));
    WholeBodyCommand command;
    command.momentum.on = true;
    command.contacts[0].on = command.contacts[1].on = true;
    const WholeBodySolution& answer = core.solve(model, command);
    ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer);

    std::copy_n(answer.acceleration.data(), plant->nv, data->qacc);
    mj_inverse(plant, data.get());
    Eigen::VectorXd rest = Eigen::Map<const Eigen::VectorXd>(data->qfrc_inverse, plant->nv);
    rest.tail(model.joint_count()) -= answer.torque;
    for (std::size_t c = 0; c < 2; ++c) {
      const int body = mj_name2id(plant, mjOBJ_BODY, contacts[c].name.c_str());
      Eigen::VectorXd push = Eigen::VectorXd::Zero(plant->nv);
      mj_applyFT(plant, data.get(), answer.contact_wrench[c].data(),
                 answer.contact_wrench[c].data() + 3, data->xpos + 3 * body, body, push.data());
      rest -= push;
    }
    EXPECT_LT(rest.cwiseAbs().maxCoeff(), 1e-9 * 400.0) << "of some 400 N of weight";
  }
}

TEST_F(WholeBody, AKnownWrenchOnAHandIsPartOfTheEquationsOfMotion) {
  icub.shake(random);
  WholeBodyCommand command = soles::stand(icub, random);
  ExternalWrench& pull = command.wrenches[0];
  pull.on = true;
  pull.frame = icub.model.find_frame("l_palm");
  pull.wrench << 10.0, -5.0, 20.0, 0.3, 0.1, -0.2;
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer);

  const Eigen::VectorXd needed = forces_that_take(icub, answer.acceleration);
  Eigen::VectorXd given = forces_of_points(icub, core);
  given.tail(icub.model.joint_count()) += answer.torque;
  const int palm = mj_name2id(&icub.plant, mjOBJ_SITE, "l_palm");
  mj_applyFT(&icub.plant, icub.data.get(), pull.wrench.data(), pull.wrench.data() + 3,
             icub.data->site_xpos + 3 * palm, icub.plant.site_bodyid[palm], given.data());

  EXPECT_LT((needed - given).cwiseAbs().maxCoeff(), 1e-9 * needed.norm());
}

TEST_F(WholeBody, ForcesPushOnlyAndStayInTheFrictionCone) {
  for (int i = 0; i < kStates; ++i) {
    icub.shake(random);
    const WholeBodySolution& answer = core.solve(icub.model, soles::stand(icub, random, 3.0));
    ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer);
    for (std::size_t c = 0; c < 2; ++c) {
      const Eigen::Matrix3d axes = icub.model.rotation(core.contacts()[c].frame);
      for (int p = 0; p < 4; ++p) {
        const Eigen::Vector3d force = axes.transpose() * answer.point_force[c].col(p);
        EXPECT_GE(force.z(), -1e-6);
        EXPECT_LE(force.head<2>().norm(), soles::kSoleFriction * force.z() + 1e-6);
      }
    }
  }
}

TEST_F(WholeBody, TorquesStayWithinTheirLimitsWhateverIsAsked) {
  bool met_a_limit = false;
  for (int i = 0; i < kStates; ++i) {
    icub.shake(random);
    const WholeBodySolution& answer = core.solve(icub.model, soles::stand(icub, random, 30.0));
    ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer) << i;
    for (int j = 0; j < icub.model.joint_count(); ++j) {
      const double most = icub.bounds[static_cast<std::size_t>(j)].torque_max;
      EXPECT_LE(std::abs(answer.torque[j]), most + 1e-6);
      met_a_limit |= std::abs(answer.torque[j]) > most - 1e-6;
    }
  }
  EXPECT_TRUE(met_a_limit) << "nothing came near a limit: the test asks for too little";
}

TEST_F(WholeBody, MomentumChangesAsTheSolutionSaysSeenByIntegratingItsAccelerations) {
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    icub.shake(random);
    WholeBodyCommand command = soles::stand(icub, random, 0.3);
    command.momentum.weights.setConstant(10.0);
    const WholeBodySolution& answer = core.solve(icub.model, command);
    ASSERT_NE(answer.outcome, CoreOutcome::kNoAnswer);

    // Momentum by MuJoCo at two states, before and after along the solved motion.
    const auto momentum_after = [&](double time) {
      const DataPtr d(mj_copyData(nullptr, &icub.plant, icub.data.get()));
      const Eigen::VectorXd before = icub.model.velocity();
      const Eigen::VectorXd mean = before + 0.5 * time * answer.acceleration;
      mj_integratePos(&icub.plant, d->qpos, mean.data(), time);
      const Eigen::VectorXd after = before + time * answer.acceleration;
      std::copy_n(after.data(), after.size(), d->qvel);
      mj_kinematics(&icub.plant, d.get());
      mj_comPos(&icub.plant, d.get());
      mj_comVel(&icub.plant, d.get());
      mj_subtreeVel(&icub.plant, d.get());
      SixNumbers momentum;
      momentum << icub.model.mass() * Eigen::Map<const Eigen::Vector3d>(d->subtree_linvel + 3),
          Eigen::Map<const Eigen::Vector3d>(d->subtree_angmom + 3);
      return momentum;
    };
    const double step = 1e-5;
    const SixNumbers seen = (momentum_after(step) - momentum_after(-step)) / (2.0 * step);

    SixNumbers forces = SixNumbers::Zero();
    forces.head<3>() = icub.model.mass() * icub.model.gravity();
    for (std::size_t c = 0; c < 2; ++c) {
      const Eigen::Vector3d arm = icub.model.position(core.contacts()[c].frame) - icub.model.com();
      const SixNumbers& wrench = answer.contact_wrench[c];
      const Eigen::Vector3d force = wrench.head<3>();
      forces.head<3>() += force;
      forces.tail<3>() += wrench.tail<3>() + arm.cross(force);
    }
    EXPECT_LT((seen - forces).norm(), 1e-4 * std::max(1.0, forces.norm()));
  }
}

TEST_F(WholeBody, FeetThatStandAreNotAcceleratedSeenByFiniteDifference) {
  icub.shake(random);
  const WholeBodySolution& answer = core.solve(icub.model, soles::stand(icub, random));
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);

  const auto twist_after = [&](double time) {
    const DataPtr d(mj_copyData(nullptr, &icub.plant, icub.data.get()));
    const Eigen::VectorXd mean = icub.model.velocity() + 0.5 * time * answer.acceleration;
    mj_integratePos(&icub.plant, d->qpos, mean.data(), time);
    const Eigen::VectorXd after = icub.model.velocity() + time * answer.acceleration;
    std::copy_n(after.data(), after.size(), d->qvel);
    mj_kinematics(&icub.plant, d.get());
    mj_comPos(&icub.plant, d.get());
    mj_comVel(&icub.plant, d.get());
    const int site = mj_name2id(&icub.plant, mjOBJ_SITE, "l_sole");
    SixNumbers spatial;  // MuJoCo: angular first
    mj_objectVelocity(&icub.plant, d.get(), mjOBJ_SITE, site, spatial.data(), 0);
    return spatial;
  };
  const double step = 1e-5;
  const SixNumbers seen = (twist_after(step) - twist_after(-step)) / (2.0 * step);
  EXPECT_LT(seen.norm(), 1e-5);
}

TEST_F(WholeBody, AHardTaskIsMetExactlyOnItsAxesAlone) {
  icub.shake(random);
  WholeBodyCommand command = soles::stand(icub, random);
  SpatialTask& hand = command.spatial[1];
  hand.on = true;
  hand.firmness = Firmness::kHard;
  hand.frame = icub.model.find_frame("r_palm");
  hand.axes = {true, false, true, false, false, false};
  hand.acceleration << 1.0, 99.0, -2.0, 99.0, 99.0, 99.0;
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);

  FloatingModel::Jacobian jacobian(6, icub.model.velocity_count());
  icub.model.jacobian(hand.frame, jacobian);
  const SixNumbers got = jacobian * answer.acceleration + icub.model.acceleration_bias(hand.frame);
  EXPECT_NEAR(got[0], 1.0, 1e-9);
  EXPECT_NEAR(got[2], -2.0, 1e-9);
  EXPECT_LT(std::abs(got[1]), 50.0) << "an axis that wasn't chosen was followed";
}

TEST_F(WholeBody, AHardTaskThatTheTorquesCantGiveGivesWayAndIsNamed) {
  icub.read();
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  for (const std::size_t t : {1U, 2U}) {
    SpatialTask& hand = command.spatial[t];
    hand.on = true;
    hand.firmness = Firmness::kHard;
    hand.frame = icub.model.find_frame(t == 2 ? "r_palm" : "l_palm");
    hand.axes = {false, false, true, false, false, false};
    hand.acceleration[2] = t == 2 ? 500.0 : 0.5;
  }
  const WholeBodySolution& answer = core.solve(icub.model, command);

  ASSERT_EQ(answer.outcome, CoreOutcome::kGaveWay);
  ASSERT_EQ(answer.gave_way.size(), 1U);
  EXPECT_EQ(answer.gave_way[0], (GaveWay{Yielding::kSpatialTask, 2}));
  // The other one, and the feet, hold.
  FloatingModel::Jacobian jacobian(6, icub.model.velocity_count());
  const BodyFrame left = icub.model.find_frame("l_palm");
  icub.model.jacobian(left, jacobian);
  EXPECT_NEAR(jacobian.row(2).dot(answer.acceleration) + icub.model.acceleration_bias(left)[2], 0.5,
              1e-8);
  icub.model.jacobian(core.contacts()[0].frame, jacobian);
  EXPECT_LT((jacobian * answer.acceleration).norm(), 1e-8);
}

TEST_F(WholeBody, FeetThatAreToldToPartFasterThanTheLegsCanGiveWayAsTheLastOfAll) {
  icub.read();
  WholeBodyCommand command = soles::stand(icub, random, 0.0);
  command.contacts[0].acceleration[1] = 5000.0;
  const WholeBodySolution& answer = core.solve(icub.model, command);

  ASSERT_EQ(answer.outcome, CoreOutcome::kGaveWay);
  const GaveWay last = answer.gave_way[answer.gave_way.size() - 1];
  EXPECT_EQ(last.what, Yielding::kContactMotion);
  for (int j = 0; j < icub.model.joint_count(); ++j) {
    EXPECT_LE(std::abs(answer.torque[j]),
              icub.bounds[static_cast<std::size_t>(j)].torque_max + 1e-6);
  }
}

TEST_F(WholeBody, TheCentreOfPressureGoesWhereItIsWantedAndNeverLeavesTheSole) {
  const auto pressure_at = [&](double x) {
    icub.read();
    WholeBodyCommand command = soles::stand(icub, random, 0.0);
    command.contacts[0].pressure_centre = {x, 0.01};
    command.contacts[0].pressure_weight = 1e4;
    const WholeBodySolution& answer = core.solve(icub.model, command);
    EXPECT_EQ(answer.outcome, CoreOutcome::kSolved);
    const SixNumbers& w = answer.contact_wrench[0];  // the sole's axes are the world's
    const double height = -0.0105;
    return Eigen::Vector2d((-w[4] + height * w[0]) / w[2], (w[3] + height * w[1]) / w[2]);
  };
  EXPECT_NEAR(pressure_at(0.05).x(), 0.05, 1e-3);
  EXPECT_NEAR(pressure_at(0.0).x(), 0.0, 1e-3);
  EXPECT_NEAR(pressure_at(0.0).y(), 0.01, 1e-3);
  EXPECT_LE(pressure_at(1.0).x(), 0.0265 + 0.08 + 1e-9);
}

TEST_F(WholeBody, AJointAtItsLimitIsNotSentBeyondIt) {
  const int knee = icub.model.find_joint("l_knee");
  const int at = icub.plant.jnt_qposadr[knee + 1];
  icub.data->qpos[at] = icub.bounds[static_cast<std::size_t>(knee)].low + 1e-4;
  icub.data->qvel[6 + knee] = -0.2;
  icub.read();
  WholeBodyCommand command;  // in the air
  command.joints.on = true;
  command.joints.acceleration.setZero(icub.model.joint_count());
  command.joints.weights.setOnes(icub.model.joint_count());
  command.joints.acceleration[knee] = -100.0;
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);
  // It loses its speed: within 0.05 s it would be 2 (d - v T) / T² = 2 (0.01 - 0.0001) / 0.0025.
  EXPECT_GE(answer.acceleration[6 + knee], 7.9);
}

TEST_F(WholeBody, InTheAirTheCentreOfMassFallsFreely) {
  icub.shake(random);
  WholeBodyCommand command = soles::stand(icub, random);
  for (ContactCommand& contact : command.contacts) contact.on = false;
  const WholeBodySolution& answer = core.solve(icub.model, command);
  ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);
  const SixNumbers rate =
      icub.model.momentum_matrix() * answer.acceleration + icub.model.momentum_bias();
  EXPECT_NEAR(rate[2], -9.81 * 33.0616727, 1e-6);
  EXPECT_LT(rate.tail<3>().norm(), 1e-8);
}

TEST_F(WholeBody, ANumberThatIsNotFiniteGetsNoAnswerAndTheNextCycleIsWell) {
  icub.read();
  WholeBodyCommand command = soles::stand(icub, random, 0.1);
  const Eigen::VectorXd before = core.solve(icub.model, command).torque;
  WholeBodyCommand bad = command;
  bad.momentum.rate[0] = std::nan("");
  EXPECT_EQ(core.solve(icub.model, bad).outcome, CoreOutcome::kNoAnswer);
  EXPECT_EQ(core.solution().torque, before);
  EXPECT_EQ(core.solve(icub.model, command).outcome, CoreOutcome::kSolved);
  EXPECT_LT((core.solution().torque - before).norm(), 1e-7);
}

TEST_F(WholeBody, SetUpsThatCantBeAreRefusedInOneSentence) {
  const auto refusal = [&](std::vector<ContactSetup> contacts, std::vector<JointBounds> bounds,
                           const CoreSettings& settings) -> std::string {
    try {
      const WholeBodyCore refused(icub.model, std::move(contacts), std::move(bounds), settings);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  CoreSettings flat;
  flat.force_weight = 0.0;
  EXPECT_NE(refusal({}, icub.bounds, flat).find("force_weight has to be above 0"),
            std::string::npos);
  EXPECT_NE(refusal({{"toe", {}, {}}}, icub.bounds, {}).find("\"toe\" has 0 points"),
            std::string::npos);
  EXPECT_NE(refusal({}, {}, {}).find("bounds are given for 0 joints, the robot has 32"),
            std::string::npos);
}

}  // namespace
}  // namespace jointrig
