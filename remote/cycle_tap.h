#pragma once

#include <atomic>
#include <cstdint>

#include "control/core/robot_config.h"
#include "control/exchange/telemetry_ring.h"

namespace jointrig::remote {

/// Hands every cycle of a loop to one follower at a time (WatchCycles of robot.proto). Without one
/// it costs the loop a look at a flag. A follower that is more than the ring behind misses cycles:
/// they are counted.
class CycleTap {
 public:
  static constexpr double kRingSeconds = 1.0;  ///< as of a follower in the loop's own program

  explicit CycleTap(const RobotConfig& config)
      : ring_(config.joints.size(), 0,
              static_cast<std::size_t>(kRingSeconds / to_seconds(config.period_ns)),
              config.arms.size(), config.laws.size(), signal_count(config.laws)) {}

  /// The loop's thread, after each cycle: neither allocates nor waits.
  void push(const Snapshot& snapshot) noexcept {
    if (is_followed_.load(std::memory_order_acquire)) ring_.push(snapshot);
  }

  // The follower's thread.

  /// Returns false if there is a follower already. Cycles from here on; `last` is overwritten.
  [[nodiscard]] bool open(Snapshot& last) noexcept {
    if (is_taken_.exchange(true)) return false;
    while (ring_.pop(last)) {  // of the follower before
    }
    dropped_before_ = ring_.dropped();
    is_followed_.store(true, std::memory_order_release);
    return true;
  }
  void close() noexcept {
    is_followed_.store(false, std::memory_order_release);
    is_taken_.store(false);
  }
  /// Returns false if there is no further cycle yet.
  bool next(Snapshot& snapshot) noexcept { return ring_.pop(snapshot); }
  /// Cycles that were lost since open().
  [[nodiscard]] std::uint64_t missed() const noexcept { return ring_.dropped() - dropped_before_; }

 private:
  TelemetryRing ring_;
  std::atomic<bool> is_taken_{false};
  std::atomic<bool> is_followed_{false};
  std::uint64_t dropped_before_ = 0;
};

}  // namespace jointrig::remote
