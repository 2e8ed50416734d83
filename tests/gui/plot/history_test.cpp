#include "gui/plot/history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

struct HistoryTest : ::testing::Test {
  HistoryTest() : config(testing::ideal_config(2)), history(config, 1.0) {
    snapshot.joints.resize(2);
    snapshot.joints[1].mode = JointMode::kPosition;
  }
  void push(std::uint64_t cycle, double q) {
    snapshot.cycle = cycle;
    snapshot.time_ns = static_cast<TimeNs>(cycle) * config.period_ns;
    snapshot.joints[1].state.q = q;
    history.push(snapshot);
  }
  [[nodiscard]] const SampleRing& q() const {
    return history.series(history.signal(1, JointTrace::kPosition));
  }
  RobotConfig config;
  History history;
  Snapshot snapshot;
};

TEST_F(HistoryTest, KeepsHingesInDegreesAndSlidesInMillimetres) {
  push(0, std::numbers::pi);
  EXPECT_FLOAT_EQ(q().at(0), 180.0F);
  EXPECT_EQ(history.unit(history.signal(1, JointTrace::kPosition)), "°");

  config.joints[1].slide = true;
  History sliding(config, 1.0);
  snapshot.joints[1].state.q = 0.25;
  sliding.push(snapshot);
  EXPECT_FLOAT_EQ(sliding.series(sliding.signal(1, JointTrace::kPosition)).at(0), 250.0F);
  EXPECT_EQ(sliding.unit(sliding.signal(1, JointTrace::kPosition)), "mm");
}

TEST_F(HistoryTest, TheErrorIsReferenceMinusMeasured) {
  snapshot.joints[1].reference.q = 0.5;
  push(0, 0.4);
  const double degrees = 0.1 * 180.0 / std::numbers::pi;
  EXPECT_NEAR(history.series(history.signal(1, JointTrace::kError)).at(0), degrees, 1e-5);
}

TEST_F(HistoryTest, WhereNoPositionIsFollowedReferenceAndErrorAreMissing) {
  for (const JointMode mode : kAllJointMode) {
    SCOPED_TRACE(to_string(mode));
    snapshot.joints[1].mode = mode;
    push(q().end(), 0.4);
    const bool follows = mode == JointMode::kPosition || mode == JointMode::kPositionDirect ||
                         mode == JointMode::kVelocity || mode == JointMode::kMixed;
    const SampleRing& error = history.series(history.signal(1, JointTrace::kError));
    EXPECT_EQ(std::isnan(error.at(error.end() - 1)), !follows);
    EXPECT_FALSE(std::isnan(q().at(q().end() - 1)));
  }
}

TEST_F(HistoryTest, CyclesThatWereNotSeenAreMissingAndTimeGoesOn) {
  push(10, 1.0);
  push(14, 2.0);
  EXPECT_EQ(q().end(), 5U);
  EXPECT_TRUE(std::isnan(q().at(1)));
  EXPECT_TRUE(std::isnan(q().at(3)));
  EXPECT_DOUBLE_EQ(history.newest(), 0.005);
  EXPECT_DOUBLE_EQ(history.robot_time(0.004), 0.014);
}

TEST_F(HistoryTest, AResetPartsOldFromNewAndWipesNothing) {
  for (std::uint64_t i = 0; i < 10; ++i) push(i, 1.0);
  push(0, 2.0);
  EXPECT_EQ(q().end(), 12U);
  EXPECT_FALSE(std::isnan(q().at(9)));
  EXPECT_TRUE(std::isnan(q().at(10)));
  EXPECT_FALSE(std::isnan(q().at(11)));
  EXPECT_NEAR(history.robot_time(0.011), 0.0, 1e-12);
}

