#pragma once
/// The right to command the robot: one holder has it, by a lease with an epoch that counts up. For
/// the server's threads; the loop's side is HolderWatch.

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "remote/holder_watch.h"

namespace jointrig::remote {

/// A client of the server: counts up, never used again.
using ClientId = std::uint64_t;

/// A change of the lease.
struct LeaseChange {
  std::uint64_t number = 0;  ///< counts up from 1
  std::uint64_t epoch = 0;   ///< of the last lease that was given
  ClientId holder = 0;       ///< 0: it is free
  std::string holder_name;
  std::string sentence;
};

/// Why a command isn't passed on. Empty `reason`: it was.
struct LeaseRefusal {
  std::string reason;  ///< no_lease, stale_epoch
  std::string sentence;
};

class Lease {
 public:
  static constexpr std::size_t kKeptChanges = 64;  ///< a choice

  explicit Lease(HolderWatch& watch) : watch_(&watch) {}

  /// Gives the lease. Waits until the loop has seen it: a cycle or two.
  /// @param by_force  from its present holder, too
  /// @param sender    of the client's commands, in the inbox
  /// @returns empty, or a sentence that tells why not
  std::string take(ClientId client, const std::string& name, bool by_force,
                   std::uint16_t sender = 0);
  /// @returns empty, or a sentence that tells why not
  std::string release(ClientId client);
  /// The client is no longer connected.
  void leave(ClientId client);
  /// Somebody else has stopped the robot: the lease ends. No effect for its holder.
  void stopped_by(ClientId client, const std::string& name);
  /// A sign of life.
  void heard(ClientId client);

  /// Calls `push` if the client holds the lease of this epoch. No takeover can come in between, and
  /// should the loop end the lease meanwhile, `undo` is called: what was pushed must not move a
  /// robot that nobody holds.
  LeaseRefusal pass(ClientId client, std::uint64_t epoch, const std::function<void()>& push,
                    const std::function<void()>& undo);

  /// Notices that the loop has ended the lease; call now and then.
  void look();

  [[nodiscard]] LeaseChange now() const;
  /// Changes after the one of this number, oldest first.
  [[nodiscard]] std::vector<LeaseChange> changes_after(std::uint64_t number) const;

 private:
  void end(const std::string& sentence);
  void look_at_watch();
  void note(std::string sentence);

  HolderWatch* watch_;
  mutable std::mutex mutex_;
  std::uint64_t epoch_ = 0;
  ClientId holder_ = 0;
  std::string name_;
  std::uint64_t number_ = 0;
  std::deque<LeaseChange> changes_;
};

}  // namespace jointrig::remote
