#pragma once
/// Time of a log that is replayed, and the wishes of viewers about it.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace jointrig::remote {

// Of a viewer's menu (0.01 to 5), and somewhat more.
inline constexpr double kLeastPlaybackSpeed = 0.01;
inline constexpr double kMostPlaybackSpeed = 10.0;

/// As they are sent.
enum class PlaybackStatus : std::uint8_t { kPlaying = 0, kPaused = 1, kBuffering = 2, kEnded = 3 };

/// A viewer's request to play, to pause, to change the speed, and to go to another time.
struct PlaybackWish {
  bool is_play = false;
  float speed = 1.0F;
  std::optional<std::uint64_t> seek_ns;
  std::string id;  ///< comes back with the answer
};

struct PlaybackState {
  PlaybackStatus status = PlaybackStatus::kPaused;
  std::int64_t time_ns = 0;
  float speed = 1.0F;
  bool did_seek = false;
};

/// The time of the log: time = t0 + speed · (now − instant of t0) while it runs, at most the end's.
/// Not for several threads at once.
class PlaybackClock {
 public:
  using Instant = std::chrono::steady_clock::time_point;

  struct Range {
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
  };

  PlaybackClock(Range range, float speed, bool is_playing)
      : range_(range), speed_(speed), is_playing_(is_playing), time_ns_(range.start_ns) {}

  [[nodiscard]] const Range& range() const { return range_; }
  [[nodiscard]] std::int64_t time_at(Instant now) const;
  [[nodiscard]] PlaybackState state(Instant now) const;
  /// True while time passes.
  [[nodiscard]] bool runs() const { return is_playing_ && is_watched_ && !is_ended_; }

  /// All of a wish is met or, where one value makes no sense, nothing.
  /// @returns empty, or a sentence that tells why not
  std::string obey(const PlaybackWish& wish, Instant now);
  /// Time stands while nobody watches.
  void watch(bool is_watched, Instant now);
  /// Time goes on from here.
  void set(std::int64_t time_ns, Instant now);
  /// All of the log was played.
  void end();
  /// Goes to the start.
  void restart(Instant now);

 private:
  Range range_;
  float speed_;
  bool is_playing_;
  bool is_watched_ = false;
  bool is_ended_ = false;
  std::int64_t time_ns_;  ///< at since_
  Instant since_;
};

}  // namespace jointrig::remote
