/// The panel in a real window, with a real pointer, on a running robot: the steps of a person on
/// the first morning. Pictures of each step stay in the working directory.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "harness/runner/scenario_reader.h"
#include "tests/gui/window/robot_hand.h"

namespace jointrig::gui {
namespace {

struct WindowTest : ::testing::Test {
  WindowTest()
      : config_home(std::filesystem::current_path() / "config"),
        session((setenv("XDG_CONFIG_HOME", config_home.c_str(), 1),
                 app::robot_called("icub_upper_body")),
                1920, 1080),
        hand(session),
        elbow(joint_named(session.panel().config(), "r_elbow")) {}

  [[nodiscard]] const JointSnapshot& joint() { return session.panel().snapshot().joints[elbow]; }
  void open_right_arm() {
    hand.click("access/ARMED");
    ASSERT_EQ(session.panel().access(), Access::kArmed);
    hand.click("tab/right_arm");
    hand.click("size/full");
  }
  void run_elbow() {
    hand.click("joint/r_elbow/run");
    ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kPosition; }));
  }

  std::filesystem::path config_home;  ///< nothing is kept in that of whoever runs the test
  app::GuiSession session;
  testing::RobotHand hand;
  JointIndex elbow;
};

TEST_F(WindowTest, AnObserverSeesEveryJointAndMovesNone) {
  for (const JointConfig& config : session.panel().config().joints) {
    EXPECT_TRUE(hand.sees("joint/" + config.name + "/box")) << config.name;
  }
  hand.picture("all-joints-idle");
  hand.click("joint/r_elbow/box", 3);
  hand.click("menu/torque");
  hand.look(0.3);
  EXPECT_EQ(joint().mode, JointMode::kIdle);
}

TEST_F(WindowTest, ASliderMovesTheJointInThePhysics) {
  open_right_arm();
  run_elbow();
  const double before = joint().state.q;
  hand.point_at("joint/r_elbow/position/slider", 0.3);
  hand.press();
  for (double part = 0.3; part < 0.7; part += 0.1) {
    hand.point_at("joint/r_elbow/position/slider", part);
  }
  hand.picture("slider-dragged");
  hand.look(0.3);
  EXPECT_NEAR(joint().state.q, before, 0.02) << "nothing is sent while it is dragged";
  hand.let_go();
  const Bar range =
      session.panel().sliders.range(elbow, {JointQuantity::kPosition, CommandKind::kMove});
  const double goal = range.low + 0.6 * (range.high - range.low);
  EXPECT_TRUE(hand.wait_for(5.0, [&] { return std::abs(joint().state.q - goal) < 0.03; }))
      << "at " << joint().state.q << " of " << goal;
  hand.picture("right-arm-moved");
}

TEST_F(WindowTest, ATypedValueMovesItToo) {
  open_right_arm();
  run_elbow();
  hand.click("joint/r_elbow/position/field");
  hand.key("ctrl+a");
  hand.type("60 deg");
  hand.picture("typing");
  hand.key("Return");
  EXPECT_TRUE(hand.wait_for(5.0, [&] { return std::abs(joint().state.q - 1.0472) < 0.02; }))
      << joint().state.q << ": " << session.panel().notice();
  hand.click("joint/r_elbow/position/field");
  hand.key("ctrl+a");
  hand.type("300");
  hand.key("Return");
  EXPECT_NE(session.panel().notice().find("beyond the limit"), std::string::npos)
      << session.panel().notice();
  hand.picture("typed-beyond-the-limit");
}

TEST_F(WindowTest, ARightClickLeadsToTorqueAndCompliance) {
  open_right_arm();
  run_elbow();
  hand.click("joint/r_elbow/box", 3);
  hand.picture("menu");
  hand.click("menu/compliant");
  EXPECT_TRUE(
      hand.wait_for(1.0, [&] { return joint().interaction == InteractionMode::kCompliant; }));
  hand.picture("compliant");
  hand.click("joint/r_elbow/box", 3);
  hand.click("menu/torque");
  EXPECT_TRUE(hand.wait_for(1.0, [&] { return joint().mode == JointMode::kTorque; }));
  hand.picture("torque");
}

