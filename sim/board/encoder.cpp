#include "sim/board/encoder.h"

#include <cmath>
#include <numbers>

namespace jointrig::sim {

double quantised(double value, double step) noexcept {
  if (step <= 0) return value;
  const double steps = value / step;
  constexpr double kExact = 4503599627370496.0;  // 2^52: beyond it every double is whole
  if (!(std::abs(steps) < kExact)) return value;
  const double half = steps < 0 ? -0.5 : 0.5;
  return static_cast<double>(static_cast<std::int64_t>(steps + half)) * step;
}

void Encoder::sample(double q_true, double predicted, const InjectedFaults& faults, Random& random,
                     EncoderState& state) const noexcept {
  double noise = noise_;
  double seen = q_true + offset_;
  if (faults.any()) {
    if (faults.has(SimFault::kEncoderFreeze)) return;
    if (faults.has(SimFault::kEncoderDropout)) {
      state.missing_samples += 1;
      state.reading = predicted;
      return;
    }
    seen += faults.value(SimFault::kEncoderJump);
    noise = std::hypot(noise, faults.value(SimFault::kEncoderNoise));
  }
  if (noise > 0) seen += noise * random.normal();
  state.missing_samples = 0;
  state.reading = quantised(seen, step_);
}

VelocityEstimator::VelocityEstimator(const BoardSpec& spec) noexcept
    : share_(1.0), per_second_(1.0 / spec.period) {
  const double f = spec.board.velocity_bandwidth_hz;
  if (f > 0) share_ = -std::expm1(-2 * std::numbers::pi * f * spec.period);
}

}  // namespace jointrig::sim
