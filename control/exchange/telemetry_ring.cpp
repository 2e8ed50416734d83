#include "control/exchange/telemetry_ring.h"

#include <bit>
#include <cassert>

namespace jointrig {

TelemetryRing::TelemetryRing(std::size_t joint_count, std::size_t values, std::size_t capacity,
                             std::size_t arm_count, std::size_t law_count, std::size_t signal_count)
    : layout_(joint_count, arm_count, law_count, signal_count),
      values_(values),
      mask_(std::bit_ceil(capacity) - 1),
      words_((mask_ + 1) * record_size()) {}

bool TelemetryRing::full() const noexcept {
  return tail_.load(std::memory_order_relaxed) - head_.load(std::memory_order_acquire) > mask_;
}

bool TelemetryRing::push(const Snapshot& snapshot, std::span<const double> values) noexcept {
  assert(values.size() == values_);
  if (full()) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  const std::size_t tail = tail_.load(std::memory_order_relaxed);
  std::uint64_t* record = words_.data() + (tail & mask_) * record_size();
  layout_.pack(snapshot, [record](std::size_t i, std::uint64_t word) { record[i] = word; });
  record += layout_.size();
  for (const double value : values) *record++ = std::bit_cast<std::uint64_t>(value);
  tail_.store(tail + 1, std::memory_order_release);
  return true;
}

bool TelemetryRing::pop(Snapshot& snapshot, std::span<double> values) noexcept {
  assert(values.size() == values_);
  const std::size_t head = head_.load(std::memory_order_relaxed);
  if (head == tail_.load(std::memory_order_acquire)) return false;
  const std::uint64_t* record = words_.data() + (head & mask_) * record_size();
  layout_.unpack(snapshot, [record](std::size_t i) { return record[i]; });
  record += layout_.size();
  for (double& value : values) value = std::bit_cast<double>(*record++);
  head_.store(head + 1, std::memory_order_release);
  return true;
}

}  // namespace jointrig
