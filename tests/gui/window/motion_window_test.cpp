/// The page of a motion in a real window, on the Franka arm as it is simulated, as a person would
/// use it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/gui/window/robot_hand.h"

namespace jointrig::gui {
namespace {

struct MotionWindow : ::testing::Test {
  explicit MotionWindow(int width = 1920, int height = 1080)
      : session(app::robot_called("franka"), width, height), hand(session) {
    hand.click("access/ARMED");
    hand.hold("group/RunAll", 1.1);
    EXPECT_TRUE(hand.wait_for(3.0, [&] { return now(0).mode == JointMode::kPosition; }));
    hand.click("side/Motion");
  }
  [[nodiscard]] const JointSnapshot& now(std::size_t joint) {
    return session.panel().snapshot().joints[joint];
  }
  void enter(const std::string& item, const std::string& text) {
    hand.click(item);
    hand.key("ctrl+a");
    hand.type(text);
    hand.key("Return");
  }
  void plan() {
    hand.click("motion/plan");
    EXPECT_TRUE(hand.wait_for(20.0, [&] {
      return desk.state() == MotionState::kPassed || desk.state() == MotionState::kRefused;
    })) << desk.status_text();
  }

  app::GuiSession session;
  testing::RobotHand hand;
  MotionDesk& desk = session.desks().motion;
};

TEST_F(MotionWindow, WaypointsAreRecordedTypedPlannedRunAndKept) {
  std::filesystem::remove("waypoints.yaml");
  hand.click("motion/record");
  hand.click("motion/copy");
  enter("motion/joint/panda_joint1", "-35");
  EXPECT_NEAR(desk.table.list.waypoints[1].q[0].value(), -35.0 * M_PI / 180.0, 1e-9);
  hand.click("motion/copy");
  enter("motion/joint/panda_joint2", "20 deg");
  enter("motion/1/speed", "60 %");
  EXPECT_TRUE(hand.wait_for(5.0, [&] {
    return desk.marks().size() == 1U && desk.marks()[0].waypoints.size() == 3U;
  })) << "dots before the plan";
  hand.picture("motion-recorded");
  plan();
  ASSERT_EQ(desk.state(), MotionState::kPassed) << desk.status_text();
  ASSERT_EQ(desk.answer()->lines.size(), 1U);
  hand.click("motion/run");
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return desk.running_row() == 2U; })) << desk.status_text();
  hand.point_at("motion/joint/panda_joint1");
  hand.picture("motion");  // on its line, to the third waypoint
  hand.drag("motion/override", 0.9, 0.3);
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return session.panel().watch.speed_override() < 0.5; }));
  ASSERT_TRUE(hand.wait_for(30.0, [&] { return !desk.running(); }));
  EXPECT_NEAR(now(0).state.q, -35.0 * M_PI / 180.0, 0.02);
  EXPECT_NEAR(now(1).state.q, 20.0 * M_PI / 180.0, 0.02);
  EXPECT_NE(desk.status_text().find("finished"), std::string::npos) << desk.status_text();

  enter("motion/file", "waypoints.yaml");
  hand.click("motion/save");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return std::filesystem::exists("waypoints.yaml"); }));
  for (int i = 0; i < 3; ++i) hand.click("motion/remove");
  EXPECT_TRUE(desk.table.list.waypoints.empty());
  hand.click("motion/open");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return desk.table.list.waypoints.size() == 3U; }))
      << session.panel().notice();
}

