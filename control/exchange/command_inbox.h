#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "control/core/command.h"

namespace jointrig {

/// Name of a sender, by value: the sender may get another one.
class SenderName {
 public:
  static constexpr std::size_t kLongest = 31;

  SenderName() = default;
  explicit SenderName(std::string_view name) noexcept {
    bytes_[kLongest] = static_cast<char>(name.copy(bytes_.data(), kLongest));
  }
  // NOLINTNEXTLINE(google-explicit-constructor): it is a text
  operator std::string_view() const noexcept {
    return {bytes_.data(), static_cast<std::size_t>(bytes_[kLongest])};
  }
  bool operator==(std::string_view other) const noexcept {
    return std::string_view(*this) == other;
  }

 private:
  std::array<char, kLongest + 1> bytes_{};  ///< the last one is the length
};

/// The only input of the loop: a bounded queue. Any number of threads push, the loop's thread
/// drains, and neither side waits for the other.
///
/// Each slot carries a ticket that names the side whose turn it is (the bounded queue of D.
/// Vyukov): a producer claims a slot by advancing the tail and hands it over by raising the ticket.
class CommandInbox {
 public:
  static constexpr std::size_t kCapacity = 256;  ///< commands waiting; a power of two
  static constexpr std::size_t kMaxSenders = 64;

  CommandInbox();

  /// Returns a new sender id from 1 up; 0 when all are in use. Any thread.
  std::uint16_t connect(std::string_view name) noexcept {
    const std::size_t id = senders_.fetch_add(1) + 1;
    if (id >= kMaxSenders) return 0;
    names_[id].write(SenderName(name));
    return static_cast<std::uint16_t>(id);
  }

  /// Gives a sender another name, for one that several use one after the other. The thread that
  /// connected it, or one at a time.
  void rename(std::uint16_t id, std::string_view name) noexcept {
    if (id != 0 && id < kMaxSenders) names_[id].write(SenderName(name));
  }

  /// Its present name; empty for an unused id. Any thread.
  [[nodiscard]] SenderName sender_name(std::uint16_t id) const noexcept {
    return id < kMaxSenders ? names_[id].read() : SenderName();
  }

  /// Returns false if the queue is full: try again in a cycle. Any thread.
  bool push(const Command& command) noexcept;

  /// Passes at most `most` commands to `take(const Command&)`, oldest first. The loop's thread
  /// only.
  template <typename Take>
  std::size_t drain(std::size_t most, Take&& take) noexcept {
    std::size_t taken = 0;
    while (taken < most) {
      std::atomic<std::size_t>& ticket = tickets_[head_ % kCapacity];
      if (ticket.load(std::memory_order_acquire) != head_ + 1) break;
      take(commands_[head_ % kCapacity]);
      ticket.store(head_ + kCapacity, std::memory_order_release);
      ++head_;
      ++taken;
    }
    return taken;
  }

 private:
  /// A name behind a sequence lock, as the slots of EventRing. One writer at a time.
  class NamePlate {
   public:
    void write(const SenderName& name) noexcept {
      const std::uint64_t version = version_.load(std::memory_order_relaxed);
      version_.store(version + 1, std::memory_order_relaxed);
      std::array<std::uint64_t, kWords> words{};
      std::memcpy(words.data(), &name, sizeof name);
      for (std::size_t i = 0; i < kWords; ++i) words_[i].store(words[i], std::memory_order_release);
      version_.store(version + 2, std::memory_order_release);
    }
    [[nodiscard]] SenderName read() const noexcept {
      for (;;) {
        const std::uint64_t version = version_.load(std::memory_order_acquire);
        std::array<std::uint64_t, kWords> words{};
        for (std::size_t i = 0; i < kWords; ++i) {
          words[i] = words_[i].load(std::memory_order_acquire);
        }
        if (version % 2 != 0 || version_.load(std::memory_order_relaxed) != version) continue;
        SenderName name;
        std::memcpy(static_cast<void*>(&name), words.data(), sizeof name);
        return name;
      }
    }

   private:
    static constexpr std::size_t kWords = sizeof(SenderName) / sizeof(std::uint64_t);
    static_assert(sizeof(SenderName) % sizeof(std::uint64_t) == 0);
    std::atomic<std::uint64_t> version_{0};
    std::array<std::atomic<std::uint64_t>, kWords> words_{};
  };

  // A slot's ticket and its command lie apart: some pages of commands are seldom in a cache, and to
  // see whether one is there must not wait for them.
  std::array<std::atomic<std::size_t>, kCapacity> tickets_;
  std::unique_ptr<Command[]> commands_;
  alignas(64) std::atomic<std::size_t> tail_{0};
  alignas(64) std::size_t head_ = 0;
  alignas(64) std::atomic<std::size_t> senders_{0};
  std::array<NamePlate, kMaxSenders> names_;
};

}  // namespace jointrig
