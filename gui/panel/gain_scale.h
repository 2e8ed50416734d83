#pragma once
/// Where a value lies on a slider: arithmetic only.

#include "control/safety/admission.h"

namespace jointrig::gui {

/// A logarithmic scale with the default in its middle, so that as much room is given to halving a
/// gain as to doubling it:
///
///     place ≤ 1/2    value from a hundredth of the default (or the least value, if that is more)
///     place ≥ 1/2    up to the largest value
///
/// A least value below that hundredth (0 of an integral gain) is the first kZeroPart of the slider.
/// A default that is 0, or one of the ends, has no middle: the scale is logarithmic over the four
/// decades below the largest value.
class GainScale {
 public:
  static constexpr double kZeroPart = 0.03;  ///< a choice

  GainScale(Interval range, double standard) noexcept;

  /// In [0, 1].
  [[nodiscard]] double place(double value) const noexcept;
  [[nodiscard]] double value(double place) const noexcept;
  [[nodiscard]] bool has_middle() const noexcept { return has_middle_; }

 private:
  Interval range_;
  double first_ = 0.0;   ///< value at the left end of the logarithmic part
  double middle_ = 0.0;  ///< value in the middle
  bool has_middle_ = false;
};

}  // namespace jointrig::gui
