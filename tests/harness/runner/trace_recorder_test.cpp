#include "harness/runner/trace_recorder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jointrig::harness {
namespace {

class TraceRecorderTest : public ::testing::Test {
 protected:
  TraceRecorderTest() {
    signal.name = "elbow.q";
    signal.value = &value;
  }
  double value = 0.0;
  Signal signal;
};

TEST_F(TraceRecorderTest, KeepsEverySampleWhileThereIsRoom) {
  TraceRecorder recorder({&signal}, 0.001);
  for (int k = 0; k < 2000; ++k) {
    value = k;
    recorder.push(k * 0.001);
  }
  const Traces traces = recorder.traces();
  ASSERT_EQ(traces.times.size(), 2000U);
  EXPECT_EQ(traces.span, 0.001);
  EXPECT_EQ(traces.signals[0].least[1234], 1234.0F);
  EXPECT_EQ(traces.signals[0].most[1234], 1234.0F);
  EXPECT_TRUE(traces.signals[0].near_failure.empty());
}

TEST_F(TraceRecorderTest, JoinedSpansKeepEachExtreme) {
  // An hour of a wave with one spike: whatever was joined, each span has the least and most of its
  // own samples, worked out again here.
  TraceRecorder recorder({&signal}, 0.001);
  std::vector<double> all;
  for (int k = 0; k < 100'003; ++k) {
    value = std::sin(0.01 * k) + (k == 77'777 ? 50.0 : 0.0);
    all.push_back(value);
    recorder.push(k * 0.001);
  }
  const Traces traces = recorder.traces();
  const auto stride = static_cast<std::size_t>(std::llround(traces.span / 0.001));
  EXPECT_EQ(stride, 64U);
  ASSERT_EQ(traces.times.size(), (all.size() + stride - 1) / stride);
  for (std::size_t span = 0; span < traces.times.size(); ++span) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(span * stride);
    const auto last =
        all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), (span + 1) * stride));
    ASSERT_EQ(traces.signals[0].least[span], static_cast<float>(*std::min_element(first, last)));
    ASSERT_EQ(traces.signals[0].most[span], static_cast<float>(*std::max_element(first, last)));
    ASSERT_NEAR(traces.times[span], static_cast<double>(span * stride) * 0.001, 1e-9);
  }
}

TEST_F(TraceRecorderTest, TheFirstFailureIsKeptSampleBySample) {
  TraceRecorder recorder({&signal}, 0.001);
  for (int k = 0; k < 5000; ++k) {
    value = k;
    recorder.push(k * 0.001);
    if (k == 3000 || k == 3100) recorder.mark_failure();
  }
  const Traces traces = recorder.traces();
  ASSERT_EQ(traces.times_near_failure.size(), 501U);
  EXPECT_EQ(traces.signals[0].near_failure.front(), 2750.0);
  EXPECT_EQ(traces.signals[0].near_failure[250], 3000.0);
  EXPECT_EQ(traces.signals[0].near_failure.back(), 3250.0);
}

TEST_F(TraceRecorderTest, AFailureNearTheBeginOrEndHasWhatThereIs) {
  TraceRecorder recorder({&signal}, 0.001);
  for (int k = 0; k < 20; ++k) {
    value = k;
    recorder.push(k * 0.001);
    if (k == 10) recorder.mark_failure();
  }
  const Traces traces = recorder.traces();
  ASSERT_EQ(traces.signals[0].near_failure.size(), 20U);
  EXPECT_EQ(traces.signals[0].near_failure.front(), 0.0);
  EXPECT_EQ(traces.signals[0].near_failure.back(), 19.0);
}

}  // namespace
}  // namespace jointrig::harness