TEST_F(HistoryTest, AGapLongerThanTheHistoryCostsNoMoreThanIt) {
  push(0, 1.0);
  push(1'000'000'000, 2.0);
  EXPECT_LT(q().end(), 2000U);
  EXPECT_TRUE(q().extremes(q().begin(), q().end() - 1).empty());
}

TEST_F(HistoryTest, SignalsAreFoundByWordsOfTheirNames) {
  EXPECT_EQ(history.find("").size(), 16U + kAllLoopTrace.size());
  ASSERT_EQ(history.find("JOINT2 tau_cmd").size(), 1U);
  EXPECT_EQ(history.name(history.find("joint2 tau_cmd").front()), "joint2.tau_cmd");
  EXPECT_EQ(history.joint_of(history.find("joint2 tau_cmd").front()), 1);
  EXPECT_TRUE(history.find("joint9").empty());
}

TEST(HistoryOfArms, ToolErrorAndForceAreThereInTheUnitsOfThePanel) {
  RobotConfig config = testing::ideal_config(2);
  config.arms.resize(2);
  config.arms[0].name = "left";
  config.arms[1].name = "right";
  config.arms[0].joints = {1};
  config.arms[1].joints = {0};
  History history(config, 1.0);
  auto snapshot = std::make_unique<Snapshot>();
  snapshot->joints.resize(2);
  snapshot->arms.resize(2);
  snapshot->arms[1].tool.position = {0.1, -0.2, 0.3};
  snapshot->arms[1].error = {0.0, 0.0, 0.004, 0.0, std::numbers::pi / 6.0, 0.0};
  snapshot->joints[1].effort.external = -1.5;
  snapshot->joints[1].has_external = true;
  snapshot->joints[0].effort.external = 7.0;  // not known yet
  snapshot->arms[1].forces.external = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  history.push(*snapshot);
  const auto newest = [&](const char* name) {
    const std::size_t signal = history.signal_named(name).value();
    EXPECT_EQ(history.joint_of(signal), kNoJoint);
    EXPECT_EQ(history.reference_of(signal), std::nullopt);
    return static_cast<double>(history.series(signal).at(0));
  };
  EXPECT_FLOAT_EQ(newest("right.tool.y"), -200.0F);
  EXPECT_FLOAT_EQ(newest("right.error.z"), 4.0F);
  EXPECT_FLOAT_EQ(newest("right.error.ry"), 30.0F);
  EXPECT_FLOAT_EQ(newest("right.external.tz"), 6.0F);
  EXPECT_FLOAT_EQ(newest("left.tool.y"), 0.0F);
  EXPECT_FLOAT_EQ(newest("joint2.tau_external"), -1.5F);
  EXPECT_TRUE(std::isnan(newest("joint1.tau_external"))) << "its observer isn't there yet";
  const std::size_t turn = history.signal_named("right.error.ry").value();
  EXPECT_EQ(history.unit(turn), "°");
  EXPECT_EQ(history.si_unit(turn), "rad");
  EXPECT_NEAR(history.per_si(turn), 180.0 / std::numbers::pi, 1e-12);
  EXPECT_EQ(history.place(turn).topic, "/arm/right");
  EXPECT_EQ(history.place(turn).field, "error_ry");
}

TEST(HistoryOfLaws, SignalsOfEachLawAreThereInItsOwnUnit) {
  RobotConfig config = testing::ideal_config(1);
  config.laws.resize(2);
  config.laws[0].name = "first";
  config.laws[0].signals = {{"a", "mm"}, {"b", "rad"}};
  config.laws[1].name = "law";
  config.laws[1].signals = {{"c", "J"}};
  History history(config, 1.0);
  auto snapshot = std::make_unique<Snapshot>();
  snapshot->joints.resize(1);
  history.push(*snapshot);  // the laws have told nothing yet
  for (const double value : {1.5, 2.5, 3.5}) snapshot->law_signals.push_back(value);
  snapshot->cycle = 1;
  history.push(*snapshot);
  const std::size_t b = history.signal_named("law.first.b").value();
  const std::size_t c = history.signal_named("law.law.c").value();
  EXPECT_TRUE(std::isnan(history.series(b).at(0)));
  EXPECT_EQ(history.series(b).at(1), 2.5F);
  EXPECT_EQ(history.series(c).at(1), 3.5F);
  EXPECT_EQ(history.per_si(history.signal_named("law.first.a").value()), 1.0)
      << "a law's millimetres are nobody else's";
  EXPECT_EQ(history.unit(c), "J");
  EXPECT_EQ(history.place(c).topic, "/law/law");
  EXPECT_EQ(history.place(c).field, "c");
}

TEST_F(HistoryTest, ModeChangesBecomeBandsAndEventsMarks) {
  snapshot.joints[1].mode = JointMode::kIdle;
  push(0, 0.0);
  push(1, 0.0);
  snapshot.joints[1].mode = JointMode::kTorque;
  push(2, 0.0);
  ASSERT_EQ(history.modes(1).size(), 2U);
  EXPECT_EQ(history.modes(1)[1].index, 2U);
  EXPECT_EQ(history.modes(1)[1].mode, JointMode::kTorque);
  history.mark(to_ns(0.002), 1, "fault");
  EXPECT_EQ(history.marks().front().index, 2U);
}

TEST_F(HistoryTest, TheCsvHasUnitsRobotTimeAndEmptyFieldsForWhatIsMissing) {
  push(100, 0.0);
  push(102, std::numbers::pi);
  EXPECT_EQ(to_csv(history, {history.signal(1, JointTrace::kPosition)}, 0.0, 0.002),
            "time [s],joint2.q [°]\n"
            "0.100000,0\n"
            "0.101000,\n"
            "0.102000,180\n");
  EXPECT_EQ(to_csv(history, {history.signal(1, JointTrace::kPosition)}, -5.0, 0.0),
            "time [s],joint2.q [°]\n0.100000,0\n");
}

TEST(History, OverrunsAreNoMarksAndStandWhereTheyWere) {
  const RobotConfig config = testing::ideal_config(1);
  History history(config, 1.0);
  Snapshot snapshot;
  snapshot.joints.resize(1);
  for (std::uint64_t i = 0; i < 10; ++i) {
    snapshot.cycle = i;
    snapshot.time_ns = static_cast<TimeNs>(i) * config.period_ns;
    history.push(snapshot);
  }
  history.mark_overrun(4 * config.period_ns, 7.4e-3);
  ASSERT_EQ(history.overruns().size(), 1U);
  EXPECT_EQ(history.overruns().front().index, 4U);
  EXPECT_EQ(history.overruns().front().seconds, 7.4e-3);
  EXPECT_TRUE(history.marks().empty());
}

}  // namespace
}  // namespace jointrig::gui