TEST_F(WindowTest, AFaultIsReadClearedAndRunAgain) {
  open_right_arm();
  run_elbow();
  hand.click("joint/r_elbow/box", 3);
  hand.point_at("menu/inject");  // opens by itself
  const bool opened = hand.wait_for(2.0, [&] { return hand.sees("menu/inject/over_temperature"); });
  hand.picture("faults-to-inject");
  ASSERT_TRUE(opened);
  hand.click("menu/inject/over_temperature");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kHwFault; }));
  hand.click("side/Faults");
  hand.look(0.3);
  ASSERT_TRUE(hand.sees("fault/r_elbow/force_idle"));
  hand.picture("fault");
  session.loop().end_faults(elbow);
  hand.look(0.2);
  hand.click("fault/r_elbow/force_idle");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kIdle; }));
  hand.click("fault/r_elbow/run");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kPosition; }));
  hand.click("fault/r_elbow/show");
  hand.look(0.3);
  EXPECT_FALSE(session.plots().time.follows());
  hand.picture("second-before-the-fault");
}

TEST_F(WindowTest, GroupButtonsHaveToBeHeld) {
  hand.click("access/ARMED");
  hand.hold("group/RunAll", 0.3);
  EXPECT_EQ(joint().mode, JointMode::kIdle) << "let go too early";
  hand.hold("group/RunAll", 1.1);
  const auto all_are = [&](JointMode mode) {
    for (const JointSnapshot& j : session.panel().snapshot().joints) {
      if (j.mode != mode) return false;
    }
    return true;
  };
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return all_are(JointMode::kPosition); }));
  hand.hold("group/HomeAll", 1.1);
  EXPECT_TRUE(hand.wait_for(8.0, [&] { return std::abs(joint().state.q - 0.785398) < 0.05; }))
      << joint().state.q;
  hand.point_at("health");
  hand.look(1.0);
  hand.picture("all-joints-home");
  hand.click("tab/left_arm");
  hand.click("size/full");
  for (const auto& [name, item] :
       {std::pair{"l_elbow", "menu/compliant"}, std::pair{"l_shoulder_roll", "menu/compliant"},
        std::pair{"l_wrist_prosup", "menu/velocity"}, std::pair{"l_wrist_yaw", "menu/torque"}}) {
    hand.click("joint/" + std::string(name) + "/box", 3);
    hand.click(item);
  }
  hand.drag("joint/l_elbow/position/slider", 0.35, 0.6);
  hand.click("joint/l_wrist_prosup/live");
  hand.look(1.0);
  EXPECT_EQ(session.panel().watch.status(joint_named(session.panel().config(), "l_elbow")).title,
            "POSITION · compliant");
  hand.click("joint/l_elbow/box", 3);
  hand.click("menu/plot");
  hand.point_at("health");
  hand.look(0.5);
  hand.picture("left-arm-in-full");
  hand.click("tab/all");
  hand.click("size/rows");
  hand.look(0.3);
  hand.picture("rows");
  hand.hold("group/IdleAll", 1.1);
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return all_are(JointMode::kIdle); }));
}

/// A pixel's channels differ by more than a person would see.
double part_that_differs(const Picture& a, const Picture& b) {
  constexpr int kSeen = 24;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) {
    differ += std::abs(int{a.rgb[i]} - int{b.rgb[i]}) > kSeen ? 1 : 0;
  }
  return static_cast<double>(differ) / static_cast<double>(a.rgb.size());
}

TEST_F(WindowTest, WhatTheProcessorDrawsIsWhatOpenGlDraws) {
  const GuiWindow& window = session.screen()->window;
  if (!window.draws_itself()) GTEST_SKIP() << "a graphics card draws here";
  open_right_arm();
  run_elbow();
  for (const char* tab : {"Plots", "Faults", "Parameters"}) {
    hand.click("side/" + std::string(tab));
    hand.look(0.2);
    const Picture ours = window.picture();
    const Picture theirs = window.picture_by_opengl();
    ASSERT_EQ(ours.rgb.size(), theirs.rgb.size());
    EXPECT_LT(part_that_differs(ours, theirs), 0.005) << tab;
  }
}

