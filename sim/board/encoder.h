#pragma once
/// Position encoder and the velocity estimator of the firmware.

#include "sim/board/board_spec.h"
#include "sim/board/fault_injection.h"
#include "sim/board/random.h"

namespace jointrig::sim {

struct EncoderState {
  double reading = 0.0;        ///< last sample, in the encoder's own zero [rad or m]
  double missing_samples = 0;  ///< missed in a row

  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    const auto& [reading_, missing_] = *this;
    hash.add(reading_, missing_);
  }
};

/// round(value / step) step; step 0: value.
double quantised(double value, double step) noexcept;

/// reading = round((q_true + offset + noise) / step) step, where offset = true zero minus the
/// encoder's zero (BoardConfig::calibration_offset; 0 for an absolute encoder).
class Encoder {
 public:
  explicit Encoder(const BoardSpec& spec) noexcept
      : offset_(spec.board.calibration_offset),
        noise_(spec.encoder_noise),
        step_(spec.board.encoder_step) {}

  /// @param predicted reading to use if no sample arrives
  void sample(double q_true, double predicted, const InjectedFaults& faults, Random& random,
              EncoderState& state) const noexcept;

 private:
  double offset_;
  double noise_;
  double step_;
};

/// Derivative and first-order low-pass, discretised exactly for a held input:
///
///     v += (1 - exp(-2 π f T)) (Δq / T - v)          f = 0: v = Δq / T
class VelocityEstimator {
 public:
  explicit VelocityEstimator(const BoardSpec& spec) noexcept;

  [[nodiscard]] double update(double v, double q, double q_before) const noexcept {
    return v + share_ * ((q - q_before) * per_second_ - v);
  }

 private:
  double share_;
  double per_second_;
};

}  // namespace jointrig::sim
