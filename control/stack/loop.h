#pragma once

#include <cstdint>

#include "control/backend.h"
#include "control/exchange/snapshot_exchange.h"
#include "control/stack/loop_statistics.h"
#include "control/stack/stack.h"

namespace jointrig {

/// The loop: waits for a cycle, reads, decides, writes, publishes, and times itself.
///
///     Loop loop(backend, stack);
///     while (loop.step()) { ... }      // each step is one cycle
///
/// It allocates nothing after construction. Its times are wall-clock times for people: no decision
/// depends on them.
class Loop {
 public:
  /// Bounded work; the rest waits for the next cycle.
  static constexpr std::size_t kNoticesPerCycle = 16;

  /// `backend` has been started. Both outlive the loop.
  Loop(Backend& backend, Stack& stack);

  /// Runs one cycle; returns false when the backend ends the run.
  bool step() noexcept;

  /// The newest snapshot, for other threads.
  [[nodiscard]] const SnapshotExchange& exchange() const noexcept { return exchange_; }
  [[nodiscard]] const LoopStatistics& statistics() const noexcept { return statistics_; }
  [[nodiscard]] const RobotState& state() const noexcept { return state_; }
  [[nodiscard]] const RobotCommand& command() const noexcept { return command_; }

 private:
  Backend* backend_;
  Stack* stack_;
  RobotState state_;
  RobotCommand command_;
  SnapshotExchange exchange_;
  LoopStatistics statistics_;
};

}  // namespace jointrig
