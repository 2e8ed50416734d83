#include "gui/view/cartesian_tab.h"

#include "app/rig/rig.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

struct CartesianTabTest : ::testing::Test {
  CartesianTabTest() : view(t) {
    for (std::size_t i = 0; i < t.rig.robot.joint.size(); ++i) {
      t.rig.robot.joint[i].q = t.panel.config().joints[i].q_start;
    }
    view.look(2);
    view.click("side/Cartesian");
  }
  void run_the_arm() {
    t.arm_and_run();
    view.look(3);
    view.click("arm/enter");
    view.look(5);
    t.commands();
  }
  void type(const std::string& item, const std::string& text) {
    view.click(item);
    for (const char c : text) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
    view.frame(true);
    ImGui::GetIO().KeysDown[300 + ImGuiKey_Enter] = true;
    view.frame(true);
    ImGui::GetIO().KeysDown[300 + ImGuiKey_Enter] = false;
    view.frame(true);
  }

  testing::RigWithPanel t{app::load_robot(harness::find_robot("franka")).config};
  testing::HeadlessView view;
};

TEST_F(CartesianTabTest, EverythingOfAnArmIsOnThePage) {
  for (const char* item :
       {"arm/enter", "arm/leave", "arm/target_here", "arm/target/x", "arm/target/yaw",
        "arm/jog/rz/forth", "arm/stiffness/x/slider", "arm/stiffness/rz/field",
        "suppress/gravity_compensation", "suppress/collision_avoidance", "suppress/contact_safety",
        "suppress/cuff", "arm/damping_ratio/slider", "arm/term/gravity", "arm/term/limits",
        "arm/posture", "arm/payload/0", "arm/payload/3"}) {
    EXPECT_EQ(view.items.count(item), 1U) << item;
  }
  EXPECT_EQ(view.items.count("arm/term/spring"), 0U) << "can't be switched";
}

TEST_F(CartesianTabTest, NothingThatMovesTheArmCanBeClickedInObserve) {
  for (const char* item : {"arm/enter", "arm/jog/x/forth", "arm/target_here", "arm/posture",
                           "arm/term/gravity", "arm/stiffness/x/slider"}) {
    view.click(item);
  }
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(CartesianTabTest, AClickOnPlusMovesTheGoalAStep) {
  run_the_arm();
  const double before = t.desks.arms.now().goal.position[0];
  view.click("arm/jog/x/forth");
  const auto command = t.only<SetToolTarget>();
  EXPECT_NEAR(command.position[0], before + t.desks.arms.step, 1e-12);
}

TEST_F(CartesianTabTest, EnterInAFieldSendsWhatWasTyped) {
  run_the_arm();
  type("arm/target/z", "0.5 m");
  const auto command = t.only<SetToolTarget>();
  EXPECT_NEAR(command.position[2], 0.5, 1e-12);
}

TEST_F(CartesianTabTest, ADraggedStiffnessIsSentOnceWhenTheHandLetsGo) {
  run_the_arm();
  view.point_at("arm/stiffness/y/slider");
  ImGui::GetIO().MouseDown[0] = true;
  view.frame(true);
  ImGui::GetIO().MousePos.x += 40.0F;
  view.frame(true);
  view.look(5);
  EXPECT_EQ(t.commands().size(), 0U) << "the hand holds it still";
  ImGui::GetIO().MouseDown[0] = false;
  view.frame(true);
  view.frame();
  const auto command = t.only<SetToolStiffness>();
  EXPECT_NE(command.stiffness[1], 600.0);
  EXPECT_EQ(command.stiffness[0], 600.0);
}

TEST_F(CartesianTabTest, ADoubleClickOnAForcePlotsItBesideTheExternalOne) {
  const std::size_t before = view.plots.plots.size();
  view.click("arm/wrench/rx");
  EXPECT_EQ(view.plots.plots.size(), before) << "a single click does nothing";
  view.click("arm/wrench/rx");
  ASSERT_EQ(view.plots.plots.size(), before + 1);
  std::vector<std::string> names;
  for (const PlotLine& line : view.plots.plots.back().lines) {
    names.push_back(view.history.name(line.signal));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"arm.wrench.tx", "arm.external.tx"}));
  EXPECT_EQ(view.state.side, SideTab::kPlots);
}

TEST_F(CartesianTabTest, ATermIsSwitchedByItsBox) {
  run_the_arm();
  view.click("arm/term/friction");
  EXPECT_TRUE(t.only<SetArmTerm>().on);
}

TEST_F(CartesianTabTest, AButtonThatIsHeldSuppressesAndTheTopBarTellsUntilItActsAgain) {
  run_the_arm();
  EXPECT_EQ(view.items.count("suppressed"), 0U);
  view.point_at("suppress/gravity_compensation");
  ImGui::GetIO().MouseDown[0] = true;
  for (int i = 0; i < 20; ++i) view.frame(true);
  const std::vector<Command> held = t.commands();
  EXPECT_GE(held.size(), 3U) << "0.32 s";
  EXPECT_LE(held.size(), 4U);
  for (const Command& command : held) EXPECT_TRUE(testing::is<Suppress>(command));
  EXPECT_EQ(view.items.count("suppressed"), 1U);
  // Off the button it isn't held, whatever the finger does.
  ImGui::GetIO().MousePos = {5.0F, 500.0F};
  for (int i = 0; i < 20; ++i) view.frame(true);
  EXPECT_TRUE(t.commands().empty());
  ImGui::GetIO().MouseDown[0] = false;
  view.frame(true);
  view.frame();
  EXPECT_EQ(view.items.count("suppressed"), 0U);
}

TEST_F(CartesianTabTest, NothingIsSuppressedByAClickInObserve) {
  run_the_arm();
  t.panel.set_access(Access::kObserve);
  for (const Suppressible what : kAllSuppressible) {
    view.click("suppress/" + std::string(to_string(what)));
  }
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST(CartesianTab, ARobotWithoutArmsHasAnEmptyPage) {
  testing::RigWithPanel t(3);
  testing::HeadlessView view(t);
  view.look(2);
  view.click("side/Cartesian");
  view.look(2);
  EXPECT_EQ(view.items.count("arm/enter"), 0U);
}

}  // namespace
}  // namespace jointrig::gui
