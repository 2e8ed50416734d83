#pragma once
/// Messages of the channels on their way to viewers. Each viewer has a queue of its own and of a
/// bounded size; what doesn't fit is dropped and counted, and nobody waits.
///
///     MessageWriter<LiveChannels> → ViewerFeed → ViewerQueue of each viewer → its connection
///
/// The thread of the channels fills the queues, that of the connections empties them.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/log/live_channels.h"
#include "harness/log/record_ring.h"

namespace jointrig::remote {

/// A number that a viewer has given to what it asked for.
using SubscriptionId = std::uint32_t;

/// A message that waits for a viewer.
struct WaitingMessage {
  SubscriptionId subscription = 0;
  std::int64_t time_ns = 0;
  std::span<const std::byte> cdr;  ///< empty: there is none
};

/// The messages that wait for one viewer. One thread puts, one takes.
class ViewerQueue {
 public:
  explicit ViewerQueue(std::size_t bytes) : ring_(bytes) {}

  /// Drops the message where it doesn't fit.
  void put(const WaitingMessage& message) noexcept;
  /// The oldest; valid until pop().
  [[nodiscard]] WaitingMessage front() noexcept;
  void pop() noexcept { ring_.pop(); }
  /// Messages that were dropped so far.
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

 private:
  harness::RecordRing ring_;
  std::atomic<std::uint64_t> dropped_{0};
};

class ViewerFeed final : public harness::LiveAudience {
 public:
  /// @param wake  messages or new channels are waiting; called by the thread of the channels
  /// @param admits  a new subscription gets nothing before admit(): a log is replayed
  explicit ViewerFeed(std::function<void()> wake, bool admits = false)
      : wake_(std::move(wake)), admits_(admits) {}

  // The thread of the channels.
  void open(const harness::LiveChannel& channel) override;
  [[nodiscard]] bool wants(harness::ChannelId channel) const noexcept override;
  void take(harness::ChannelId channel, std::int64_t time_ns,
            std::span<const std::byte> cdr) noexcept override;
  void rest() noexcept override;
  [[nodiscard]] bool take_new_reader() noexcept override { return has_new_reader_.exchange(false); }

  // Likewise, of a log that is replayed.

  /// Channels that have subscriptions.
  [[nodiscard]] std::vector<harness::ChannelId> wanted() const;
  /// Channels whose new subscriptions wait for admit().
  [[nodiscard]] std::vector<harness::ChannelId> waited() const;
  /// Gives the new subscriptions of a channel their first message, none where it is empty, and all
  /// later ones from now on.
  void admit(harness::ChannelId channel, std::int64_t time_ns, std::span<const std::byte> cdr);

  // The thread of the connections. A viewer is known by its queue, which outlives leave().

  /// Sends a channel's messages under this number.
  /// @returns empty, or a sentence that tells why not
  std::string subscribe(ViewerQueue& viewer, SubscriptionId id, harness::ChannelId channel);
  /// @returns likewise
  std::string unsubscribe(ViewerQueue& viewer, SubscriptionId id);
  /// Ends all its subscriptions.
  void leave(ViewerQueue& viewer);
  /// Throws away all that waits for any viewer.
  void forget();
  /// Channels after the first `known`.
  [[nodiscard]] std::vector<harness::LiveChannel> channels_after(std::size_t known) const;

 private:
  struct Subscription {
    ViewerQueue* viewer = nullptr;
    SubscriptionId id = 0;
    bool waits = false;  ///< for admit()
  };

  mutable std::mutex mutex_;  ///< of both threads; the loop has no part in it
  std::vector<harness::LiveChannel> channels_;
  std::vector<std::vector<Subscription>> readers_;  ///< by channel, from the first
  std::atomic<bool> has_new_reader_{false};
  bool is_news_ = false;  ///< since the last rest()
  std::function<void()> wake_;
  bool admits_ = false;
};

}  // namespace jointrig::remote
