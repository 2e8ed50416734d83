#include "gui/scene3d/push_hand.h"

#include "tests/gui/panel/rig_with_panel.h"
#include "tests/gui/scene3d/two_links.h"

namespace jointrig::gui {
namespace {

struct PushHandTest : ::testing::Test {
  void grasp_and_pull() {
    hand.grasp(t.panel, 2, {0.1, 0, 0}, {1, 0, 0});
    hand.pull(t.panel, {1, 0, 0.5});
  }
  testing::RigWithPanel t{2};
  testing::ToldPushes port;
  PushHand hand{&port};
};

TEST_F(PushHandTest, PullsWhileArmed) {
  t.panel.set_access(Access::kArmed);
  hand.stiffness = 300.0;
  grasp_and_pull();
  ASSERT_EQ(port.pushes.size(), 1U);
  const Push expected{2, {0.1, 0, 0}, {1, 0, 0.5}, 300.0};
  EXPECT_EQ(port.pushes[0], expected);
  hand.let_go();
  EXPECT_EQ(port.let_gos, 1);
  EXPECT_FALSE(hand.held());
}

TEST_F(PushHandTest, PullsAtNothingInObserveAndControl) {
  for (const Access access : {Access::kObserve, Access::kControl}) {
    t.panel.set_access(access);
    EXPECT_NE(hand.why_not(t.panel), "");
    grasp_and_pull();
    EXPECT_TRUE(port.pushes.empty());
    EXPECT_EQ(port.let_gos, 0);
  }
}

TEST_F(PushHandTest, LetsGoOnceItIsDisarmed) {
  t.panel.set_access(Access::kArmed);
  grasp_and_pull();
  t.panel.set_access(Access::kControl);
  hand.pull(t.panel, {1, 0, 0.6});
  EXPECT_EQ(port.pushes.size(), 1U);
  EXPECT_EQ(port.let_gos, 1);
  t.panel.set_access(Access::kArmed);
  hand.pull(t.panel, {1, 0, 0.6});
  EXPECT_EQ(port.pushes.size(), 1U) << "it has to take hold again";
}

TEST_F(PushHandTest, LetsGoWithTheWindowsFocus) {
  t.panel.set_access(Access::kArmed);
  grasp_and_pull();
  t.focused = false;
  t.frame();
  hand.pull(t.panel, {1, 0, 0.6});
  EXPECT_EQ(port.pushes.size(), 1U);
  EXPECT_EQ(port.let_gos, 1);
}

TEST_F(PushHandTest, APushIsAMotionThatKeepsThePanelArmed) {
  t.panel.set_access(Access::kArmed);
  t.now += 50.0;
  t.show(true);
  grasp_and_pull();
  EXPECT_NEAR(t.panel.client.armed_left(), AccessGuard::kArmedFor, 1e-9);
}

TEST_F(PushHandTest, TheWorldItselfCannotBeHeld) {
  t.panel.set_access(Access::kArmed);
  hand.grasp(t.panel, 0, {}, {});
  EXPECT_FALSE(hand.held());
}

TEST_F(PushHandTest, ASpringStaysWithinItsBounds) {
  t.panel.set_access(Access::kArmed);
  hand.stiffness = 1e9;
  grasp_and_pull();
  EXPECT_EQ(port.pushes[0].stiffness, PushHand::kStiffest);
}

TEST(PushHand, ARealRobotIsNotPushedWithAMouse) {
  testing::RigWithPanel t(2, /*real=*/true);
  testing::ToldPushes port;
  PushHand hand(&port);
  t.panel.set_access(Access::kArmed);
  hand.grasp(t.panel, 2, {}, {});
  EXPECT_FALSE(hand.held());
  PushHand without(nullptr);
  EXPECT_NE(without.why_not(t.panel), "");
}

}  // namespace
}  // namespace jointrig::gui
