#include "gui/panel/next_step.h"

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

struct NextStep : ::testing::Test {
  [[nodiscard]] bool says(const char* words) const {
    return next_step(t.panel).find(words) != std::string::npos;
  }
  testing::RigWithPanel t;
};

TEST_F(NextStep, LeadsFromTheFirstLookToTheFirstMove) {
  EXPECT_TRUE(says("ARMED moves joints")) << next_step(t.panel);
  t.panel.set_access(Access::kControl);
  EXPECT_TRUE(says("Hold RunAll")) << next_step(t.panel);
  t.panel.acts.act(PanelAct::kRun, t.panel.group());
  t.frames(3);
  EXPECT_EQ(next_step(t.panel), "ARMED moves joints.");
  t.panel.set_access(Access::kArmed);
  EXPECT_TRUE(says("slider")) << next_step(t.panel);
}

TEST_F(NextStep, AFaultComesFirst) {
  t.arm_and_run();
  t.break_joint(1);
  EXPECT_TRUE(says("A joint is in fault: the page Faults")) << next_step(t.panel);
  t.break_joint(0);
  EXPECT_TRUE(says("2 joints are in fault")) << next_step(t.panel);
}

TEST_F(NextStep, IsOfTheShownPartAndSilentWithTheLoop) {
  RobotConfig config = testing::ideal_config(3);
  config.parts = {{"arm", {0, 2}}};
  testing::RigWithPanel of_part(config);
  of_part.panel.set_access(Access::kArmed);
  of_part.panel.acts.act(PanelAct::kRun, JointSet{}.set(1));
  of_part.frames(3);
  of_part.panel.part = 0;
  EXPECT_NE(next_step(of_part.panel).find("Hold Run part"), std::string::npos);
  of_part.now += 1.0;
  of_part.show();
  EXPECT_EQ(next_step(of_part.panel), "");
}

}  // namespace
}  // namespace jointrig::gui
