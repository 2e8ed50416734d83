#include "gui/plot/trigger.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {

void Trigger::arm(const History& history) noexcept {
  armed_ = true;
  free_running_ = false;
  next_ = history.end();
  waits_since_ = history.newest();
  at_.reset();
}

std::optional<std::uint64_t> Trigger::find_edge(const SampleRing& series) const {
  const double sign = settings.kind == TriggerKind::kRising ? 1.0 : -1.0;
  SampleReader samples(series);
  // Includes the sample before the first: an edge lies between two.
  for (std::uint64_t i = std::max(next_, series.begin() + 1); i < series.end(); ++i) {
    const double before = sign * (static_cast<double>(samples.at(i - 1)) - settings.level);
    const double now = sign * (static_cast<double>(samples.at(i)) - settings.level);
    if (before < 0.0 && now >= 0.0) return i;  // false for a missing sample
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Trigger::find_mode(const History& history) const {
  const JointIndex joint = history.joint_of(settings.signal);
  if (joint == kNoJoint) return std::nullopt;
  for (const History::ModeChange& change : history.modes(joint)) {
    if (change.index < std::max<std::uint64_t>(next_, 1)) continue;
    if (settings.kind == TriggerKind::kFault && change.mode != JointMode::kHwFault) continue;
    return change.index;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Trigger::find(const History& history) const {
  if (settings.signal >= history.size()) return std::nullopt;
  const bool edge = settings.kind == TriggerKind::kRising || settings.kind == TriggerKind::kFalling;
  return edge ? find_edge(history.live(settings.signal)) : find_mode(history);
}

std::optional<Span> Trigger::update(const History& history) {
  if (!armed_) return std::nullopt;
  if (!at_) {
    if (const std::optional<std::uint64_t> found = find(history)) {
      at_ = history.time_of(*found);
      free_running_ = false;
    }
    next_ = history.end();
  }
  if (!at_) {
    const double patience = std::max(kPatience, settings.span);
    free_running_ = settings.run == TriggerRun::kAuto && history.newest() - waits_since_ > patience;
    return std::nullopt;
  }
  const Span whole{*at_ - settings.before * settings.span,
                   *at_ + (1.0 - settings.before) * settings.span};
  if (history.newest() < whole.high) return std::nullopt;
  shown_at_ = at_;
  at_.reset();
  armed_ = settings.run != TriggerRun::kSingle;
  // The capture contains the events meanwhile: the next capture begins after it.
  next_ = static_cast<std::uint64_t>(std::llround(history.index_of(whole.high)));
  waits_since_ = history.newest();
  return whole;
}

}  // namespace jointrig::gui
