#pragma once
/// Watches the holder of the lease from the loop's side, so that the robot stops in time whatever
/// the server's threads do: nothing here waits, locks or allocates.
///
///     server   begin(epoch, sender) · heard() · end(why)   any thread, one at a time
///     loop     on_cycle() before each cycle: what has changed since the last one
///
/// The loop stops the robot once at each end of a lease: release, takeover, death, or more than
/// kLongestSilence of robot time without heard(). A lease counts from the cycle in which the loop
/// has seen it (acknowledged()): commands of a new holder come after the stop of the former one's.

#include <atomic>
#include <cstdint>

#include "control/core/lease_act.h"
#include "control/core/types.h"

namespace jointrig::remote {

class HolderWatch {
 public:
  static constexpr double kLongestSilence = 0.2;  ///< of the holder [s]

  explicit HolderWatch(TimeNs period_ns) noexcept
      : longest_cycles_(static_cast<std::uint64_t>(to_ns(kLongestSilence) / period_ns)) {}

  // The server's threads.

  /// @param epoch   above 0, and above all before
  /// @param sender  of the holder's commands, in the inbox
  void begin(std::uint64_t epoch, std::uint16_t sender = 0) noexcept {
    heard();
    // A lease that ended since the loop looked last keeps its reason.
    const Word before = word_of(state_.load(std::memory_order_acquire));
    const LeaseAct why = before.epoch != 0 ? LeaseAct::kTakenOver : before.why;
    state_.store(packed({epoch, sender, why}), std::memory_order_release);
  }
  void heard() noexcept { heard_.fetch_add(1, std::memory_order_release); }
  void end(LeaseAct why = LeaseAct::kReleased) noexcept {
    state_.store(packed({0, 0, why}), std::memory_order_release);
  }

  /// Epoch of the lease that is held; 0: none, or the loop has ended it.
  [[nodiscard]] std::uint64_t holding() const noexcept {
    return word_of(state_.load(std::memory_order_acquire)).epoch;
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

  /// A lease, by the number of its holder's sender. Epoch 0: none.
  struct Holder {
    std::uint64_t epoch = 0;
    std::uint16_t sender = 0;
  };
  struct Change {
    Holder ended;  ///< if any, the robot must be stopped
    LeaseAct why = LeaseAct::kReleased;
    Holder began;
  };

  /// Changes since the last call.
  [[nodiscard]] Change on_cycle() noexcept {
    std::uint64_t state = state_.load(std::memory_order_acquire);
    const std::uint64_t heard = heard_.load(std::memory_order_acquire);
    Word now = word_of(state);
    if (now.epoch != seen_.epoch || heard != seen_heard_) {
      silent_cycles_ = 0;
      seen_heard_ = heard;
    } else if (now.epoch != 0 && ++silent_cycles_ > longest_cycles_) {
      fell_silent_.store(now.epoch, std::memory_order_release);
      // Another one may have taken it over in between: that ends this lease as well.
      const Word silence{0, 0, LeaseAct::kSilent};
      const bool is_over = state_.compare_exchange_strong(state, packed(silence));
      now = is_over ? silence : word_of(state);
    }
    Change change;
    if (now.epoch != seen_.epoch) change = {seen_, now.why, {now.epoch, now.sender}};
    seen_ = {now.epoch, now.sender};
    acknowledged_.store(now.epoch, std::memory_order_release);
    return change;
  }

 private:
  /// In one word, so that the loop never sees one half of a change.
  struct Word {
    std::uint64_t epoch = 0;
    std::uint16_t sender = 0;
    LeaseAct why = LeaseAct::kReleased;  ///< the lease before this one has ended
  };
  static constexpr std::uint64_t packed(Word word) noexcept {
    return word.epoch << 24U | std::uint64_t{word.sender} << 8U |
           static_cast<std::uint64_t>(word.why);
  }
  static constexpr Word word_of(std::uint64_t packed) noexcept {
    return {packed >> 24U, static_cast<std::uint16_t>(packed >> 8U),
            static_cast<LeaseAct>(packed & 0xFFU)};
  }

  std::uint64_t longest_cycles_;
  alignas(64) std::atomic<std::uint64_t> state_{packed({})};
  std::atomic<std::uint64_t> heard_{0};
  alignas(64) std::atomic<std::uint64_t> acknowledged_{0};
  std::atomic<std::uint64_t> fell_silent_{0};
  Holder seen_;
  std::uint64_t seen_heard_ = 0;
  std::uint64_t silent_cycles_ = 0;
};

}  // namespace jointrig::remote
