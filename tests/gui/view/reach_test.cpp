/// The panel in a small window, and after a gain that was too high.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "gui/view/plot_axes.h"
#include "gui/view/widgets.h"
#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

constexpr float kWidth = 1280;
constexpr float kHeight = 800;

struct SmallWindow {
  explicit SmallWindow(std::size_t joints) : t(joints), view(t) {
    ImGui::GetIO().DisplaySize = {kWidth, kHeight};
    view.plots.show_joint(view.history, 0);
  }
  testing::RigWithPanel t;
  testing::HeadlessView view;
};

TEST(Reach, InASmallWindowNothingLiesBeyondItsSides) {
  for (const std::size_t joints : {1U, 8U, 41U, 60U}) {
    SmallWindow w(joints);
    w.t.arm_and_run();
    for (const SideTab tab : kAllSideTab) {
      if (tab == SideTab::kBody) continue;
      SCOPED_TRACE(std::to_string(joints) + " joints, " + std::string(to_string(tab)));
      w.view.state.side = tab;
      w.view.look(3);
      EXPECT_GT(w.view.items.size(), 30U);
      for (const auto& [name, at] : w.view.items) {
        EXPECT_GE(at.x, 0.0F) << name;
        EXPECT_LE(at.z, kWidth) << name;
      }
    }
  }
}

TEST(Reach, EveryTabAndToolOfThePlotsIsInSightInASmallWindow) {
  SmallWindow w(8);
  w.view.look(3);
  for (const char* item : {"side/Plots", "side/Parameters", "side/Scenario", "plot/png",
                           "plot/mcap", "plot/csv", "plot/trigger", "health", "record/session"}) {
    ASSERT_EQ(w.view.items.count(item), 1U) << item;
    EXPECT_LT(w.view.items.at(item).w, kHeight) << item;
  }
}

TEST(Reach, ARobotWithoutPartsHasNoHeadingOfOtherJoints) {
  SmallWindow w(60);
  ASSERT_TRUE(w.t.panel.config().parts.empty());
  w.view.look(3);
  const float below_filter = w.view.items.at("joint/joint1/box").y - w.view.items.at("filter").w;
  EXPECT_LT(below_filter, ImGui::GetFontSize()) << "no line of text between them";
}

TEST(Reach, RowsHaveSliderFieldAndHome) {
  SmallWindow w(8);
  w.t.arm_and_run();
  w.view.look(3);
  for (const JointConfig& joint : w.t.panel.config().joints) {
    const std::string name = "joint/" + joint.name + "/";
    for (const char* item : {"position/slider", "position/field", "home", "run", "menu"}) {
      ASSERT_EQ(w.view.items.count(name + item), 1U) << name + item;
    }
    const float slider_end = w.view.items.at(name + "position/slider").z;
    EXPECT_LE(slider_end, w.view.items.at(name + "position/field").x);
    EXPECT_LE(w.view.items.at(name + "live").z, w.view.items.at(name + "run").x);
    EXPECT_LE(w.view.items.at(name + "menu").z, w.view.items.at(name + "box").z);
  }
}

TEST(Reach, AStepOfAScenarioIsReadOnAsManyLinesAsItNeeds) {
  SmallWindow w(8);
  std::string label = "move";
  for (int i = 1; i <= 8; ++i) label += " joint" + std::to_string(i) + " to -110 deg,";
  ScenarioDesk& desk = w.t.desks.scenario;
  desk.entries = {{"lift", "lift.yaml", "", "", {{"steps", label, ""}, {"steps", "wait 1 s", ""}}}};
  desk.choose(0);
  w.view.state.side = SideTab::kScenario;
  w.view.look(3);
  ASSERT_EQ(w.view.items.count("scenario/step/1"), 1U);
  const ImVec4 first = w.view.items.at("scenario/step/0");
  const ImVec4 second = w.view.items.at("scenario/step/1");
  EXPECT_LE(first.z, kWidth);
  EXPECT_GE(first.w - first.y, 2.0F * (second.w - second.y)) << "two lines or more";
  EXPECT_GE(second.y, first.w);
}

