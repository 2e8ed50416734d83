#include "control/exchange/command_inbox.h"

#include <cstddef>
#include <memory>
#include <type_traits>

namespace jointrig {

namespace {

/// Has the place of a next command come nearer while the loop runs: it was last used 256 commands
/// ago. A hint, which changes nothing else.
void prepare(const Command& place) noexcept {
  constexpr std::size_t kLine = 64;    // bytes of a cache line
  constexpr std::size_t kUsual = 512;  // bytes of a sample for some 60 joints
  constexpr int kToWrite = 1;
  const auto* bytes = reinterpret_cast<const std::byte*>(&place);
  for (std::size_t at = 0; at < kUsual; at += kLine) __builtin_prefetch(bytes + at, kToWrite);
  __builtin_prefetch(&place.sender, kToWrite);
}

}  // namespace

// Here and not in the header: each file that reads a copy of all kinds of commands costs 0.3 s
// more.

CommandInbox::CommandInbox() : commands_(std::make_unique<Command[]>(kCapacity)) {
  for (std::size_t i = 0; i < kCapacity; ++i) tickets_[i].store(i);
}

bool CommandInbox::push(const Command& command) noexcept {
  std::size_t tail = tail_.load(std::memory_order_relaxed);
  for (;;) {
    const std::size_t slot = tail % kCapacity;
    const std::size_t ticket = tickets_[slot].load(std::memory_order_acquire);
    if (ticket == tail) {
      if (tail_.compare_exchange_weak(tail, tail + 1, std::memory_order_relaxed)) {
        // In the place of the old one: an assignment would wait for its kind to come from memory.
        static_assert(std::is_trivially_destructible_v<Command>);
        std::construct_at(&commands_[slot], command);
        tickets_[slot].store(tail + 1, std::memory_order_release);
        prepare(commands_[(slot + 1) % kCapacity]);
        return true;
      }
    } else if (ticket < tail) {
      return false;  // the slot still holds the command of the previous round
    } else {
      tail = tail_.load(std::memory_order_relaxed);  // another producer was faster
    }
  }
}

}  // namespace jointrig
