#pragma once
/// Lets robot time pass at the pace of the wall clock.
///
///     due = origin + (robot time - robot time at origin) / real-time factor
///
/// Sleeps with absolute times (clock_nanosleep on CLOCK_MONOTONIC), so lateness never adds up. A
/// cycle that is a period or more too late doesn't make the ones after it hurry: the origin moves
/// on by the whole periods that passed, which are counted as skipped.
///
/// CLOCK_MONOTONIC isn't touched by settimeofday and NTP steps, and stands still while the machine
/// is suspended. Where it jumps all the same (a virtual machine that was paused), or where nobody
/// waited for a while (a pause in the panel), by more than a second, pacing begins anew there:
/// neither lateness nor skipped periods are counted. A clock that jumps back costs at most a
/// period.

#include <atomic>
#include <cstdint>

#include "control/core/types.h"
#include "control/stack/duration_histogram.h"
#include "sim/pacer.h"

namespace jointrig::app {

/// A clock that can be waited for. Tests bring their own.
class WallClock {
 public:
  WallClock() = default;
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;
  virtual ~WallClock() = default;

  [[nodiscard]] virtual std::int64_t now_ns() const noexcept = 0;

  /// Sleeps until `time_ns`, or until a signal arrives.
  virtual void sleep_until(std::int64_t time_ns) noexcept = 0;
};

/// CLOCK_MONOTONIC.
WallClock& monotonic_clock() noexcept;

struct PacerOptions {
  TimeNs period_ns = 1'000'000;   ///< robot time from one cycle to the next
  double real_time_factor = 1.0;  ///< robot time per wall time
  TimeNs spin_ns = 0;             ///< wakes so much early and spins; wants a core of its own
};

/// The loop's thread calls start() and wait_until(); the rest is for any thread.
class WallClockPacer final : public sim::Pacer {
 public:
  /// Throws std::invalid_argument with a sentence where an option is out of range.
  explicit WallClockPacer(const PacerOptions& options, WallClock& clock = monotonic_clock());

  void start() noexcept override;

  /// @returns how late it is [ns]; 0 where pacing began anew or was stopped
  std::int64_t wait_until(TimeNs robot_time) noexcept override;

  /// Ends waiting, for good: a wait under way returns within a period, later ones at once. Also
  /// from a signal handler, and then the wait under way in the same thread returns at once.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  /// After a pause that somebody asked for: the next wait returns at once, and pacing begins anew
  /// there, however short the pause was. The loop's thread.
  void begin_anew() noexcept { begins_anew_ = true; }

  /// From the next wait on. Throws std::invalid_argument where it isn't between 0.001 and 1000.
  void set_real_time_factor(double factor);
  [[nodiscard]] double real_time_factor() const noexcept {
    return factor_.load(std::memory_order_relaxed);
  }

  /// How late the waits returned, since start().
  [[nodiscard]] const DurationHistogram& late() const noexcept { return late_; }
  [[nodiscard]] std::uint64_t skipped() const noexcept {
    return skipped_.load(std::memory_order_relaxed);
  }
  /// How often pacing began anew: see above.
  [[nodiscard]] std::uint64_t restarts() const noexcept {
    return restarts_.load(std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] std::int64_t to_wall(TimeNs robot_ns) const noexcept;
  void follow_factor(TimeNs robot_time) noexcept;
  void begin_at(std::int64_t wall_ns, TimeNs robot_time) noexcept;
  void sleep_and_spin_until(std::int64_t due_ns) noexcept;
  void skip_whole_periods(std::int64_t late_ns) noexcept;

  WallClock* clock_;
  TimeNs period_ns_;
  TimeNs spin_ns_;
  double paced_factor_ = 1.0;  ///< of the origin; factor_ is what is wanted
  std::int64_t origin_wall_ns_ = 0;
  TimeNs origin_robot_ns_ = 0;
  TimeNs last_robot_ns_ = 0;
  bool begins_anew_ = false;
  DurationHistogram late_;
  std::atomic<double> factor_{1.0};
  std::atomic<std::uint64_t> skipped_{0};
  std::atomic<std::uint64_t> restarts_{0};
  std::atomic<bool> stopped_{false};
};

}  // namespace jointrig::app
