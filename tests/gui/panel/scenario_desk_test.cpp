#include "gui/panel/scenario_desk.h"

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

/// Records its requests.
class FakePlay final : public ScenarioPlay {
 public:
  [[nodiscard]] const std::string& name() const override { return own_name; }
  [[nodiscard]] const std::vector<ScenarioStep>& steps() const override { return own_steps; }
  [[nodiscard]] StepState state(std::size_t) const override { return StepState::kRunning; }
  [[nodiscard]] double began(std::size_t) const override { return 0.0; }
  [[nodiscard]] std::size_t current() const override { return 0; }
  [[nodiscard]] bool held() const override { return is_held; }
  [[nodiscard]] bool finished() const override { return is_finished; }
  [[nodiscard]] const ScenarioOutcome& outcome() const override { return own_outcome; }
  void set_break(std::size_t step, bool on) override { breaks.emplace_back(step, on); }
  void hold() override { ++holds; }
  void go_on(bool one_step) override { one_step ? ++single_steps : ++gone_on; }
  void break_off(const std::string& why, bool stop) override {
    is_finished = true;
    broken_off = why;
    stops = stop;
  }

  std::string own_name = "lift";
  std::vector<ScenarioStep> own_steps{{"steps", "move", ""}, {"steps", "wait", ""}};
  ScenarioOutcome own_outcome;
  bool is_held = false;
  bool is_finished = false;
  std::vector<std::pair<std::size_t, bool>> breaks;
  int holds = 0;
  int single_steps = 0;
  int gone_on = 0;
  std::string broken_off;
  bool stops = false;
};

struct ScenarioDeskTest : ::testing::Test {
  ScenarioDeskTest() {
    desk.entries = {{"lift", "scenarios/lift.yaml", "", "smoke arm", play.own_steps},
                    {"push", "scenarios/push.yaml", "", "arm", {{"steps", "force", ""}}}};
    t.panel.set_access(Access::kArmed);
    t.commands();
  }
  FakePlay play;
  testing::RigWithPanel t;
  ScenarioDesk& desk = t.desks.scenario;
};

TEST_F(ScenarioDeskTest, TheFilterLooksAtNamesFilesAndTags) {
  EXPECT_EQ(desk.shown().size(), 2U);
  desk.filter = "smoke";
  EXPECT_EQ(desk.shown(), std::vector<std::size_t>{0});
  desk.filter = "arm push";
  EXPECT_EQ(desk.shown(), std::vector<std::size_t>{1});
}

TEST_F(ScenarioDeskTest, RunsWhatIsChosenOnlyInArmed) {
  desk.run();
  EXPECT_FALSE(desk.wants_run) << "nothing is chosen";
  desk.choose(0);
  for (const Access access : {Access::kObserve, Access::kControl}) {
    t.panel.set_access(access);
    desk.run();
    EXPECT_FALSE(desk.wants_run);
  }
  t.panel.set_access(Access::kArmed);
  desk.run();
  EXPECT_TRUE(desk.wants_run);
}

TEST_F(ScenarioDeskTest, StopOffAndTheEndOfArmedBreakItOffAndItsJointsBrake) {
  const std::vector<std::function<void()>> ends{[&] { t.panel.stop_all(); },
                                                [&] { t.panel.off_all(); },
                                                [&] { t.panel.set_access(Access::kControl); }};
  for (const auto& end : ends) {
    FakePlay one;
    desk.play(&one);
    t.panel.set_access(Access::kArmed);
    t.frame();
    ASSERT_EQ(one.broken_off, "");
    end();
    EXPECT_NE(one.broken_off, "");
    EXPECT_TRUE(one.stops);
  }
  desk.play(nullptr);
}

TEST_F(ScenarioDeskTest, StopTakesBackARunThatHasNotBegun) {
  desk.choose(0);
  desk.run();
  t.panel.stop_all();
  EXPECT_FALSE(desk.wants_run);
}

TEST_F(ScenarioDeskTest, AHeldOneGoesOnOnlyInArmedAndTimeGoesOnWithIt) {
  desk.play(&play);
  play.is_held = true;
  t.simulation.is_paused = true;
  desk.go_on(true);
  EXPECT_EQ(play.single_steps, 1);
  EXPECT_FALSE(t.simulation.is_paused);
  desk.go_on(false);
  EXPECT_EQ(play.gone_on, 1);
  play.is_held = false;
  desk.go_on(false);
  EXPECT_EQ(play.gone_on, 1) << "it isn't held";
}

TEST_F(ScenarioDeskTest, TakenOverByHandItEndsWithoutBraking) {
  desk.play(&play);
  t.simulation.is_paused = true;
  desk.take_over();
  EXPECT_EQ(play.broken_off, "taken over by hand");
  EXPECT_FALSE(play.stops);
  EXPECT_FALSE(t.simulation.is_paused);
}

TEST_F(ScenarioDeskTest, BreakpointsSetBeforehandAreTheRunsToo) {
  desk.choose(0);
  desk.toggle_break(1);
  desk.play(&play);
  ASSERT_EQ(play.breaks.size(), 2U);
  EXPECT_EQ(play.breaks[0], std::pair(std::size_t{0}, false));
  EXPECT_EQ(play.breaks[1], std::pair(std::size_t{1}, true));
  desk.toggle_break(0);
  EXPECT_EQ(play.breaks.back(), std::pair(std::size_t{0}, true));
}

TEST_F(ScenarioDeskTest, KeepsArmedAsLongAsItRuns) {
  desk.play(&play);
  for (int i = 0; i < 5; ++i) {
    t.now += 50.0;
    t.frame();
  }
  EXPECT_EQ(t.panel.access(), Access::kArmed);
  play.is_finished = true;
  t.now += 61.0;
  t.frame();
  EXPECT_EQ(t.panel.access(), Access::kControl);
}

TEST_F(ScenarioDeskTest, WhileOneRunsNoOtherIsChosen) {
  desk.choose(0);
  desk.play(&play);
  desk.choose(1);
  EXPECT_EQ(desk.chosen()->name, "lift");
}

TEST(ScenarioDesk, OnARealRobotTooItRunsInArmedAlone) {
  testing::RigWithPanel t(2, /*real=*/true);
  t.desks.scenario.entries = {{"lift", "", "", "", {}}};
  t.desks.scenario.choose(0);
  t.panel.set_access(Access::kControl);
  t.desks.scenario.run();
  EXPECT_FALSE(t.desks.scenario.wants_run);
  t.panel.set_access(Access::kArmed);
  t.desks.scenario.run();
  EXPECT_TRUE(t.desks.scenario.wants_run);
}

}  // namespace
}  // namespace jointrig::gui