TEST(Reach, ALegendThatIsLongerThanItsPlotGoesOnInASecondLine) {
  SmallWindow w(8);
  for (const JointTrace trace :
       {JointTrace::kPosition, JointTrace::kVelocity, JointTrace::kTorque}) {
    for (const JointIndex joint : {1U, 2U, 3U}) {
      w.view.plots.add(0, w.view.history.signal(joint, trace));
    }
  }
  w.view.look(3);
  const std::size_t plots = w.view.plots.plots.size();
  const ImVec4 area = w.view.items.at("plot/0/area");
  int lines = 0;
  for (const auto& [name, at] : w.view.items) {
    if (name.rfind("plot/0/legend/", 0) != 0) continue;
    ++lines;
    EXPECT_LE(at.z, area.z) << name << " is cut off";
    EXPECT_LE(at.w, area.y + 1.0F) << name << " lies on its plot";
  }
  EXPECT_GE(lines, 9);
  EXPECT_LE(w.view.items.at("plot/" + std::to_string(plots - 1) + "/area").w, kHeight);
}

TEST(Reach, AnAxisHasThreeValuesInTheLowestPlotWhateverItsRange) {
  constexpr float kText = 13.0F;
  PlotFrame frame;
  for (const float length : {37.0F, 40.0F, 43.0F, 80.0F, 300.0F}) {
    frame.from = {0.0F, 100.0F};
    frame.to = {400.0F, 100.0F + length};
    for (double size = 1e-6; size < 1e6; size *= 1.37) {
      for (const double low : {-0.5 * size, 0.0, -0.07 * size, 3.3 * size, -17.0 * size}) {
        frame.values = {low, low + size};
        const ValueLabels found = value_labels(frame, kText);
        ASSERT_GE(found.labels.size(), 3U) << low << " + " << size << " on " << length << " px";
        for (std::size_t i = 1; i < found.labels.size(); ++i) {
          ASSERT_LE(found.labels[i].top + 0.79F * kText, found.labels[i - 1].top) << "they meet";
        }
        ASSERT_LE(found.lines.size(), 2 * found.labels.size() + 1);
      }
    }
  }
}

TEST(Reach, SearchAndButtonsOfThePlotsAreOneLine) {
  SmallWindow w(8);
  w.view.look(3);
  EXPECT_EQ(w.view.items.at("plot/search").y, w.view.items.at("plot/kept").y);
}

TEST(Reach, EveryPieceOfTheLoopsHealthIsInASmallWindow) {
  RobotConfig config = testing::ideal_config(8);
  config.name = "icub_upper_body";
  testing::RigWithPanel t(config);
  testing::HeadlessView view(t);
  ImGui::GetIO().DisplaySize = {kWidth, kHeight};
  view.look(3);
  ASSERT_EQ(view.items.count("health/last"), 1U) << "how many cycles were late";
  EXPECT_LE(view.items.at("health/last").z, kWidth);
}

TEST(Reach, LongNamesOfAWaypointsJointsKeepOffTheirFields) {
  RobotConfig config = testing::ideal_config(4);
  for (std::size_t i = 0; i < 4; ++i) {
    config.joints[i].name = "left_thumb_middle_proximal_" + std::to_string(i);
  }
  testing::RigWithPanel t(config);
  testing::HeadlessView view(t);
  ImGui::GetIO().DisplaySize = {kWidth, kHeight};
  view.state.side = SideTab::kMotion;
  t.desks.motion.table.record();
  view.look(3);
  for (const JointConfig& joint : config.joints) {
    ASSERT_EQ(view.items.count("motion/name/" + joint.name), 1U);
    const ImVec4 field = view.items.at("motion/joint/" + joint.name);
    EXPECT_LE(view.items.at("motion/name/" + joint.name).z, field.x) << joint.name;
    EXPECT_GE(field.z - field.x, 60.0F);
  }
}

