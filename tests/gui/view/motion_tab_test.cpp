/// The page of a motion, without a window.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/gui/motion_planner.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

struct MotionTab : ::testing::Test {
  MotionTab() {
    desk.attach(&planner);
    view.state.side = SideTab::kMotion;
    t.arm_and_run();
    view.look(3);
  }
  ~MotionTab() override { desk.attach(nullptr); }
  void wait_for_plan() {
    for (int i = 0; i < 5000 && desk.state() == MotionState::kPlanning; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      view.frame();
    }
  }

  testing::RigWithPanel t;
  testing::HeadlessView view{t};
  MotionDesk& desk = t.desks.motion;
  app::MotionPlanner planner{t.rig.stack};
};

TEST_F(MotionTab, IsClickedFromTheRecordToTheRun) {
  view.click("motion/record");
  view.click("motion/copy");
  ASSERT_EQ(desk.table.list.waypoints.size(), 2U);
  desk.table.type_position(1, 0, "40");
  view.look(2);
  view.click("motion/0/select");
  EXPECT_EQ(desk.table.selected, 0U);
  view.click("motion/plan");
  wait_for_plan();
  ASSERT_EQ(desk.state(), MotionState::kPassed) << desk.status_text();
  view.click("motion/run");
  EXPECT_TRUE(desk.running()) << t.panel.notice();
  view.look(5);
  EXPECT_EQ(desk.running_row(), 1U);  // the first is where it begins
  view.click("motion/stop");
  EXPECT_FALSE(desk.running());
  view.look(40);
  EXPECT_FALSE(t.rig.joint(0).moving);
  EXPECT_LT(t.rig.joint(0).reference.q, 0.69);
}

TEST_F(MotionTab, RunIsNoButtonBeforeThePlanAndBelowArmed) {
  view.click("motion/record");
  t.commands();
  view.click("motion/run");
  EXPECT_EQ(t.commands().size(), 0U);
  view.click("motion/plan");
  wait_for_plan();
  t.panel.set_access(Access::kControl);
  view.look(2);
  t.commands();
  view.click("motion/run");
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_FALSE(desk.running());
}

TEST_F(MotionTab, EditsAndOptionsAreWithinTheWindow) {
  view.click("motion/record");
  view.click("motion/down");
  view.click("motion/collisions");
  EXPECT_FALSE(desk.table.list.checks_collisions);
  view.click("motion/execution/velocity");
  EXPECT_EQ(desk.table.list.execution, PlanExecution::kVelocity);
  view.click("motion/execution/position");
  EXPECT_EQ(desk.table.list.execution, PlanExecution::kPosition);
  view.click("motion/execution/inverse_dynamics");
  EXPECT_EQ(desk.table.list.execution, PlanExecution::kInverseDynamics);
  view.click("motion/replaces");
  EXPECT_TRUE(desk.table.list.replaces);
  view.click("motion/waits");
  EXPECT_FALSE(desk.table.list.waits);
  for (const char* item : {"motion/again", "motion/up", "motion/speed", "motion/acceleration",
                           "motion/tolerance", "motion/override", "motion/save", "motion/open",
                           "motion/status", "motion/0/label", "motion/joint/joint1"}) {
    ASSERT_EQ(view.items.count(item), 1U) << item;
    const ImVec4 at = view.items.at(item);
    EXPECT_GE(at.x, 0.0F) << item;
    EXPECT_LE(at.z, 1920.0F) << item;
    EXPECT_LE(at.w, 1080.0F) << item;
  }
  view.click("motion/remove");
  EXPECT_TRUE(desk.table.list.waypoints.empty());
  view.click("motion/save");  // no button without a waypoint
  EXPECT_EQ(desk.wish, FileWish::kNone);
}

TEST_F(MotionTab, TimesSpeedsAndWhatHasNoFieldAreShown) {
  view.click("motion/record");
  view.click("motion/copy");
  std::vector<MotionWaypoint>& waypoints = desk.table.list.waypoints;
  for (std::size_t i = 0; i < waypoints.size(); ++i) {
    waypoints[i].time = 1.0 + static_cast<double>(i);
    waypoints[i].v.resize(3, 0.0);
    waypoints[i].a_max.resize(3, 0.1);
  }
  desk.table.list.endpoint = "tip";
  view.look(2);
  for (const char* item : {"motion/0/time", "motion/1/time", "motion/velocity/joint2",
                           "motion/path_tolerance", "motion/settling", "motion/timeout",
                           "motion/own/tolerance", "motion/said", "motion/said/waypoint"}) {
    EXPECT_EQ(view.items.count(item), 1U) << item;
  }
  for (const char* item : {"motion/0/speed", "motion/speed", "motion/acceleration",
                           "motion/own/acceleration", "motion/free_rotation"}) {
    EXPECT_EQ(view.items.count(item), 0U) << item;
  }
}

}  // namespace
}  // namespace jointrig::gui
