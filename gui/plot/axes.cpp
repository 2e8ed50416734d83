#include "gui/plot/axes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr std::size_t kUndoSteps = 50;
constexpr double kLongest = 3600.0;  // s

double round_step(double least) noexcept {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

/// Multiples of the step in the span.
std::vector<double> multiples(double step, Span span) {
  constexpr double kMany = 1000.0;  // bounds the work
  std::vector<double> at;
  const double first = std::ceil(span.low / step - 1e-9);
  const double last = std::floor(span.high / step + 1e-9);
  const int count = static_cast<int>(std::min(last - first, kMany)) + (last >= first ? 1 : 0);
  for (int i = 0; i < count; ++i) {
    const double k = first + i;
    at.push_back(k == 0.0 ? 0.0 : k * step);
  }
  return at;
}

}  // namespace

Span panned(Span span, double fraction) noexcept {
  const double by = fraction * span.size();
  return {span.low + by, span.high + by};
}

Span zoomed(Span span, double factor, double around) noexcept {
  return {around + (span.low - around) * factor, around + (span.high - around) * factor};
}

Span fitted(double low, double high, double least) noexcept {
  if (!(low <= high)) return {-1.0, 1.0};
  // Samples are floats: below a millionth their rounding would be drawn.
  const double smallest = std::max({least, 1e-9, 1e-6 * std::abs(low), 1e-6 * std::abs(high)});
  const double air = std::max(0.05 * (high - low), 0.5 * (smallest - (high - low)));
  return {low - air, high + air};
}

std::vector<double> ticks(Span span, int most, int least) {
  if (!(span.size() > 0.0) || most < 1 || !std::isfinite(span.size())) return {};
  double step = round_step(span.size() / most);
  std::vector<double> at = multiples(step, span);
  while (at.size() < static_cast<std::size_t>(least)) {
    step = round_step(0.4 * step);  // the next finer one
    at = multiples(step, span);
  }
  return at;
}

std::string tick_text(double value, double step) {
  const int decimals =
      step > 0.0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9) : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

void TimeAxis::update(double oldest, double newest) noexcept {
  oldest_ = oldest;
  newest_ = newest;
  if (follows_) shown_ = {newest - shown_.size(), newest};
}

void TimeAxis::set_span(double seconds) noexcept {
  const double span = std::clamp(seconds, kShortest, kLongest);
  shown_ = {shown_.high - span, shown_.high};
}

void TimeAxis::pan(double fraction) {
  remember();
  follows_ = false;
  shown_ = panned(shown_, fraction);
  bound();
}

void TimeAxis::zoom(double factor, double around) {
  remember();
  const double size = std::clamp(shown_.size() * factor, kShortest, kLongest);
  shown_ = zoomed(shown_, size / shown_.size(), follows_ ? shown_.high : around);
  bound();
}

void TimeAxis::show(Span span) {
  in_gesture_ = false;
  remember();
  in_gesture_ = false;
  follows_ = false;
  if (span.low > span.high) std::swap(span.low, span.high);
  const double missing = kShortest - span.size();
  if (missing > 0.0) span = {span.low - missing / 2, span.high + missing / 2};
  shown_ = span;
  bound();
}

void TimeAxis::undo() {
  if (before_.empty()) return;
  shown_ = before_.back().span;
  follows_ = before_.back().follows;
  before_.pop_back();
  in_gesture_ = false;
}

void TimeAxis::remember() {
  if (in_gesture_) return;
  in_gesture_ = true;
  before_.push_back({shown_, follows_});
  if (before_.size() > kUndoSteps) before_.erase(before_.begin());
}

/// Keeps some part of the history visible.
void TimeAxis::bound() noexcept {
  if (shown_.high < oldest_) shown_ = {oldest_ - shown_.size(), oldest_};
  if (shown_.low > newest_) shown_ = {newest_, newest_ + shown_.size()};
}

}  // namespace jointrig::gui