TEST(Reach, ATextThatIsCutSaysSo) {
  SmallWindow w(1);
  w.view.look(1);
  const ImFont& font = *ImGui::GetIO().Fonts->Fonts[0];
  const std::string text = "the motor is too hot: 110 °C, limit 90 °C · 4 s ago";
  const auto drawn = [&](const std::string& what, float width) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTextureID(font.ContainerAtlas->TexID);
    list.PushClipRectFullScreen();
    text_at(&list, {10, 10}, {255, 255, 255}, what, width);
    return list.VtxBuffer.Size;
  };
  const float width = 0.7F * width_of(text);
  const std::string cut = wrapped_lines(font, text, width, 1).front();
  ASSERT_TRUE(cut.ends_with("…"));
  EXPECT_EQ(drawn(text, width), drawn(cut, 0.0F));
  EXPECT_EQ(drawn(text, 2.0F * width), drawn(text, 0.0F)) << "whole, where it has room";
}

TEST(Reach, PlotsShareTheirHeightAndStayInThePage) {
  SmallWindow w(2);
  w.view.look(3);
  const auto height = [&](int plot) {
    const ImVec4 at = w.view.items.at("plot/" + std::to_string(plot) + "/area");
    return at.w - at.y;
  };
  EXPECT_NEAR(height(0), height(3), 0.6F);
  EXPECT_LT(w.view.items.at("plot/3/area").w + 12.0F, kHeight) << "the times stand below";
}

/// A refusal such as a plan's, longer than a line of the small window.
std::string long_refusal(std::size_t least) {
  std::string text = "the motion is refused:";
  for (int i = 1; text.size() < least; ++i) {
    text += " joint" + std::to_string(i) + " would need 12.5 N·m of 10 N·m;";
  }
  return text + " take another way";
}

TEST(Strip, ALongRefusalIsReadWholeAndStaysOnTheStrip) {
  SmallWindow w(8);
  w.view.look(2);
  const ImVec4 tabs = w.view.items.at("tab/all");
  w.t.panel.tell(long_refusal(250));
  w.view.look(2);
  ASSERT_EQ(w.view.items.count("notice"), 1U);
  const ImVec4 notice = w.view.items.at("notice");
  EXPECT_LE(notice.z, kWidth);
  EXPECT_LE(notice.w, tabs.y);
  EXPECT_EQ(w.view.items.at("tab/all").y, tabs.y) << "nothing below it moves away from a hand";
}

/// The words of lines, one space between two.
std::string words_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += text.empty() ? line : " " + line;
    while (text.ends_with(' ')) text.pop_back();
  }
  return text;
}

TEST(Strip, LinesBreakBetweenWordsAndTheLastTellsThatItIsCut) {
  SmallWindow w(1);
  w.view.look(1);
  const ImFont& font = *ImGui::GetIO().Fonts->Fonts[0];
  const auto width_in = [&](const std::string& line) {
    return font.CalcTextSizeA(font.FontSize, 1e6F, 0.0F, line.c_str()).x;
  };
  const std::string text = long_refusal(250);
  for (const float width : {120.0F, 333.0F, 1200.0F}) {
    const std::vector<std::string> whole = wrapped_lines(font, text, width, 100);
    EXPECT_EQ(words_of(whole), text);
    for (const std::string& line : whole) EXPECT_LE(width_in(line), width + 1.0F) << line;
    EXPECT_EQ(whole.size() == 1, width_in(text) <= width);
    const std::vector<std::string> cut = wrapped_lines(font, text, width, 1);
    ASSERT_EQ(cut.size(), 1U);
    EXPECT_LE(width_in(cut[0]), width + 1.0F);
    EXPECT_EQ(cut[0].ends_with("…"), whole.size() > 1);
  }
  EXPECT_EQ(wrapped_lines(font, "one line", 1e4F, 2), std::vector<std::string>{"one line"});
  EXPECT_TRUE(wrapped_lines(font, "", 100.0F, 2).empty());
}

// At 1280 px two small lines hold some 350 characters: more than the longest refusal of a plan.
TEST(Strip, TwoSmallLinesHoldTheLongestRefusalInASmallWindow) {
  SmallWindow w(1);
  w.view.look(1);
  const ImFont& small = *ImGui::GetIO().Fonts->Fonts[2];
  const std::vector<std::string> lines = wrapped_lines(small, long_refusal(300), kWidth - 16.0F, 2);
  EXPECT_EQ(words_of(lines), long_refusal(300));
}

