#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/control/wholebody/icub_on_floor.h"

namespace jointrig {
namespace {

constexpr double kPush = 0.1;      ///< duration of a push [s]
constexpr double kSurvived = 1.0;  ///< share of ω d; measured: 1.1 in the worst of 16 directions

class StandingIcub {
 public:
  StandingIcub() {
    upright_ = robot_.icub.model.rotation(chest_);
    robot_.command.joints.on = false;
    SpatialTask& chest = robot_.command.spatial[0];
    chest.on = true;
    chest.frame = chest_;
    chest.axes = {false, false, false, true, true, true};
    chest.weights.setConstant(1.0);
  }

  /// One millisecond. @param force on the chest [N]
  void step(const Eigen::Vector3d& force = Eigen::Vector3d::Zero()) {
    robot_.read();
    robot_.want_to_stand();
    FrameGoal upright;
    upright.rotation = upright_;
    robot_.command.spatial[0].acceleration =
        towards(robot_.icub.model, chest_, upright, {}, FeedbackGains::critical(50.0));
    const int body = mj_name2id(robot_.plant.get(), mjOBJ_BODY, "chest");
    std::copy_n(force.data(), 3, robot_.data->xfrc_applied + 6 * body);
    const WholeBodySolution& answer = robot_.step();
    unanswered_ += answer.outcome == CoreOutcome::kNoAnswer ? 1 : 0;
    gave_way_ += answer.outcome == CoreOutcome::kGaveWay ? 1 : 0;
  }

  /// It stands for 2 s, and can start from there again.
  void settle() {
    for (int i = 0; i < 2000; ++i) step();
    settled_ = make_data(*robot_.plant, soles::kIcub);
    mj_copyData(settled_.get(), robot_.plant.get(), robot_.data.get());
  }

  /// Pushes the chest once it has settled, and returns whether the robot stands 1.2 s later, at
  /// rest.
  bool survives(const Eigen::Vector3d& impulse) {
    mj_copyData(robot_.data.get(), robot_.plant.get(), settled_.get());
    for (int i = 0; i < static_cast<int>(kPush / 1e-3); ++i) step(impulse / kPush);
    for (int i = 0; i < 1200; ++i) {
      step();
      if (fallen()) return false;
    }
    return robot_.icub.model.com_velocity().norm() < 0.05;
  }

  /// Bodies beside the feet that touch the floor.
  [[nodiscard]] int touching() const {
    int count = 0;
    for (int c = 0; c < robot_.data->ncon; ++c) {
      for (const int geom : robot_.data->contact[c].geom) {
        const std::string body =
            mj_id2name(robot_.plant.get(), mjOBJ_BODY, robot_.plant->geom_bodyid[geom]);
        count += body != "world" && body != "l_foot" && body != "r_foot" ? 1 : 0;
      }
    }
    return count;
  }

  [[nodiscard]] bool fallen() const { return robot_.icub.model.com().z() < 0.8 * robot_.goal.z(); }
  [[nodiscard]] const FloatingModel& model() const { return robot_.icub.model; }
  [[nodiscard]] const mjData& data() const { return *robot_.data; }
  [[nodiscard]] int unanswered() const { return unanswered_; }
  [[nodiscard]] int gave_way() const { return gave_way_; }
  [[nodiscard]] const Eigen::Vector3d& goal() const { return robot_.goal; }

  /// ω d: speed that can be taken along a direction without a step, of a point mass on legs, from
  /// the middle of the soles (Koolen et al. 2012, "Capturability-based analysis").
  [[nodiscard]] double bound(const Eigen::Vector3d& along) const {
    const double omega = std::sqrt(9.81 / robot_.goal.z());
    // Polygon of both soles: 0.16 m long; 0.14 m apart, 0.036 m beyond each middle.
    const double long_way = 0.08;
    const double wide_way = 0.0702 + 0.005 + 0.036;
    double distance = 1e9;
    if (std::abs(along.x()) > 1e-9) distance = long_way / std::abs(along.x());
    if (std::abs(along.y()) > 1e-9) {
      distance = std::min(distance, wide_way / std::abs(along.y()));
    }
    return omega * distance;
  }

 private:
  soles::IcubOnFloor robot_{0.1};
  DataPtr settled_;
  BodyFrame chest_ = robot_.icub.model.find_frame("chest");
  Eigen::Matrix3d upright_;
  int unanswered_ = 0;
  int gave_way_ = 0;
};

TEST(Standing, TheIcubStandsForTenSecondsAndDriftsLessThanAMillimetre) {
  StandingIcub robot;
  for (int i = 0; i < 3000; ++i) robot.step();
  const Eigen::Vector3d settled = robot.model().com();
  const Eigen::Vector3d base(robot.data().qpos[0], robot.data().qpos[1], robot.data().qpos[2]);
  for (int i = 0; i < 7000; ++i) robot.step();

  EXPECT_FALSE(robot.fallen());
  EXPECT_LT((settled - robot.goal()).norm(), 0.005);
  EXPECT_LT((robot.model().com() - settled).norm(), 1e-3);
  const Eigen::Vector3d later(robot.data().qpos[0], robot.data().qpos[1], robot.data().qpos[2]);
  EXPECT_LT((later - base).norm(), 1e-3);
  EXPECT_EQ(robot.unanswered(), 0);
  EXPECT_EQ(robot.gave_way(), 0);
}

TEST(Standing, OnlyTheSolesOfTheIcubTouchTheFloor) {
  StandingIcub robot;
  for (int i = 0; i < 500; ++i) {
    robot.step();
    ASSERT_EQ(robot.touching(), 0) << "at " << i << " ms";
  }
}

TEST(Standing, TheIcubIsPushedFromSixteenDirectionsAndKeepsItsFeet) {
  StandingIcub robot;
  robot.settle();
  for (int direction = 0; direction < 16; ++direction) {
    SCOPED_TRACE(direction);
    const double angle = std::numbers::pi * direction / 8.0;
    const Eigen::Vector3d along(std::cos(angle), std::sin(angle), 0.0);
    const double speed = kSurvived * robot.bound(along);
    EXPECT_TRUE(robot.survives(robot.model().mass() * speed * along));
    EXPECT_EQ(robot.unanswered(), 0);
  }
}

TEST(Standing, APushBeyondTheBoundOfItsFeetThrowsTheIcubOver) {
  StandingIcub robot;
  robot.settle();
  const Eigen::Vector3d forward = Eigen::Vector3d::UnitX();
  EXPECT_FALSE(robot.survives(robot.model().mass() * 1.5 * robot.bound(forward) * forward));
}

}  // namespace
}  // namespace jointrig