TEST_F(WindowTest, StopNeedsOneClickAndNoAccess) {
  open_right_arm();
  run_elbow();
  hand.drag("joint/r_elbow/position/slider", 0.3, 0.95);
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().moving; }));
  hand.click("access/OBSERVE");
  hand.click("stop");
  EXPECT_TRUE(hand.wait_for(1.0, [&] { return !joint().moving; }));
}

TEST_F(WindowTest, OnePressOnStopStopsThroughAnOpenMenuAndTheLineBelowSaysWhatHolds) {
  open_right_arm();
  hand.hold("group/RunAll", 1.1);
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kPosition; }));
  hand.drag("joint/r_elbow/position/slider", 0.3, 0.95);
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().moving; }));
  hand.click("joint/r_wrist_pitch/box", 3);
  ASSERT_TRUE(hand.sees("menu/torque"));
  hand.point_at("stop");
  hand.press();
  EXPECT_TRUE(hand.wait_for(1.0, [&] { return !joint().moving; }));
  hand.let_go();
  EXPECT_FALSE(hand.sees("menu/torque"));
  EXPECT_TRUE(hand.sees("strip"));
  RobotClient other(session.loop().rig().stack().config(), session.loop().rig().stack().inbox(),
                    "remote");
  other.move(JointSet{}.set(elbow), 100.0);  // beyond its limit
  ASSERT_TRUE(hand.wait_for(1.0, [&] { return !session.panel().stop_latch.since().empty(); }));
  hand.picture("stopped");
}

TEST(LoadWindow, AJointUnderLoadIsLetGoByASecondPressAndTheQuestionBlocksNothing) {
  app::GuiSession session(app::robot_called("franka"), 1280, 720);
  testing::RobotHand hand(session);
  const JointIndex heavy = joint_named(session.panel().config(), "panda_joint4");
  const auto joint = [&] { return session.panel().snapshot().joints[heavy]; };
  hand.click("access/ARMED");
  hand.hold("group/RunAll", 1.1);
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kPosition; }));
  hand.look(0.5);
  hand.click("size/rows");
  hand.click("joint/panda_joint4/idle");
  ASSERT_TRUE(session.panel().acts.question()) << joint().setpoint.tau;
  hand.picture("let-go");
  hand.look(JointActs::kDoubleClick);
  EXPECT_EQ(joint().mode, JointMode::kPosition);
  hand.click("joint/panda_joint4/idle");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kIdle; }));
}

TEST_F(WindowTest, PlotsFreezeWhileRecordingGoesOnAndCursorsMeasure) {
  open_right_arm();
  run_elbow();
  hand.click("joint/r_elbow/box", 3);
  hand.click("menu/plot");
  hand.drag("joint/r_elbow/position/slider", 0.3, 0.8);
  hand.look(1.5);
  hand.click("plot/span/5");
  hand.look(0.2);
  hand.click("plot/freeze");
  const Span frozen = session.plots().time.shown();
  const double recorded = session.history().newest();
  hand.look(0.5);
  EXPECT_EQ(session.plots().time.shown(), frozen);
  EXPECT_GT(session.history().newest(), recorded + 0.3);
  hand.click("plot/cursors");
  ASSERT_TRUE(session.plots().cursors.on);
  const double b = session.plots().cursors.b;
  const Span shown = session.plots().time.shown();
  hand.drag("plot/0/area", (b - shown.low) / shown.size(), 0.9);
  EXPECT_NEAR(session.plots().cursors.b, shown.low + 0.9 * shown.size(), 0.03 * shown.size());
  EXPECT_EQ(session.plots().time.shown(), shown) << "the cursor moved, not the view";
  hand.picture("cursors");
}

