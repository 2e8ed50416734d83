#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "control/core/event.h"

namespace jointrig {

/// Events from the loop to any number of readers. The loop never waits; a reader that falls a whole
/// ring behind loses the oldest events and gets their number.
///
/// Each slot is a sequence lock: an odd version means that it is being written. The words are
/// atomics of their own, stored with release and loaded with acquire, so that a reader that saw a
/// word of a newer event also sees the newer version (H.-J. Boehm 2012, "Can seqlocks get along
/// with programming language memory models?").
class EventRing {
 public:
  static constexpr std::size_t kCapacity = 4096;

  EventRing() : slots_(std::make_unique<Slot[]>(kCapacity)) {}

  /// The loop's thread only.
  void publish(const Event& event) noexcept {
    const std::uint64_t index = count_.load(std::memory_order_relaxed);
    Slot& slot = slots_[index % kCapacity];
    slot.version.store(2 * index + 1, std::memory_order_relaxed);
    std::array<std::uint64_t, kWords> words{};
    std::memcpy(words.data(), &event, sizeof(Event));
    for (std::size_t i = 0; i < kWords; ++i) {
      slot.words[i].store(words[i], std::memory_order_release);
    }
    slot.version.store(2 * index + 2, std::memory_order_release);
    count_.store(index + 1, std::memory_order_release);
  }

  /// Events published so far.
  [[nodiscard]] std::uint64_t count() const noexcept {
    return count_.load(std::memory_order_acquire);
  }

  /// A reader with its own position; begins with the next event. One thread each.
  class Reader {
   public:
    explicit Reader(const EventRing& ring) noexcept : ring_(&ring), next_(ring.count()) {}

    /// Returns false if there is no new event; then the content of `event` is undefined.
    bool next(Event& event) noexcept {
      for (;;) {
        const std::uint64_t count = ring_->count();
        if (next_ == count) return false;
        if (count - next_ > kCapacity) skip_to(count - kCapacity);
        if (ring_->load(next_, event)) {
          ++next_;
          return true;
        }
        skip_to(next_ + 1);  // overwritten while it was being read
      }
    }

    [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

   private:
    void skip_to(std::uint64_t index) noexcept {
      lost_ += index - next_;
      next_ = index;
    }
    const EventRing* ring_;
    std::uint64_t next_;
    std::uint64_t lost_ = 0;
  };

 private:
  static constexpr std::size_t kWords = sizeof(Event) / sizeof(std::uint64_t);
  struct Slot {
    std::atomic<std::uint64_t> version{0};
    std::array<std::atomic<std::uint64_t>, kWords> words{};
  };

  bool load(std::uint64_t index, Event& event) const noexcept {
    const Slot& slot = slots_[index % kCapacity];
    if (slot.version.load(std::memory_order_acquire) != 2 * index + 2) return false;
    auto* bytes = reinterpret_cast<std::byte*>(&event);
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint64_t word = slot.words[i].load(std::memory_order_acquire);
      std::memcpy(bytes + i * sizeof word, &word, sizeof word);
    }
    return slot.version.load(std::memory_order_relaxed) == 2 * index + 2;
  }

  std::unique_ptr<Slot[]> slots_;
  std::atomic<std::uint64_t> count_{0};
};

}  // namespace jointrig
