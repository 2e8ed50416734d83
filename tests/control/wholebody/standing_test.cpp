// The iCub in MuJoCo on a floor, its 32 motors driven by nothing but the whole-body controller.
// Pose and twist of the base are the simulation's truth.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "control/wholebody/feedback.h"
#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig {
namespace {

using soles::Icub;

constexpr double kPush = 0.1;      ///< duration of a push [s]
constexpr double kSurvived = 1.0;  ///< share of ω d; measured: 1.1 in the worst of 16 directions

class StandingIcub {
 public:
  StandingIcub() : core_(icub_.model, soles::both_soles(icub_.model), icub_.bounds) {
    // The same robot on a floor.
    mjsGeom* floor = mjs_addGeom(mjs_findBody(icub_.mjcf.spec.get(), "world"), nullptr);
    floor->type = mjGEOM_PLANE;
    floor->size[0] = floor->size[1] = floor->size[2] = 1.0;
    plant_ = compile(icub_.mjcf);
    data_ = make_data(*plant_, soles::kIcub);
    apply(icub_.mjcf.start, *plant_, *data_);
    read();
    goal_ = icub_.model.com();
    const Eigen::Vector3d sole = icub_.model.position(core_.contacts()[0].frame);
    goal_.x() = sole.x() + 0.0265;
    goal_.y() = 0.0;
    upright_ = icub_.model.rotation(chest_);
    posture_ = Eigen::Map<const Eigen::VectorXd>(icub_.model.q().data(), icub_.model.joint_count());
    command_.joints.on = false;
    command_.privileged.on = true;
    command_.privileged.weights.setConstant(icub_.model.joint_count(), 0.1);
    command_.momentum.on = true;
    command_.momentum.weights << 1.0, 1.0, 1.0, 0.02, 0.02, 0.02;
    SpatialTask& chest = command_.spatial[0];
    chest.on = true;
    chest.frame = chest_;
    chest.axes = {false, false, false, true, true, true};
    chest.weights.setConstant(1.0);
    for (std::size_t c = 0; c < 2; ++c) {
      command_.contacts[c].on = true;
      command_.contacts[c].friction = soles::kSoleFriction;
    }
  }

  /// One millisecond. @param force on the chest [N]
  void step(const Eigen::Vector3d& force = Eigen::Vector3d::Zero()) {
    read();
    FloatingModel& model = icub_.model;
    command_.momentum.rate =
        momentum_towards(model, goal_, FeedbackGains::critical(60.0), /*spin_damping=*/2.0);
    FrameGoal upright;
    upright.rotation = upright_;
    command_.spatial[0].acceleration =
        towards(model, chest_, upright, {}, FeedbackGains::critical(50.0));
    joints_towards(model, posture_, FeedbackGains::critical(50.0),
                   command_.privileged.acceleration);
    for (std::size_t c = 0; c < 2; ++c) {
      command_.contacts[c].acceleration = -20.0 * model.twist(core_.contacts()[c].frame);
    }
    const WholeBodySolution& answer = core_.solve(model, command_);
    unanswered_ += answer.outcome == CoreOutcome::kNoAnswer ? 1 : 0;
    gave_way_ += answer.outcome == CoreOutcome::kGaveWay ? 1 : 0;
    for (int j = 0; j < model.joint_count(); ++j) {
      const auto& name = model.joints()[static_cast<std::size_t>(j)].name;
      data_->ctrl[mj_name2id(plant_.get(), mjOBJ_ACTUATOR, name.c_str())] = answer.torque[j];
    }
    const int body = mj_name2id(plant_.get(), mjOBJ_BODY, "chest");
    std::copy_n(force.data(), 3, data_->xfrc_applied + 6 * body);
    mj_step(plant_.get(), data_.get());
  }

  void read() {
    const soles::BodyState state = soles::state_of(*plant_, *data_);
    icub_.model.update(state.base, state.q, state.v);
  }

  /// It stands for 2 s, and can start from there again.
  void settle() {
    for (int i = 0; i < 2000; ++i) step();
    settled_ = make_data(*plant_, soles::kIcub);
    mj_copyData(settled_.get(), plant_.get(), data_.get());
  }

  /// Pushes the chest once it has settled, and returns whether the robot stands 1.2 s later, at
  /// rest.
  bool survives(const Eigen::Vector3d& impulse) {
    mj_copyData(data_.get(), plant_.get(), settled_.get());
    for (int i = 0; i < static_cast<int>(kPush / 1e-3); ++i) step(impulse / kPush);
    for (int i = 0; i < 1200; ++i) {
      step();
      if (fallen()) return false;
    }
    return icub_.model.com_velocity().norm() < 0.05;
  }

  /// Bodies beside the feet that touch the floor.
  [[nodiscard]] int touching() const {
    int count = 0;
    for (int c = 0; c < data_->ncon; ++c) {
      for (const int geom : data_->contact[c].geom) {
        const std::string body = mj_id2name(plant_.get(), mjOBJ_BODY, plant_->geom_bodyid[geom]);
        count += body != "world" && body != "l_foot" && body != "r_foot" ? 1 : 0;
      }
    }
    return count;
  }

  [[nodiscard]] bool fallen() const { return icub_.model.com().z() < 0.8 * goal_.z(); }
  [[nodiscard]] const FloatingModel& model() const { return icub_.model; }
  [[nodiscard]] const mjData& data() const { return *data_; }
  [[nodiscard]] int unanswered() const { return unanswered_; }
  [[nodiscard]] int gave_way() const { return gave_way_; }
  [[nodiscard]] const Eigen::Vector3d& goal() const { return goal_; }

  /// ω d: speed that can be taken along a direction without a step, of a point mass on legs, from
  /// the middle of the soles (Koolen et al. 2012, "Capturability-based analysis").
  [[nodiscard]] double bound(const Eigen::Vector3d& along) const {
    const double omega = std::sqrt(9.81 / goal_.z());
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
  Icub icub_;
  ModelPtr plant_;
  DataPtr data_;
  DataPtr settled_;
  WholeBodyCore core_;
  WholeBodyCommand command_;
  BodyFrame chest_ = icub_.model.find_frame("chest");
  Eigen::Vector3d goal_;
  Eigen::Matrix3d upright_;
  ByJoint posture_;
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
