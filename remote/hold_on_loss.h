#pragma once

#include <string_view>

#include "control/exchange/command_inbox.h"
#include "remote/holder_watch.h"

namespace jointrig::remote {

/// Stops all joints when a lease ends. The loop's thread calls before_cycle() between two cycles;
/// the stop is a command as any other, by the sender `lease`, so log and events have it.
class HoldOnLoss {
 public:
  static constexpr std::string_view kSender = "lease";

  HoldOnLoss(HolderWatch& watch, CommandInbox& inbox, std::size_t joints) noexcept
      : watch_(&watch), inbox_(&inbox) {
    for (std::size_t i = 0; i < joints; ++i) stop_.joints.set(i);
    sender_ = inbox.connect(kSender);
  }

  void before_cycle() noexcept {
    if (watch_->on_cycle()) is_due_ = true;
    if (!is_due_) return;
    // A full inbox: again in the next cycle, which empties a part of it.
    is_due_ = !inbox_->push({.request = stop_, .sender = sender_, .number = number_ + 1});
    if (!is_due_) ++number_;
  }

 private:
  HolderWatch* watch_;
  CommandInbox* inbox_;
  Stop stop_;
  std::uint64_t number_ = 0;
  std::uint16_t sender_ = 0;
  bool is_due_ = false;
};

}  // namespace jointrig::remote
