#include "gui/plot/oscillation.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr double kWindow = 0.5;  // s
constexpr double kLeastHz = 2.0;
constexpr std::size_t kLeastPeriods = 3;
constexpr double kUneven = 1.6;       // longest period over shortest
constexpr double kLeastSteps = 10.0;  // of the sensor
constexpr double kDecays = 0.7;       // rms of the second half over that of the first
constexpr double kHysteresis = 0.5;   // of the rms

/// Velocity minus reference of the newest samples; empty: a sample is missing.
std::vector<double> deviation_of(const History& history, JointIndex joint) {
  const SampleRing& v = history.live(history.signal(joint, JointTrace::kVelocity));
  const SampleRing& wanted = history.live(history.signal(joint, JointTrace::kVelocityReference));
  const auto count = static_cast<std::uint64_t>(kWindow / history.period());
  if (v.end() < v.begin() + count) return {};
  SampleReader measured(v);
  SampleReader asked(wanted);
  std::vector<double> found;
  found.reserve(count);
  for (std::uint64_t i = v.end() - count; i < v.end(); ++i) {
    const auto value = static_cast<double>(measured.at(i));
    if (std::isnan(value)) return {};
    const auto reference = static_cast<double>(asked.at(i));
    found.push_back(value - (std::isnan(reference) ? 0.0 : reference));
  }
  return found;
}

double mean_of(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

double rms_of(const std::vector<double>& x, double mean, std::size_t from, std::size_t to) {
  double sum = 0.0;
  for (std::size_t i = from; i < to; ++i) sum += (x[i] - mean) * (x[i] - mean);
  return std::sqrt(sum / static_cast<double>(to - from));
}

/// Samples at which it has risen through its mean.
std::vector<std::size_t> rises(const std::vector<double>& x, double mean, double threshold) {
  std::vector<std::size_t> at;
  bool was_low = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < mean - threshold) was_low = true;
    if (!was_low || x[i] <= mean + threshold) continue;
    at.push_back(i);
    was_low = false;
  }
  return at;
}

bool is_even(const std::vector<std::size_t>& at) {
  std::size_t shortest = at[1] - at[0];
  std::size_t longest = shortest;
  for (std::size_t i = 2; i < at.size(); ++i) {
    shortest = std::min(shortest, at[i] - at[i - 1]);
    longest = std::max(longest, at[i] - at[i - 1]);
  }
  return static_cast<double>(longest) < kUneven * static_cast<double>(shortest) + 1.0;
}

}  // namespace

std::optional<Swing> swing_of(const History& history, JointIndex joint) {
  const std::vector<double> x = deviation_of(history, joint);
  if (x.empty()) return std::nullopt;
  const double mean = mean_of(x);
  const double rms = rms_of(x, mean, 0, x.size());
  const double step = history.resolution(history.signal(joint, JointTrace::kVelocity));
  if (rms < kLeastSteps * step) return std::nullopt;
  const std::size_t half = x.size() / 2;
  const double before = rms_of(x, mean, 0, half);
  if (rms_of(x, mean, half, x.size()) < kDecays * before) return std::nullopt;
  const std::vector<std::size_t> at = rises(x, mean, kHysteresis * rms);
  if (at.size() <= kLeastPeriods || !is_even(at)) return std::nullopt;
  const auto samples = static_cast<double>(at.back() - at.front());
  const double hz = static_cast<double>(at.size() - 1) / (samples * history.period());
  if (hz < kLeastHz) return std::nullopt;
  return Swing{hz, std::sqrt(2.0) * rms};
}

void SwingWatch::look(const History& history, JointIndex joint) {
  const auto same = [joint](const Report& report) { return report.joint == joint; };
  if (const std::optional<Swing> swing = swing_of(history, joint)) {
    std::erase_if(reports_, same);
    reports_.push_back({joint, *swing, history.newest()});
  }
}

void SwingWatch::update(const History& history, JointIndex first, std::size_t joints) {
  if (joints == 0) return;
  if (first < joints) look(history, first);
  next_ = (next_ + 1) % joints;
  look(history, static_cast<JointIndex>(next_));
  std::erase_if(reports_, [&](const Report& report) {
    return report.joint >= joints || history.newest() - report.seen > kKeep;
  });
}

const SwingWatch::Report* SwingWatch::of(JointIndex joint) const noexcept {
  const auto found = std::find_if(reports_.begin(), reports_.end(),
                                  [joint](const Report& one) { return one.joint == joint; });
  return found != reports_.end() ? &*found : nullptr;
}

}  // namespace jointrig::gui