TEST_F(WindowTest, TwoFrozenWindowsAreKeptShownLaidOverEachOtherAndDeleted) {
  open_right_arm();
  run_elbow();
  hand.click("joint/r_elbow/box", 3);
  hand.click("menu/plot");
  hand.click("plot/span/1");
  for (const double to : {0.8, 0.6}) {
    hand.drag("joint/r_elbow/position/slider", to > 0.7 ? 0.3 : 0.5, to);
    hand.look(0.4);
    hand.click("plot/freeze");
    hand.click("plot/freeze");
  }
  const KeptWindows& kept = session.plots().kept;
  ASSERT_EQ(kept.size(), 2U) << kept.note();
  hand.click("plot/kept");
  hand.click("plot/kept/1/show");
  EXPECT_EQ(kept.shown(), 1U);
  EXPECT_EQ(session.plots().time.shown(), kept[1].time);
  hand.click("plot/kept/0/over");
  EXPECT_EQ(kept.laid_over(), 0U);
  hand.picture("kept-windows-list");
  hand.key("Escape");
  hand.look(0.3);
  EXPECT_FALSE(session.plots().time.follows());
  hand.picture("kept-windows");
  hand.click("plot/kept");
  hand.click("plot/kept/1/delete");
  EXPECT_EQ(kept.size(), 1U);
  EXPECT_FALSE(kept.shown());
  EXPECT_TRUE(session.plots().time.follows()) << "back to what is recorded";
  hand.click("plot/kept/delete_all");
  EXPECT_EQ(kept.size(), 0U);
}

TEST(SmallWindow, TheListOfKeptWindowsIsInReach) {
  app::GuiSession session(app::robot_called("franka"), 1280, 800);
  testing::RobotHand hand(session);
  hand.click("plot/span/1");
  hand.look(1.2);
  for (int i = 0; i < 3; ++i) {
    hand.click("plot/freeze");
    hand.click("plot/freeze");
  }
  ASSERT_EQ(session.plots().kept.size(), 3U) << session.plots().kept.note();
  hand.click("plot/kept");
  hand.look(0.3);
  for (const char* name : {"0/show", "0/over", "0/delete", "2/delete", "live", "delete_all"}) {
    const std::string item = std::string("plot/kept/") + name;
    ASSERT_TRUE(hand.sees(item)) << item;
    const ImVec4 at = session.items().at(item);
    EXPECT_GE(at.x, 0.0F) << item;
    EXPECT_LE(at.z, 1280.0F) << item;
    EXPECT_LE(at.w, 800.0F) << item;
  }
  hand.click("plot/kept/1/show");
  hand.click("plot/kept/0/over");
  hand.picture("kept-windows-small");
  EXPECT_EQ(session.plots().kept.laid_over(), 0U);
}

TEST_F(WindowTest, ASequenceIsRecordedByHandAndPlayed) {
  open_right_arm();
  hand.hold("group/RunAll", 1.1);
  const auto at = [this](double q) {
    return hand.wait_for(6.0,
                         [&] { return !joint().moving && std::abs(joint().state.q - q) < 0.02; });
  };
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kPosition; }));
  hand.click("side/Sequence");
  for (const char* angle : {"40", "80"}) {
    hand.click("joint/r_elbow/position/field");
    hand.key("ctrl+a");
    hand.type(angle);
    hand.key("Return");
    ASSERT_TRUE(at(std::atof(angle) * 3.14159265 / 180.0)) << joint().state.q;
    hand.click("sequence/record");
  }
  SequenceDesk& desk = session.desks().sequence;
  ASSERT_EQ(desk.sequence.poses.size(), 2U);
  hand.click("sequence/1/hold");
  hand.key("ctrl+a");
  hand.type("0.5 s");
  hand.key("Return");
  EXPECT_DOUBLE_EQ(desk.sequence.poses[1].hold, 0.5);
  std::remove("recorded.yaml");
  hand.click("sequence/file");
  hand.key("ctrl+a");
  hand.type("recorded.yaml");
  hand.click("sequence/save");
  hand.click("sequence/run");
  ASSERT_TRUE(hand.wait_for(3.0, [&] { return desk.row() == 1; })) << session.panel().notice();
  hand.picture("sequence");
  EXPECT_TRUE(hand.wait_for(6.0, [&] { return !desk.playing(); }));
  EXPECT_TRUE(at(80.0 * 3.14159265 / 180.0));
  EXPECT_EQ(harness::read_scenarios("recorded.yaml").size(), 1U);
  hand.click("sequence/run");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().moving; }));
  hand.click("stop");
  EXPECT_FALSE(desk.playing());
  EXPECT_TRUE(hand.wait_for(1.0, [&] { return !joint().moving; }));
}

