#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "control/core/types.h"

namespace jointrig::remote {

/// The cycle that a reader of the newest state wants next, and its sleep until then:
///
///     while (goes on)
///       if (there is a state, and due.take(its cycle)) use it
///       else due.sleep()
///
/// It looks once in fifty cycles at least, so that an end is seen, and four times a cycle about the
/// one that is due; behind a state that came while it looked, a quarter of a cycle before the next.
/// One thread.
class DueCycle {
 public:
  /// @param each  every so many cycles, from 0
  DueCycle(TimeNs period_ns, std::uint64_t each) : period_(period_ns), each_(each) {}

  /// True where a state of this cycle is due; the next one is then due.
  bool take(std::uint64_t cycle) {
    if (cycle < next_) {
      missing_ = std::min<std::uint64_t>(next_ - cycle, kMost);
      return false;
    }
    missing_ = 1;
    if (std::exchange(waited_, false)) came_ = Clock::now();
    if (next_ != 0) missed_ += (cycle - next_) / each_;
    next_ = (cycle / each_ + 1) * each_;
    return true;
  }
  /// Where there was no state, or take() has returned false.
  void sleep() {
    const auto missing = static_cast<std::int64_t>(missing_);
    const auto now = Clock::now();
    const auto earliest = came_ != Clock::time_point{} ? came_ + missing * period_ - period_ / 4
                                                       : now + (missing - 1) * period_;
    std::this_thread::sleep_until(std::max(earliest, now + period_ / 4));
    came_ = {};
    waited_ = true;
  }

  /// States that were due and never taken.
  [[nodiscard]] std::uint64_t missed() const noexcept { return missed_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t kMost = 50;

  std::chrono::nanoseconds period_;
  std::uint64_t each_;
  std::uint64_t next_ = 0;
  std::uint64_t missing_ = 1;  ///< until the next one is due, as of the last look
  std::uint64_t missed_ = 0;
  Clock::time_point came_;  ///< of a state, while it was waited for; else the epoch
  bool waited_ = false;
};

}  // namespace jointrig::remote
