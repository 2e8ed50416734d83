#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tests/gui/view/headless_view.h"

namespace jointrig::testing {
namespace {

TEST(Theme, EveryTextStandsOutOnEverythingItIsWrittenOn) {
  for (const Palette palette : kAllPalette) {
    SCOPED_TRACE(to_string(palette));
    const Theme& theme = theme_of(palette);
    for (const Rgb ground : {theme.window, theme.box}) {
      for (const Rgb text : {theme.text, theme.soft, theme.accent, theme.asked, theme.good,
                             theme.warning, theme.error}) {
        EXPECT_GE(contrast(text, ground), kLeastContrast)
            << int{text.r} << " " << int{text.g} << " " << int{text.b};
      }
      for (const Rgb line : line_colours(theme)) {
        EXPECT_GE(contrast(line, ground), kLeastContrast)
            << int{line.r} << " " << int{line.g} << " " << int{line.b};
      }
    }
    EXPECT_GE(contrast(theme.text, theme.raised), kLeastContrast);
    EXPECT_GE(contrast(theme.text, theme.hovered), kLeastContrast);
    EXPECT_GE(contrast({255, 255, 255}, theme.stop), kLeastContrast);
    EXPECT_GE(contrast({0, 0, 0}, theme.real), kLeastContrast);
    // What is chosen is written in the window's colour on the accent.
    EXPECT_GE(contrast(theme.window, theme.accent), kLeastContrast);
    EXPECT_GE(contrast(theme.window, theme.asked), kLeastContrast);
  }
}

struct ViewTest : ::testing::Test {
  ViewTest() : t(6), view(t) { view.look(2); }
  RigWithPanel t;
  HeadlessView view;
};

TEST_F(ViewTest, EveryJointIsOnTheScreenInEverySize) {
  for (const BoxSize size : kAllBoxSize) {
    view.state.box_size = size;
    view.look(2);
    for (const JointConfig& joint : t.panel.config().joints) {
      EXPECT_EQ(view.items.count("joint/" + joint.name + "/box"), 1U)
          << joint.name << ", " << to_string(size);
    }
  }
}

TEST(View, FiftyThreeJointsFitOnOneScreenAsChips) {
  RigWithPanel many(53);
  HeadlessView wide(many);
  wide.look(2);
  float lowest = 0.0F;
  for (const JointConfig& joint : many.panel.config().joints) {
    ASSERT_EQ(wide.items.count("joint/" + joint.name + "/box"), 1U) << joint.name;
    lowest = std::max(lowest, wide.items.at("joint/" + joint.name + "/box").w);
  }
  EXPECT_LT(lowest, wide.items.at("events/info").y) << "above the list of events";
}

TEST(View, SevenJointsAreShownInFull) {
  RigWithPanel seven(7);
  HeadlessView wide(seven);
  wide.look(2);
  for (const JointConfig& joint : seven.panel.config().joints) {
    ASSERT_EQ(wide.items.count("joint/" + joint.name + "/menu"), 1U) << joint.name;
    EXPECT_LT(wide.items.at("joint/" + joint.name + "/box").w, wide.items.at("events/info").y);
  }
}

TEST_F(ViewTest, AClickOnRunRunsTheJointOnceControlIsTaken) {
  view.click("joint/joint1/run");
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kIdle);
  view.click("access/CONTROL");
  view.click("joint/joint1/run");
  view.look(2);
  EXPECT_EQ(t.rig.joint(0).mode, JointMode::kPosition);
  EXPECT_EQ(t.rig.joint(1).mode, JointMode::kIdle);
}

TEST_F(ViewTest, TheWheelOverASliderChangesNothing) {
  t.arm_and_run();
  view.look(2);
  view.point_at("joint/joint1/position/slider");
  t.commands();
  for (int i = 0; i < 10; ++i) {
    ImGui::GetIO().MouseWheel = i % 2 == 0 ? 3.0F : -3.0F;
    view.frame(true);
  }
  EXPECT_EQ(t.commands().size(), 0U);
  EXPECT_FALSE(t.panel.slider(0, {JointQuantity::kPosition, CommandKind::kMove}).has_ghost);
}

TEST_F(ViewTest, ARightClickAloneChangesNoMode) {
  view.click("access/ARMED");
  t.commands();
  view.click("joint/joint2/box", 1);
  ASSERT_EQ(view.items.count("menu/velocity"), 1U);
  EXPECT_EQ(t.commands().size(), 0U);
  view.click("menu/velocity");
  view.look(2);
  EXPECT_EQ(t.rig.joint(1).mode, JointMode::kVelocity);
}

TEST_F(ViewTest, KeysDoWhatTheHelpSaysAndNothingWhileTyping) {
  const ViewContext ctx{t.panel, view.plots, view.history, view.state, Fonts{}, nullptr, nullptr};
  handle_keys(ctx, {.pressed = {{Key::kP}}}, /*is_typing=*/true);
  EXPECT_FALSE(t.simulation.is_paused);
  handle_keys(ctx, {.pressed = {{Key::kP}}}, false);
  EXPECT_TRUE(t.simulation.is_paused);
  handle_keys(ctx, {.pressed = {{Key::kRight, false, true}}}, false);
  EXPECT_EQ(t.simulation.steps, 10);
  handle_keys(ctx, {.pressed = {{Key::kSpace}}}, false);
  EXPECT_FALSE(t.simulation.is_paused) << "in simulation Space pauses and goes on";
  handle_keys(ctx, {.pressed = {{Key::kTab}}}, false);
  EXPECT_EQ(t.panel.selected, 1);
  t.commands();
  handle_keys(ctx, {.pressed = {{Key::kSpace, true, false}}}, false);
  EXPECT_EQ(t.commands().size(), 6U) << "OFF: each motor";
}

TEST(Keys, SpaceStopsARealRobot) {
  RigWithPanel t(2, /*real=*/true);
  HeadlessView view(t);
  view.look(1);
  t.commands();
  view.keys.pressed.push_back({Key::kSpace});
  view.draw(true);
  EXPECT_EQ(t.only_command().kind, CommandKind::kStop);
}

TEST(Keys, AHasToBeHeldToArm) {
  RigWithPanel t;
  HeadlessView view(t);
  view.keys.a_is_down = true;
  view.look(30);  // 0.48 s
  EXPECT_NE(t.panel.access(), Access::kArmed);
  view.look(40);
  EXPECT_EQ(t.panel.access(), Access::kArmed);
}

TEST(Keys, TheManualTellsOfEachKeyWhatF1Tells) {
  std::ifstream in("docs/panel.md");  // tests run from the top of the source tree
  std::ostringstream text;
  text << in.rdbuf();
  const std::string manual = text.str();
  for (const KeyHelp& line : key_help()) {
    const std::string row =
        "| " + std::string(line.keys) + " | " + std::string(line.meaning) + " |\n";
    EXPECT_NE(manual.find(row), std::string::npos) << row;
  }
}

TEST(Keys, EveryKeyIsInTheHelp) {
  for (const Key key : kAllKey) {
    bool told = false;
    for (const KeyHelp& line : key_help()) {
      told = told || line.keys.find(to_string(key)) != std::string_view::npos;
    }
    EXPECT_TRUE(told) << to_string(key);
  }
}

TEST_F(ViewTest, WhatIsTypedIntoTheFilterReachesNoKey) {
  view.click("filter");
  view.frame();
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  view.keys.pressed.push_back({Key::kP});
  for (const char c : std::string("joint3")) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  }
  view.frame(true);
  view.look(10);
  EXPECT_FALSE(t.simulation.is_paused);
  EXPECT_EQ(t.panel.filter, "joint3");
  EXPECT_EQ(view.items.count("joint/joint1/box"), 0U);
  EXPECT_EQ(view.items.count("joint/joint3/box"), 1U);
}

}  // namespace
}  // namespace jointrig::testing
