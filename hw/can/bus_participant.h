#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "hw/can/time.h"

namespace jointrig::can {

/// Somebody who lives on a virtual bus inside of this program, a board: called after everything
/// that happens there with the time, reads its node and sends. Returns when it wants to be called
/// even if nothing happens; kNever if it does not. The same one lives on a SteppedBus, in a time of
/// its own, and on a BusHub, in the monotonic clock's.
using BusParticipant = std::function<TimeNs(TimeNs now)>;

class BusParticipants {
 public:
  /// @param now  when it is called first, at the latest
  void add(BusParticipant participant, TimeNs now) {
    seats_.push_back({std::move(participant), now});
  }
  [[nodiscard]] TimeNs next_wake() const noexcept {
    TimeNs next = kNever;
    for (const Seat& seat : seats_) next = std::min(next, seat.wake);
    return next;
  }
  void call_all(TimeNs now) {
    for (Seat& seat : seats_) {
      // A participant that wants a call at once gets it a nanosecond later: time has to go on.
      seat.wake = std::max(seat.participant(now), now + 1);
    }
  }

 private:
  struct Seat {
    BusParticipant participant;
    TimeNs wake = 0;
  };
  std::vector<Seat> seats_;
};

}  // namespace jointrig::can
