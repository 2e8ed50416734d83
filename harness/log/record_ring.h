#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace jointrig::harness {

/// Carries records of any size, in order, from one thread to another. Neither waits for the other;
/// both work on the record in place.
///
///     std::byte* at = ring.reserve(size);      // producer; nullptr: full
///     ...fill...; ring.commit();
///     auto record = ring.front();              // consumer; empty: nothing new
///     ...read...; ring.pop();
///
/// A record never wraps around: if it doesn't fit before the end, a mark is left and it starts at
/// 0.
class RecordRing {
 public:
  /// @param capacity  bytes; rounded up to a power of two. The largest record is half of it.
  explicit RecordRing(std::size_t capacity);

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

  /// Returns room for a record, aligned to 8, or nullptr. Producer only.
  /// @param keep_free  bytes that must remain free after it
  std::byte* reserve(std::size_t size, std::size_t keep_free = 0) noexcept;
  /// Hands over the last reserved record, and has the lines of a coming one fetched: nobody has
  /// them in a cache of this core, and stores to them would wait. Producer only.
  void commit() noexcept;

  /// The oldest record, its size rounded up to 8; empty when there is none. Consumer only.
  std::span<const std::byte> front() noexcept;
  /// Releases the oldest record. Consumer only.
  void pop() noexcept;

  /// True if all committed records have been popped. Any thread.
  [[nodiscard]] bool empty() const noexcept;

 private:
  static constexpr std::size_t kHeader = sizeof(std::uint64_t);
  static constexpr std::uint64_t kSkip = ~std::uint64_t{0};
  static constexpr std::uint64_t kLine = 64;  ///< of a cache
  /// Lines are fetched this far ahead: a choice, two cycles of seven joints.
  static constexpr std::uint64_t kAhead = 8192;

  std::uint64_t& header(std::uint64_t at) noexcept { return words_[(at & mask_) / kHeader]; }

  std::size_t mask_;
  std::unique_ptr<std::uint64_t[]> words_;
  // Counters of bytes that only grow. Each side keeps a copy of the other's, so that the shared
  // cache lines move once a round and not once a record.
  alignas(64) std::atomic<std::uint64_t> head_{0};
  std::uint64_t seen_tail_ = 0;  ///< consumer's
  alignas(64) std::atomic<std::uint64_t> tail_{0};
  std::uint64_t seen_head_ = 0;  ///< producer's
  std::uint64_t next_tail_ = 0;  ///< producer's: tail after commit()
};

}  // namespace jointrig::harness
