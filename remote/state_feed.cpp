#include "remote/state_feed.h"

namespace jointrig::remote {

std::shared_ptr<const StateFeed::State> StateFeed::newest() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t count = snapshots_->count();
  if (newest_ && count == count_) return newest_;
  if (!snapshots_->read(*snapshot_)) return newest_;
  const auto state = std::make_shared<State>();
  build_(*snapshot_, state->message);
  state->cycle = snapshot_->cycle;
  count_ = count;
  newest_ = state;
  return newest_;
}

}  // namespace jointrig::remote
