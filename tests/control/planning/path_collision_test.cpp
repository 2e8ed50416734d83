#include "control/planning/path_collision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "control/discovery/discovery.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

std::string box_mesh(const std::string& name, double x, double y, double z) {
  std::string vertices;
  for (int i = 0; i < 8; ++i) {
    vertices += std::to_string((i & 1) != 0 ? x : -x) + " " +
                std::to_string((i & 2) != 0 ? y : -y) + " " +
                std::to_string((i & 4) != 0 ? z : -z) + " ";
  }
  return "<mesh name='" + name + "' vertex='" + vertices + "'/>";
}

/// A stick of 0.4 m on a hinge 0.3 m above a plate of 0.6 m by 0.6 m. The capsule that holds the
/// plate holds the stick, too; the plate itself is free of it.
std::string stick_over_plate(double plate_top = 0.0) {
  const std::string place = std::to_string(plate_top - 0.01);
  return "<mujoco><option gravity='0 0 0'/><asset>" + box_mesh("plate", 0.3, 0.3, 0.01) +
         box_mesh("stick", 0.2, 0.01, 0.01) +
         "</asset><worldbody><body name='table'><geom type='mesh' mesh='plate' pos='0 0 " + place +
         "'/><body name='post' pos='0 0 0.3'><joint name='turn' axis='0 0 1' range='-1 1'/>"
         "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>"
         "<body name='stick'><joint name='dip' axis='0 1 0' range='-1.5 1.5'/>"
         "<geom type='mesh' mesh='stick' pos='0.2 0 0' mass='1'/></body></body></body></worldbody>"
         "<actuator><motor joint='turn' ctrlrange='-9 9'/><motor joint='dip' ctrlrange='-9 9'/>"
         "</actuator></mujoco>";
}

JointPlan dip_to(double q) {
  return JointPlan({1}, {0.0, 1.0}, {0.0, q, 0.0, 0.0, 0.0, 0.0},
                   {{0.0, 0.0, 1.0, 0.0}, {1.0, 1.0, 0.0, 0.0}}, {1.0});
}

RobotState at_zero(const RobotConfig& robot) {
  RobotState state;
  state.joints.resize(robot.joints.size());
  return state;
}

TEST(PathCollision, LinksWhoseSimpleShapesMeetAtTheStartAreToldApartByTheirMeshes) {
  const odd::TempModel file(stick_over_plate());
  const RobotConfig robot = discover(file.path()).config;
  PathCollision collision(robot);
  // The lower edge of its tip, 0.4 m out and 0.01 m down, is on the plate: 0.4 sin q + 0.01 cos q =
  // 0.3.
  const double touches = std::asin(0.3 / std::hypot(0.4, 0.01)) - std::atan(0.01 / 0.4);

  const auto meeting = collision.first_on(dip_to(1.2), at_zero(robot));
  ASSERT_TRUE(meeting);
  EXPECT_NEAR(meeting->q[0], touches, PathCollision::kThickness / 0.2);
  EXPECT_EQ(meeting->clearance, 0.0);
  EXPECT_EQ(meeting->a, "stick");
  EXPECT_FALSE(collision.first_on(dip_to(touches - 0.01), at_zero(robot)));
  EXPECT_FALSE(collision.first_on(dip_to(-1.2), at_zero(robot)));
}

TEST(PathCollision, LinksWhoseMeshesMeetAtTheStartAreLeftToOneAnother) {
  const odd::TempModel file(stick_over_plate(0.295));
  const RobotConfig robot = discover(file.path()).config;
  PathCollision collision(robot);
  EXPECT_FALSE(collision.first_on(dip_to(1.2), at_zero(robot)))
      << "their contacts are left out in a simulation, too";
}

}  // namespace
}  // namespace jointrig
