#include "control/stack/sample_watch.h"

#include <cmath>
#include <cstddef>

namespace jointrig {

SampleWatch::Finding SampleWatch::advance(const std::array<double, 6>& sample, std::uint32_t missed,
                                          const Ranges& ranges,
                                          const std::array<double, 3>& turned) noexcept {
  if (missed == 0) watch_for_repeats(sample, turned);
  Finding finding;
  const ForceSensorState now = judge(sample, missed, ranges, finding);
  finding.changed = now != state_;
  state_ = now;
  return finding;
}

/// Noise of a sensor at rest adds up to no turn.
void SampleWatch::watch_for_repeats(const std::array<double, 6>& sample,
                                    const std::array<double, 3>& turned) noexcept {
  const bool repeats = sample == last_;
  repeats_ = repeats ? repeats_ + 1 : 0;
  for (std::size_t i = 0; i < turned.size(); ++i) {
    turned_[i] = repeats ? turned_[i] + turned[i] : 0.0;
  }
  last_ = sample;
}

double SampleWatch::turn() const noexcept { return std::hypot(turned_[0], turned_[1], turned_[2]); }

ForceSensorState SampleWatch::judge(const std::array<double, 6>& sample, std::uint32_t missed,
                                    const Ranges& ranges, Finding& finding) const noexcept {
  if (missed >= kStaleAfter) {
    finding.value = missed;
    finding.limit = kStaleAfter;
    return ForceSensorState::kStale;
  }
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (std::isfinite(sample[i])) continue;
    finding.axis = static_cast<int>(i);
    finding.value = sample[i];
    return ForceSensorState::kNotFinite;
  }
  if (repeats_ >= kFrozenAfter && turn() > kFrozenTurn) {
    finding.value = turn();
    finding.limit = kFrozenTurn;
    return ForceSensorState::kFrozen;
  }
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double range = i < 3 ? ranges.first : ranges.second;
    if (range <= 0.0 || std::abs(sample[i]) < range) continue;
    finding.axis = static_cast<int>(i);
    finding.value = sample[i];
    finding.limit = range;
    return ForceSensorState::kSaturated;
  }
  return ForceSensorState::kGood;
}

}  // namespace jointrig
