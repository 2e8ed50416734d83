#pragma once
/// Watches the holder of the lease from the loop's side, so that the robot stops in time whatever
/// the server's threads do: nothing here waits, locks or allocates.
///
///     server   begin(epoch) · heard() · end()           any thread, one at a time
///     loop     on_cycle() before each cycle: true → the robot must be stopped
///
/// The loop stops the robot once at each end of a lease: release, takeover, death, or more than
/// kLongestSilence of robot time without heard(). A lease counts from the cycle in which the loop
/// has seen it (acknowledged()): commands of a new holder come after the stop of the former one's.

#include <atomic>
#include <cstdint>

#include "control/core/types.h"

namespace jointrig::remote {

class HolderWatch {
 public:
  static constexpr double kLongestSilence = 0.2;  ///< of the holder [s]

  explicit HolderWatch(TimeNs period_ns) noexcept
      : longest_cycles_(static_cast<std::uint64_t>(to_ns(kLongestSilence) / period_ns)) {}

  // The server's threads.

  /// @param epoch  above 0, and above all before
  void begin(std::uint64_t epoch) noexcept {
    heard();
    holding_.store(epoch, std::memory_order_release);
  }
  void heard() noexcept { heard_.fetch_add(1, std::memory_order_release); }
  void end() noexcept { holding_.store(0, std::memory_order_release); }

  /// Epoch of the lease that is held; 0: none, or the loop has ended it.
  [[nodiscard]] std::uint64_t holding() const noexcept {
    return holding_.load(std::memory_order_acquire);
  }
  /// Epoch that the loop has seen last; 0: none.
  [[nodiscard]] std::uint64_t acknowledged() const noexcept {
    return acknowledged_.load(std::memory_order_acquire);
  }
  /// Epoch of the last lease that ended by silence.
  [[nodiscard]] std::uint64_t fell_silent() const noexcept {
    return fell_silent_.load(std::memory_order_acquire);
  }

  // The loop's thread.

  /// True if a lease has ended since the last call.
  [[nodiscard]] bool on_cycle() noexcept {
    std::uint64_t epoch = holding_.load(std::memory_order_acquire);
    const std::uint64_t heard = heard_.load(std::memory_order_acquire);
    if (epoch != seen_ || heard != seen_heard_) {
      silent_cycles_ = 0;
      seen_heard_ = heard;
    } else if (epoch != 0 && ++silent_cycles_ > longest_cycles_) {
      fell_silent_.store(epoch, std::memory_order_release);
      // Another one may have taken it over in between: that ends this lease as well.
      if (holding_.compare_exchange_strong(epoch, 0)) epoch = 0;
    }
    const bool has_ended = seen_ != 0 && epoch != seen_;
    seen_ = epoch;
    acknowledged_.store(epoch, std::memory_order_release);
    return has_ended;
  }

 private:
  std::uint64_t longest_cycles_;
  alignas(64) std::atomic<std::uint64_t> holding_{0};
  std::atomic<std::uint64_t> heard_{0};
  alignas(64) std::atomic<std::uint64_t> acknowledged_{0};
  std::atomic<std::uint64_t> fell_silent_{0};
  std::uint64_t seen_ = 0;
  std::uint64_t seen_heard_ = 0;
  std::uint64_t silent_cycles_ = 0;
};

}  // namespace jointrig::remote
