/// STOP and OFF with everything open that may take a mouse press or a key.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include "app/rig/rig.h"
#include "gui/view/stop_corner.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

bool has_popup() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

/// @param name  icub: on its feet, without what needs a model of arms
RobotConfig robot_named(const std::string& name) {
  RobotConfig config = app::load_robot(harness::find_robot(name)).config;
  config.pin_base = false;
  if (config.arms.empty()) {
    config.avoidance.reset();
    config.detection.reset();
  }
  return config;
}

/// An armed robot with something in every list.
struct Bench {
  explicit Bench(const std::string& robot = "franka") : t(robot_named(robot)), view(t) {
    for (std::size_t i = 0; i < t.rig.robot.joint.size(); ++i) {
      t.rig.robot.joint[i].q = t.panel.config().joints[i].q_start;
    }
    t.arm_and_run();
    t.desks.reset.keyframes = {"home"};
    t.desks.scenario.entries.resize(2);
    t.desks.scenario.entries[0].name = "one";
    view.state.plot_sets.resize(1);
    view.state.plot_sets[0].name = "drive";
    view.plots.add_plot();
    view.plots.add(0, view.history.signal(0, JointTrace::kPosition));
    view.look(3);
    t.commands();
  }
  [[nodiscard]] std::string first() const { return t.panel.config().joints[0].name; }
  void side(const std::string& tab) {
    view.click("side/" + tab);
    view.look(2);
  }
  /// Rests on an item, as long as a submenu takes to open.
  void rest_on(const std::string& item) {
    view.point_at(item);
    view.look(40);
  }
  /// One press on STOP. The button stays down.
  void press(const ImVec4& box, int button = 0) {
    ImGui::GetIO().MousePos = {0.5F * (box.x + box.z), 0.5F * (box.y + box.w)};
    ImGui::GetIO().MouseDown[button] = true;
    view.frame(true);
  }
  void let_go() {
    for (bool& down : ImGui::GetIO().MouseDown) down = false;
    view.frame(true);
    view.look(2);
  }
  std::size_t count(CommandKind kind) {
    std::size_t found = 0;
    for (const Command& command : t.commands()) found += kind_of(command) == kind ? 1 : 0;
    return found;
  }

  testing::RigWithPanel t;
  testing::HeadlessView view;
  StopCorner corner = stop_corner(1.0F);
};

struct Obstacle {
  std::string name;
  std::string call;  ///< place of the popup in the sources: file, then its call
  std::function<void(Bench&)> open;
  std::string robot = "franka";
};

void open_menu_of_first(Bench& b) { b.view.click("joint/" + b.first() + "/box", 1); }

const std::vector<Obstacle>& popups() {
  static const std::vector<Obstacle> all{
      {"palette", "top_bar.cpp BeginCombo \"##palette\"",
       [](Bench& b) { b.view.click("palette"); }},
      {"kinds of events", "event_view.cpp BeginCombo \"##family\"",
       [](Bench& b) { b.view.click("events/family"); }},
      {"joint menu", "joint_menu.cpp BeginPopupContextItem kMenu", open_menu_of_first},
      {"joint menu of its button", "joint_menu.cpp BeginPopup kButtonMenu",
       [](Bench& b) { b.view.click("joint/" + b.first() + "/menu"); }},
      {"faults to inject", "joint_menu.cpp BeginMenu \"Inject a fault (simulation",
       [](Bench& b) {
         open_menu_of_first(b);
         b.rest_on("menu/inject");
         ASSERT_EQ(b.view.items.count("menu/inject/end"), 1U);
       }},
      {"poses", "joint_area.cpp BeginPopup \"poses\"", [](Bench& b) { b.view.click("poses"); }},
      {"keyframes", "recording_line.cpp BeginPopup \"keyframes\"",
       [](Bench& b) { b.view.click("sim/keyframes"); }},
      {"plot sets", "plot_tools.cpp BeginPopup \"plot sets\"",
       [](Bench& b) { b.view.click("plot/sets"); }},
      {"a name being typed in a popup", "plot_tools.cpp BeginPopup \"plot sets\"",
       [](Bench& b) {
         b.view.click("plot/sets");
         b.view.click("plot/sets/name");
       }},
      {"trigger", "plot_tools.cpp BeginPopup \"trigger\"",
       [](Bench& b) { b.view.click("plot/trigger"); }},
      {"kept windows", "plot_kept.cpp BeginPopup \"kept windows\"",
       [](Bench& b) { b.view.click("plot/kept"); }},
      {"a list in the trigger's popup", "plot_tools.cpp BeginCombo \"signal\"",
       [](Bench& b) {
         b.view.click("plot/trigger");
         b.view.click("trigger/signal");
       }},
      {"look of a line", "plot_legend.cpp BeginPopupContextItem \"look\"",
       [](Bench& b) { b.view.click("plot/0/legend/" + b.first() + ".q", 1); }},
      {"scenarios", "scenario_tab.cpp BeginCombo \"##scenario\"",
       [](Bench& b) {
         b.side("Scenario");
         b.view.click("scenario/list");
       }},
      {"a rotation left free", "motion_options.cpp BeginCombo \"##free\"",
       [](Bench& b) {
         b.side("Motion");
         b.view.click("motion/kind/tool of arm");
         b.view.look(2);
         b.view.click("motion/free_rotation");
       }},
      {"jog steps", "cartesian_tab.cpp BeginCombo label",
       [](Bench& b) {
         b.side("Cartesian");
         b.view.click("arm/##step");
       }},
      {"interaction mode of an axis", "cartesian_guide.cpp BeginCombo \"##mode\"",
       [](Bench& b) {
         b.side("Cartesian");
         b.view.click("guide/mode/x");
       }},
      {"kinds of messages", "body_messages.cpp BeginCombo \"##kind\"",
       [](Bench& b) {
         b.side("Whole-body");
         b.view.click("body/kind");
       },
       "icub"},
  };
  return all;
}

