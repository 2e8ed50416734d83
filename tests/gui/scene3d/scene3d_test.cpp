#include "gui/scene3d/scene3d.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/gui/scene3d/two_links.h"

namespace jointrig::gui {
namespace {

using Point = std::array<double, 3>;

struct Scene3dTest : ::testing::Test {
  Scene3dTest() {
    scene.set_size(800, 400);
    scene.colours = {{1, 2, 3}, {200, 100, 0}, {9, 9, 9}};
  }
  [[nodiscard]] Point of_body(const char* name) const {
    const mjtNum* at = scene.robot().data().xpos + 3 * testing::body_named(scene.robot(), name);
    return {at[0], at[1], at[2]};
  }
  /// Geoms of a type that are not the model's own.
  int count(int type) {
    const mjvScene& built = scene.build();
    int found = 0;
    for (int i = 0; i < built.ngeom; ++i) found += built.geoms[i].type == type ? 1 : 0;
    return found;
  }
  void ask(double q1, double q2) { scene.robot().show_ghost(std::vector<double>{q1, q2}); }

  Scene3d scene{testing::two_links(), testing::two_links_config(), nullptr};
};

TEST_F(Scene3dTest, ALinkIsFoundWhereItIsDrawn) {
  for (const char* name : {"tool", "table"}) {
    SCOPED_TRACE(name);
    const auto place = scene.place_of(of_body(name));
    ASSERT_TRUE(place);
    const auto found = scene.pick((*place)[0], (*place)[1]);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->body, testing::body_named(scene.robot(), name));
  }
  const auto middle = scene.place_of({1.4, 0.0, 0.0});
  const auto found = scene.pick((*middle)[0], (*middle)[1]);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->joint, 1);
  // The capsule's surface, 5 cm around its axis, at about 0.4 m from the second joint.
  EXPECT_NEAR(found->point[0], 0.4, 0.1);  // seen from its front, at 30°
  EXPECT_NEAR(std::hypot(found->point[1], found->point[2]), 0.05, 1e-6);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(found->world[i], found->point[i] + (i == 0 ? 1.0 : 0.0), 1e-9);
  }
}

TEST_F(Scene3dTest, DrawsTheObstaclesThatTheRobotIsToldOf) {
  const int boxes = count(mjGEOM_BOX);
  const int capsules = count(mjGEOM_CAPSULE);
  const std::uint64_t before = scene.revision();
  scene.obstacles.push_back({.size = {0.1, 0.2, 0.3}, .position = {1.0, 2.0, 3.0}});
  scene.obstacles.push_back({.size = {0.1, 0.2, 0.0}, .shape = KnownShape::kCapsule});
  EXPECT_NE(scene.revision(), before);
  EXPECT_EQ(count(mjGEOM_BOX), boxes + 1);
  EXPECT_EQ(count(mjGEOM_CAPSULE), capsules + 1);
  const mjvScene& built = scene.build();
  const mjvGeom& box = built.geoms[built.ngeom - 2];
  EXPECT_FLOAT_EQ(box.size[1], 0.2F);
  EXPECT_FLOAT_EQ(box.pos[2], 3.0F);
  EXPECT_LT(box.rgba[3], 0.5F) << "what stands behind is seen";
  scene.obstacles.clear();
  EXPECT_EQ(count(mjGEOM_BOX), boxes);
}

TEST_F(Scene3dTest, NothingIsFoundBesideTheRobot) { EXPECT_FALSE(scene.pick(0.01, 0.01)); }

TEST_F(Scene3dTest, APlaceOnThePictureAndAPointOfTheWorldAreEachOthersInverse) {
  const Point point{0.7, -0.2, 0.4};
  const auto place = scene.place_of(point);
  ASSERT_TRUE(place);
  const Point back = scene.point_at((*place)[0], (*place)[1], point);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back[i], point[i], 1e-5);
}

