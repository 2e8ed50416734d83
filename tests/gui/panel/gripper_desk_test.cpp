#include "gui/panel/gripper_desk.h"

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

RobotConfig config_with_gripper() {
  RobotConfig config = testing::ideal_config(2);
  GripperConfig gripper;
  gripper.name = "hand";
  gripper.joints = {{.joint = 1, .open = 1.0, .closed = 0.0}};
  gripper.widths = {0.0, 0.08};
  gripper.force = 20.0;
  config.grippers = {gripper};
  return config;
}

struct GripperDeskTest : ::testing::Test {
  testing::RigWithPanel t{config_with_gripper()};
  GripperDesk& desk = t.desks.grippers;
};

TEST_F(GripperDeskTest, ShowsOpeningAndState) {
  t.frames(2);
  EXPECT_EQ(desk.state(0), GripperState::kClosed);
  EXPECT_EQ(desk.opening_text(0), "0.0 mm of 80 mm");
  EXPECT_EQ(desk.state_text(0), "closed");
  EXPECT_EQ(desk.share(0), 0.0);
}

TEST_F(GripperDeskTest, MovesInArmedAloneAndInPositionAlone) {
  t.panel.set_access(Access::kControl);
  t.commands();
  EXPECT_NE(desk.why_not(0).find("ARMED"), std::string::npos);
  desk.open(0);
  EXPECT_EQ(t.commands().size(), 0U);
  t.panel.set_access(Access::kArmed);
  t.commands();
  EXPECT_NE(desk.why_not(0).find("joint2 is not in position"), std::string::npos);
  t.rig.client.set_mode(t.rig.client.select("all"), ModeRequest::kPosition);
  t.frames(2);
  t.commands();
  EXPECT_EQ(desk.why_not(0), "");
  desk.open(0);
  EXPECT_EQ(t.only<OpenGripper>(), (OpenGripper{}));
  t.frames(250);
  EXPECT_EQ(desk.state(0), GripperState::kOpen);
  desk.close(0);
  EXPECT_EQ(t.only<CloseGripper>(), (CloseGripper{}));
}

TEST_F(GripperDeskTest, GraspsWithTheForceThatIsTyped) {
  t.rig.client.set_mode(t.rig.client.select("all"), ModeRequest::kPosition);
  t.frames(2);
  t.panel.set_access(Access::kArmed);
  t.commands();
  EXPECT_EQ(desk.force_text(0), "20 N") << "the gripper's own";
  EXPECT_NE(desk.type_force(0, "much"), "");
  EXPECT_NE(desk.type_force(0, "-3 N"), "");
  EXPECT_EQ(desk.type_force(0, "35"), "");
  EXPECT_EQ(desk.force_text(0), "35 N");
  desk.grasp(0);
  EXPECT_EQ(t.only<Grasp>(), (Grasp{.force = 35.0}));
  t.frames(2);
  EXPECT_EQ(desk.state(0), GripperState::kMissed) << "it was closed";
}

TEST_F(GripperDeskTest, StopsAtAnyAccess) {
  t.panel.set_access(Access::kObserve);
  t.commands();
  desk.stop(0);
  EXPECT_EQ(t.only<Stop>().joints, JointSet{}.set(1));
}

}  // namespace
}  // namespace jointrig::gui
