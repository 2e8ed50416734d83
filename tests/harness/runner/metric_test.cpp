#include "harness/runner/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace jointrig::harness {
namespace {

constexpr double kDt = 1e-3;

std::optional<double> of(Statistic statistic, const std::vector<double>& samples,
                         const StepResponse& response = {}) {
  Metric metric(statistic, kDt, samples.size());
  for (const double x : samples) metric.add(x);
  std::string why;
  return metric.value(response, why);
}

std::string why(Statistic statistic, const std::vector<double>& samples,
                const StepResponse& response = {}) {
  Metric metric(statistic, kDt, samples.size());
  for (const double x : samples) metric.add(x);
  std::string reason;
  EXPECT_EQ(metric.value(response, reason), std::nullopt);
  return reason;
}

// The unit step response of w² / (s² + 2 z w s + w²), z < 1, in closed form.
std::vector<double> step_response(double z, double w, double seconds) {
  const double damped = w * std::sqrt(1.0 - z * z);
  std::vector<double> samples;
  for (int k = 0; k * kDt <= seconds; ++k) {
    const double t = k * kDt;
    const double phase = damped * t;
    samples.push_back(1.0 -
                      std::exp(-z * w * t) * (std::cos(phase) + z * w / damped * std::sin(phase)));
  }
  return samples;
}

TEST(Metric, SimpleStatisticsOfAFewSamplesByHand) {
  const std::vector<double> samples{1.0, -3.0, 2.0, 0.0};
  EXPECT_DOUBLE_EQ(*of(Statistic::kRms, samples), std::sqrt(14.0 / 4.0));
  EXPECT_DOUBLE_EQ(*of(Statistic::kPeak, samples), 3.0);
  EXPECT_DOUBLE_EQ(*of(Statistic::kMean, samples), 0.0);
  EXPECT_DOUBLE_EQ(*of(Statistic::kStd, samples), std::sqrt(14.0 / 4.0));
  EXPECT_DOUBLE_EQ(*of(Statistic::kMin, samples), -3.0);
  EXPECT_DOUBLE_EQ(*of(Statistic::kMax, samples), 2.0);
  EXPECT_DOUBLE_EQ(*of(Statistic::kFinal, samples), 0.0);
}

TEST(Metric, RmsOfASineIsItsAmplitudeOverRootTwo) {
  std::vector<double> samples;
  for (int k = 0; k < 1000; ++k)
    samples.push_back(3.0 * std::sin(2.0 * std::numbers::pi * k / 1000));
  EXPECT_NEAR(*of(Statistic::kRms, samples), 3.0 / std::numbers::sqrt2, 1e-12);
}

TEST(Metric, StdOfSmallWavesOnALargeOffsetKeepsItsDigits) {
  std::vector<double> samples;
  for (int k = 0; k < 1000; ++k) samples.push_back(1e6 + (k % 2 == 0 ? 1e-3 : -1e-3));
  EXPECT_NEAR(*of(Statistic::kStd, samples), 1e-3, 1e-9);
}

TEST(Metric, OvershootOfASecondOrderStepIsTheClosedForm) {
  for (const double z : {0.2, 0.5, 0.8}) {
    const double expected = std::exp(-z * std::numbers::pi / std::sqrt(1.0 - z * z));
    const auto samples = step_response(z, 20.0, 3.0);
    EXPECT_NEAR(*of(Statistic::kOvershoot, samples, {.target = 1.0}), expected, 1e-4) << z;
  }
}

TEST(Metric, ADownwardStepOvershootsDownwards) {
  auto samples = step_response(0.5, 20.0, 3.0);
  for (double& x : samples) x = 2.0 - 4.0 * x;  // from 2 to -2
  const double expected = std::exp(-0.5 * std::numbers::pi / std::sqrt(0.75));
  EXPECT_NEAR(*of(Statistic::kOvershoot, samples, {.target = -2.0}), expected, 1e-4);
}

TEST(Metric, RiseAndSettlingTimeOfAFirstOrderStepAreLogarithms) {
  // x = 1 - exp(-t / T): from 10 to 90 % takes T ln 9, to within 2 % takes T ln 50.
  const double T = 0.1;
  std::vector<double> samples;
  for (int k = 0; k < 2000; ++k) samples.push_back(1.0 - std::exp(-k * kDt / T));
  EXPECT_NEAR(*of(Statistic::kRiseTime, samples, {.target = 1.0}), T * std::log(9.0), 1e-5);
  EXPECT_NEAR(*of(Statistic::kSettlingTime, samples, {.target = 1.0}), T * std::log(50.0), kDt);
  const StepResponse in_units{.target = 1.0, .band = 0.1, .band_is_relative = false};
  EXPECT_NEAR(*of(Statistic::kSettlingTime, samples, in_units), T * std::log(10.0), kDt);
}

TEST(Metric, SettlingTimeCountsTheLastTimeThatTheBandWasLeft) {
  std::vector<double> samples(100, 1.0);
  samples[0] = 0.0;
  samples[40] = 1.03;
  EXPECT_DOUBLE_EQ(*of(Statistic::kSettlingTime, samples, {.target = 1.0}), 41 * kDt);
}

TEST(Metric, WithoutATargetTheLastSampleIsIt) {
  EXPECT_DOUBLE_EQ(*of(Statistic::kOvershoot, {0.0, 3.0, 2.0}), 0.5);
}

TEST(Metric, WhatIsNoNumberSaysWhy) {
  EXPECT_EQ(why(Statistic::kRms, {}), "no sample in its window");
  EXPECT_EQ(why(Statistic::kRms, {std::numeric_limits<double>::quiet_NaN()}),
            "a sample is not a number");
  EXPECT_EQ(why(Statistic::kOvershoot, {1.0, 2.0}, {.target = 1.0}),
            "no step: the first sample is at the target");
  EXPECT_EQ(why(Statistic::kRiseTime, {0.0, 0.5}, {.target = 1.0}),
            "90 % of the step were never reached");
  EXPECT_EQ(why(Statistic::kSettlingTime, {0.0, 0.5}, {.target = 1.0}), "it never settled");
}

}  // namespace
}  // namespace jointrig::harness
