#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/snapshot.h"
#include "remote/log_player.h"
#include "remote/viewer_commander.h"
#include "remote/viewer_feed.h"
#include "remote/viewer_parameters.h"
#include "remote/viewer_server.h"

namespace jointrig::remote {

/// A connection, whatever is below it.
class ViewerLink {
 public:
  ViewerLink() = default;
  ViewerLink(const ViewerLink&) = delete;
  ViewerLink& operator=(const ViewerLink&) = delete;
  virtual ~ViewerLink() = default;
  /// Messages or channels are waiting.
  virtual void pump() = 0;
  /// Each 0.1 s.
  virtual void tick() = 0;
  /// Each 25 ms: asks the holder of the lease for a sign of life.
  virtual void beat() = 0;
  virtual void tell_lease(const LeaseChange& change) = 0;
  /// @param id  of the wish that it answers; empty: of none
  virtual void tell_playback(const PlaybackState& state, std::string_view id) = 0;
  virtual void end() = 0;
};

/// State that connections share. All of it in one thread, but for the feed.
struct ViewerHub {
  const ServedRobot* robot = nullptr;            ///< null: a log is replayed
  LogPlayer* player = nullptr;                   ///< null: a robot runs
  std::unique_ptr<ViewerParameters> parameters;  ///< as of the last look(); null: of a log
  std::unique_ptr<ViewerCommander> commander;    ///< likewise
  std::string info;                              ///< first message to each viewer
  const ViewerOptions* options = nullptr;
  std::string token;
  std::string session;
  ViewerFeed* feed = nullptr;
  std::atomic<bool>* is_watched = nullptr;
  std::list<std::weak_ptr<ViewerLink>> connections;
  std::atomic<std::size_t> viewers{0};  ///< written by this thread alone
  std::int64_t time_ns = -1;            ///< of the last look()
  PlaybackState playback;               ///< likewise
  Snapshot snapshot;

  void look() {
    if (player != nullptr) {
      playback = player->state();
      time_ns = playback.time_ns;
      return;
    }
    if (!robot->snapshots->read(snapshot)) return;
    parameters->look(snapshot, robot->parameters != nullptr ? robot->parameters->read()
                                                            : std::optional<ParameterTable>());
    time_ns = snapshot.time_ns;
  }
  /// Tells answers and the lease, each 25 ms.
  void beat() {
    if (commander == nullptr) return;
    if (commander->is_waiting()) {
      look();
      commander->answer(snapshot.cycle);
    }
    for (const LeaseChange& change : commander->lease_changes()) {
      for_each([&](ViewerLink& one) { one.tell_lease(change); });
    }
    for_each([](ViewerLink& one) { one.beat(); });
  }
  void count(int change) {
    const std::size_t now =
        viewers.fetch_add(static_cast<std::size_t>(change)) + static_cast<std::size_t>(change);
    is_watched->store(now != 0, std::memory_order_relaxed);
    if (player != nullptr) player->set_watched(now != 0);
  }
  void for_each(const std::function<void(ViewerLink&)>& act) {
    for (auto at = connections.begin(); at != connections.end();) {
      const std::shared_ptr<ViewerLink> one = at->lock();
      at = one != nullptr ? std::next(at) : connections.erase(at);
      if (one != nullptr) act(*one);
    }
  }
};

}  // namespace jointrig::remote
