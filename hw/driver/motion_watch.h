#pragma once
/// Watches from the host that a drive goes where it is told, for drives whose own window is off or
/// isn't known. By each report of an enabled drive:
///
///     following_error   in cyclic position, |target − position| > window for longer than `time`;
///                       the target is the one that was in force when the position was taken
///     encoder_frozen    in cyclic velocity, the encoder reads the same count while the targets
///                       since its last change come to more than two windows
///
/// In cyclic torque neither can be told from a joint that is held.

#include <cmath>
#include <cstdint>
#include <optional>

#include "control/core/faults.h"

namespace jointrig::hw {

struct MotionWatchSpec {
  double window = 0.0;   ///< [rad or m]; 0: nothing is watched
  double time = 0.02;    ///< [s]
  double period = 1e-3;  ///< from one report to the next [s]
};

struct MotionSample {
  std::int64_t counts = 0;
  std::optional<double> error;     ///< in cyclic position: target − position [rad or m]
  std::optional<double> velocity;  ///< in cyclic velocity: the target [rad/s or m/s]
};

class MotionWatch {
 public:
  explicit MotionWatch(const MotionWatchSpec& spec) noexcept : spec_(spec) {}

  /// @return the fault that this sample shows, with value() and limit() in its unit
  FaultCode take(const MotionSample& sample) noexcept {
    if (spec_.window <= 0.0) return FaultCode::kNone;
    const bool is_away = sample.error && std::abs(*sample.error) > spec_.window;
    away_s_ = is_away ? away_s_ + spec_.period : 0.0;
    const bool stands = sample.velocity && counts_ == sample.counts;
    still_s_ = stands ? still_s_ + spec_.period : 0.0;
    asked_ = stands ? asked_ + *sample.velocity * spec_.period : 0.0;
    counts_ = sample.velocity ? std::optional(sample.counts) : std::nullopt;
    if (away_s_ > spec_.time) {
      value_ = std::abs(*sample.error);
      limit_ = spec_.window;
      return FaultCode::kFollowingError;
    }
    if (std::abs(asked_) > 2.0 * spec_.window) {
      value_ = still_s_;
      limit_ = spec_.time;
      return FaultCode::kEncoderFrozen;
    }
    return FaultCode::kNone;
  }

  void forget() noexcept {
    away_s_ = still_s_ = asked_ = 0.0;
    counts_.reset();
  }

  [[nodiscard]] double value() const noexcept { return value_; }
  [[nodiscard]] double limit() const noexcept { return limit_; }

 private:
  MotionWatchSpec spec_;
  double away_s_ = 0.0;   ///< for which it was outside of the window [s]
  double still_s_ = 0.0;  ///< for which the encoder stood [s]
  double asked_ = 0.0;    ///< motion asked for meanwhile [rad or m]
  std::optional<std::int64_t> counts_;
  double value_ = 0.0;
  double limit_ = 0.0;
};

}  // namespace jointrig::hw
