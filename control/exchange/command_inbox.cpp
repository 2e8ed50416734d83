#include "control/exchange/command_inbox.h"

namespace jointrig {

// Here and not in the header: each file that reads a copy of all kinds of commands costs 0.3 s
// more.

CommandInbox::CommandInbox() : slots_(std::make_unique<Slot[]>(kCapacity)) {
  for (std::size_t i = 0; i < kCapacity; ++i) slots_[i].ticket.store(i);
}

bool CommandInbox::push(const Command& command) noexcept {
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

}  // namespace jointrig
