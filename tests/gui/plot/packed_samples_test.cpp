#include "gui/plot/packed_samples.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gui/plot/series.h"

namespace jointrig::gui {
namespace {

using Samples = std::array<float, PackedSamples::kSamples>;

void expect_the_same_bits(const Samples& samples) {
  const PackedSamples packed(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const float value = packed.block(i / PackedSamples::kBlock)[i % PackedSamples::kBlock];
    ASSERT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(samples[i])) << i;
  }
}

TEST(PackedSamples, KeepEveryBitOfNoiseOfSmoothMotionAndOfWhatIsMissing) {
  std::mt19937 random(7);
  Samples samples{};
  for (int round = 0; round < 200; ++round) {
    for (float& sample : samples)
      sample = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    expect_the_same_bits(samples);
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = 40.0F * std::sin(0.01F * static_cast<float>(i)) - 3.0F;
  }
  expect_the_same_bits(samples);
  for (std::size_t i = 100; i < 120; ++i) samples[i] = std::numeric_limits<float>::quiet_NaN();
  samples[3] = -0.0F;
  samples[4] = std::numeric_limits<float>::infinity();
  samples[255] = -std::numeric_limits<float>::max();
  expect_the_same_bits(samples);
}

TEST(PackedSamples, WhatStandsTakesNoBytes) {
  Samples samples{};
  for (const float value : {0.0F, -17.25F, std::numeric_limits<float>::quiet_NaN()}) {
    samples.fill(value);
    EXPECT_EQ(PackedSamples(samples).bytes(), 0U);
    expect_the_same_bits(samples);
  }
}

TEST(PackedSamples, NoiseTakesATenthMoreThanItsFloats) {
  std::mt19937 random(11);
  Samples samples{};
  for (float& sample : samples) sample = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  EXPECT_LE(PackedSamples(samples).bytes(), sizeof samples * 11 / 10);
}

/// A joint that goes to and fro by 60 degrees in 2 s, as its encoder of 20 bits a turn tells it: a
/// minute takes 2.5 bytes a sample, where floats and their extremes took 4.5.
TEST(SampleRing, AMinuteOfAMovingJointTakesLessThanThreeBytesASample) {
  constexpr int kMinute = 60'000;
  constexpr double kStep = 360.0 / (1U << 20U);
  SampleRing series(kMinute);
  const std::size_t empty = series.bytes();
  for (int i = 0; i < kMinute; ++i) {
    const double q = 30.0 + 30.0 * std::sin(3.14159265 * 1e-3 * i);
    series.push(static_cast<float>(std::round(q / kStep) * kStep));
  }
  EXPECT_LT(empty, 10'000U) << "nothing is taken before it comes";
  EXPECT_LT(series.bytes(), 27U * kMinute / 10U);
}

}  // namespace
}  // namespace jointrig::gui
