#pragma once

#include <array>
#include <cstdint>

#include "control/core/forces.h"
#include "control/core/quantity.h"

namespace jointrig {

/// Watches the samples of a sensor with six axes for those that don't count:
///
///     stale        kStaleAfter cycles of it without a fresh one
///     not_finite   a component that is no number
///     frozen       all six to the bit the same, kFrozenAfter times and more, while it has turned
///     by
///                  more than kFrozenTurn since: a live one would have measured that
///     saturated    a component at the end of its range: it counts, and is told
///
/// Plain data. For the cycle.
class SampleWatch {
 public:
  static constexpr std::uint32_t kStaleAfter = 5;  ///< as ForceSensing's
  static constexpr int kFrozenAfter = 20;          ///< samples, as ForceSensing's
  static constexpr double kFrozenTurn = 0.01;      ///< [rad] (a choice: ten times what it errs)

  struct Ranges {
    double first = 0.0;   ///< of the first three components; 0: none
    double second = 0.0;  ///< of the others
  };
  struct Finding {
    bool changed = false;
    int axis = 0;  ///< 0 to 5
    double value = 0.0;
    double limit = 0.0;
  };

  /// @param missed  cycles since the sample; nothing has come for kNever
  /// @param turned  since the last cycle, as others tell it: a rotation vector [rad]; 0: nobody
  /// tells
  Finding advance(const std::array<double, 6>& sample, std::uint32_t missed, const Ranges& ranges,
                  const std::array<double, 3>& turned) noexcept;

  [[nodiscard]] ForceSensorState state() const noexcept { return state_; }
  /// The last sample counts.
  [[nodiscard]] bool is_good() const noexcept {
    return state_ == ForceSensorState::kGood || state_ == ForceSensorState::kSaturated;
  }

 private:
  void watch_for_repeats(const std::array<double, 6>& sample,
                         const std::array<double, 3>& turned) noexcept;
  [[nodiscard]] double turn() const noexcept;
  [[nodiscard]] ForceSensorState judge(const std::array<double, 6>& sample, std::uint32_t missed,
                                       const Ranges& ranges, Finding& finding) const noexcept;

  ForceSensorState state_ = ForceSensorState::kGood;
  std::array<double, 6> last_{};
  int repeats_ = 0;
  std::array<double, 3> turned_{};  ///< while it repeated itself [rad]
};

}  // namespace jointrig