// In a pinhole picture a gap across the view is seen in proportion to one over its distance.
TEST_F(Scene3dTest, ZoomingByLogTwoHalvesTheDistance) {
  const mjtNum* middle = scene.camera().lookat;
  const Point like{middle[0], middle[1], middle[2]};
  const Point a = scene.point_at(0.45, 0.5, like);
  const Point b = scene.point_at(0.55, 0.5, like);
  const auto gap = [&] { return std::abs((*scene.place_of(a))[0] - (*scene.place_of(b))[0]); };
  const double before = gap();
  scene.zoom(std::log(2.0));
  EXPECT_NEAR(gap() / before, 2.0, 1e-3);
}

TEST_F(Scene3dTest, PanningMovesThePictureWithTheHand) {
  const Point centre = scene.point_at(0.5, 0.5, {1.0, 0.0, 0.0});
  scene.pan(0.25, -0.1);  // of the height: an eighth of the width, a tenth up
  const auto place = scene.place_of(centre);
  EXPECT_NEAR((*place)[0], 0.5 + 0.25 / 2.0, 0.01);
  EXPECT_NEAR((*place)[1], 0.4, 0.01);
}

TEST_F(Scene3dTest, OrbitingGoesAroundWhatIsInTheMiddle) {
  scene.reset_camera();
  const auto middle = [&] { return scene.point_at(0.5, 0.5, {1.0, 0.0, 0.0}); };
  const Point before = middle();
  const auto tool = scene.place_of(of_body("tool"));
  scene.orbit(0.3, 0.0);
  const auto place = scene.place_of(before);
  EXPECT_NEAR((*place)[0], 0.5, 0.02);
  EXPECT_NEAR((*place)[1], 0.5, 0.02);
  EXPECT_GT(std::abs((*scene.place_of(of_body("tool")))[0] - (*tool)[0]), 0.05);
}

TEST_F(Scene3dTest, AnotherViewCanBeLookedAtFromTheSamePlace) {
  scene.orbit(0.3, 0.1);
  scene.pan(0.2, 0.0);
  scene.zoom(0.4);
  Scene3d other{testing::two_links(), testing::two_links_config(), nullptr};
  other.set_size(scene.width(), scene.height());
  const std::uint64_t before = other.revision();
  other.look_from(scene);
  EXPECT_NE(other.revision(), before);
  const auto here = scene.place_of(of_body("tool"));
  const auto there = other.place_of(of_body("tool"));
  ASSERT_TRUE(here && there);
  EXPECT_EQ(*there, *here);
}

TEST_F(Scene3dTest, OnlyLinksThatAreAskedElsewhereHaveAGhost) {
  const int capsules = count(mjGEOM_CAPSULE);
  const int spheres = count(mjGEOM_SPHERE);
  ask(0.0, 0.0);
  EXPECT_EQ(count(mjGEOM_CAPSULE), capsules);
  ask(0.0, 0.5);  // lower link, finger, tool
  EXPECT_EQ(count(mjGEOM_CAPSULE), capsules + 2);
  EXPECT_EQ(count(mjGEOM_SPHERE), spheres + 1);
  const mjvScene& built = scene.build();
  const mjvGeom& ghost = built.geoms[built.ngeom - 1];
  EXPECT_NEAR(ghost.rgba[0], 200.0 / 255.0, 1e-6);
  EXPECT_LT(ghost.rgba[3], 0.6F);
  scene.shows.ghost = false;
  EXPECT_EQ(count(mjGEOM_CAPSULE), capsules);
}

TEST_F(Scene3dTest, TheChosenJointsLinkAndWhatIsBoltedToItLightUp) {
  scene.chosen = 1;
  const mjvScene& built = scene.build();
  int lit = 0;
  for (int i = 0; i < built.ngeom; ++i) {
    if (std::abs(built.geoms[i].rgba[2] - 3.0F / 255.0F) > 1e-6F) continue;
    ++lit;
    EXPECT_EQ(scene.robot().joint_of(scene.robot().model().geom_bodyid[built.geoms[i].objid]), 1);
  }
  EXPECT_EQ(lit, 3);
}

