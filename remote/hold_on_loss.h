#pragma once

#include <string_view>

#include "control/core/event.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "remote/holder_watch.h"

namespace jointrig::remote {

/// Stops all joints when a lease ends, and reports each change of the lease as an event. The loop's
/// thread calls before_cycle() between two cycles; the stop is a command as any other, by the
/// sender `lease`, so log and events have it.
class HoldOnLoss {
 public:
  static constexpr std::string_view kSender = "lease";

  HoldOnLoss(HolderWatch& watch, CommandInbox& inbox, EventRing& events,
             std::size_t joints) noexcept
      : watch_(&watch), inbox_(&inbox), events_(&events) {
    for (std::size_t i = 0; i < joints; ++i) stop_.joints.set(i);
    sender_ = inbox.connect(kSender);
  }

  /// @param last  the snapshot of the cycle before: events have its number and time
  void before_cycle(const Snapshot& last) noexcept {
    const HolderWatch::Change change = watch_->on_cycle();
    report(change, last);
    if (change.ended.epoch != 0) is_due_ = true;
    if (!is_due_) return;
    // A full inbox: again in the next cycle, which empties a part of it.
    is_due_ = !inbox_->push({.request = stop_, .sender = sender_, .number = number_ + 1});
    if (!is_due_) ++number_;
  }

 private:
  void report(const HolderWatch::Change& change, const Snapshot& last) noexcept {
    if (change.ended.epoch != 0) {
      const bool gave_back = change.why == LeaseAct::kReleased;
      publish(gave_back ? EventKind::kLease : EventKind::kLeaseLost, change.why, change.ended,
              last);
    }
    if (change.began.epoch != 0) publish(EventKind::kLease, LeaseAct::kTaken, change.began, last);
  }

  void publish(EventKind kind, LeaseAct act, const HolderWatch::Holder& holder,
               const Snapshot& last) noexcept {
    Event event;
    event.kind = kind;
    event.detail = static_cast<std::uint8_t>(act);
    event.sender = holder.sender;
    event.number = holder.epoch;
    event.cycle = last.cycle;
    event.time_ns = last.time_ns;
    if (act == LeaseAct::kSilent) event.value = HolderWatch::kLongestSilence;
    events_->publish(event);
  }

  HolderWatch* watch_;
  CommandInbox* inbox_;
  EventRing* events_;
  Stop stop_;
  std::uint64_t number_ = 0;
  std::uint16_t sender_ = 0;
  bool is_due_ = false;
};

}  // namespace jointrig::remote