TEST_F(MotionWindow, OptionsAreTypedARefusalSaysWhatToFreeAndThatIsChosenAndRun) {
  hand.click("motion/kind/tool of arm");
  hand.click("motion/record");
  enter("motion/tool/y", "10 cm");
  enter("motion/tool/yaw", "-150 deg");
  enter("motion/speed", "40 %");
  enter("motion/acceleration", "60");
  enter("motion/corner", "1 cm");
  enter("motion/linear_speed", "0.2 m/s");
  enter("motion/linear_acceleration", "800");
  enter("motion/tolerance", "0.5 deg");
  enter("motion/settling", "800 ms");
  enter("motion/own/acceleration", "50 %");
  enter("motion/own/linear_speed", "150 mm/s");
  const MotionList& list = desk.table.list;
  EXPECT_DOUBLE_EQ(list.speed, 0.4);
  EXPECT_DOUBLE_EQ(list.acceleration, 0.6);
  EXPECT_EQ(list.bounds, (MotionBounds{0.2, 0.8, {}, {}, 0.01}));
  EXPECT_NEAR(list.goal_tolerance.at(0).value_or(0.0), 0.5 * M_PI / 180.0, 1e-9);
  EXPECT_DOUBLE_EQ(list.settling_time, 0.8);
  EXPECT_EQ(list.waypoints.at(0).acceleration, 0.5);
  EXPECT_EQ(list.waypoints.at(0).tool->own.linear_speed, 0.15);
  // 260 degrees round in all: no joint has so much range.
  hand.click("motion/copy");
  enter("motion/tool/y", "-10 cm");
  enter("motion/tool/yaw", "100 deg");

  plan();
  ASSERT_EQ(desk.state(), MotionState::kRefused);
  EXPECT_NE(desk.status_text().find(": it comes to"), std::string::npos) << desk.status_text();
  EXPECT_NE(desk.status_text().find("or a free_rotation, may keep"), std::string::npos)
      << desk.status_text();
  hand.picture("motion-limit");
  hand.click("motion/free_rotation");
  hand.click("motion/free_rotation/z");
  EXPECT_EQ(list.free_rotation, FreeRotation::kZ);
  plan();
  ASSERT_EQ(desk.state(), MotionState::kPassed) << desk.status_text();
  hand.click("motion/run");
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return desk.running(); })) << session.panel().notice();
  ASSERT_TRUE(hand.wait_for(30.0, [&] { return !desk.running(); }));
  EXPECT_NE(desk.status_text().find("finished"), std::string::npos) << desk.status_text();
  EXPECT_NEAR(session.panel().snapshot().arms[0].tool.position[1], -0.1, 2e-3);
  hand.picture("motion-free");
}

TEST_F(MotionWindow, ACollisionIsShownWhereItIsAndTheRowMarked) {
  hand.click("motion/record");
  enter("motion/joint/panda_joint1", "-90");
  enter("motion/joint/panda_joint2", "60");
  enter("motion/joint/panda_joint4", "-170");
  enter("motion/joint/panda_joint6", "5");
  plan();
  EXPECT_EQ(desk.state(), MotionState::kRefused);
  EXPECT_EQ(desk.refused_row(), 0U);
  EXPECT_FALSE(desk.answer()->meets.empty()) << desk.status_text();
  hand.point_at("motion/joint/panda_joint1");
  hand.picture("motion-refused");
  const double before = now(1).state.q;
  hand.click("motion/run");
  hand.look(0.5);
  EXPECT_NEAR(now(1).state.q, before, 1e-3);
}

/// The smallest window that is promised.
struct SmallMotionWindow : MotionWindow {
  SmallMotionWindow() : MotionWindow(1280, 800) {}
};

TEST_F(SmallMotionWindow, EveryItemOfThePageIsWithinReachAndStopEndsTheMotion) {
  hand.click("motion/kind/tool of arm");
  hand.click("motion/record");
  hand.click("motion/posture");
  hand.click("motion/copy");
  enter("motion/tool/y", "-25 cm");
  plan();
  ASSERT_EQ(desk.state(), MotionState::kPassed) << desk.status_text();
  hand.point_at("motion/tool/x");
  hand.picture("motion-tool");
  for (const auto& [name, at] : session.items()) {
    if (name.rfind("motion/", 0) != 0) continue;
    EXPECT_GE(at.x, 0.0F) << name;
    EXPECT_LE(at.z, 1280.0F) << name;
  }
  hand.click("motion/run");
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return desk.path_time().value_or(0.0) > 0.4; }))
      << desk.status_text();
  hand.click("stop");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return session.panel().snapshot().plans.empty(); }));
  EXPECT_FALSE(desk.running());
  EXPECT_NE(desk.status_text().find("at rest on its path"), std::string::npos)
      << desk.status_text();
}

}  // namespace
}  // namespace jointrig::gui
