// Samples of a sensor that don't count, and what is told of them.

#include "control/stack/sample_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace jointrig {
namespace {

using Six = std::array<double, 6>;
constexpr SampleWatch::Ranges kRanges{39.2, 8.7};
constexpr Six kRest{0.0, 0.1, 9.8, 0.0, 0.01, -0.02};

TEST(SampleWatch, FiveMissedSamplesAreStaleAndTheNextFreshOneIsGood) {
  SampleWatch watch;
  for (std::uint32_t missed = 0; missed < 5; ++missed) {
    EXPECT_FALSE(watch.advance(kRest, missed, kRanges, {}).changed) << missed;
    EXPECT_TRUE(watch.is_good());
  }
  const auto finding = watch.advance(kRest, 5, kRanges, {});
  EXPECT_TRUE(finding.changed);
  EXPECT_EQ(finding.value, 5.0);
  EXPECT_EQ(finding.limit, 5.0);
  EXPECT_EQ(watch.state(), ForceSensorState::kStale);
  EXPECT_FALSE(watch.is_good());
  EXPECT_FALSE(watch.advance(kRest, 6, kRanges, {}).changed) << "told once";
  EXPECT_TRUE(watch.advance(kRest, 0, kRanges, {}).changed);
  EXPECT_TRUE(watch.is_good());
}

TEST(SampleWatch, WhatIsNoNumberIsToldWithItsAxis) {
  for (const double wrong : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    SampleWatch watch;
    Six sample = kRest;
    sample[4] = wrong;
    const auto finding = watch.advance(sample, 0, kRanges, {});
    EXPECT_TRUE(finding.changed);
    EXPECT_EQ(finding.axis, 4);
    EXPECT_EQ(watch.state(), ForceSensorState::kNotFinite);
    EXPECT_FALSE(watch.is_good());
  }
}

TEST(SampleWatch, TheEndOfARangeIsToldAndCounts) {
  SampleWatch watch;
  Six sample = kRest;
  sample[5] = -8.7;
  const auto finding = watch.advance(sample, 0, kRanges, {});
  EXPECT_EQ(watch.state(), ForceSensorState::kSaturated);
  EXPECT_TRUE(watch.is_good());
  EXPECT_EQ(finding.axis, 5);
  EXPECT_EQ(finding.value, -8.7);
  EXPECT_EQ(finding.limit, 8.7);
  sample[5] = -8.69;
  sample[0] = 39.3;
  EXPECT_EQ(watch.advance(sample, 0, kRanges, {}).axis, 0);
  EXPECT_EQ(watch.advance(sample, 0, {}, {}).axis, 0) << "without a range there is no end";
  EXPECT_EQ(watch.state(), ForceSensorState::kGood);
}

TEST(SampleWatch, OneThatRepeatsItselfWhileItIsTurnedIsFrozen) {
  SampleWatch watch;
  // At rest a quiet one looks the same.
  for (int i = 0; i < 1000; ++i) watch.advance(kRest, 0, kRanges, {});
  EXPECT_EQ(watch.state(), ForceSensorState::kGood);
  // 0.9 mrad a cycle: more than 10 mrad with the twelfth.
  constexpr std::array<double, 3> kTurn{0.0, 0.9e-3, 0.0};
  for (int i = 0; i < 11; ++i) watch.advance(kRest, 0, kRanges, kTurn);
  EXPECT_EQ(watch.state(), ForceSensorState::kGood);
  const auto finding = watch.advance(kRest, 0, kRanges, kTurn);
  EXPECT_EQ(watch.state(), ForceSensorState::kFrozen);
  EXPECT_NEAR(finding.value, 0.0108, 1e-9);
  EXPECT_EQ(finding.limit, 0.01);
  Six live = kRest;
  live[2] += 1e-9;
  watch.advance(live, 0, kRanges, kTurn);
  EXPECT_EQ(watch.state(), ForceSensorState::kGood) << "a number has changed";
}

TEST(SampleWatch, NoiseOfEncodersAtRestIsNoTurn) {
  SampleWatch watch;
  for (int i = 0; i < 1000; ++i) {
    watch.advance(kRest, 0, kRanges, {i % 2 == 0 ? 1e-3 : -1e-3, 0.0, 0.0});
  }
  EXPECT_EQ(watch.state(), ForceSensorState::kGood);
}

TEST(SampleWatch, AFewEqualSamplesInATurnAreNoFreeze) {
  SampleWatch watch;
  for (int i = 0; i < 20; ++i) watch.advance(kRest, 0, kRanges, {0.1, 0.0, 0.0});
  EXPECT_EQ(watch.state(), ForceSensorState::kGood);
  watch.advance(kRest, 0, kRanges, {0.1, 0.0, 0.0});
  EXPECT_EQ(watch.state(), ForceSensorState::kFrozen);
}

}  // namespace
}  // namespace jointrig
