#include "remote/playback.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace jointrig::remote {

std::int64_t PlaybackClock::time_at(Instant now) const {
  if (!runs()) return time_ns_;
  const double passed = std::chrono::duration<double, std::nano>(now - since_).count();
  const double left = static_cast<double>(range_.end_ns - time_ns_);
  // As numbers, since a log of any length fits in them and their product may not in an integer.
  const double gone = std::max(0.0, passed * static_cast<double>(speed_));
  return gone >= left ? range_.end_ns : time_ns_ + static_cast<std::int64_t>(gone);
}

PlaybackState PlaybackClock::state(Instant now) const {
  PlaybackState state;
  state.status = is_ended_     ? PlaybackStatus::kEnded
                 : is_playing_ ? PlaybackStatus::kPlaying
                               : PlaybackStatus::kPaused;
  state.time_ns = time_at(now);
  state.speed = speed_;
  return state;
}

std::string PlaybackClock::obey(const PlaybackWish& wish, Instant now) {
  const auto speed = static_cast<double>(wish.speed);
  if (!(speed >= kLeastPlaybackSpeed * (1.0 - 1e-6) && speed <= kMostPlaybackSpeed)) {
    return fmt::format(
        "playback control: the speed {:g} is outside of {:g} to {:g}: choose one of these", speed,
        kLeastPlaybackSpeed, kMostPlaybackSpeed);
  }
  if (wish.seek_ns) {
    const bool is_inside = *wish.seek_ns >= static_cast<std::uint64_t>(range_.start_ns) &&
                           *wish.seek_ns <= static_cast<std::uint64_t>(range_.end_ns);
    if (!is_inside) {
      return fmt::format(
          "playback control: the time {} ns is outside of the log, which goes from {} to {} ns: "
          "choose one of these",
          *wish.seek_ns, range_.start_ns, range_.end_ns);
    }
  }
  set(wish.seek_ns ? static_cast<std::int64_t>(*wish.seek_ns) : time_at(now), now);
  if (wish.seek_ns) is_ended_ = false;
  speed_ = wish.speed;
  is_playing_ = wish.is_play;
  return {};
}

void PlaybackClock::watch(bool is_watched, Instant now) {
  set(time_at(now), now);
  is_watched_ = is_watched;
}

void PlaybackClock::set(std::int64_t time_ns, Instant now) {
  time_ns_ = time_ns;
  since_ = now;
}

void PlaybackClock::restart(Instant now) {
  is_ended_ = false;
  set(range_.start_ns, now);
}

void PlaybackClock::end() {
  time_ns_ = range_.end_ns;
  is_ended_ = true;
}

}  // namespace jointrig::remote
