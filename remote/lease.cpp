#include "remote/lease.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>
#include <utility>

namespace jointrig::remote {
namespace {

constexpr std::chrono::microseconds kLookEach{200};
/// The loop has cycles of some ms at most, or has ended.
constexpr std::chrono::milliseconds kLongestWait{1000};

bool waited_for(const HolderWatch& watch, std::uint64_t epoch) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (watch.acknowledged() != epoch) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kLookEach);
  }
  return true;
}

}  // namespace

std::string Lease::take(ClientId client, const std::string& name, bool by_force,
                        std::uint16_t sender) {
  const std::lock_guard lock(mutex_);
  look_at_watch();
  if (holder_ == client) return {};
  if (holder_ != 0 && !by_force) {
    return fmt::format("{} holds the lease: wait until it is free, or take it over by force",
                       name_);
  }
  const std::string before = holder_ != 0 ? name_ : "";
  watch_->begin(++epoch_, sender);
  if (!waited_for(*watch_, epoch_)) {
    watch_->end(LeaseAct::kTakenOver);
    if (!before.empty()) end(fmt::format("{} lost the lease: the loop doesn't run", before));
    return "the loop doesn't run: nobody can hold this robot";
  }
  holder_ = client;
  name_ = name;
  note(before.empty() ? fmt::format("{} took the lease", name)
                      : fmt::format("{} took the lease over from {}", name, before));
  return {};
}

std::string Lease::release(ClientId client) {
  const std::lock_guard lock(mutex_);
  look_at_watch();
  if (holder_ != client) return "this client doesn't hold the lease";
  watch_->end(LeaseAct::kReleased);
  end(fmt::format("{} released the lease", name_));
  return {};
}

void Lease::leave(ClientId client) {
  const std::lock_guard lock(mutex_);
  look_at_watch();
  if (holder_ != client) return;
  watch_->end(LeaseAct::kDisconnected);
  end(fmt::format("{} lost the lease: its connection ended", name_));
}

void Lease::stopped_by(ClientId client, const std::string& name) {
  const std::lock_guard lock(mutex_);
  look_at_watch();
  if (holder_ == 0 || holder_ == client) return;
  watch_->end(LeaseAct::kStopped);
  end(fmt::format("{} stopped the robot, and {} lost the lease", name, name_));
}

void Lease::heard(ClientId client) {
  const std::lock_guard lock(mutex_);
  if (holder_ == client) watch_->heard();
}

LeaseRefusal Lease::pass(ClientId client, std::uint64_t epoch, const std::function<void()>& push,
                         const std::function<void()>& undo) {
  const std::lock_guard lock(mutex_);
  look_at_watch();
  if (holder_ == client && epoch == epoch_) {
    watch_->heard();
    push();
    if (watch_->holding() == epoch) return {};
    undo();
    look_at_watch();
  }
  const std::string who =
      holder_ != 0 ? fmt::format("{} holds it, in epoch {}", name_, epoch_) : "it is free";
  if (epoch == 0) {
    return {"no_lease", fmt::format("commands need the lease, and {}: take it first", who)};
  }
  return {"stale_epoch",
          fmt::format("epoch {} of the lease is over, and {}: take it again", epoch, who)};
}

void Lease::look() {
  const std::lock_guard lock(mutex_);
  look_at_watch();
}

void Lease::look_at_watch() {
  if (holder_ == 0 || watch_->holding() != 0) return;
  end(fmt::format("{} lost the lease: silent for {} s", name_, HolderWatch::kLongestSilence));
}

void Lease::end(const std::string& sentence) {
  holder_ = 0;
  name_.clear();
  note(sentence);
}

void Lease::note(std::string sentence) {
  changes_.push_back({++number_, epoch_, holder_, name_, std::move(sentence)});
  if (changes_.size() > kKeptChanges) changes_.pop_front();
}

LeaseChange Lease::now() const {
  const std::lock_guard lock(mutex_);
  return {number_, epoch_, holder_, name_, {}};
}

std::vector<LeaseChange> Lease::changes_after(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  std::vector<LeaseChange> later;
  for (const LeaseChange& change : changes_) {
    if (change.number > number) later.push_back(change);
  }
  return later;
}

}  // namespace jointrig::remote
