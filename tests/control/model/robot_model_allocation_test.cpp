#include <gtest/gtest.h>

#include <cmath>

#include "control/discovery/discovery.h"
#include "control/model/robot_model.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/odd_arms.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

TEST(RobotModel, AllocatesNothingOnceItIsBuilt) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  const odd::TempModel file(odd::kMenagerie);
  const RobotConfig robot = discover(file.path()).config;
  RobotModel model(robot);
  const FrameId trunk = model.find_frame("trunk");
  FrameJacobian jacobian(6, 2);
  Eigen::MatrixXd inertia(2, 2);
  RobotState state;
  state.joints.resize(2);
  double sum = 0.0;

  RealtimeGuard guard;
  for (int i = 0; i < 1000; ++i) {
    state.joints[0].q = 0.001 * i;
    model.update(state);
    model.jacobian(trunk, jacobian);
    model.mass_matrix(inertia);
    sum += model.gravity(0) + jacobian(0, 0) + inertia(0, 0) + model.pose(trunk).position.x();
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace jointrig