TEST_F(WindowTest, AGainIsChangedComparedWithTheFileAndUndone) {
  hand.click("access/CONTROL");
  hand.click("tab/right_arm");
  hand.click("joint/r_elbow/box");
  hand.click("side/Parameters");
  hand.look(0.2);
  const double before = session.panel().config().joints[elbow].gains.kp;
  hand.drag("parameter/kp/slider", 0.3, 0.2);
  ASSERT_TRUE(hand.wait_for(1.0, [&] {
    return session.panel().config().joints[elbow].gains.kp != before;
  })) << session.panel().notice();
  hand.click("parameters/compare");
  hand.look(0.2);
  EXPECT_NE(session.desks().parameters.difference.find("r_elbow"), std::string::npos)
      << session.panel().notice();
  hand.picture("parameters");
  hand.key("ctrl+z");
  hand.click("parameters/undo");
  EXPECT_TRUE(hand.wait_for(
      1.0, [&] { return session.panel().config().joints[elbow].gains.kp == before; }));
}

TEST(RecordingWindow, ALogAndASessionAreRecordedAndTheRobotStartsAgain) {
  app::GuiApp app(app::robot_called("franka"), 1600, 900, "layout/panel.yaml");
  testing::RobotHand hand(app);
  const auto desk = [&]() -> RecordingDesk& { return app.session().desks().recording; };
  hand.click("access/ARMED");
  hand.click("record/log");
  hand.click("record/session");
  hand.hold("group/RunAll", 1.1);
  hand.hold("group/HomeAll", 1.1);
  hand.look(1.0);
  EXPECT_TRUE(desk().logging);
  EXPECT_GT(desk().log_bytes, 1000U);
  hand.picture("recording");
  const std::string log = desk().log_file;
  hand.click("record/log");
  EXPECT_FALSE(desk().logging);
  EXPECT_GT(std::filesystem::file_size(log), 10'000U);
  EXPECT_EQ(desk().session.commands().size(), 2U);
  hand.click("record/session");
  const std::string said = app.session().panel().notice();
  ASSERT_EQ(said.rfind("saved: jointrig run ", 0), 0U) << said;
  EXPECT_EQ(harness::read_scenarios(said.substr(20)).size(), 1U);
  const double recorded = app.session().history().newest();
  hand.hold("sim/reset", 1.1);
  EXPECT_TRUE(hand.wait_for(
      3.0, [&] { return app.session().panel().snapshot().joints[0].mode == JointMode::kIdle; }));
  EXPECT_LT(to_seconds(app.session().panel().snapshot().time_ns), 4.0);
  EXPECT_GE(app.session().history().newest(), recorded) << "what was recorded stays";
}

TEST(RecordingWindow, LooksAfterARestartAsItWasClosed) {
  const std::filesystem::path layout = "layout/again.yaml";
  std::filesystem::remove(layout);
  {
    app::GuiApp app(app::robot_called("franka"), 1400, 800, layout);
    testing::RobotHand hand(app);
    hand.click("size/rows");
    hand.click("side/Sequence");
    app.session().panel().palette = Palette::kIcubLight;
    hand.look(0.2);
  }
  app::GuiApp app(app::robot_called("franka"), 0, 0, layout);
  testing::RobotHand hand(app);
  EXPECT_EQ(app.session().state().box_size, BoxSize::kRow);
  EXPECT_EQ(app.session().panel().palette, Palette::kIcubLight);
  EXPECT_TRUE(hand.sees("sequence/record"));
  EXPECT_EQ(app.session().screen()->window.size(), std::pair(1400, 800));
}

TEST(ScenarioWindow, AScenarioRunsWithItsStepsLitHoldsAtABreakpointAndComesToItsVerdict) {
  std::ofstream("little.yaml") << "schema: 1\n"
                                  "scenario: little\n"
                                  "about: Bends the elbow, and bends it again.\n"
                                  "robot: franka\n"
                                  "steps:\n"
                                  "  - set_mode: {joints: arm, mode: position}\n"
                                  "  - move: {joints: {panda_joint4: -110 deg}, speed: 60 deg/s}\n"
                                  "  - move: {joints: {panda_joint4: -90 deg}, speed: 60 deg/s}\n"
                                  "assert:\n"
                                  "  at_end:\n"
                                  "    - {expr: abs(panda_joint4.q + 90 deg) < 1 deg}\n";
  app::GuiApp app(
      app::robot_for(harness::read_scenarios("little.yaml").front(), app::GuiRobot{}, false), 1920,
      1080);
  testing::RobotHand hand(app);
  const auto desk = [&]() -> ScenarioDesk& { return app.session().desks().scenario; };
  EXPECT_EQ(app.session().state().side, SideTab::kScenario) << "it opens on its scenario";
  hand.look(0.5);
  ASSERT_NE(desk().chosen(), nullptr);
  EXPECT_EQ(desk().chosen()->name, "little");
  hand.click("scenario/run");
  EXPECT_FALSE(desk().running()) << "not ARMED";
  hand.click("access/ARMED");
  hand.click("scenario/break/2");
  hand.click("scenario/run");
  ASSERT_TRUE(hand.wait_for(10.0, [&] { return desk().held(); })) << app.session().panel().notice();
  EXPECT_EQ(desk().state(1), StepState::kPassed);
  EXPECT_EQ(desk().state(2), StepState::kHeld);
  EXPECT_TRUE(app.session().loop().paused());
  hand.look(0.3);
  hand.picture("scenario-held");
  hand.click("scenario/go_on");
  ASSERT_TRUE(hand.wait_for(10.0, [&] { return desk().outcome() != nullptr; }));
  EXPECT_TRUE(desk().outcome()->passed) << desk().outcome()->reason;
  hand.look(0.3);
  hand.picture("scenario-passed");
}

TEST(ScenarioWindow, OneThatIsOpenedWithSettingsRunsWithThemAlsoWhenItRunsAgain) {
  std::ofstream("far.yaml") << "schema: 1\n"
                               "scenario: far\n"
                               "robot: franka\n"
                               "parameters: {far: -110 deg}\n"
                               "steps:\n"
                               "  - set_mode: {joints: arm, mode: position}\n"
                               "  - move: {joints: {panda_joint4: \"${far}\"}, speed: 90 deg/s}\n"
                               "assert:\n"
                               "  at_end:\n"
                               "    - {expr: abs(panda_joint4.q + 110 deg) < 2 deg}\n";
  app::GuiOptions options;
  options.what = "far.yaml";
  options.settings = {"parameters.far=-100 deg", "robot.joints.panda_joint4.torque_max=80"};
  app::GuiApp app(app::robot_of(options), 1920, 1080);
  testing::RobotHand hand(app);
  const auto desk = [&]() -> ScenarioDesk& { return app.session().desks().scenario; };
  hand.look(0.5);
  hand.click("access/ARMED");
  for (int i = 0; i < 2; ++i) {
    hand.click("scenario/run");
    ASSERT_TRUE(hand.wait_for(10.0, [&] { return desk().running(); }));
    ASSERT_TRUE(hand.wait_for(10.0, [&] { return desk().outcome() != nullptr; }));
    EXPECT_FALSE(desk().outcome()->passed) << "10 degrees short of what the file moves to";
    EXPECT_EQ(app.session().panel().config().joints[3].limits.tau_max, 80.0);
    EXPECT_NEAR(app.session().panel().snapshot().joints[3].state.q, -100.0 * M_PI / 180.0, 0.04);
  }
}

TEST_F(WindowTest, PauseHoldsTimeAndStepIsOneCycle) {
  hand.click("sim/pause");
  hand.look(0.3);
  const std::uint64_t cycle = session.panel().snapshot().cycle;
  hand.look(0.5);
  EXPECT_EQ(session.panel().snapshot().cycle, cycle);
  hand.click("sim/step");
  EXPECT_TRUE(hand.wait_for(1.0, [&] { return session.panel().snapshot().cycle == cycle + 1; }));
  hand.key("p");
  EXPECT_TRUE(hand.wait_for(1.0, [&] { return session.panel().snapshot().cycle > cycle + 100; }));
}

TEST_F(WindowTest, TheLightPaletteIsReadToo) {
  session.panel().palette = Palette::kIcubLight;
  open_right_arm();
  run_elbow();
  hand.look(0.5);
  hand.picture("light");
}

/// A mouse with Ctrl on the picture of the robot.
struct PullingHand {
  /// Takes hold of the body at a place of the picture.
  void grasp(const std::array<double, 2>& place) {
    hand.key_down("ctrl");
    hand.point_at("scene/canvas", place[0], place[1]);
    hand.press();
  }
  /// Upwards, from where it took hold [m].
  void lift(double up) {
    ASSERT_TRUE(scene.hand().held()) << "nothing to pull at, or not ARMED";
    const std::array<double, 3> from = scene.hand().held()->target;
    const auto place = scene.place_of({from[0], from[1], from[2] + up});
    ASSERT_TRUE(place);
    hand.point_at("scene/canvas", (*place)[0], (*place)[1]);
  }
  void let_go() {
    hand.let_go();
    hand.key_up("ctrl");
  }
  [[nodiscard]] std::array<double, 3> at(const char* body) const {
    const DrawnRobot& robot = scene.robot();
    const mjtNum* at =
        robot.data().xipos + 3 * std::max(0, mj_name2id(&robot.model(), mjOBJ_BODY, body));
    return {at[0], at[1], at[2]};
  }
  [[nodiscard]] double force() const {
    const std::array<double, 3>& pull = scene.robot().pull();
    return std::hypot(pull[0], pull[1], pull[2]);
  }

  testing::RobotHand& hand;
  Scene3d& scene;
};

TEST_F(WindowTest, TheRobotIsSeenTurnedAroundPickedAndPulled) {
  ASSERT_NE(session.scene(), nullptr) << "this OpenGL can't draw it";
  PullingHand puller{hand, *session.scene()};
  Scene3d& scene = puller.scene;
  hand.click("access/ARMED");
  hand.hold("group/RunAll", 1.1);
  hand.hold("group/HomeAll", 1.1);
  hand.click("tab/right_reach");
  hand.click("size/full");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return joint().mode == JointMode::kPosition; }));
  ASSERT_TRUE(hand.wait_for(8.0, [&] { return std::abs(joint().state.q - 0.785398) < 0.05; }));
  // To the robot a pull is a contact: what is stiff would stop and hold where it is.
  for (const char* name : {"r_shoulder_pitch", "r_shoulder_roll", "r_shoulder_yaw", "r_elbow",
                           "r_wrist_prosup", "r_wrist_pitch", "r_wrist_yaw"}) {
    hand.click("joint/" + std::string(name) + "/box", 3);
    hand.click("menu/compliant");
  }
  hand.drag("scene/canvas", 0.5, 0.45);  // orbits
  const std::array<double, 3> rest = puller.at("r_forearm");
  const auto away = [&] {
    const std::array<double, 3> now = puller.at("r_forearm");
    return std::hypot(now[0] - rest[0], now[1] - rest[1], now[2] - rest[2]);
  };
  const std::array<double, 2> place = scene.place_of(rest).value_or(std::array<double, 2>{});
  hand.point_at("scene/canvas", place[0], place[1]);
  hand.press();
  hand.let_go();
  const JointIndex picked = session.panel().selected;
  EXPECT_EQ(session.panel().config().joints[picked].name.substr(0, 2), "r_");
  EXPECT_EQ(scene.chosen, picked);
  hand.picture("picked");

  hand.click("scene/frames");
  puller.grasp(place);
  puller.lift(0.06);
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return away() > 0.01; })) << "the spring bends the arm away";
  hand.look(0.3);
  hand.picture("pulled");
  // 200 N/m over 6 cm, less what the arm has followed, and what the mouse misses by its pixels.
  EXPECT_GT(puller.force(), 1.0);
  EXPECT_LT(puller.force(), 200.0 * 0.07);
  EXPECT_FALSE(session.panel().snapshot().protection.squished);
  puller.let_go();
  EXPECT_FALSE(scene.hand().held());
  EXPECT_TRUE(hand.wait_for(3.0, [&] { return away() < 0.003; }))
      << "and its control brings it back: " << away() << " m";
  hand.point_at("joint/r_elbow/position/slider", 0.3);
  hand.press();
  hand.point_at("joint/r_elbow/position/slider", 0.75);
  hand.look(0.3);
  hand.picture("ghost");
  hand.let_go();
}