class StopThrough : public ::testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] const Obstacle& obstacle() const { return popups()[GetParam()]; }
};

TEST_P(StopThrough, OnePressStopsAndCloses) {
  for (const int button : {0, 1, 2}) {
    Bench b(obstacle().robot);
    obstacle().open(b);
    ASSERT_TRUE(has_popup()) << obstacle().name;
    b.t.commands();
    b.press(b.corner.stop, button);
    EXPECT_EQ(b.count(CommandKind::kStop), 1U) << obstacle().name << ", button " << button;
    b.let_go();
    EXPECT_FALSE(has_popup()) << obstacle().name;
    EXPECT_EQ(b.t.commands().size(), 0U) << "nothing else is sent: " << obstacle().name;
  }
}

TEST_P(StopThrough, OnePressSwitchesOff) {
  Bench b(obstacle().robot);
  obstacle().open(b);
  b.t.commands();
  b.press(b.corner.off);
  EXPECT_EQ(b.count(CommandKind::kSetMode), b.t.panel.config().joints.size()) << obstacle().name;
  b.let_go();
  EXPECT_FALSE(has_popup());
}

TEST_P(StopThrough, KeysActAndEscCloses) {
  for (const Key key : {Key::kF10, Key::kEscape, Key::kSpace}) {
    SCOPED_TRACE(obstacle().name + ", " + std::string(to_string(key)));
    Bench b(obstacle().robot);
    obstacle().open(b);
    b.t.commands();
    b.view.keys.pressed.push_back({key, key == Key::kSpace});
    b.view.frame(true);
    const std::vector<Command> sent = b.t.commands();
    if (key == Key::kEscape) {
      EXPECT_EQ(sent.size(), 0U);
    } else {
      ASSERT_GE(sent.size(), 1U);
      EXPECT_EQ(kind_of(sent.front()),
                key == Key::kF10 ? CommandKind::kStop : CommandKind::kSetMode);
    }
    b.view.look(2);
    EXPECT_FALSE(has_popup());
  }
}

INSTANTIATE_TEST_SUITE_P(Everything, StopThrough, ::testing::Range(std::size_t{0}, popups().size()),
                         [](const auto& number) {
                           return std::regex_replace(popups()[number.param].name,
                                                     std::regex("[^A-Za-z0-9]"), "_");
                         });

/// Popups of the sources, as "file call first-argument".
std::set<std::string> popups_of_sources() {
  const std::regex call(
      R"re(ImGui::(BeginPopup\w*|BeginCombo|Combo|BeginMenu\w*|BeginMainMenuBar|BeginListBox|ListBox)\(([^,)]*))re");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("gui")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    const std::string source = text.str();
    for (std::sregex_iterator it(source.begin(), source.end(), call), end; it != end; ++it) {
      found.insert(entry.path().filename().string() + " " + (*it)[1].str() + " " + (*it)[2].str());
    }
  }
  return found;
}

TEST(Stop, EveryPopupOfTheSourcesIsTriedAndNoneIsModal) {
  std::set<std::string> tried;
  for (const Obstacle& popup : popups()) tried.insert(popup.call);
  EXPECT_EQ(popups_of_sources(), tried) << "a popup without a case above, or a case without one";
  for (const std::string& call : popups_of_sources()) {
    EXPECT_EQ(call.find("Modal"), std::string::npos) << call << ": a question must not block";
  }
}

