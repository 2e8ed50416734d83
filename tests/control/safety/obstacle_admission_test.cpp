#include "control/safety/obstacle_admission.h"

#include <gtest/gtest.h>

#include <limits>

namespace jointrig {
namespace {

SetObstacle crate() {
  return {.name = obstacle_name("crate"), .size = {0.2, 0.1, 0.1}, .position = {1.0, 0.0, 0.5}};
}

/// Place of the number that is refused, from 1; 0: it is taken.
int refused(const SetObstacle& command) {
  const Refusal refusal = check_obstacle(command, 1);
  return refusal ? refusal.place : 0;
}

TEST(ObstacleAdmission, TakesEachShapeWithItsSizes) {
  SetObstacle told = crate();
  EXPECT_EQ(refused(told), 0);
  told.shape = KnownShape::kCapsule;
  EXPECT_EQ(refused(told), static_cast<int>(place_of<SetObstacle>("size")) + 3) << "it has two";
  told.size = {0.1, 0.2, 0.0};
  EXPECT_EQ(refused(told), 0);
  told.shape = KnownShape::kSphere;
  EXPECT_EQ(refused(told), static_cast<int>(place_of<SetObstacle>("size")) + 2) << "it has one";
  told.size = {0.1, 0.0, 0.0};
  EXPECT_EQ(refused(told), 0);
}

TEST(ObstacleAdmission, RefusesWhatIsOutOfItsRangeWithValueAndLimit) {
  SetObstacle told = crate();
  told.size[1] = 0.0005;
  Refusal refusal = check_obstacle(told, 1);
  EXPECT_EQ(refusal.reason, RejectReason::kOutOfRange);
  EXPECT_EQ(refusal.value, 0.0005);
  EXPECT_EQ(refusal.limit, kLeastObstacle);
  told = crate();
  told.position[2] = -100.5;
  refusal = check_obstacle(told, 1);
  EXPECT_EQ(refusal.limit, -100.0);
  EXPECT_EQ(refusal.place, place_of<SetObstacle>("position") + 3);
  told = crate();
  told.velocity[0] = 10.5;
  EXPECT_EQ(refused(told), static_cast<int>(place_of<SetObstacle>("velocity")) + 1);
  told = crate();
  told.moves_for = -1.0;
  EXPECT_EQ(refused(told), static_cast<int>(place_of<SetObstacle>("moves_for")) + 1);
  told = crate();
  told.orientation = {0.5, 0.5, 0.5, 0.0};
  EXPECT_EQ(refused(told), static_cast<int>(place_of<SetObstacle>("orientation")) + 1);
}

TEST(ObstacleAdmission, TakesAnArmOnlyWhereTheFrameIsOfOne) {
  SetObstacle told = crate();
  told.of_arm = 3;
  EXPECT_EQ(refused(told), 0);
  told.frame = ToolFrame::kTool;
  EXPECT_EQ(check_obstacle(told, 1).reason, RejectReason::kUnknownArm);
  told.of_arm = 0;
  EXPECT_EQ(refused(told), 0);
}

TEST(ObstacleAdmission, RefusesANameThatCantBeShown) {
  SetObstacle told = crate();
  told.name = {};
  EXPECT_EQ(refused(told), 1);
  told.name = obstacle_name("a\nb");
  EXPECT_EQ(refused(told), 2);
  told.name = obstacle_name("a");
  told.name[3] = 'b';
  EXPECT_EQ(refused(told), 4) << "something behind its end";
  told.name[1] = 0xC3;
  EXPECT_EQ(refused(told), 2);
  told.name = obstacle_name("sixteen letters!");
  EXPECT_EQ(refused(told), 0);
  EXPECT_FALSE(fits_name("seventeen letters"));
  EXPECT_EQ(text_of(obstacle_name("sixteen letters!")), "sixteen letters!");
}

}  // namespace
}  // namespace jointrig
