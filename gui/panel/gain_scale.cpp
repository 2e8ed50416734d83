#include "gui/panel/gain_scale.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr double kLeastOfDefault = 1e-2;
constexpr double kDecades = 1e-4;  // least over largest value, without a middle

double mixed_log(double a, double b, double part) { return a * std::pow(b / a, part); }
double part_log(double a, double b, double value) { return std::log(value / a) / std::log(b / a); }

}  // namespace

GainScale::GainScale(Interval range, double standard) noexcept : range_(range) {
  has_middle_ = standard > range.low && standard < range.high && standard > 0.0;
  const double least = has_middle_ ? kLeastOfDefault * standard : kDecades * range.high;
  first_ = std::max(least, range.low);
  middle_ = has_middle_ ? standard : std::sqrt(first_ * range.high);
}

double GainScale::value(double place) const noexcept {
  const double at = std::clamp(place, 0.0, 1.0);
  if (!(range_.high > first_)) return at < 0.5 ? range_.low : range_.high;
  const double begin = first_ > range_.low ? kZeroPart : 0.0;
  if (at < begin) return range_.low;
  if (at >= 0.5) return mixed_log(middle_, range_.high, 2.0 * at - 1.0);
  return mixed_log(first_, middle_, (at - begin) / (0.5 - begin));
}

double GainScale::place(double value) const noexcept {
  if (!(range_.high > first_)) return value > range_.low ? 1.0 : 0.0;
  const double begin = first_ > range_.low ? kZeroPart : 0.0;
  if (!(value >= first_)) return 0.0;
  if (value >= middle_) return std::min(1.0, 0.5 + 0.5 * part_log(middle_, range_.high, value));
  return begin + (0.5 - begin) * part_log(first_, middle_, value);
}

}  // namespace jointrig::gui
