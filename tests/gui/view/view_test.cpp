#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include "gui/view/layout.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

Rgb blended(Rgb below, Rgb above, float part) {
  const auto mix = [part](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>((1.0F - part) * static_cast<float>(a) +
                                     part * static_cast<float>(b));
  };
  return {mix(below.r, above.r), mix(below.g, above.g), mix(below.b, above.b)};
}

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
    EXPECT_GE(contrast(theme.text, blended(theme.window, theme.asked, kLit)), kLeastContrast)
        << "a row at work";
    EXPECT_GE(contrast(theme.text, theme.raised), kLeastContrast);
    EXPECT_GE(contrast(theme.text, theme.hovered), kLeastContrast);
    EXPECT_GE(contrast({255, 255, 255}, theme.stop), kLeastContrast);
    EXPECT_GE(contrast({0, 0, 0}, theme.real), kLeastContrast);
    // The chosen item is written in the window's colour on the accent.
    EXPECT_GE(contrast(theme.window, theme.accent), kLeastContrast);
    EXPECT_GE(contrast(theme.window, theme.asked), kLeastContrast);
  }
}

struct ViewTest : ::testing::Test {
  ViewTest() : t(6), view(t) { view.look(2); }
  testing::RigWithPanel t;
  testing::HeadlessView view;
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
  testing::RigWithPanel many(53);
  testing::HeadlessView wide(many);
  wide.look(2);
  float lowest = 0.0F;
  for (const JointConfig& joint : many.panel.config().joints) {
    ASSERT_EQ(wide.items.count("joint/" + joint.name + "/box"), 1U) << joint.name;
    lowest = std::max(lowest, wide.items.at("joint/" + joint.name + "/box").w);
  }
  EXPECT_LT(lowest, wide.items.at("events/info").y) << "above the list of events";
}

TEST(View, OnAMonitorOfTwiceTheDensityEverythingIsTwiceAsLarge) {
  const auto sizes = [](float scale) {
    testing::RigWithPanel t(7);
    testing::HeadlessView view(t, 5.0, scale);
    view.look(3);
    return view.items;
  };
  const ItemMap plain = sizes(1.0F);
  const ItemMap dense = sizes(2.0F);
  std::size_t compared = 0;
  for (const auto& [name, at] : plain) {
    ASSERT_EQ(dense.count(name), 1U) << name;
    const ImVec4 twice = dense.at(name);
    const float height = at.w - at.y;
    if (height < 8.0F) continue;
    EXPECT_NEAR((twice.w - twice.y) / height, 2.0F, 0.12F) << name;
    ++compared;
  }
  EXPECT_GT(compared, 50U);
}

TEST_F(ViewTest, ALayoutIsAppliedAndToldAgain) {
  Layout layout;
  layout.boxes = BoxSize::kRow;
  layout.side = SideTab::kSequence;
  layout.side_part = 0.5F;
  layout.events_part = 0.3F;
  layout.scene_open = false;
  layout.scene_part = 0.55F;
  layout.events = EventSeverity::kError;
  layout.palette = Palette::kIcubLight;
  apply(layout, view.state, t.panel);
  view.look(3);
  EXPECT_EQ(layout_of(view.state, t.panel), layout);
  EXPECT_EQ(view.items.count("sequence/record"), 1U);
  layout.side_part = 7.0F;
  apply(layout, view.state, t.panel);
  EXPECT_LE(view.state.side_part, 0.7F) << "nothing is lost beyond an edge";
}

TEST(View, SevenJointsAreShownInFull) {
  testing::RigWithPanel seven(7);
  testing::HeadlessView wide(seven);
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
  EXPECT_FALSE(t.panel.sliders.state(0, {JointQuantity::kPosition, CommandKind::kMove}).has_ghost);
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
  const ViewContext ctx{t.panel, view.plots, view.history, view.state, Fonts{}, t.desks, nullptr};
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
  testing::RigWithPanel t(2, /*real=*/true);
  testing::HeadlessView view(t);
  view.look(1);
  t.commands();
  view.keys.pressed.push_back({Key::kSpace});
  view.draw(true);
  EXPECT_EQ(kind_of(t.only_command()), CommandKind::kStop);
}

