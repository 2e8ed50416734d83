#pragma once
/// Paces robot time by the wall clock.
///
///     due = origin + (robot time - robot time at origin) / real-time factor
///
/// Sleeps with absolute times (clock_nanosleep on CLOCK_MONOTONIC), so lateness never adds up. If a
/// cycle is late by a period or more, later cycles do not catch up: the origin moves by the whole
/// periods that passed, which are counted as skipped.
///
/// settimeofday and NTP steps do not change CLOCK_MONOTONIC, and it stops while the machine is
/// suspended. If it still jumps by more than a second (a paused virtual machine), or no wait came
/// for so long (a pause in the panel), pacing restarts without counting lateness or skipped
/// periods. A clock that jumps back costs at most a period.

#include <atomic>
#include <cstdint>

#include "control/core/types.h"
#include "control/stack/duration_histogram.h"
#include "sim/pacer.h"

namespace jointrig::app {

/// A clock with a wait. Tests use their own.
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
  TimeNs spin_ns = 0;             ///< lead of the wake-up, for spinning; needs a core of its own
};

/// The loop's thread calls start() and wait_until(); the other functions are for any thread.
class WallClockPacer final : public sim::Pacer {
 public:
  /// Throws std::invalid_argument with a sentence if an option is out of range.
  explicit WallClockPacer(const PacerOptions& options, WallClock& clock = monotonic_clock());

  void start() noexcept override;

  /// @returns the delay [ns]; 0 if pacing restarted or was stopped
  std::int64_t wait_until(TimeNs robot_time) noexcept override;

  /// Ends all waiting: a present wait returns within a period, later ones at once. It may be called
  /// from a signal handler; the wait in the same thread then returns at once.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  /// Call after a wanted pause: the next wait returns at once, and pacing restarts there, however
  /// short the pause was. The loop's thread.
  void begin_anew() noexcept { begins_anew_ = true; }

  /// Acts from the next wait on. Throws std::invalid_argument unless between 0.001 and 1000.
  void set_real_time_factor(double factor);
  [[nodiscard]] double real_time_factor() const noexcept {
    return factor_.load(std::memory_order_relaxed);
  }

  /// Lateness of the waits since start().
  [[nodiscard]] const DurationHistogram& late() const noexcept { return late_; }
  [[nodiscard]] std::uint64_t skipped() const noexcept {
    return skipped_.load(std::memory_order_relaxed);
  }
  /// Number of restarts of pacing: see above.
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
  double paced_factor_ = 1.0;  ///< factor of the origin; factor_ is the wanted one
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