TEST(Strip, AfterStopItsLineHasTheWholeWidthUnlessThereIsNews) {
  SmallWindow w(8);
  w.t.arm_and_run();
  w.t.panel.stop_all();
  w.view.look(3);
  EXPECT_GT(w.view.items.at("stop/noted").z, 0.98F * kWidth);
  EXPECT_EQ(w.view.items.count("notice"), 0U);
  w.t.panel.tell("the file could not be written");
  w.view.look(2);
  EXPECT_LT(w.view.items.at("stop/noted").z, w.view.items.at("notice").x);
}

/// A list that is longer than its page.
struct ManyEvents : SmallWindow {
  ManyEvents() : SmallWindow(2) {
    for (int i = 0; i < 50; ++i) add();
    view.look(4);
  }
  void add() {
    Event event;
    event.kind = EventKind::kModeChanged;
    t.panel.watch.events.add(event, "event " + std::to_string(++count));
  }
  void wheel(float turns) {
    view.point_at("events/lines");
    ImGui::GetIO().MouseWheel = turns;
    view.frame(true);
    ImGui::GetIO().MouseWheel = 0.0F;
    view.look(2);
  }
  int count = 0;
};

TEST(Events, TheListFollowsTheNewestUntilItIsScrolledUpAndAgainWhenAsked) {
  ManyEvents e;
  EXPECT_EQ(e.view.items.count("events/newest"), 0U);
  e.wheel(3.0F);
  ASSERT_EQ(e.view.items.count("events/newest"), 1U);
  const float scroll = e.view.state.events_scroll;
  for (int i = 0; i < 10; ++i) e.add();
  e.view.look(3);
  EXPECT_EQ(e.view.state.events_scroll, scroll) << "it stays where a person reads";
  e.view.click("events/newest");
  e.view.look(3);
  EXPECT_EQ(e.view.items.count("events/newest"), 0U);
  EXPECT_GE(e.view.state.events_scroll, e.view.state.events_end - 1.0F);
  e.add();
  e.view.look(3);
  EXPECT_GE(e.view.state.events_scroll, e.view.state.events_end - 1.0F);
}

/// The robot after a gain was raised: its first joint swings at 20 Hz.
struct SwingingJoint : SmallWindow {
  SwingingJoint() : SmallWindow(2) {
    t.arm_and_run();
    t.desks.parameters.set(0, JointParameter::kKd, 200.0);
    t.frames(3);
    Snapshot snapshot = t.rig.stack.snapshot();
    for (int i = 0; i < 1000; ++i) {
      ++snapshot.cycle;
      snapshot.time_ns += 1'000'000;
      snapshot.joints[0].state.v = std::sin(2.0 * std::numbers::pi * 20.0 * 1e-3 * i);
      view.history.push(snapshot);
    }
    view.draw(true);
  }
};

TEST(Swings, AJointThatSwingsAfterAGainWasChangedOffersToUndoIt) {
  SwingingJoint s;
  const double opened = s.t.desks.parameters.opened(0, JointParameter::kKd);
  ASSERT_EQ(s.view.items.count("swing/undo"), 1U);
  s.view.click("swing/undo");
  s.view.look(2);
  EXPECT_EQ(s.t.desks.parameters.now(0, JointParameter::kKd), opened);
  EXPECT_EQ(s.view.items.count("swing/undo"), 0U);
}

TEST(Swings, StopOutranksIt) {
  SwingingJoint s;
  s.t.panel.stop_all();
  s.view.draw(true);
  EXPECT_EQ(s.view.items.count("swing/undo"), 0U);
  EXPECT_EQ(s.view.items.count("stop/noted"), 1U);
}

TEST(Swings, WithoutAChangeThereIsNothingToUndo) {
  SmallWindow w(2);
  w.view.look(2);
  EXPECT_EQ(w.view.items.count("swing/undo"), 0U);
}

}  // namespace
}  // namespace jointrig::gui
