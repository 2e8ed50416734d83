#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "control/exchange/snapshot_words.h"

namespace jointrig {

/// Carries every snapshot from the loop's thread to one follower on another thread, in records of
/// one size. The loop never waits: if the follower is a whole ring behind, snapshots are dropped
/// and counted.
class TelemetryRing {
 public:
  /// @param values numbers that travel with each snapshot: the truth of a simulated world, say
  /// @param capacity number of snapshots; rounded up to a power of two
  TelemetryRing(std::size_t joint_count, std::size_t values, std::size_t capacity,
                std::size_t arm_count = 0, std::size_t law_count = 0, std::size_t signal_count = 0);

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  /// Returns false if the snapshot was dropped. The loop's thread only.
  /// @param values  as many as the constructor's `values`
  bool push(const Snapshot& snapshot, std::span<const double> values = {}) noexcept;

  /// True if the next push would be dropped. The loop's thread only.
  [[nodiscard]] bool full() const noexcept;

  /// Returns false if there is no new snapshot. The follower's thread only.
  bool pop(Snapshot& snapshot, std::span<double> values = {}) noexcept;

  /// Number of snapshots in the ring. Any thread.
  [[nodiscard]] std::size_t waiting() const noexcept {
    return tail_.load(std::memory_order_relaxed) - head_.load(std::memory_order_relaxed);
  }

  /// Number of snapshots dropped so far. Any thread.
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

 private:
  // A record: the snapshot, then the values.
  [[nodiscard]] std::size_t record_size() const noexcept { return layout_.size() + values_; }

  SnapshotWords layout_;
  std::size_t values_;
  std::size_t mask_;
  std::vector<std::uint64_t> words_;
  alignas(64) std::atomic<std::size_t> head_{0};  ///< the next record to pop
  alignas(64) std::atomic<std::size_t> tail_{0};  ///< the next record to push
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace jointrig
