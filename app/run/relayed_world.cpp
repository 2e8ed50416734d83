#include "app/run/relayed_world.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace jointrig::app {
namespace {

constexpr std::size_t kRequestBytes = 1U << 16U;  // choice: 2048 requests
constexpr std::chrono::milliseconds kRest{1};     // wait of a follower that found it full

}  // namespace

RelayedWorld::RelayedWorld(harness::World& world) : world_(&world), requests_(kRequestBytes) {}

std::optional<harness::World::Handle> RelayedWorld::find_truth(std::string_view name) {
  const std::optional<Handle> found = world_->find_truth(name);
  if (!found) return std::nullopt;
  truths_.push_back(*found);
  seen_.resize(truths_.size());
  return static_cast<Handle>(truths_.size()) - 1;
}

harness::World::Handle RelayedWorld::keep(Handle handle) {
  actions_.push_back({handle});
  return static_cast<Handle>(actions_.size()) - 1;
}

void RelayedWorld::show(std::uint64_t cycle, std::span<const double> truth) noexcept {
  cycle_ = cycle;
  std::copy(truth.begin(), truth.end(), seen_.begin());
}

double RelayedWorld::truth(Handle signal) const noexcept {
  return seen_[static_cast<std::size_t>(signal)];
}

void RelayedWorld::ask(Handle action, bool begins) noexcept {
  const Request request{cycle_, static_cast<std::size_t>(action), begins};
  std::byte* at = requests_.reserve(sizeof(Request));
  while (at == nullptr) {
    if (closed_.load(std::memory_order_relaxed)) return;
    std::this_thread::sleep_for(kRest);
    at = requests_.reserve(sizeof(Request));
  }
  std::memcpy(at, &request, sizeof(Request));
  requests_.commit();
}

void RelayedWorld::sample(std::span<double> truth) const noexcept {
  for (std::size_t i = 0; i < truths_.size(); ++i) truth[i] = world_->truth(truths_[i]);
}

void RelayedWorld::carry_out(std::uint64_t cycle) noexcept {
  for (auto record = requests_.front(); !record.empty(); record = requests_.front()) {
    Request request;
    std::memcpy(&request, record.data(), sizeof(Request));
    Action& action = actions_[request.action];
    if (request.begins) {
      action.asked = request.cycle;
      action.began = cycle;
      world_->begin(action.handle);
    } else {
      if (cycle - action.began < request.cycle - action.asked) return;
      world_->end(action.handle);
    }
    requests_.pop();
  }
}

}  // namespace jointrig::app
