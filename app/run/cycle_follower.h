#pragma once
/// Hands every cycle of a loop to a follower on another thread, which must keep up:
///
///     loop       hand_over: snapshot, truth  -->  ring
///     follower   next: one cycle from the ring, with the events up to it
///
/// The loop never waits. A follower that is more than the ring behind misses cycles: they are
/// counted, and the loop reports them in an event as soon as there is room again.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/exchange/telemetry_ring.h"
#include "control/stack/stack.h"

namespace jointrig::app {

class CycleFollower {
 public:
  /// Choice: longer than any hiccup of a healthy machine.
  static constexpr double kRingSeconds = 1.0;
  /// Period of the follower's polling: its answer to a cycle is there before the next one, and to
  /// wake it the loop would need a system call.
  static constexpr std::chrono::microseconds kRest{200};

  /// Follows events from now on. `stack` outlives this object.
  explicit CycleFollower(Stack& stack, std::size_t truth_count = 0,
                         double ring_seconds = kRingSeconds);

  // For the loop's thread, after each cycle. No function here allocates, locks or waits.

  void hand_over(std::span<const double> truth = {}) noexcept;
  /// Call after the last cycle: reports the last missed cycles.
  void conclude() noexcept;

  // For the follower's thread.

  /// Goes to the next cycle; returns false if there is none yet.
  bool next();
  /// Looks at something beside the loop (a world in another program), then goes through the cycles
  /// that were there before the look, while `take` returns true. So what was seen is as new as each
  /// cycle, however long the look took or this thread was kept from running.
  template <typename Look, typename Take>
  void look_and_follow(Look&& look, Take&& take) {
    std::size_t there = ring_.waiting();
    look();
    for (; there > 0 && next(); --there) {
      if (!take()) return;
    }
  }
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  [[nodiscard]] std::span<const double> truth() const noexcept { return truth_; }
  [[nodiscard]] std::span<const Event> events() const noexcept { return events_; }
  [[nodiscard]] std::uint64_t cycles_missed() const noexcept { return ring_.dropped(); }
  [[nodiscard]] std::uint64_t events_missed() const noexcept { return reader_.lost(); }
  /// Largest number of cycles that it was behind the loop. Not while it follows.
  [[nodiscard]] std::size_t most_behind() const noexcept { return most_behind_; }

 private:
  void take_events(std::uint64_t cycle);

  Stack* stack_;
  TelemetryRing ring_;
  std::uint64_t missed_in_a_row_ = 0;  // the loop's thread

  Snapshot snapshot_;
  std::vector<double> truth_;
  EventRing::Reader reader_;
  std::optional<Event> next_event_;  // event of a coming cycle
  std::vector<Event> events_;
  std::size_t most_behind_ = 0;
};

}  // namespace jointrig::app
