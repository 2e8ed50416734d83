#pragma once
/// How snapshots leave the loop: the newest one for whoever looks (SnapshotExchange), every one for
/// a single follower such as the log (TelemetryRing). The loop never waits for either.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "control/core/snapshot.h"

namespace jointrig {

/// Snapshots as 64-bit words; only the joints in use are carried.
class SnapshotWords {
 public:
  explicit SnapshotWords(std::size_t joint_count) noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return front_ + back_; }

  template <typename Store>
  void pack(const Snapshot& snapshot, Store&& store) const noexcept;
  template <typename Load>
  void unpack(Snapshot& snapshot, Load&& load) const noexcept;

 private:
  std::size_t front_;  ///< words up to the last joint in use
  std::size_t back_;   ///< words from `base` on
};

/// The newest snapshot, for any number of readers on any thread. Wait-free for the loop: a sequence
/// lock whose words are atomics (as in EventRing), so that a reader retries and the writer never
/// does.
class SnapshotExchange {
 public:
  explicit SnapshotExchange(std::size_t joint_count);

  /// The loop's thread only.
  void publish(const Snapshot& snapshot) noexcept;

  /// Copies the newest snapshot. False if there is none yet, or if the loop overwrote it each time
  /// that it was tried (a loop that runs far faster than real time): try again later. Any thread.
  bool read(Snapshot& snapshot) const noexcept;

 private:
  SnapshotWords layout_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> words_;
  std::atomic<std::uint64_t> version_{0};
};

/// Every snapshot, from the loop's thread to one other.
class TelemetryRing {
 public:
  /// @param capacity  snapshots that can wait; rounded up to a power of two
  TelemetryRing(std::size_t joint_count, std::size_t capacity);

  /// False when the follower is a whole ring behind: this one is dropped and counted.
  bool push(const Snapshot& snapshot) noexcept;

  /// False when there is nothing new. The follower's thread only.
  bool pop(Snapshot& snapshot) noexcept;

  /// True when the next push would be dropped.
  [[nodiscard]] bool full() const noexcept;
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

 private:
  SnapshotWords layout_;
  std::size_t mask_;
  std::vector<std::uint64_t> words_;
  alignas(64) std::atomic<std::size_t> head_{0};  ///< next to be popped
  alignas(64) std::atomic<std::size_t> tail_{0};  ///< next to be pushed
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace jointrig