TEST(PullWindow, AHardPullAtAStiffArmIsAContactThatThePanelTellsAndRunLeadsOn) {
  app::GuiSession session(app::robot_called("franka"), 1920, 1080);
  ASSERT_NE(session.scene(), nullptr) << "this OpenGL can't draw it";
  testing::RobotHand hand(session);
  PullingHand puller{hand, *session.scene()};
  const auto squished = [&] { return session.panel().snapshot().protection.squished; };
  hand.click("access/ARMED");
  hand.hold("group/RunAll", 1.1);
  ASSERT_TRUE(hand.wait_for(
      3.0, [&] { return session.panel().snapshot().joints[0].mode == JointMode::kPosition; }));
  hand.look(0.5);
  puller.grasp(puller.scene.place_of(puller.at("panda_hand")).value_or(std::array<double, 2>{}));
  puller.lift(0.3);  // up to 60 N at a wrist that calls 3 N·m a squish
  EXPECT_TRUE(hand.wait_for(5.0, squished));
  puller.let_go();
  hand.look(1.0);
  EXPECT_TRUE(squished()) << "until a mode is asked for";
  EXPECT_TRUE(hand.wait_for(30.0, [&] { return session.panel().notice().empty(); }));
  hand.picture("pulled-hard");
  hand.hold("group/RunAll", 1.1);
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return !squished(); }));
}

