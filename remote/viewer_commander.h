#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "remote/lease.h"
#include "remote/rate_limit.h"
#include "remote/served_robot.h"

namespace jointrig::remote {

/// Commands of viewers on their way to the inbox, under the lease. Each viewer is a client as those
/// of the server are: it takes the lease, gives signs of life, and is told the loop's answers. The
/// thread of the connections has it; it waits for the loop where a lease is taken, a cycle or two.
class ViewerCommander {
 public:
  using Clock = std::chrono::steady_clock;
  /// Told the answer to a command: empty, or a sentence that tells why not.
  using Told = std::function<void(const std::string& refusal)>;

  /// All of it outlives the commander.
  ViewerCommander(const ServedRobot& robot, Server& server);

  [[nodiscard]] ClientId new_client() { return server_->new_client(); }
  [[nodiscard]] bool holds(ClientId client) const { return lease_->now().holder == client; }
  /// @returns empty, or a sentence that tells why not; the others likewise
  std::string take(ClientId client, bool by_force);
  std::string release(ClientId client) { return lease_->release(client); }
  std::string stop(ClientId client) { return server_->stop(name_of(client)); }
  /// Writes parameters into robot.yaml; for the holder of the lease.
  std::string save(SavedChanges& saved) const;
  /// The viewer is gone.
  void leave(ClientId client) { lease_->leave(client); }
  /// A sign of life.
  void heard(ClientId client) { lease_->heard(client); }
  /// Empty for who holds the lease.
  [[nodiscard]] std::string why_not(ClientId client) const;

  /// Sends a command; `told` is called once, here or by answer().
  void give(ClientId client, const Request& request, Told told);
  /// Tells the answers that have come, and those that are overdue.
  /// @param cycle  of a snapshot that was read after all that is told
  void answer(std::uint64_t cycle);
  /// True while answers are due.
  [[nodiscard]] bool is_waiting() const { return !waiting_.empty(); }
  /// Changes of the lease since the last call.
  [[nodiscard]] std::vector<LeaseChange> lease_changes();

 private:
  struct Waiting {
    std::uint64_t number = 0;
    CommandKind kind = CommandKind::kStop;
    Clock::time_point due;
    Told told;
    std::optional<Event> answer;
  };

  [[nodiscard]] static std::string name_of(ClientId client);
  [[nodiscard]] std::string sentence_of(const Waiting& waiting) const;
  void read_events();
  bool push(const Request& request);

  const ServedRobot* robot_;
  Server* server_;
  Lease* lease_;
  EventRing::Reader events_;
  /// Of the present holder and of the one before it, whose name events still have.
  std::array<std::uint16_t, 2> senders_{};
  std::size_t sender_ = 0;  ///< place of the present one
  ClientId holder_ = 0;     ///< that took the lease last
  std::uint64_t epoch_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t change_ = 0;
  RateLimit commands_{kCommandRate, kCommandBurst};
  std::vector<Waiting> waiting_;
};

}  // namespace jointrig::remote
