#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "gui/plot/trace.h"

namespace jointrig::gui {

/// Plot data of one cycle.
struct TraceRow {
  std::uint64_t cycle = 0;
  TimeNs time_ns = 0;
  std::span<const float> values;     ///< by TraceTable's index, in the units shown
  std::span<const JointMode> modes;  ///< by joint
};

/// Carries the plot data of every cycle from the loop's thread to the window's: 33 bytes per joint,
/// where a snapshot has about 480. The loop never waits: if the window is a whole ring behind,
/// cycles are dropped and counted.
class TraceRing {
 public:
  /// @param capacity  number of cycles; rounded up to a power of two
  TraceRing(const RobotConfig& config, std::size_t capacity);

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  /// Returns false if the cycle was dropped. The loop's thread only.
  bool push(const Snapshot& snapshot) noexcept;

  /// Passes the oldest row to take(const TraceRow&), valid during the call. Returns false if there
  /// is none. The window's thread only.
  template <typename Take>
  bool pop(const Take& take) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    take(row(head & mask_));
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  /// Number of dropped cycles. Any thread.
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

 private:
  struct Stamp {
    std::uint64_t cycle = 0;
    TimeNs time_ns = 0;
  };
  [[nodiscard]] TraceRow row(std::size_t place) const noexcept;

  TraceTable table_;
  std::size_t mask_;
  std::vector<Stamp> stamps_;
  std::vector<float> values_;
  std::vector<JointMode> modes_;
  alignas(64) std::atomic<std::size_t> head_{0};  ///< the next row to pop
  alignas(64) std::atomic<std::size_t> tail_{0};  ///< the next row to push
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace jointrig::gui
