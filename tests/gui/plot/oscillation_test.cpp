#include "gui/plot/oscillation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

using OfTime = std::function<double(double)>;

constexpr double kDegPerRad = 180.0 / std::numbers::pi;

/// A second of one joint in POSITION with this velocity and this reference.
History record(const OfTime& v, const OfTime& reference) {
  const RobotConfig config = testing::ideal_config(1);
  History history(config, 2.0);
  Snapshot snapshot;
  snapshot.joints.resize(1);
  snapshot.joints[0].mode = JointMode::kPosition;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double t = 1e-3 * static_cast<double>(i);
    snapshot.cycle = i;
    snapshot.time_ns = static_cast<TimeNs>(i) * config.period_ns;
    snapshot.joints[0].state.v = v(t);
    snapshot.joints[0].reference.v = reference(t);
    history.push(snapshot);
  }
  return history;
}

double still(double) { return 0.0; }
double wave(double t) { return 0.2 * std::sin(2.0 * std::numbers::pi * 20.0 * t); }

TEST(Oscillation, ASwingIsSeenWithItsFrequencyAndAmplitude) {
  const auto swing = swing_of(record(wave, still), 0);
  ASSERT_TRUE(swing);
  EXPECT_NEAR(swing->hz, 20.0, 0.5);
  EXPECT_NEAR(swing->amplitude, 0.2 * kDegPerRad, 0.1);
}

TEST(Oscillation, ASwingOnAMotionIsSeen) {
  EXPECT_TRUE(
      swing_of(record([](double t) { return 0.5 + wave(t); }, [](double) { return 0.5; }), 0));
}

TEST(Oscillation, AMotionThatWasAskedForIsNone) {
  EXPECT_FALSE(swing_of(record(wave, wave), 0));
  const auto ramp = [](double t) { return 0.5 * t; };
  EXPECT_FALSE(swing_of(record(ramp, still), 0));
}

TEST(Oscillation, TheEndOfAStepIsNone) {
  const auto decaying = [](double t) { return wave(t) * std::exp(-(t - 0.5) / 0.15); };
  EXPECT_FALSE(swing_of(record(decaying, still), 0));
}

TEST(Oscillation, NoiseIsNone) {
  std::mt19937 random;
  std::normal_distribution<double> noise(0.0, 0.2);
  EXPECT_FALSE(swing_of(record([&](double) { return noise(random); }, still), 0));
}

TEST(Oscillation, BelowTheSensorsResolutionItIsNone) {
  const auto faint = [](double t) { return 1e-3 * wave(t); };
  EXPECT_FALSE(swing_of(record(faint, still), 0));
}

TEST(SwingWatch, ReportsAJointAndForgetsItOnceItIsQuiet) {
  const RobotConfig config = testing::ideal_config(2);
  History history(config, 5.0);
  Snapshot snapshot;
  snapshot.joints.resize(2);
  SwingWatch watch;
  const auto run = [&](double seconds, const OfTime& v) {
    for (int i = 0; i < static_cast<int>(seconds * 1000); ++i) {
      ++snapshot.cycle;
      snapshot.time_ns += config.period_ns;
      snapshot.joints[1].state.v = v(1e-3 * static_cast<double>(snapshot.cycle));
      history.push(snapshot);
      if (i % 16 == 0) watch.update(history, kNoJoint, 2);
    }
  };
  run(1.0, wave);
  ASSERT_NE(watch.of(1), nullptr);
  EXPECT_NEAR(watch.of(1)->swing.hz, 20.0, 0.5);
  EXPECT_EQ(watch.of(0), nullptr);
  run(1.0, still);
  EXPECT_NE(watch.of(1), nullptr) << "a person needs time to read it";
  run(2.0, still);
  EXPECT_EQ(watch.of(1), nullptr);
}

}  // namespace
}  // namespace jointrig::gui