TEST_F(Scene3dTest, AContactsArrowIsACentimetreLongForTwoNewton) {
  WorldPose pose;
  pose.qpos = {0.0, 0.0, 0.0};
  pose.contacts.push_back({{0, 0, 1}, {0, 24, 0}});
  scene.robot().show(pose);
  ASSERT_EQ(count(mjGEOM_ARROW), 1);
  const mjvScene& built = scene.build();
  const mjvGeom& arrow = built.geoms[built.ngeom - 1];
  // A connector is twice as long as its third size says in MuJoCo's geoms, but for arrows, whose
  // size is their length.
  EXPECT_NEAR(arrow.size[2], 0.12F, 1e-6F);
  EXPECT_NEAR(arrow.mat[5], 1.0F, 1e-6F) << "its z axis points along y";
  scene.shows.contacts = false;
  EXPECT_EQ(count(mjGEOM_ARROW), 0);
}

TEST_F(Scene3dTest, AToolFrameHasItsNameAndThreeAxes) {
  EXPECT_TRUE(scene.tool_frames().empty());
  scene.shows.frames = true;
  scene.robot().show(testing::measured(1.5707963267948966, 0.0));  // straight up: x of the tip is z
  ASSERT_EQ(scene.tool_frames().size(), 1U);
  const Scene3d::ToolFrame& frame = scene.tool_frames()[0];
  EXPECT_EQ(frame.name, "tip");
  EXPECT_NEAR(frame.origin[2], 2.1, 1e-9);
  const double length = frame.tips[0][2] - frame.origin[2];
  EXPECT_GT(length, 0.05);
  EXPECT_NEAR(frame.tips[1][1] - frame.origin[1], length, 1e-9);
  EXPECT_NEAR(frame.tips[2][0] - frame.origin[0], -length, 1e-9);
}

TEST_F(Scene3dTest, TheGoalOfAToolStandsBesideTheToolThatIsDrawn) {
  scene.robot().show(testing::measured(1.5707963267948966, 0.0));  // straight up: x of the tip is z
  // In a base frame that nobody here knows of: 0.2 m ahead along the tool's own x, and turned about
  // it by a quarter.
  const double half = std::sqrt(0.5);
  const ToolPose at{{5, 6, 7}, {half, 0, 0, half}};  // its x lies along the base's y
  ToolPose goal{{5, 6.2, 7}, {}};
  goal.orientation = {0.5, 0.5, 0.5, 0.5};  // at, and then a quarter turn about its x
  scene.asked_tools = {{"arm", "tip", at, goal}, {"other", "no such frame", at, goal}};
  ASSERT_EQ(scene.goal_frames().size(), 1U);
  const Scene3d::ToolFrame& frame = scene.goal_frames()[0];
  EXPECT_EQ(frame.name, "arm");
  EXPECT_NEAR(frame.origin[0], 0.0, 1e-9);
  EXPECT_NEAR(frame.origin[2], 2.3, 1e-9);
  const double length = frame.tips[0][2] - frame.origin[2];
  EXPECT_GT(length, 0.05);
  // The tool's y is the world's y, its z the world's -x; turned, y has become z.
  EXPECT_NEAR(frame.tips[1][0] - frame.origin[0], -length, 1e-9);
  EXPECT_NEAR(frame.tips[2][1] - frame.origin[1], -length, 1e-9);
  scene.shows.ghost = false;
  EXPECT_TRUE(scene.goal_frames().empty());
}

TEST_F(Scene3dTest, WhatDoesNotChangeIsTheSamePicture) {
  std::uint64_t last = scene.revision();
  const auto changed = [&] {
    const std::uint64_t before = std::exchange(last, scene.revision());
    return last != before;
  };
  EXPECT_FALSE(changed());
  scene.build();
  EXPECT_FALSE(changed());
  scene.orbit(0.1, 0.0);
  EXPECT_TRUE(changed());
  scene.chosen = 1;
  EXPECT_TRUE(changed());
  scene.shows.frames = true;
  EXPECT_TRUE(changed());
  scene.set_size(300, 300);
  EXPECT_TRUE(changed());
  scene.set_size(300, 300);
  EXPECT_FALSE(changed());
  scene.robot().show(testing::measured(0.3, 0.0));
  EXPECT_TRUE(changed());
  ask(0.4, 0.0);
  EXPECT_TRUE(changed());
}

}  // namespace
}  // namespace jointrig::gui
