#pragma once
/// Cycles and events whole, as they lie in memory, between two programs of the same build.

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "control/exchange/snapshot_words.h"
#include "remote/cycle_tap.h"

namespace jointrig::remote {

namespace v1 {
class CycleRequest;
class Cycles;
}  // namespace v1

/// Words of a robot's snapshot.
[[nodiscard]] SnapshotWords snapshot_words(const RobotConfig& config) noexcept;

void write_layout(const RobotConfig& config, v1::CycleRequest& request);
/// True if the client's program has the same snapshot and event in memory.
[[nodiscard]] bool is_our_layout(const RobotConfig& config, const v1::CycleRequest& request);

/// Fills messages from a tap, on the server's side. One thread.
class CycleSource {
 public:
  CycleSource(const RobotConfig& config, const EventRing& events, const CommandInbox& inbox);

  /// Fills in what is new.
  /// @returns false: nothing is
  [[nodiscard]] bool fill(CycleTap& tap, v1::Cycles& message);

 private:
  SnapshotWords words_;
  EventRing::Reader events_;
  const CommandInbox* inbox_;
  Snapshot snapshot_;
  std::set<std::uint16_t> named_;
};

/// Takes messages apart, on the client's side. One thread at a time.
class CycleReader {
 public:
  /// Cycles that wait at most; older ones are lost and counted. A choice: some seconds.
  static constexpr std::size_t kMost = 5000;

  explicit CycleReader(const RobotConfig& config);

  /// Returns false for a message that no server of this build sends.
  [[nodiscard]] bool take(const v1::Cycles& message);

  /// Goes to the next cycle; `events` are those up to it. Returns false if there is none yet.
  bool next(Snapshot& snapshot, std::vector<Event>& events);
  /// Name of the sender of an event; empty: unknown.
  [[nodiscard]] std::string sender(std::uint16_t id) const;
  [[nodiscard]] std::uint64_t missed_cycles() const noexcept { return missed_cycles_ + lost_; }
  [[nodiscard]] std::uint64_t missed_events() const noexcept { return missed_events_; }

 private:
  [[nodiscard]] bool is_whole(const Snapshot& snapshot) const noexcept;

  SnapshotWords words_;
  std::size_t joints_;
  std::size_t arms_;
  std::size_t laws_;
  std::size_t signals_;
  std::deque<std::string> cycles_;
  std::deque<Event> events_;
  std::map<std::uint16_t, std::string> senders_;
  std::uint64_t missed_cycles_ = 0;
  std::uint64_t missed_events_ = 0;
  std::uint64_t lost_ = 0;  ///< here
};

}  // namespace jointrig::remote
