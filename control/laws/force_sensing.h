#pragma once

#include <cstdint>

#include "control/core/forces.h"
#include "control/core/quantity.h"
#include "control/core/robot_io.h"
#include "control/laws/arm_math.h"

namespace jointrig {

/// Computes the external wrench on the load of a force/torque sensor from its samples:
///
///     w = low-pass (rest + bias − sample)
///
///     sample  wrench of the sensor on its load
///     rest    wrench that carries the load at rest, tool and known payload
///     bias    bias of the sensor, found by tare
///
/// all in the sensor's frame, at its origin. The low-pass is of first order, and exact for samples
/// that are constant in a cycle: w += (1 − e^{−2π f dt}) (input − w). The force that accelerates
/// the tool's own mass isn't subtracted: 1 kg at 1 m/s² reads as 1 N.
///
/// Tare takes the mean of sample − rest over kTareTime as the new bias, and blends it in over
/// kBlendTime: w doesn't jump.
///
/// A sample that isn't fresh is held, and w is held if a sample is NaN. A sample at the end of its
/// range counts, and is reported.
///
/// A sensor that repeats all six numbers to the bit, kFrozenAfter times and more, while the weight
/// of its load has turned by more than kFrozenWeight in its frame, is frozen until a number
/// changes: a live sensor would have measured that turn. Its samples don't count. Without such a
/// turn a frozen sensor can't be distinguished from a quiet one.
///
/// Plain data: copied, saved and restored as it is. All functions are for the cycle.
class ForceSensing {
 public:
  static constexpr double kTareTime = 0.1;   ///< s (a choice: removes nine tenths of the noise)
  static constexpr double kBlendTime = 0.1;  ///< s, as JointLaw's
  static constexpr std::uint32_t kStaleAfter = 5;  ///< samples missed (a choice: 5 ms)
  static constexpr int kFrozenAfter = 20;          ///< fresh samples (a choice: 20 ms)
  /// N (a choice: five steps of a coarse sensor, which resolves 0.1 N).
  static constexpr double kFrozenWeight = 0.5;

  /// Results of an advance(), for events.
  struct Outcome {
    bool changed = false;  ///< state() changed
    int axis = 0;          ///< the axis at fault: 0..2 force, 3..5 torque
    double value = 0.0;
    double limit = 0.0;
    QuantityKind quantity = QuantityKind::kNone;  ///< quantity of value and limit; kNone: samples
    bool tared = false;
  };

  explicit ForceSensing(const ForceSensorConfig& config) noexcept : filter_hz_(config.filter_hz) {}

  /// @param sample  null: the backend has no sensor
  Outcome advance(const ForceSensorConfig& config, const ForceTorqueState* sample,
                  const Vector6& rest, double dt) noexcept;

  void tare() noexcept;
  void set_filter(double hz) noexcept { filter_hz_ = hz; }

  [[nodiscard]] const Vector6& wrench() const noexcept { return wrench_; }
  [[nodiscard]] Vector6 bias() const noexcept {
    return bias_ + blend_ * (blend_left_ / kBlendTime);
  }
  /// The bias after its blend.
  [[nodiscard]] const Vector6& found_bias() const noexcept { return bias_; }
  [[nodiscard]] double filter_hz() const noexcept { return filter_hz_; }
  [[nodiscard]] ForceSensorState state() const noexcept { return state_; }
  [[nodiscard]] bool taring() const noexcept { return tare_left_ != 0; }

 private:
  [[nodiscard]] ForceSensorState look(const ForceSensorConfig& config,
                                      const ForceTorqueState* sample,
                                      Outcome& outcome) const noexcept;
  void count_repeats(const ForceTorqueState* sample, const Vector6& rest) noexcept;
  void take_for_tare(const Vector6& beside, double dt, Outcome& outcome) noexcept;

  Vector6 wrench_ = Vector6::Zero();
  Vector6 bias_ = Vector6::Zero();   ///< at the end of the blend
  Vector6 blend_ = Vector6::Zero();  ///< distance from it at the blend's start
  Vector6 sum_ = Vector6::Zero();    ///< sum of a tare's samples
  /// Direction of the weight when repeated_ came.
  Eigen::Vector3d weight_then_ = Eigen::Vector3d::Zero();
  ForceTorqueState repeated_;  ///< the newest sample, at its first arrival
  double turned_ = 0.0;        ///< change of the weight since then [N]
  double blend_left_ = 0.0;    ///< s
  double filter_hz_;
  int tare_left_ = 0;   ///< samples; below 0: all of them
  int tare_count_ = 0;  ///< samples taken
  ForceSensorState state_ = ForceSensorState::kNone;
  int repeats_ = 0;    ///< repetitions of repeated_, at most kFrozenAfter
  bool runs_ = false;  ///< a first sample was taken
  bool frozen_ = false;
};

}  // namespace jointrig
