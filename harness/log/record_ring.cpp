#include "harness/log/record_ring.h"

#include <bit>

namespace jointrig::harness {

RecordRing::RecordRing(std::size_t capacity)
    : mask_(std::bit_ceil(capacity) - 1),
      words_(std::make_unique<std::uint64_t[]>((mask_ + 1) / kHeader)) {}

std::byte* RecordRing::reserve(std::size_t size, std::size_t keep_free) noexcept {
  const std::size_t need = kHeader + (size + kHeader - 1) / kHeader * kHeader;
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  const std::size_t to_end = capacity() - (tail & mask_);
  const std::size_t skipped = need <= to_end ? 0 : to_end;
  const std::uint64_t end = tail + skipped + need;
  if (end + keep_free - seen_head_ > capacity()) {
    seen_head_ = head_.load(std::memory_order_acquire);
    if (end + keep_free - seen_head_ > capacity()) return nullptr;
  }
  if (skipped != 0) header(tail) = kSkip;
  header(tail + skipped) = need - kHeader;
  next_tail_ = end;
  return reinterpret_cast<std::byte*>(&header(tail + skipped) + 1);
}

void RecordRing::commit() noexcept {
  const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
  tail_.store(next_tail_, std::memory_order_release);
  for (std::uint64_t at = tail; at < next_tail_; at += kLine) {
    __builtin_prefetch(&header(at + kAhead), 1);
  }
}

std::span<const std::byte> RecordRing::front() noexcept {
  std::uint64_t head = head_.load(std::memory_order_relaxed);
  if (head == seen_tail_) {
    seen_tail_ = tail_.load(std::memory_order_acquire);
    if (head == seen_tail_) return {};
  }
  if (header(head) == kSkip) {
    head += capacity() - (head & mask_);
    head_.store(head, std::memory_order_release);  // a mark is committed with the record after it
  }
  const std::uint64_t& size = header(head);
  return {reinterpret_cast<const std::byte*>(&size + 1), size};
}

void RecordRing::pop() noexcept {
  const std::uint64_t head = head_.load(std::memory_order_relaxed);
  head_.store(head + kHeader + header(head), std::memory_order_release);
}

bool RecordRing::empty() const noexcept {
  return head_.load(std::memory_order_acquire) == tail_.load(std::memory_order_acquire);
}

}  // namespace jointrig::harness