TEST(Keys, AHasToBeHeldToArm) {
  testing::RigWithPanel t;
  testing::HeadlessView view(t);
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

TEST(Keys, TWaitsForTheTriggerAndEndsThat) {
  testing::RigWithPanel t;
  testing::HeadlessView view(t);
  for (const bool armed : {true, false}) {
    view.keys.pressed.push_back({Key::kT});
    view.frame(true);
    EXPECT_EQ(view.plots.trigger.armed(), armed);
  }
}

TEST(Keys, F6ToF8ArrangeTheWindowForAKindOfWork) {
  testing::RigWithPanel t;
  testing::HeadlessView view(t);
  view.look(1);
  for (const auto& [key, boxes, tab] : {std::tuple{Key::kF6, BoxSize::kFull, SideTab::kPlots},
                                        {Key::kF7, BoxSize::kRow, SideTab::kFaults},
                                        {Key::kF8, BoxSize::kChip, SideTab::kPlots}}) {
    view.keys.pressed.push_back({key});
    view.look(3);
    EXPECT_EQ(view.state.box_size, boxes);
    EXPECT_EQ(view.state.side, tab);
  }
}

TEST(Plots, ShiftAndAClickPutALineOnTheOtherAxis) {
  testing::RigWithPanel t;
  testing::HeadlessView view(t);
  view.plots.add_plot();
  view.plots.add(0, view.history.signal(0, JointTrace::kPosition));
  view.plots.add(0, view.history.signal(0, JointTrace::kTorque));
  view.look(2);
  const float wide = view.items.at("plot/0/area").z;
  ImGui::GetIO().KeyShift = true;
  view.click("plot/0/legend/joint1.tau");
  ImGui::GetIO().KeyShift = false;
  EXPECT_TRUE(view.plots.plots[0].lines[1].right);
  EXPECT_FALSE(view.plots.plots[0].lines[0].right);
  EXPECT_LT(view.items.at("plot/0/area").z, wide) << "the axis at the right has room";
}

TEST(Plots, ARightClickOnANameGivesItsLineAnotherLook) {
  testing::RigWithPanel t;
  testing::HeadlessView view(t);
  view.plots.add_plot();
  view.plots.add(0, view.history.signal(0, JointTrace::kPosition));
  view.look(2);
  const auto line = [&] { return view.plots.plots[0].lines.at(0); };
  view.click("plot/0/legend/joint1.q", ImGuiMouseButton_Right);
  view.click("plot/0/legend/joint1.q/dashed");
  EXPECT_EQ(line().style, LineStyle::kDashed);
  view.click("plot/0/legend/joint1.q", ImGuiMouseButton_Right);
  view.click("plot/0/legend/joint1.q/colour/3");
  EXPECT_EQ(line().colour, 3);
  EXPECT_EQ(line().style, LineStyle::kDashed);
  EXPECT_FALSE(line().hidden);
  view.click("plot/0/legend/joint1.q/remove");
  EXPECT_TRUE(view.plots.plots[0].lines.empty());
}

TEST(Plots, AJointDraggedOntoAPlotIsPlotted) {
  testing::RigWithPanel t;
  testing::HeadlessView view(t);
  view.plots.plots.clear();
  view.plots.add_plot();
  view.look(2);
  view.drag("joint/joint2/box", "plot/0/area");
  ASSERT_EQ(view.plots.plots[0].lines.size(), 2U);
  EXPECT_EQ(view.history.name(view.plots.plots[0].lines[0].signal), "joint2.q");
  EXPECT_EQ(view.history.name(view.plots.plots[0].lines[1].signal), "joint2.q_ref");
}

}  // namespace
}  // namespace jointrig::gui