TEST(Stop, ActsWhileATextIsTyped) {
  Bench b;
  for (const bool by_key : {false, true}) {
    b.view.click("filter");
    b.view.frame();
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    b.t.commands();
    if (by_key) {
      b.view.keys.pressed.push_back({Key::kF10});
      b.view.frame(true);
    } else {
      b.press(b.corner.stop);
    }
    EXPECT_EQ(b.count(CommandKind::kStop), 1U);
    b.let_go();
    EXPECT_FALSE(ImGui::GetIO().WantTextInput) << "the text is left";
  }
}

TEST(Stop, ASliderInTheHandIsDroppedAndSendsNothing) {
  Bench b;
  const std::string slider = "joint/" + b.first() + "/position/slider";
  const ImVec4 at = b.view.items.at(slider);
  ImGui::GetIO().MousePos = {at.x + 0.8F * (at.z - at.x), 0.5F * (at.y + at.w)};
  b.view.frame(true);
  ImGui::GetIO().MouseDown[0] = true;
  b.view.frame(true);
  b.view.frame(true);
  b.t.commands();
  b.view.keys.pressed.push_back({Key::kF10});
  b.view.frame(true);
  EXPECT_EQ(b.count(CommandKind::kStop), 1U);
  b.view.look(3);
  b.let_go();
  EXPECT_EQ(b.t.commands().size(), 0U) << "a goal after STOP";
}

TEST(Stop, AButtonThatIsHeldIsReleased) {
  Bench b;
  b.view.point_at("group/HomeAll");
  ImGui::GetIO().MouseDown[0] = true;
  b.view.look(20);
  b.t.commands();
  b.view.keys.pressed.push_back({Key::kF10});
  b.view.frame(true);
  EXPECT_EQ(b.count(CommandKind::kStop), 1U);
  b.view.look(100);
  EXPECT_EQ(b.t.commands().size(), 0U) << "home after STOP";
}

TEST(Stop, APressCountsWhereItWasThoughThePointerIsElsewhereByTheNextFrame) {
  Bench b;
  ImGui::GetIO().MousePos = {900.0F, 500.0F};
  b.view.keys.presses = {{{20.0F, 20.0F}, 0}};
  b.view.frame(true);
  EXPECT_EQ(b.count(CommandKind::kStop), 1U);
  b.view.keys.presses.clear();
}

TEST(Stop, AWindowOverItTakesNothingAway) {
  Bench b;
  b.view.keys.pressed.push_back({Key::kF1});
  b.view.look(2);
  ImGui::SetWindowPos("Keys", {0.0F, 0.0F});
  b.view.look(2);
  b.t.commands();
  b.press(b.corner.stop);
  EXPECT_EQ(b.count(CommandKind::kStop), 1U);
  b.let_go();
  b.view.keys.pressed.push_back({Key::kEscape});
  b.view.look(1);
  EXPECT_FALSE(b.view.state.help) << "Esc closes the list of keys, too";
}

TEST(Stop, OnePressIsOneStopHoweverLongItIsHeld) {
  Bench b;
  b.press(b.corner.stop);
  b.view.look(60);
  b.let_go();
  EXPECT_EQ(b.count(CommandKind::kStop), 1U);
}

TEST(Stop, OffWantsTheLeftButtonBecauseLoadedJointsFall) {
  Bench b;
  b.press(b.corner.off, 1);
  EXPECT_EQ(b.t.commands().size(), 0U);
}

struct LoadedArm : ::testing::Test {
  LoadedArm() {
    b.t.rig.robot.joint[1].load = -40.0;
    b.view.look(80);
    b.view.click("joint/" + name() + "/idle");
    b.t.commands();
  }
  [[nodiscard]] std::string name() const { return b.t.panel.config().joints[1].name; }
  Bench b;
};

TEST_F(LoadedArm, TheQuestionBlocksNothing) {
  ASSERT_TRUE(b.t.panel.acts.question());
  EXPECT_FALSE(has_popup());
  b.view.click("side/Faults");
  EXPECT_EQ(b.view.state.side, SideTab::kFaults);
  ASSERT_TRUE(b.t.panel.acts.question());
  b.press(b.corner.stop);
  EXPECT_EQ(b.count(CommandKind::kStop), 1U);
  EXPECT_FALSE(b.t.panel.acts.question());
}

TEST_F(LoadedArm, NothingMovesAwayFromUnderTheHandAndTheSecondPressLetsGo) {
  const ImVec4 asked = b.view.items.at("joint/" + name() + "/idle");
  b.view.look(40);
  const ImVec4 now = b.view.items.at("joint/" + name() + "/idle");
  EXPECT_EQ(asked.x, now.x);
  EXPECT_EQ(asked.z, now.z);
  EXPECT_EQ(asked.y, now.y);
  b.view.click("joint/" + name() + "/idle");
  EXPECT_EQ(b.count(CommandKind::kSetMode), 1U);
}

