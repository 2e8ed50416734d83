// Initial speed override of a run.

#include <gtest/gtest.h>

#include "app/rig/rig.h"

namespace jointrig::app {
namespace {

RobotConfig two_wires() {
  RobotConfig robot = load_robot(harness::find_robot("models/franka/two_wires.yaml")).config;
  robot.virtual_boards.clear();  // nobody says that its boards are virtual
  return robot;
}

double start_of(const RobotConfig& robot, BackendKind backend,
                std::optional<double> asked = std::nullopt) {
  RigOptions options;
  options.backend = backend;
  options.speed_override = asked;
  return Rig(robot, options).stack().snapshot().speed_override;
}

TEST(SpeedAtStart, IsATenthOnRealDrivesOrWhatTheFileSays) {
  RobotConfig robot = two_wires();
  EXPECT_EQ(start_of(robot, BackendKind::kHw), 0.1);
  robot.speed_override = 0.3;
  EXPECT_EQ(start_of(robot, BackendKind::kHw), 0.3);
}

TEST(SpeedAtStart, IsOneWhereThePhysicsIsOurs) {
  for (const BackendKind backend :
       {BackendKind::kSim, BackendKind::kKinematic, BackendKind::kBoards}) {
    SCOPED_TRACE(to_string(backend));
    EXPECT_EQ(start_of(two_wires(), backend), 1.0);
  }
}

TEST(SpeedAtStart, IsWhatTheCommandLineSaysAnywhere) {
  for (const BackendKind backend : {BackendKind::kSim, BackendKind::kHw}) {
    EXPECT_EQ(start_of(two_wires(), backend, 0.5), 0.5);
  }
  EXPECT_THROW(start_of(two_wires(), BackendKind::kSim, 1.5), ConfigError);
}

}  // namespace
}  // namespace jointrig::app
