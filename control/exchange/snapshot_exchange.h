#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "control/exchange/snapshot_words.h"

namespace jointrig {

/// The newest snapshot, for any number of readers on any thread; TelemetryRing carries every
/// snapshot. Wait-free for the loop: a sequence lock whose words are atomics (as in EventRing), so
/// that a reader retries and the writer never does. A loop without readers, as in a headless run,
/// copies nothing.
class SnapshotExchange {
 public:
  explicit SnapshotExchange(std::size_t joint_count, std::size_t arm_count = 0,
                            std::size_t law_count = 0, std::size_t signal_count = 0);

  /// The loop's thread only.
  void publish(const Snapshot& snapshot) noexcept;

  /// Copies the newest snapshot. Returns false if there is none yet (the first call requests them
  /// from the next cycle on), or if the loop overwrote it at each attempt (a loop far faster than
  /// real time): try again later. Any thread.
  bool read(Snapshot& snapshot) const noexcept;

  /// Number of snapshots so far, for a reader that copies each only once. Looking at it costs the
  /// loop no more than one word that is read. Any thread.
  [[nodiscard]] std::uint64_t count() const noexcept {
    return version_.load(std::memory_order_acquire) / 2;
  }

 private:
  SnapshotWords layout_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
  std::atomic<std::uint64_t> version_{0};
  mutable std::atomic<bool> is_read_{false};
};

}  // namespace jointrig
