// The iCub stands in MuJoCo by virtual model control.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/control/wholebody/icub_on_floor.h"

namespace jointrig {
namespace {

class VirtualIcub {
 public:
  VirtualIcub() {
    upright_ = robot.icub.model.rotation(chest_);
    robot.command.mode = CoreMode::kVirtualModel;
    SpatialTask& chest = robot.command.spatial[0];
    chest.on = true;
    chest.frame = chest_;
    chest.axes = {false, false, false, true, true, true};
  }

  void run(int cycles, const Eigen::Vector3d& force = Eigen::Vector3d::Zero()) {
    for (int i = 0; i < cycles; ++i) {
      robot.read();
      robot.want_to_stand();
      FrameGoal upright;
      upright.rotation = upright_;
      robot.command.spatial[0].acceleration =
          towards(robot.icub.model, chest_, upright, {}, FeedbackGains::critical(50.0));
      const int body = mj_name2id(robot.plant.get(), mjOBJ_BODY, "chest");
      std::copy_n(force.data(), 3, robot.data->xfrc_applied + 6 * body);
      ASSERT_EQ(robot.step().outcome, CoreOutcome::kSolved);
    }
    robot.read();
  }
  [[nodiscard]] const Eigen::Vector3d& com() const { return robot.icub.model.com(); }

  soles::IcubOnFloor robot{0.1};

 private:
  BodyFrame chest_ = robot.icub.model.find_frame("chest");
  Eigen::Matrix3d upright_;
};

TEST(VirtualModel, TheIcubStandsByItAndDriftsLessThanAMillimetre) {
  VirtualIcub icub;
  icub.run(3000);
  const Eigen::Vector3d settled = icub.com();
  icub.run(4000);
  EXPECT_LT((icub.com() - settled).norm(), 1e-3);
  EXPECT_LT((icub.com() - icub.robot.goal).norm(), 5e-3);
}

TEST(VirtualModel, ItShiftsItsWeightAndTakesAPush) {
  VirtualIcub icub;
  icub.run(2000);
  icub.robot.goal.y() += 0.02;
  icub.run(2000);
  EXPECT_NEAR(icub.com().y(), icub.robot.goal.y(), 3e-3);
  // A third of the bound ω d ahead (docs/whole-body.md).
  const double impulse = 33.06 * 0.34 / 3.0;
  icub.run(100, Eigen::Vector3d(impulse / 0.1, 0.0, 0.0));
  icub.run(2500);
  EXPECT_LT((icub.com() - icub.robot.goal).norm(), 5e-3);
  EXPECT_LT(icub.robot.icub.model.com_velocity().norm(), 0.01);
}

}  // namespace
}  // namespace jointrig
