#pragma once
/// The newest state as a message: built once for all clients who watch, however many they are.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "control/core/snapshot.h"
#include "control/exchange/snapshot_exchange.h"
#include "remote/robot.pb.h"

namespace jointrig::remote {

class StateFeed {
 public:
  struct State {
    v1::State message;
    std::uint64_t cycle = 0;
  };
  using Build = std::function<void(const Snapshot& snapshot, v1::State& message)>;

  /// @param build  writes the message; called by one thread at a time
  StateFeed(const SnapshotExchange& snapshots, Build build)
      : snapshots_(&snapshots), build_(std::move(build)) {}

  /// The newest state. Null: there is none yet, or the loop is far faster than real time; ask
  /// again. Any thread: the first one that asks after a cycle copies and builds, the others get the
  /// same.
  [[nodiscard]] std::shared_ptr<const State> newest();

 private:
  const SnapshotExchange* snapshots_;
  Build build_;
  std::mutex mutex_;
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();
  std::shared_ptr<const State> newest_;
  std::uint64_t count_ = 0;  ///< of snapshots, when the newest was copied
};

}  // namespace jointrig::remote
