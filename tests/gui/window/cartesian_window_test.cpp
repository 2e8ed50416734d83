/// The page of an arm's tool in a real window, on the Franka arm as it is simulated.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/gui/window/robot_hand.h"

namespace jointrig::gui {
namespace {

TEST(CartesianWindow, AToolIsSentJoggedAndSoftened) {
  app::GuiSession session(app::robot_called("franka"), 1920, 1080);
  testing::RobotHand hand(session);
  const ArmDesk& desk = session.desks().arms;
  hand.click("access/ARMED");
  hand.hold("group/RunAll", 1.1);
  ASSERT_TRUE(hand.wait_for(
      3.0, [&] { return session.panel().snapshot().joints[0].mode == JointMode::kPosition; }));
  hand.click("side/Cartesian");
  hand.click("arm/enter");
  ASSERT_TRUE(hand.wait_for(3.0, [&] { return desk.now().runs; })) << desk.state();

  const double before = desk.now().tool.position[2];
  hand.click("arm/jog/z/back");
  hand.click("arm/jog/z/back");
  EXPECT_TRUE(hand.wait_for(4.0, [&] {
    return std::abs(desk.now().tool.position[2] - before + 0.02) < 0.005;
  })) << desk.now().tool.position[2] - before;
  hand.drag("arm/stiffness/x/slider", 0.46, 0.2);
  EXPECT_TRUE(hand.wait_for(1.0, [&] { return desk.now().stiffness[0] < 500.0; }));
  hand.click("arm/target/y");
  hand.key("ctrl+a");
  hand.type("25 cm");
  hand.key("Return");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return desk.now().goal.position[1] == 0.25; }))
      << session.panel().notice();
  hand.picture("cartesian");  // on the way, the frame of its goal ahead
  EXPECT_TRUE(
      hand.wait_for(6.0, [&] { return std::abs(desk.now().tool.position[1] - 0.25) < 0.02; }));
  hand.click("arm/leave");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return !desk.now().runs; }));
}

}  // namespace
}  // namespace jointrig::gui
