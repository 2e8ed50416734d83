#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "control/exchange/command_inbox.h"

namespace jointrig::remote {

/// Senders of the inbox for clients that come and go: the inbox has few, and keeps them. A seat is
/// one client's at a time, and its commands count on from those of the client before.
class Seats {
 public:
  struct Seat {
    std::size_t index = 0;
    std::uint16_t sender = 0;
    std::string name;               ///< remote1, remote2, ...
    std::uint64_t last_number = 0;  ///< of its commands so far
  };

  /// Fewer than `count` if the inbox has no more.
  Seats(CommandInbox& inbox, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "remote" + std::to_string(i + 1);
      const std::uint16_t sender = inbox.connect(name);
      if (sender != 0) seats_.push_back({{i, sender, name, 0}, false});
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return seats_.size(); }

  /// Nothing if all are taken.
  std::optional<Seat> take() {
    const std::lock_guard lock(mutex_);
    for (Place& place : seats_) {
      if (place.is_taken) continue;
      place.is_taken = true;
      return place.seat;
    }
    return std::nullopt;
  }
  void give_back(const Seat& seat) {
    const std::lock_guard lock(mutex_);
    seats_[seat.index].seat.last_number = seat.last_number;
    seats_[seat.index].is_taken = false;
  }

 private:
  struct Place {
    Seat seat;
    bool is_taken = false;
  };
  std::mutex mutex_;
  std::vector<Place> seats_;
};

}  // namespace jointrig::remote
