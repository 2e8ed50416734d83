#include "control/exchange/snapshot_exchange.h"

namespace jointrig {
namespace {

constexpr int kReadTries = 64;

}  // namespace

SnapshotExchange::SnapshotExchange(std::size_t joint_count, std::size_t arm_count,
                                   std::size_t law_count, std::size_t signal_count)
    : layout_(joint_count, arm_count, law_count, signal_count),
      words_(std::make_unique<std::atomic<std::uint64_t>[]>(layout_.size())) {}

void SnapshotExchange::publish(const Snapshot& snapshot) noexcept {
  if (!is_read_.load(std::memory_order_relaxed)) return;
  const std::uint64_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  layout_.pack(snapshot, [words = words_.get()](std::size_t i, std::uint64_t word) {
    words[i].store(word, std::memory_order_release);
  });
  version_.store(version + 2, std::memory_order_release);
}

bool SnapshotExchange::read(Snapshot& snapshot) const noexcept {
  if (!is_read_.load(std::memory_order_relaxed)) is_read_.store(true, std::memory_order_relaxed);
  for (int i = 0; i < kReadTries; ++i) {
    const std::uint64_t before = version_.load(std::memory_order_acquire);
    if (before == 0) return false;
    if (before % 2 != 0) continue;
    layout_.unpack(snapshot,
                   [this](std::size_t w) { return words_[w].load(std::memory_order_acquire); });
    if (version_.load(std::memory_order_relaxed) == before) return true;
  }
  return false;
}

}  // namespace jointrig