TEST_F(LoadedArm, TheButtonsOfTheLineAnswerToo) {
  b.view.click("question/no");
  EXPECT_FALSE(b.t.panel.acts.question());
  EXPECT_EQ(b.t.commands().size(), 0U);
  b.view.click("joint/" + name() + "/idle");
  b.view.look(40);
  b.view.click("question/yes");
  EXPECT_EQ(b.count(CommandKind::kSetMode), 1U);
}

TEST_F(LoadedArm, EscIsANo) {
  b.view.keys.pressed.push_back({Key::kEscape});
  b.view.frame(true);
  EXPECT_FALSE(b.t.panel.acts.question());
  EXPECT_EQ(b.t.commands().size(), 0U);
}

TEST(StopCorner, ItsTipsStandBelowItNotBehindIt) {
  Bench b;
  for (const char* const item : {"stop", "off"}) {
    SCOPED_TRACE(item);
    b.rest_on(item);
    const ImGuiWindow* shown = nullptr;
    for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
      const bool is_tip = (window->Flags & ImGuiWindowFlags_Tooltip) != 0;
      if (is_tip && window->Active) shown = window;
    }
    ASSERT_NE(shown, nullptr);
    EXPECT_GE(shown->Pos.y, b.corner.stop.w);
  }
}

TEST(StopStrip, StandsUntilNotedAndMovesNothing) {
  Bench b;
  const ItemMap before = b.view.items;
  EXPECT_EQ(before.count("strip"), 0U);
  b.press(b.corner.stop);
  b.let_go();
  ASSERT_EQ(b.view.items.count("strip"), 1U);
  for (const auto& [name, at] : before) {
    if (name == "notice" || name == "health" || b.view.items.count(name) == 0) continue;
    EXPECT_EQ(b.view.items.at(name).y, at.y) << name;
  }
  b.view.look(600);
  EXPECT_EQ(b.view.items.count("strip"), 1U);
  b.t.commands();
  b.view.click("stop/noted");
  b.view.look(2);
  EXPECT_EQ(b.view.items.count("strip"), 0U);
  EXPECT_EQ(b.t.commands().size(), 0U);
}

bool same(const ImVec4& a, const ImVec4& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

TEST(StopPlace, IsTheSameForEveryRobotNameWindowAndPage) {
  RobotConfig named = testing::ideal_config(3);
  named.name = std::string(300, 'W');
  RobotConfig many = testing::ideal_config(53);
  many.name = "x";
  const RobotConfig robots[]{testing::ideal_config(1), named, many,
                             app::load_robot(harness::find_robot("franka")).config};
  for (const RobotConfig& robot : robots) {
    for (const bool real : {false, true}) {
      testing::RigWithPanel t(robot, real);
      testing::HeadlessView view(t);
      for (const ImVec2 size :
           {ImVec2(1920, 1080), ImVec2(1280, 720), ImVec2(800, 600), ImVec2(3840, 2160)}) {
        ImGui::GetIO().DisplaySize = size;
        for (const SideTab tab : kAllSideTab) {
          view.state.side = tab;
          view.look(2);
          EXPECT_TRUE(same(view.items.at("stop"), stop_corner(1.0F).stop)) << robot.name;
          EXPECT_TRUE(same(view.items.at("off"), stop_corner(1.0F).off)) << robot.name;
        }
      }
    }
  }
}

TEST(StopPlace, AHandThatKnowsItHitsItAtEveryScaleOfTheText) {
  for (const float scale : {0.75F, 1.0F, 1.5F, 2.0F, 4.0F}) {
    testing::RigWithPanel t(3);
    testing::HeadlessView view(t, 5.0, scale);
    view.look(2);
    const ImVec4 stop = view.items.at("stop");
    EXPECT_EQ(stop.x, 0.0F);
    EXPECT_EQ(stop.y, 0.0F) << "the pointer thrown into the corner hits it";
    EXPECT_GE(stop.z, 80.0F);
    EXPECT_GE(stop.w, 50.0F);
    EXPECT_GE(view.items.at("off").x - stop.z, 10.0F) << "OFF isn't hit in its place";
  }
}

TEST(StopPlace, NothingElseIsThere) {
  for (const bool real : {false, true}) {
    testing::RigWithPanel t(20, real);
    testing::HeadlessView view(t);
    view.look(3);
    const StopCorner corner = stop_corner(1.0F);
    for (const auto& [name, at] : view.items) {
      if (name == "stop" || name == "off") continue;
      EXPECT_FALSE(at.x < corner.off.z && at.y < corner.off.w) << name;
    }
  }
}

}  // namespace
}  // namespace jointrig::gui
