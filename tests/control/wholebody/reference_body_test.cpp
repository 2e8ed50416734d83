// The robot of the controller's own in mode inverse_kinematics.

#include "control/wholebody/reference_body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "control/wholebody/feedback.h"
#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig {
namespace {

constexpr double kDt = 1e-3;
constexpr std::array<bool, kMaxContacts> kStand{};

class ReferenceRobot : public ::testing::Test {
 protected:
  void SetUp() override {
    icub.read();
    command = soles::stand(icub, random, 0.0);
    command.mode = CoreMode::kInverseKinematics;
    ASSERT_TRUE(body.begin(icub.model));
    com = body.model().com();
  }
  /// One cycle in which the centre of mass is pulled to a place.
  void step(const Eigen::Vector3d& place) {
    command.momentum.rate = momentum_towards(body.model(), place, gains, /*spin_damping=*/2.0);
    body.hold(core.contacts(), kStand, command);
    const WholeBodySolution& answer = core.solve(body.model(), command);
    ASSERT_EQ(answer.outcome, CoreOutcome::kSolved);
    ASSERT_TRUE(body.advance(answer.acceleration, kDt));
  }
  [[nodiscard]] Eigen::Vector3d place_of(std::size_t sole) const {
    return body.model().position(core.contacts()[sole].frame);
  }
  [[nodiscard]] Eigen::Matrix3d axes_of(std::size_t sole) const {
    return body.model().rotation(core.contacts()[sole].frame);
  }

  soles::Icub icub;
  std::mt19937 random{5};
  WholeBodyCore core{icub.model, soles::both_soles(icub.model), icub.bounds};
  ReferenceBody body{icub.mjcf};
  WholeBodyCommand command;
  FeedbackGains gains = FeedbackGains::critical(36.0);
  Eigen::Vector3d com;
};

TEST_F(ReferenceRobot, BeginsWhereTheOtherOneIsAndAtRest) {
  icub.shake(random);
  ASSERT_TRUE(body.begin(icub.model));
  EXPECT_LT((body.model().com() - icub.model.com()).norm(), 1e-12);
  EXPECT_GT(icub.model.com_velocity().norm(), 0.01);
  EXPECT_EQ(body.model().com_velocity().norm(), 0.0);
}

TEST_F(ReferenceRobot, SolesStandToAMicrometreWhileTheBodySwaysAboveThem) {
  std::array<Eigen::Vector3d, 2> place;
  std::array<Eigen::Matrix3d, 2> axes;
  for (std::size_t c = 0; c < 2; ++c) {
    place[c] = place_of(c);
    axes[c] = axes_of(c);
  }
  double farthest = 0.0;
  double swayed = 0.0;
  for (int k = 0; k < 5000; ++k) {
    const double t = kDt * k;
    step(com + Eigen::Vector3d(0.02 * std::sin(3.0 * t), 0.05 * std::sin(2.0 * t),
                               -0.02 + 0.02 * std::cos(4.0 * t)));
    swayed = std::max(swayed, (body.model().com() - com).norm());
    for (std::size_t c = 0; c < 2; ++c) {
      farthest = std::max(farthest, (place_of(c) - place[c]).norm());
      farthest = std::max(farthest, turn_between(axes_of(c), axes[c]).norm());
    }
  }
  EXPECT_GT(swayed, 0.04) << "it moved";
  EXPECT_LT(farthest, 1e-6);
}

TEST_F(ReferenceRobot, ItsCentreOfMassGoesAsACriticallyDampedSpring) {
  command.spatial[0].on = false;
  command.momentum.weights.head<3>().setConstant(1.0);
  command.momentum.weights.tail<3>().setConstant(1e-6);
  command.privileged.weights.setConstant(1e-6);
  const Eigen::Vector3d way(0.01, 0.03, 0.0);
  const double omega = 6.0;
  for (int k = 1; k <= 1000; ++k) {
    step(com + way);
    if (k % 100 != 0) continue;
    // x'' + 2 ω x' + ω² x = ω² way from rest: what is left is (1 + ω t) exp(-ω t) of the way.
    const double t = kDt * k;
    const double left = (1.0 + omega * t) * std::exp(-omega * t);
    EXPECT_LT((com + way - body.model().com() - left * way).norm(), 0.01 * way.norm()) << t;
  }
}

TEST_F(ReferenceRobot, ASoleThatComesToBearStandsWhereItThenIs) {
  command.contacts[0].on = false;
  for (int k = 0; k < 200; ++k) step(com + Eigen::Vector3d(0.0, -0.03, 0.0));
  const Eigen::Vector3d moved = place_of(0);
  command.contacts[0].on = true;
  for (int k = 0; k < 500; ++k) step(com);
  // It lands with the speed that it has, and comes back to where it landed.
  EXPECT_LT((place_of(0) - moved).norm(), 1e-5);
}

TEST_F(ReferenceRobot, FromTheSameStateItGoesTheSameWayToTheBit) {
  for (int k = 0; k < 50; ++k) step(com + Eigen::Vector3d(0.0, 0.03, 0.0));
  ReferenceBody other{icub.mjcf};
  other.restore(body.state());
  EXPECT_EQ(other.model().com(), body.model().com());
  EXPECT_EQ(other.model().velocity(), body.model().velocity());
  EXPECT_EQ(other.state().q, body.state().q);
}

TEST_F(ReferenceRobot, AccelerationsThatLeadNowhereMoveNothing) {
  const std::vector<double> q = body.state().q;
  Eigen::VectorXd nowhere = Eigen::VectorXd::Zero(icub.model.velocity_count());
  nowhere[10] = std::nan("");
  EXPECT_FALSE(body.advance(nowhere, kDt));
  EXPECT_EQ(body.state().q, q);
  EXPECT_LT((body.model().com() - com).norm(), 1e-12);
}

}  // namespace
}  // namespace jointrig
