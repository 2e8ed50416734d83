#pragma once
/// What a loop does, for somebody who looks at every cycle on another thread and has to keep up:
///
///     loop       hand_over: snapshot, truth  -->  ring
///     follower   next: one cycle from the ring, with the events up to it
///
/// The loop never waits. A follower that is more than the ring behind misses cycles: they are
/// counted, and the loop says so in an event as soon as there is room again.

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
  static constexpr double kRingSeconds = 1.0;  ///< choice: no hiccup of a healthy machine is longer
  /// How often a follower looks for work: what it answers to a cycle is there before the next one,
  /// and waking it from the loop would be a system call there.
  static constexpr std::chrono::microseconds kRest{200};

  /// Events from now on. `stack` outlives it.
  explicit CycleFollower(Stack& stack, std::size_t truth_count = 0,
                         double ring_seconds = kRingSeconds);

  // The loop's thread, after each cycle. Nothing here allocates, locks or waits.

  void hand_over(std::span<const double> truth = {}) noexcept;
  /// No cycle comes any more: tells what was missed last.
  void conclude() noexcept;

  // The follower's.

  /// On to the next cycle; false: there is none yet.
  bool next();
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  [[nodiscard]] std::span<const double> truth() const noexcept { return truth_; }
  [[nodiscard]] std::span<const Event> events() const noexcept { return events_; }
  [[nodiscard]] std::uint64_t cycles_missed() const noexcept { return ring_.dropped(); }
  [[nodiscard]] std::uint64_t events_missed() const noexcept { return reader_.lost(); }
  /// How many cycles it was behind the loop when it was worst. Not while anybody follows.
  [[nodiscard]] std::size_t most_behind() const noexcept { return most_behind_; }

 private:
  void take_events(std::uint64_t cycle);

  Stack* stack_;
  TelemetryRing ring_;
  std::uint64_t missed_in_a_row_ = 0;  // the loop's

  Snapshot snapshot_;
  std::vector<double> truth_;
  EventRing::Reader reader_;
  std::optional<Event> next_event_;  // of a cycle yet to come
  std::vector<Event> events_;
  std::size_t most_behind_ = 0;
};

}  // namespace jointrig::app
