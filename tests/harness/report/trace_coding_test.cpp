#include "harness/report/trace_coding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace jointrig::harness::report {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(TraceCoding, AValueComesBackToHalfAStepOfTheRange) {
  std::vector<float> least;
  std::vector<float> most;
  for (int i = 0; i < 2000; ++i) {
    const float x = 40.0F * std::sin(0.01F * static_cast<float>(i)) - 7.0F;
    least.push_back(x);
    most.push_back(x + 0.5F);
  }
  const CodedTrace coded = code_trace(least, most, 1);
  const auto low = coded.least();
  const auto high = coded.most();
  ASSERT_EQ(low.size(), least.size());
  // Range 80.5, 65535 steps: half a step is 6.14e-4; two of them for the upper line, which adds up.
  for (std::size_t i = 0; i < low.size(); ++i) {
    ASSERT_NEAR(low[i], least[i], 6.2e-4) << i;
    ASSERT_NEAR(high[i], most[i], 6.2e-4) << i;
  }
}

TEST(TraceCoding, ALineHasNoUpperHalf) {
  const std::vector<float> line{0.0F, 0.25F, 1.0F};
  const CodedTrace coded = code_trace(line, line, 1);
  EXPECT_TRUE(coded.high.empty());
  // 1/65535 to six digits is 1.52590e-5; 0.25 and 1 are 16383.8 and 65535.1 of them.
  EXPECT_EQ(coded.low, (std::vector<std::optional<int>>{0, 16384, 49151}));
}

TEST(TraceCoding, AConstantIsItsOffset) {
  const std::vector<float> flat(3, -2.5F);
  const CodedTrace coded = code_trace(flat, flat, 1);
  EXPECT_EQ(coded.offset, -2.5);
  EXPECT_EQ(coded.least(), flat);
}

TEST(TraceCoding, WhatIsNoNumberIsAGapAndTheRestGoesOn) {
  const std::vector<float> least{1.0F, kNan, INFINITY, 3.0F};
  const CodedTrace coded = code_trace(least, least, 1);
  ASSERT_EQ(coded.low.size(), 4U);
  EXPECT_FALSE(coded.low[1].has_value());
  EXPECT_FALSE(coded.low[2].has_value());
  EXPECT_NEAR(coded.least()[3], 3.0F, 1e-4F);
}

TEST(TraceCoding, JoiningNeighboursKeepsTheirExtremes) {
  const std::vector<float> least{1.0F, -4.0F, 2.0F, 0.0F, 5.0F};
  const std::vector<float> most{2.0F, 3.0F, 9.0F, 1.0F, 6.0F};
  const CodedTrace coded = code_trace(least, most, 2);
  const auto low = coded.least();
  const auto high = coded.most();
  ASSERT_EQ(low.size(), 3U);
  EXPECT_NEAR(low[0], -4.0F, 1e-3F);
  EXPECT_NEAR(high[0], 3.0F, 1e-3F);
  EXPECT_NEAR(low[1], 0.0F, 1e-3F);
  EXPECT_NEAR(high[1], 9.0F, 1e-3F);
  EXPECT_NEAR(high[2], 6.0F, 1e-3F);
}

TEST(TraceCoding, ASmallRangeFarFromZeroIsResolved) {
  const std::vector<float> near_two{2.0F, 2.00001F, 2.00002F};
  const CodedTrace coded = code_trace(near_two, near_two, 1);
  EXPECT_NEAR(coded.least()[1] - coded.least()[0], 1e-5, 3e-7);
}

}  // namespace
}  // namespace jointrig::harness::report
