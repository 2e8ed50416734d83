#include "harness/runner/metric.h"

#include <algorithm>
#include <cmath>

namespace jointrig::harness {
namespace {

bool is_of_a_step(Statistic statistic) {
  return statistic == Statistic::kOvershoot || statistic == Statistic::kRiseTime ||
         statistic == Statistic::kSettlingTime;
}

}  // namespace

Metric::Metric(Statistic statistic, double dt, std::size_t capacity)
    : statistic_(statistic), dt_(dt) {
  if (is_of_a_step(statistic)) samples_.reserve(capacity);
}

void Metric::add(double x) noexcept {
  has_nan_ |= std::isnan(x);
  ++count_;
  sum_of_squares_ += x * x;
  const double difference = x - mean_;
  mean_ += difference / static_cast<double>(count_);
  deviation_ += difference * (x - mean_);
  if (count_ == 1 || x < least_) {
    least_ = x;
    least_at_ = count_ - 1;
  }
  if (count_ == 1 || x > most_) {
    most_ = x;
    most_at_ = count_ - 1;
  }
  last_ = x;
  if (samples_.size() < samples_.capacity()) samples_.push_back(x);
}

std::optional<std::uint64_t> Metric::decided_by() const noexcept {
  if (count_ == 0) return std::nullopt;
  switch (statistic_) {
    case Statistic::kPeak:
      return std::abs(least_) > std::abs(most_) ? least_at_ : most_at_;
    case Statistic::kMin:
      return least_at_;
    case Statistic::kMax:
      return most_at_;
    case Statistic::kFinal:
      return count_ - 1;
    default:
      return std::nullopt;
  }
}

std::optional<double> Metric::value(const StepResponse& response, std::string& why) const {
  if (count_ == 0) {
    why = "no sample in its window";
    return std::nullopt;
  }
  if (has_nan_) {
    why = "a sample is not a number";
    return std::nullopt;
  }
  const auto n = static_cast<double>(count_);
  switch (statistic_) {
    case Statistic::kRms:
      return std::sqrt(sum_of_squares_ / n);
    case Statistic::kPeak:
      return std::max(std::abs(least_), std::abs(most_));
    case Statistic::kMean:
      return mean_;
    case Statistic::kStd:
      return std::sqrt(deviation_ / n);
    case Statistic::kMin:
      return least_;
    case Statistic::kMax:
      return most_;
    case Statistic::kFinal:
      return last_;
    default:
      break;
  }
  const double target = response.target.value_or(last_);
  const double step = target - samples_.front();
  if (step == 0.0) {
    why = "no step: the first sample is at the target";
    return std::nullopt;
  }
  if (statistic_ == Statistic::kOvershoot) return overshoot(target);
  if (statistic_ == Statistic::kRiseTime) return rise_time(target, why);
  const double band = response.band_is_relative ? response.band * std::abs(step) : response.band;
  return settling_time(target, band, why);
}

std::optional<double> Metric::overshoot(double target) const {
  const double step = target - samples_.front();
  const double furthest = step > 0.0 ? most_ : least_;
  return std::max(0.0, (furthest - target) / step);
}

// Time at which the progress first reaches a level.
std::optional<double> Metric::first_reached(double level) const {
  const double first = samples_.front();
  for (std::size_t k = 1; k < samples_.size(); ++k) {
    const bool rises = level > first;
    const bool reached = rises ? samples_[k] >= level : samples_[k] <= level;
    if (!reached) continue;
    const double part = (level - samples_[k - 1]) / (samples_[k] - samples_[k - 1]);
    return (static_cast<double>(k - 1) + part) * dt_;
  }
  return std::nullopt;
}

std::optional<double> Metric::rise_time(double target, std::string& why) const {
  const double first = samples_.front();
  const auto low = first_reached(first + 0.1 * (target - first));
  const auto high = first_reached(first + 0.9 * (target - first));
  if (!high) {
    why = "90 % of the step were never reached";
    return std::nullopt;
  }
  return *high - *low;
}

std::optional<double> Metric::settling_time(double target, double band, std::string& why) const {
  std::size_t settled = 0;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    if (!(std::abs(samples_[k] - target) <= band)) settled = k + 1;
  }
  if (settled == samples_.size()) {
    why = "it never settled";
    return std::nullopt;
  }
  return static_cast<double>(settled) * dt_;
}

}  // namespace jointrig::harness
