#include "gui/plot/step_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace jointrig::gui {
namespace {

constexpr double kPeriod = 0.001;

using Curve = std::function<double(double)>;

SampleRing sampled(const Curve& curve, double seconds) {
  SampleRing series(static_cast<std::size_t>(seconds / kPeriod));
  for (int i = 0; i * kPeriod < seconds; ++i) series.push(static_cast<float>(curve(i * kPeriod)));
  return series;
}

/// 1 - e^(-z w t) (cos wd t + z / √(1 - z²) sin wd t): a second-order system after a unit step.
Curve second_order(double z, double w) {
  const double wd = w * std::sqrt(1.0 - z * z);
  return [=](double t) {
    return 1.0 - std::exp(-z * w * t) *
                     (std::cos(wd * t) + z / std::sqrt(1.0 - z * z) * std::sin(wd * t));
  };
}

/// Time at which a curve first reaches a value, in steps of a microsecond.
double first_time(const Curve& curve, double value) {
  double t = 0.0;
  while (curve(t) < value) t += 1e-6;
  return t;
}

/// From when on it stays within a band around 1.
double settled_from(const Curve& curve, double band, double end) {
  double t = end;
  while (std::abs(curve(t) - 1.0) <= band) t -= 1e-5;
  return t;
}

TEST(StepReading, OfASecondOrderSystemIsThatOfTheTextbook) {
  for (const double z : {0.3, 0.5, 0.7}) {
    SCOPED_TRACE(z);
    const Curve unit = second_order(z, 20.0);
    const SampleRing y = sampled([&](double t) { return 2.0 + 5.0 * unit(t); }, 4.0);
    const auto found = step_response(y, nullptr, 0, 4000, kPeriod);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->overshoot, std::exp(-M_PI * z / std::sqrt(1.0 - z * z)), 2e-4);
    EXPECT_NEAR(found->rise, first_time(unit, 0.9) - first_time(unit, 0.1), 2e-5);
    EXPECT_NEAR(found->settling, settled_from(unit, 0.02, 4.0), 1.1 * kPeriod);
    EXPECT_NEAR(found->from, 2.0, 1e-6);
    EXPECT_NEAR(found->to, 7.0, 1e-5);
    EXPECT_EQ(found->error, 0.0) << "without a reference its end is its goal";
  }
}

TEST(StepReading, OfAFirstOrderLagRisesInTauTimesLogNine) {
  const double tau = 0.08;
  const SampleRing y = sampled([&](double t) { return -std::expm1(-t / tau); }, 2.0);
  const auto found = step_response(y, nullptr, 0, 2000, kPeriod);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->rise, tau * std::log(9.0), 2e-5);
  EXPECT_NEAR(found->settling, tau * std::log(50.0), 1.1 * kPeriod);
  EXPECT_EQ(found->overshoot, 0.0);
}

TEST(StepReading, CountsFromTheReferencesStepAndKnowsTheSteadyError) {
  const Curve unit = second_order(0.5, 30.0);
  const double at = 0.5;
  const SampleRing y =
      sampled([&](double t) { return t < at ? 1.0 : 1.0 - 2.0 * 0.95 * unit(t - at); }, 3.0);
  const SampleRing asked = sampled([&](double t) { return t < at ? 1.0 : -1.0; }, 3.0);
  const auto found = step_response(y, &asked, 0, 3000, kPeriod);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->settling, settled_from(unit, 0.02, 2.0), 2.1 * kPeriod);
  EXPECT_NEAR(found->overshoot, std::exp(-M_PI * 0.5 / std::sqrt(0.75)), 1e-3) << "downwards, too";
  EXPECT_NEAR(found->error, -0.1, 1e-5) << "5 % of two are missing";
}

TEST(StepReading, WhatStillSwingsHasNotSettled) {
  const SampleRing y = sampled(second_order(0.02, 20.0), 4.0);
  const auto found = step_response(y, nullptr, 0, 4000, kPeriod);
  if (found) {
    EXPECT_TRUE(std::isnan(found->settling));
  }
  const SampleRing late = sampled(second_order(0.1, 12.0), 2.5);
  const auto nearly = step_response(late, nullptr, 0, 2500, kPeriod);
  ASSERT_TRUE(nearly);
  EXPECT_TRUE(std::isnan(nearly->settling)) << "swings by e^(-3) = 5 % in the end";
}

TEST(StepReading, IsNotReadWhereNothingSteps) {
  const SampleRing still = sampled([](double) { return 3.0; }, 1.0);
  EXPECT_FALSE(step_response(still, nullptr, 0, 1000, kPeriod));
  const SampleRing noise = sampled([](double t) { return std::sin(700.0 * t); }, 1.0);
  EXPECT_FALSE(step_response(noise, nullptr, 0, 1000, kPeriod));
  const SampleRing asked = sampled([](double) { return 1.0; }, 1.0);
  const SampleRing y = sampled(second_order(0.5, 30.0), 1.0);
  EXPECT_FALSE(step_response(y, &asked, 0, 1000, kPeriod)) << "its reference stood still";
}

TEST(StepReading, IsNotReadAcrossAGap) {
  const Curve unit = second_order(0.5, 30.0);
  const SampleRing y =
      sampled([&](double t) { return std::abs(t - 0.4) < 1e-4 ? std::nan("") : unit(t); }, 1.0);
  EXPECT_FALSE(step_response(y, nullptr, 0, 1000, kPeriod));
  EXPECT_FALSE(step_response(y, nullptr, 0, 10, kPeriod)) << "too short";
}

}  // namespace
}  // namespace jointrig::gui
