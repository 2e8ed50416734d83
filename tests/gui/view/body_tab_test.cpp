#include "gui/view/body_tab.h"

#include "app/rig/rig.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

/// On its feet, with ideal joints: without what needs a model of the arms.
RobotConfig icub() {
  RobotConfig config = app::load_robot(harness::find_robot("icub")).config;
  config.pin_base = false;
  config.avoidance.reset();
  config.detection.reset();
  return config;
}

struct BodyTabTest : ::testing::Test {
  BodyTabTest() : view(t) {
    t.desks.body.places.hands.resize(2);
    t.desks.body.places.pelvis_height = 0.5;
    view.look(2);
    view.click("side/Whole-body");
  }
  void arm() {
    t.panel.set_access(Access::kArmed);
    view.look(2);
    t.commands();
  }
  void choose(const std::string& kind) {
    view.click("body/kind");
    view.click("body/kind/" + kind);
  }

  testing::RigWithPanel t{icub()};
  testing::HeadlessView view;
};

TEST(BodyTab, IsThereForARobotOnFeetAloneAndIsLeftWithIt) {
  testing::RigWithPanel t(3);
  testing::HeadlessView view(t);
  view.state.side = SideTab::kBody;  // as with the robot before
  view.look(3);
  EXPECT_EQ(view.items.count("side/Whole-body"), 0U);
  EXPECT_EQ(view.state.side, SideTab::kPlots);
  view.click("side/Joint");
  EXPECT_EQ(view.state.side, SideTab::kJoint);
}

TEST_F(BodyTabTest, EverythingOfTheBodyIsOnThePage) {
  for (const char* item :
       {"body/stand", "body/state", "body/home/all", "body/home/left arm", "body/home/pelvis",
        "body/height/down", "body/stop_all", "body/kind", "body/send", "body/hand/right",
        "body/execution/queue", "body/row/1/time", "body/row/1/yaw", "body/answers",
        "body/force/left", "body/shift/com_y", "body/task/centre of mass", "body/task/right arm"}) {
    EXPECT_EQ(view.items.count(item), 1U) << item;
  }
  EXPECT_EQ(view.items.count("body/previous"), 0U) << "it follows none";
  view.click("body/execution/queue");
  EXPECT_EQ(view.items.count("body/previous"), 1U);
}

TEST_F(BodyTabTest, NothingLiesBeyondTheSideOfTheWindow) {
  for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 800}}) {
    ImGui::GetIO().DisplaySize = size;
    view.look(3);
    std::size_t seen = 0;
    for (const auto& [name, at] : view.items) {
      if (name.rfind("body/", 0) != 0) continue;
      ++seen;
      EXPECT_LE(at.z, size.x) << name;
    }
    EXPECT_GT(seen, 30U);
  }
}

TEST_F(BodyTabTest, NothingCanBeSentInObserve) {
  for (const char* item :
       {"body/stand", "body/home/all", "body/height/up", "body/stop_all", "body/send"}) {
    view.click(item);
  }
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(BodyTabTest, AClickSendsEveryPartHome) {
  arm();
  view.click("body/home/all");
  EXPECT_EQ(t.commands().size(), 4U);
}

TEST_F(BodyTabTest, AMessageIsChosenTypedAndSent) {
  arm();
  choose("pelvis_height");
  EXPECT_EQ(view.items.count("body/hand/left"), 0U) << "it moves no hand";
  view.click("body/row/1/height");
  for (const char c : std::string("480")) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  }
  view.frame(true);
  view.click("body/send");
  const auto sent = t.only<PelvisHeight>();
  ASSERT_EQ(sent.waypoints.size(), 2U);
  EXPECT_NEAR(sent.waypoints[1], 0.48, 1e-12);
}

TEST_F(BodyTabTest, WaypointsAreAddedAndTakenAway) {
  view.click("body/add");
  view.click("body/add");
  EXPECT_EQ(view.items.count("body/row/3/x"), 1U);
  view.click("body/remove/1");
  EXPECT_EQ(t.desks.body.form.rows().size(), 2U);
  EXPECT_EQ(t.desks.body.form.rows()[0][0], 4.0);
  EXPECT_EQ(t.commands().size(), 0U);
}

TEST_F(BodyTabTest, AHandIsAskedForWhereItCounts) {
  choose("go_home");
  EXPECT_EQ(view.items.count("body/hand/right"), 1U);
  view.click("body/part/chest");
  EXPECT_EQ(view.items.count("body/hand/right"), 0U);
  EXPECT_EQ(view.items.count("body/duration"), 1U);
}

}  // namespace
}  // namespace jointrig::gui