TEST_F(WindowTest, ATriggerCatchesAMoveWhichIsReadExportedAndItsPlotsKept) {
  open_right_arm();
  run_elbow();
  hand.point_at("joint/r_elbow/box", 0.3, 0.08);  // its title
  hand.press();
  hand.let_go();
  hand.click("plot/sets");
  hand.click("plot/sets/step response");
  hand.click("plot/trigger");
  const double q = joint().state.q * 180.0 / 3.141592653589793;
  session.plots().trigger.settings.level = q + 5.0;
  session.plots().trigger.settings.span = 2.0;
  session.plots().trigger.settings.before = 0.3;
  hand.look(0.2);
  hand.picture("trigger");
  hand.click("trigger/arm");
  ASSERT_TRUE(session.plots().trigger.armed());
  hand.click("health");  // closes the list
  hand.click("joint/r_elbow/position/field");
  hand.key("ctrl+a");
  hand.type("80 deg");
  hand.key("Return");
  ASSERT_TRUE(hand.wait_for(8.0, [&] { return !session.plots().trigger.armed(); }));
  EXPECT_FALSE(session.plots().time.follows());
  EXPECT_NEAR(session.plots().time.shown().size(), 2.0, 1e-6);
  hand.click("plot/cursors");
  const Span caught = session.plots().time.shown();
  session.plots().cursors.a = caught.low + 0.05;
  session.plots().cursors.b = caught.high - 0.05;
  hand.click("plot/steps");
  hand.look(0.3);
  const auto step =
      read_step(session.history(), session.history().signal(elbow, JointTrace::kPosition),
                session.plots().cursors);
  ASSERT_TRUE(step);
  EXPECT_NEAR(step->to, 80.0, 0.5);
  EXPECT_LT(step->overshoot, 0.05);
  hand.picture("step-response");

  const auto written = [&](const char* extension) {
    return session.state().plot_note.starts_with("written: ") &&
           session.state().plot_note.ends_with(extension);
  };
  for (const auto& [button, extension] :
       {std::pair{"plot/csv", ".csv"}, std::pair{"plot/mcap", ".mcap"},
        std::pair{"plot/png", ".png"}}) {
    hand.click(button);
    ASSERT_TRUE(written(extension)) << session.state().plot_note;
    const std::string path = session.state().plot_note.substr(9);
    EXPECT_GT(std::filesystem::file_size(path), 1000U);
    if (std::string(extension) != ".png") std::filesystem::remove(path);
    if (std::string(extension) == ".png") std::filesystem::rename(path, "plots-for-a-page.png");
  }
  hand.click("plot/sets");
  hand.click("plot/sets/name");
  hand.type("mine");
  hand.click("plot/sets/keep");
  EXPECT_NE(session.state().plot_note.find("plot-sets.yaml"), std::string::npos)
      << session.state().plot_note;
  std::filesystem::remove_all(session.state().plot_note.substr(8));
}

}  // namespace
}  // namespace jointrig::gui
