#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/exchange/command_inbox.h"

namespace jointrig::remote {

/// Senders of the inbox for clients that come and go: the inbox has few, and keeps them. A seat is
/// one client's at a time, whose name is in the sender's; its commands count on from those of the
/// client before. Of the free seats the one that was free for longest is given, so that a log that
/// is written a little later still finds the name of a client that is gone.
class Seats {
 public:
  struct Seat {
    std::size_t index = 0;
    std::uint16_t sender = 0;
    std::string name;               ///< remote1:anna: the seat's, then the client's
    std::uint64_t last_number = 0;  ///< of its commands so far
  };

  /// Fewer than `count` if the inbox has no more.
  Seats(CommandInbox& inbox, std::size_t count) : inbox_(&inbox) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t sender = inbox.connect(name_of(i));
      if (sender != 0) seats_.push_back({{i, sender, name_of(i), 0}, false, 0});
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return seats_.size(); }

  /// Nothing if all are taken.
  std::optional<Seat> take(std::string_view client) {
    const std::lock_guard lock(mutex_);
    Place* free = nullptr;
    for (Place& place : seats_) {
      if (!place.is_taken && (free == nullptr || place.freed < free->freed)) free = &place;
    }
    if (free == nullptr) return std::nullopt;
    free->is_taken = true;
    free->seat.name = name_of(free->seat.index) + ":" + std::string(client);
    free->seat.name.resize(std::min(free->seat.name.size(), SenderName::kLongest));
    inbox_->rename(free->seat.sender, free->seat.name);
    return free->seat;
  }
  void give_back(const Seat& seat) {
    const std::lock_guard lock(mutex_);
    seats_[seat.index].seat.last_number = seat.last_number;
    seats_[seat.index].is_taken = false;
    seats_[seat.index].freed = ++given_back_;
  }

 private:
  struct Place {
    Seat seat;
    bool is_taken = false;
    std::uint64_t freed = 0;  ///< counts up; 0: never taken
  };
  static std::string name_of(std::size_t index) { return "remote" + std::to_string(index + 1); }

  CommandInbox* inbox_;
  std::mutex mutex_;
  std::vector<Place> seats_;
  std::uint64_t given_back_ = 0;
};

}  // namespace jointrig::remote
