#include "remote/viewer_feed.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace jointrig::remote {
namespace {

/// Before each message in a queue.
struct Head {
  std::int64_t time_ns = 0;
  SubscriptionId subscription = 0;
  std::uint32_t size = 0;
};

}  // namespace

void ViewerQueue::put(const WaitingMessage& message) noexcept {
  std::byte* const at = ring_.reserve(sizeof(Head) + message.cdr.size());
  if (at == nullptr) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const Head head{message.time_ns, message.subscription,
                  static_cast<std::uint32_t>(message.cdr.size())};
  std::memcpy(at, &head, sizeof head);
  std::memcpy(at + sizeof head, message.cdr.data(), message.cdr.size());
  ring_.commit();
}

WaitingMessage ViewerQueue::front() noexcept {
  const std::span<const std::byte> record = ring_.front();
  if (record.empty()) return {};
  Head head;
  std::memcpy(&head, record.data(), sizeof head);
  return {head.subscription, head.time_ns, record.subspan(sizeof head, head.size)};
}

void ViewerFeed::open(const harness::LiveChannel& channel) {
  const std::lock_guard lock(mutex_);
  channels_.push_back(channel);
  readers_.emplace_back();
  is_news_ = true;
}

bool ViewerFeed::wants(harness::ChannelId channel) const noexcept {
  const std::lock_guard lock(mutex_);
  return !readers_[channel - 1U].empty();
}

void ViewerFeed::take(harness::ChannelId channel, std::int64_t time_ns,
                      std::span<const std::byte> cdr) noexcept {
  const std::lock_guard lock(mutex_);
  for (const Subscription& reader : readers_[channel - 1U]) {
    if (!reader.waits) reader.viewer->put({reader.id, time_ns, cdr});
  }
  is_news_ = true;
}

std::vector<harness::ChannelId> ViewerFeed::wanted() const {
  const std::lock_guard lock(mutex_);
  std::vector<harness::ChannelId> found;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    if (!readers_[i].empty()) found.push_back(static_cast<harness::ChannelId>(i + 1U));
  }
  return found;
}

std::vector<harness::ChannelId> ViewerFeed::waited() const {
  const std::lock_guard lock(mutex_);
  std::vector<harness::ChannelId> found;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    const bool is_waited = std::any_of(readers_[i].begin(), readers_[i].end(),
                                       [](const Subscription& one) { return one.waits; });
    if (is_waited) found.push_back(static_cast<harness::ChannelId>(i + 1U));
  }
  return found;
}

void ViewerFeed::admit(harness::ChannelId channel, std::int64_t time_ns,
                       std::span<const std::byte> cdr) {
  const std::lock_guard lock(mutex_);
  for (Subscription& reader : readers_[channel - 1U]) {
    if (!std::exchange(reader.waits, false) || cdr.empty()) continue;
    reader.viewer->put({reader.id, time_ns, cdr});
    is_news_ = true;
  }
}

void ViewerFeed::rest() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_news_, false)) return;
  }
  wake_();
}

std::string ViewerFeed::subscribe(ViewerQueue& viewer, SubscriptionId id,
                                  harness::ChannelId channel) {
  const std::lock_guard lock(mutex_);
  if (channel == 0 || channel > channels_.size()) {
    return fmt::format("subscribe: there is no channel {}", channel);
  }
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    for (const Subscription& reader : readers_[i]) {
      if (reader.viewer != &viewer) continue;
      if (reader.id == id) {
        return fmt::format("subscribe: {} is the number of another subscription", id);
      }
      if (i + 1U == channel) {
        return fmt::format("subscribe: {} is subscribed to already", channels_[i].topic);
      }
    }
  }
  readers_[channel - 1U].push_back({&viewer, id, admits_});
  has_new_reader_.store(true);
  return {};
}

std::string ViewerFeed::unsubscribe(ViewerQueue& viewer, SubscriptionId id) {
  const std::lock_guard lock(mutex_);
  for (std::vector<Subscription>& readers : readers_) {
    const std::size_t ended = std::erase_if(
        readers, [&](const Subscription& one) { return one.viewer == &viewer && one.id == id; });
    if (ended != 0) return {};
  }
  return fmt::format("unsubscribe: there is no subscription {}", id);
}

void ViewerFeed::leave(ViewerQueue& viewer) {
  const std::lock_guard lock(mutex_);
  for (std::vector<Subscription>& readers : readers_) {
    std::erase_if(readers, [&](const Subscription& one) { return one.viewer == &viewer; });
  }
}

void ViewerFeed::forget() {
  const std::lock_guard lock(mutex_);
  for (const std::vector<Subscription>& readers : readers_) {
    for (const Subscription& reader : readers) {
      while (!reader.viewer->front().cdr.empty()) reader.viewer->pop();
    }
  }
}

std::vector<harness::LiveChannel> ViewerFeed::channels_after(std::size_t known) const {
  const std::lock_guard lock(mutex_);
  const std::size_t first = std::min(known, channels_.size());
  return {channels_.begin() + static_cast<std::ptrdiff_t>(first), channels_.end()};
}

}  // namespace jointrig::remote
