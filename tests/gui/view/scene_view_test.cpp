/// The 3D view under a mouse, without OpenGL: the picture is empty, all else is as in the window.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gui/scene3d/two_links.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

constexpr std::size_t kJoints = 6;

struct SceneViewTest : ::testing::Test {
  SceneViewTest() : t(kJoints), view(t), scene(testing::tower(kJoints), t.panel.config(), &port) {
    view.scene = &scene;
    view.look(2);
  }
  /// Onto the middle of a link, `right` and `up` metres beside it.
  void point_at_link(std::size_t joint, double right = 0.0, double up = 0.0) {
    ASSERT_EQ(view.items.count("scene/canvas"), 1U);
    const ImVec4 canvas = view.items.at("scene/canvas");
    const auto place = scene.place_of({right, 0.0, 0.2 * static_cast<double>(joint) + 0.1 + up});
    ASSERT_TRUE(place);
    ImGui::GetIO().MousePos = {canvas.x + static_cast<float>((*place)[0]) * (canvas.z - canvas.x),
                               canvas.y + static_cast<float>((*place)[1]) * (canvas.w - canvas.y)};
    view.frame(true);
  }
  void button(bool down, int which = 0) {
    ImGui::GetIO().MouseDown[which] = down;
    view.frame(true);
  }
  void pull_at_link(std::size_t joint) {
    point_at_link(joint);
    ImGui::GetIO().KeyCtrl = true;
    button(true);
    for (int i = 1; i <= 5; ++i) point_at_link(joint, 0.05 * i);
  }

  testing::RigWithPanel t;
  testing::HeadlessView view;
  testing::ToldPushes port;
  Scene3d scene;
};

TEST_F(SceneViewTest, AClickOnALinkChoosesItsJoint) {
  for (const std::size_t joint : {3U, 1U}) {
    point_at_link(joint);
    button(true);
    button(false);
    EXPECT_EQ(t.panel.selected, joint);
  }
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(SceneViewTest, AChosenJointsLinkLightsUp) {
  t.panel.selected = 4;
  view.frame();
  EXPECT_EQ(scene.chosen, 4);
}

TEST_F(SceneViewTest, ALinkWhoseBoxIsNotShownBringsAllJointsBack) {
  t.panel.filter = "joint2";
  view.look(2);
  ASSERT_EQ(view.items.count("joint/joint5/box"), 0U);
  point_at_link(4);
  button(true);
  button(false);
  view.look(2);
  EXPECT_EQ(view.items.count("joint/joint5/box"), 1U);
}

TEST_F(SceneViewTest, ADragOrbitsAndChoosesNothing) {
  t.panel.selected = 0;
  const std::uint64_t before = scene.revision();
  point_at_link(3);
  button(true);
  point_at_link(3, 0.2);
  button(false);
  EXPECT_EQ(t.panel.selected, 0);
  EXPECT_GT(scene.revision(), before);
  EXPECT_TRUE(port.pushes.empty());
}

TEST_F(SceneViewTest, AMouseThatJumpsAndPressesInOneFrameTurnsNothing) {
  point_at_link(0);
  const auto before = scene.place_of({0.0, 0.0, 1.2});
  const ImVec2 far_away = {ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y - 150.0F};
  ImGui::GetIO().MousePos = far_away;
  button(true);
  button(false);
  const auto after = scene.place_of({0.0, 0.0, 1.2});
  EXPECT_EQ(*before, *after);
}

TEST_F(SceneViewTest, CtrlAndADragPullAtTheLinkWhileArmed) {
  t.panel.set_access(Access::kArmed);
  pull_at_link(3);
  ASSERT_FALSE(port.pushes.empty());
  const Push& last = port.pushes.back();
  EXPECT_EQ(scene.robot().joint_of(last.body), 3);
  // The hand has gone a quarter of a metre, in a plane that faces the camera.
  EXPECT_GT(mju_norm3(last.target.data()), 0.0);
  EXPECT_EQ(port.let_gos, 0);
  button(false);
  EXPECT_EQ(port.let_gos, 1);
  const std::size_t told = port.pushes.size();
  view.look(5);
  EXPECT_EQ(port.pushes.size(), told) << "no frame without a hand pushes";
}

TEST_F(SceneViewTest, NothingIsPulledAtUnlessArmed) {
  for (const Access access : {Access::kObserve, Access::kControl}) {
    t.panel.set_access(access);
    pull_at_link(3);
    button(false);
    EXPECT_TRUE(port.pushes.empty());
  }
}

TEST_F(SceneViewTest, HiddenItLetsGo) {
  t.panel.set_access(Access::kArmed);
  pull_at_link(2);
  view.state.scene_open = false;
  view.look(2);
  EXPECT_EQ(port.let_gos, 1);
  EXPECT_EQ(view.items.count("scene/canvas"), 0U);
  ImGui::GetIO().KeyCtrl = false;
  button(false);
  view.click("scene/open");
  EXPECT_EQ(view.items.count("scene/canvas"), 1U);
}

TEST_F(SceneViewTest, WhatIsShownIsTicked) {
  EXPECT_FALSE(scene.shows.frames);
  view.click("scene/frames");
  EXPECT_TRUE(scene.shows.frames);
  view.click("scene/ghost");
  EXPECT_FALSE(scene.shows.ghost);
}

}  // namespace
}  // namespace jointrig::gui
