#include "gui/plot/step_response.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace jointrig::gui {
namespace {

constexpr std::size_t kFewest = 20;  // samples: fewer are no response
constexpr double kLeft = 0.01;       // share of the reference's step: it has begun to change
constexpr double kBand = 0.02;
constexpr double kOutOfNoise = 4.0;

bool collect(const SampleRing& series, std::uint64_t from, std::uint64_t to,
             std::vector<double>& values) {
  values.clear();
  SampleReader samples(series);
  for (std::uint64_t i = from; i < to; ++i) {
    const double value = samples.at(i);
    if (std::isnan(value)) return false;
    values.push_back(value);
  }
  return true;
}

/// The sample at which it begins to change; the end if it stays.
std::size_t start_of(const std::vector<double>& reference) {
  const double way = reference.back() - reference.front();
  if (way == 0.0) return reference.size();
  std::size_t i = 0;
  while (std::abs(reference[i] - reference.front()) <= kLeft * std::abs(way)) ++i;
  return i;
}

/// Time at which it first reaches a share of the distance, between two samples; NaN: never.
double reached(const std::vector<double>& way, std::size_t start, double part) {
  for (std::size_t i = start; i < way.size(); ++i) {
    if (way[i] < part) continue;
    if (i == start) return static_cast<double>(i);
    const double before = way[i - 1];
    return static_cast<double>(i - 1) + (part - before) / (way[i] - before);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::optional<StepReading> step_response(const SampleRing& signal, const SampleRing* reference,
                                         std::uint64_t from, std::uint64_t to, double period) {
  from = std::max(from, signal.begin());
  to = std::min(to, signal.end());
  if (to < from + kFewest) return std::nullopt;
  std::vector<double> y;
  std::vector<double> asked;
  if (!collect(signal, from, to, y)) return std::nullopt;
  if (reference != nullptr && !collect(*reference, from, to, asked)) return std::nullopt;

  const std::size_t start = reference != nullptr ? start_of(asked) : 0;
  const std::size_t tail = std::max<std::size_t>(1, y.size() / 20);
  if (start + tail >= y.size()) return std::nullopt;
  const Statistics end = statistics(signal, to - tail, to);
  StepReading response;
  response.from = y[start];
  response.to = end.mean;
  const double size = response.to - response.from;
  if (std::abs(size) <= kOutOfNoise * (end.high - end.low) || size == 0.0) return std::nullopt;

  // From here on as shares of the distance: 0 at the start, 1 at the end.
  for (double& value : y) value = (value - response.from) / size;
  response.rise = (reached(y, start, 0.9) - reached(y, start, 0.1)) * period;
  if (!std::isfinite(response.rise)) return std::nullopt;
  const auto first = y.begin() + static_cast<std::ptrdiff_t>(start);
  response.overshoot = std::max(0.0, *std::max_element(first, y.end()) - 1.0);
  std::size_t settled = y.size();
  while (settled > start && std::abs(y[settled - 1] - 1.0) <= kBand) --settled;
  response.settling = settled == y.size() ? std::numeric_limits<double>::quiet_NaN()
                                          : static_cast<double>(settled - start) * period;
  if (reference != nullptr) response.error = asked.back() - response.to;
  return response;
}

}  // namespace jointrig::gui
