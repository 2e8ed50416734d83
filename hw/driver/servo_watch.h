#pragma once
/// Watches from the host that a servo goes where it is told (motion_watch.h), for servos that get a
/// setpoint a cycle and report in the same burst: what was sent with the burst before acted since.
///
///     sent(what the servo is told, setpoint)   with each burst, before its report is taken
///     take(report)                             a fault, or none

#include <cstdint>

#include "control/core/robot_io.h"
#include "hw/driver/motion_watch.h"

namespace jointrig::hw {

class ServoWatch {
 public:
  explicit ServoWatch(const MotionWatchSpec& spec) noexcept : watch_(spec) {}

  void sent(DriveMode told, const JointSetpoint& setpoint) noexcept {
    in_force_ = sent_;
    sent_ = {told, setpoint.q, setpoint.v};
  }

  /// @param counts   of its encoder, in any unit
  /// @param q        [rad or m]
  /// @param follows  it is in the mode that it is told
  [[nodiscard]] FaultCode take(std::int64_t counts, double q, bool follows) noexcept {
    MotionSample sample{.counts = counts, .error = {}, .velocity = {}};
    const bool is_steady = follows && in_force_.told == sent_.told;
    if (is_steady && in_force_.told == DriveMode::kPosition) sample.error = in_force_.q - q;
    if (is_steady && in_force_.told == DriveMode::kVelocity) sample.velocity = in_force_.v;
    return watch_.take(sample);
  }

  void forget() noexcept {
    watch_.forget();
    sent_ = {};
    in_force_ = {};
  }
  [[nodiscard]] double value() const noexcept { return watch_.value(); }
  [[nodiscard]] double limit() const noexcept { return watch_.limit(); }

 private:
  struct Told {
    DriveMode told = DriveMode::kOff;
    double q = 0.0;  ///< [rad or m]
    double v = 0.0;  ///< [rad/s or m/s]
  };

  MotionWatch watch_;
  Told sent_;      ///< with the newest burst
  Told in_force_;  ///< with the one before
};

}  // namespace jointrig::hw
