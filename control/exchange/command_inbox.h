#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "control/core/command.h"

namespace jointrig {

/// The only input of the loop: a bounded queue. Any number of threads push, the loop's thread
/// drains, and neither side waits for the other.
///
/// Each slot carries a ticket that names the side whose turn it is (the bounded queue of D.
/// Vyukov): a producer claims a slot by advancing the tail and hands it over by raising the ticket.
class CommandInbox {
 public:
  static constexpr std::size_t kCapacity = 256;  ///< commands waiting; a power of two
  static constexpr std::size_t kMaxSenders = 64;
  static constexpr std::size_t kMaxSenderName = 31;

  CommandInbox() : slots_(std::make_unique<Slot[]>(kCapacity)) {
    for (std::size_t i = 0; i < kCapacity; ++i) slots_[i].ticket.store(i);
  }

  /// Returns a new sender id from 1 up; 0 when all are in use. Any thread.
  std::uint16_t connect(std::string_view name) noexcept {
    const std::size_t id = senders_.fetch_add(1) + 1;
    if (id >= kMaxSenders) return 0;
    SenderName& entry = names_[id];
    entry.length = static_cast<std::uint8_t>(name.copy(entry.text.data(), kMaxSenderName));
    entry.known.store(true, std::memory_order_release);
    return static_cast<std::uint16_t>(id);
  }

  /// Name given to connect(); empty for an unused id. Any thread.
  [[nodiscard]] std::string_view sender_name(std::uint16_t id) const noexcept {
    if (id >= kMaxSenders || !names_[id].known.load(std::memory_order_acquire)) return {};
    return {names_[id].text.data(), names_[id].length};
  }

  /// Returns false if the queue is full: try again in a cycle. Any thread.
  bool push(const Command& command) noexcept {
    std::size_t tail = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Slot& slot = slots_[tail % kCapacity];
      const std::size_t ticket = slot.ticket.load(std::memory_order_acquire);
      if (ticket == tail) {
        if (tail_.compare_exchange_weak(tail, tail + 1, std::memory_order_relaxed)) {
          slot.command = command;
          slot.ticket.store(tail + 1, std::memory_order_release);
          return true;
        }
      } else if (ticket < tail) {
        return false;  // the slot still holds the command of the previous round
      } else {
        tail = tail_.load(std::memory_order_relaxed);  // another producer was faster
      }
    }
  }

  /// Passes at most `most` commands to `take(const Command&)`, oldest first. The loop's thread
  /// only.
  template <typename Take>
  std::size_t drain(std::size_t most, Take&& take) noexcept {
    std::size_t taken = 0;
    while (taken < most) {
      Slot& slot = slots_[head_ % kCapacity];
      if (slot.ticket.load(std::memory_order_acquire) != head_ + 1) break;
      take(slot.command);
      slot.ticket.store(head_ + kCapacity, std::memory_order_release);
      ++head_;
      ++taken;
    }
    return taken;
  }

 private:
  struct Slot {
    std::atomic<std::size_t> ticket{0};
    Command command;
  };
  struct SenderName {
    std::atomic<bool> known{false};
    std::uint8_t length = 0;
    std::array<char, kMaxSenderName> text{};
  };

  std::unique_ptr<Slot[]> slots_;
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::size_t head_ = 0;
  alignas(64) std::atomic<std::size_t> senders_{0};
  std::array<SenderName, kMaxSenders> names_;
};

}  // namespace jointrig
