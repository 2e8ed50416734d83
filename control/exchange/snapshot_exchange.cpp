#include "control/exchange/snapshot_exchange.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <type_traits>

namespace jointrig {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kBaseOffset = offsetof(Snapshot, base);
constexpr std::size_t kJointsOffset = offsetof(Snapshot, joints);
constexpr int kReadTries = 64;

// The layout that the words rely on: the vector's size stands before its elements.
static_assert(std::is_standard_layout_v<Snapshot>);
static_assert(sizeof(PerJoint<JointSnapshot>) ==
              sizeof(std::size_t) + kMaxJoints * sizeof(JointSnapshot));
static_assert(sizeof(Snapshot) % kWord == 0 && kBaseOffset % kWord == 0 &&
              kJointsOffset % kWord == 0 && sizeof(JointSnapshot) % kWord == 0);

}  // namespace

SnapshotWords::SnapshotWords(std::size_t joint_count) noexcept
    : front_((kJointsOffset + sizeof(std::size_t) + joint_count * sizeof(JointSnapshot)) / kWord),
      back_((sizeof(Snapshot) - kBaseOffset) / kWord) {
  assert(joint_count <= kMaxJoints);
}

template <typename Store>
void SnapshotWords::pack(const Snapshot& snapshot, Store&& store) const noexcept {
  const auto* bytes = reinterpret_cast<const std::byte*>(&snapshot);
  const auto word_at = [bytes](std::size_t offset) {
    std::uint64_t word;
    std::memcpy(&word, bytes + offset, kWord);
    return word;
  };
  for (std::size_t i = 0; i < front_; ++i) store(i, word_at(i * kWord));
  for (std::size_t i = 0; i < back_; ++i) store(front_ + i, word_at(kBaseOffset + i * kWord));
}

template <typename Load>
void SnapshotWords::unpack(Snapshot& snapshot, Load&& load) const noexcept {
  auto* bytes = reinterpret_cast<std::byte*>(&snapshot);
  const auto put = [bytes](std::size_t offset, std::uint64_t word) {
    std::memcpy(bytes + offset, &word, kWord);
  };
  for (std::size_t i = 0; i < front_; ++i) put(i * kWord, load(i));
  for (std::size_t i = 0; i < back_; ++i) put(kBaseOffset + i * kWord, load(front_ + i));
}

SnapshotExchange::SnapshotExchange(std::size_t joint_count)
    : layout_(joint_count),
      words_(std::make_unique<std::atomic<std::uint64_t>[]>(layout_.size())) {}

void SnapshotExchange::publish(const Snapshot& snapshot) noexcept {
  const std::uint64_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  layout_.pack(snapshot, [this](std::size_t i, std::uint64_t word) {
    words_[i].store(word, std::memory_order_release);
  });
  version_.store(version + 2, std::memory_order_release);
}

bool SnapshotExchange::read(Snapshot& snapshot) const noexcept {
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

TelemetryRing::TelemetryRing(std::size_t joint_count, std::size_t capacity)
    : layout_(joint_count),
      mask_(std::bit_ceil(capacity) - 1),
      words_((mask_ + 1) * layout_.size()) {}

bool TelemetryRing::full() const noexcept {
  return tail_.load(std::memory_order_relaxed) - head_.load(std::memory_order_acquire) > mask_;
}

bool TelemetryRing::push(const Snapshot& snapshot) noexcept {
  if (full()) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  const std::size_t tail = tail_.load(std::memory_order_relaxed);
  std::uint64_t* slot = words_.data() + (tail & mask_) * layout_.size();
  layout_.pack(snapshot, [slot](std::size_t i, std::uint64_t word) { slot[i] = word; });
  tail_.store(tail + 1, std::memory_order_release);
  return true;
}

bool TelemetryRing::pop(Snapshot& snapshot) noexcept {
  const std::size_t head = head_.load(std::memory_order_relaxed);
  if (head == tail_.load(std::memory_order_acquire)) return false;
  const std::uint64_t* slot = words_.data() + (head & mask_) * layout_.size();
  layout_.unpack(snapshot, [slot](std::size_t i) { return slot[i]; });
  head_.store(head + 1, std::memory_order_release);
  return true;
}

}  // namespace jointrig
