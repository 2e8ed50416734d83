#pragma once
/// Statistics of the loop: duration of each stage, lateness of the wake-up, overruns.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "control/core/enumeration.h"
#include "control/core/types.h"
#include "control/stack/duration_histogram.h"

namespace jointrig {

/// Stages of a cycle; wake_up is the lateness of the wake-up.
#define JOINTRIG_LOOP_STAGES(X) \
  X(kWakeUp, "wake_up")         \
  X(kRead, "read")              \
  X(kDecide, "decide")          \
  X(kWrite, "write")
JOINTRIG_ENUM(LoopStage, JOINTRIG_LOOP_STAGES)

/// Times of one cycle, by the wall clock.
struct CycleTimes {
  std::optional<std::int64_t> late_ns =
      std::nullopt;  ///< delay of the wake-up; absent: the cycle is not paced
  std::int64_t read_ns = 0;
  std::int64_t decide_ns = 0;
  std::int64_t write_ns = 0;

  /// Time from the wake-up to the end of the write.
  [[nodiscard]] std::int64_t cycle_ns() const noexcept { return read_ns + decide_ns + write_ns; }
};

struct LoopSummary {
  TimeNs period_ns = 0;
  DurationSummary cycle;  ///< read + decide + write
  DurationSummary read;
  DurationSummary decide;
  DurationSummary write;
  DurationSummary late;  ///< lateness of the paced cycles; count 0 without any
  std::array<std::uint64_t, kAllLoopStage.size()> overruns_by{};  ///< by LoopStage
  std::uint64_t skipped = 0;                                      ///< whole periods without a cycle

  [[nodiscard]] std::uint64_t overruns() const noexcept;
};

/// `1 kHz  cycle p50 3.1 µs  p99 4.0 µs  p99.9 6.2 µs  max 41 µs · overruns 2 (decide 2)`; for
/// paced cycles also ` · late p50 …  p99 …  max …`.
[[nodiscard]] std::string to_line(const LoopSummary& summary);

/// `850 ns`, `3.14 µs`, `1.20 ms`, `2.50 s`: three digits.
[[nodiscard]] std::string duration_text(std::int64_t duration_ns);

/// A cycle overruns when lateness plus duration exceed the period: the next cycle can't start on
/// time. The longest of its four stages is the cause.
///
/// The loop's thread records; summary() and reset() are for any thread. No call waits for another
/// thread.
class LoopStatistics {
 public:
  explicit LoopStatistics(TimeNs period_ns) noexcept : period_ns_(period_ns) {}

  /// Loop thread: no allocation, no lock, no system call.
  /// @returns the cause if the cycle overran
  std::optional<LoopStage> record(const CycleTimes& times) noexcept;

  /// Adds whole periods that passed without a cycle. Loop thread.
  void add_skipped(std::uint64_t periods) noexcept;

  /// Restarts with the next recorded cycle. Any thread.
  void reset() noexcept { reset_wanted_.store(true, std::memory_order_relaxed); }

  [[nodiscard]] LoopSummary summary() const noexcept;
  [[nodiscard]] std::uint64_t overruns() const noexcept;
  [[nodiscard]] TimeNs period_ns() const noexcept { return period_ns_; }

  [[nodiscard]] const DurationHistogram& cycle() const noexcept { return cycle_; }
  [[nodiscard]] const DurationHistogram& late() const noexcept { return late_; }

 private:
  void clear() noexcept;

  TimeNs period_ns_;
  DurationHistogram cycle_;
  DurationHistogram read_;
  DurationHistogram decide_;
  DurationHistogram write_;
  DurationHistogram late_;
  std::array<std::atomic<std::uint64_t>, kAllLoopStage.size()> overruns_by_{};
  std::atomic<std::uint64_t> skipped_{0};
  std::atomic<bool> reset_wanted_{false};
};

}  // namespace jointrig
