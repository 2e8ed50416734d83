#include "hw/driver/clock_drift.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace jointrig::hw {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;  // [ns]
constexpr double kNanosecond = 1e-9;              // [s]

/// (3 σ_e √12 / (kUncertainty T_h))^(2/3), rounded up.
std::int64_t window_of(std::int64_t period_ns) noexcept {
  const double period = kNanosecond * static_cast<double>(period_ns);
  const double spread = 3.0 * ClockDrift::kMostJitter * std::sqrt(12.0);
  return static_cast<std::int64_t>(
      std::ceil(std::pow(spread / (ClockDrift::kUncertainty * period), 2.0 / 3.0)));
}

}  // namespace

ClockDrift::ClockDrift(std::uint16_t heartbeat_ms) noexcept
    : period_(heartbeat_ms * kMillisecond), window_(period_ > 0 ? window_of(period_) : 0) {}

std::optional<double> ClockDrift::heard(std::int64_t now) noexcept {
  if (period_ == 0) return std::nullopt;
  if (sums_.n == 0) {
    begin(now);
    return std::nullopt;
  }
  const std::int64_t gap = now - sums_.last;
  const std::int64_t beats = (gap + period_ / 2) / period_;
  const std::int64_t off = std::abs(gap - beats * period_);
  // So late, or so early, is none of its own: a quarter.
  if (beats < 1 || beats > kMostGap || 4 * off > period_) {
    begin(now);
    return std::nullopt;
  }
  sums_.number += beats;
  add(now);
  if (sums_.number < window_) return std::nullopt;
  const auto found = drift();
  begin(now);
  return found;
}

void ClockDrift::begin(std::int64_t now) noexcept {
  sums_ = {};
  sums_.begin = now;
  add(now);
}

void ClockDrift::add(std::int64_t now) noexcept {
  sums_.last = now;
  const auto k = static_cast<double>(sums_.number);
  const double r = kNanosecond * static_cast<double>(now - sums_.begin - sums_.number * period_);
  sums_.n += 1;
  sums_.k += k;
  sums_.kk += k * k;
  sums_.r += r;
  sums_.kr += k * r;
  sums_.rr += r * r;
}

std::optional<double> ClockDrift::drift() const noexcept {
  // Sums about the means, times n.
  const double spread_k = sums_.n * sums_.kk - sums_.k * sums_.k;
  const double both = sums_.n * sums_.kr - sums_.k * sums_.r;
  const double spread_r = sums_.n * sums_.rr - sums_.r * sums_.r;
  const double slope = both / spread_k;
  const double beside = std::max(0.0, spread_r - slope * both) / (sums_.n * sums_.n);  // [s²]
  const double sigma = std::sqrt(beside * sums_.n / spread_k);

  const double period = kNanosecond * static_cast<double>(period_);
  const double drift = -slope / (period + slope);
  const bool is_known = 3.0 * sigma <= kUncertainty * period && std::abs(drift) <= kMostDrift;
  return is_known ? std::optional(drift) : std::nullopt;
}

}  // namespace jointrig::hw
