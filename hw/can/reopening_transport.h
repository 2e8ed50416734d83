#pragma once
/// A link that is opened again when it has broken: an adapter that was unplugged and comes back.
///
/// Opening takes its time, allocates and may throw, so a thread of its own does it, once a second
/// while the link is broken and not otherwise. The user's thread neither waits nor locks: it finds
/// the new link in its next send() or receive() and goes on with it. Nothing on the bus is
/// touched by that: the user decides what to do when status().open comes back.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "hw/can/transport.h"

namespace jointrig::can {

class ReopeningTransport final : public Transport {
 public:
  using Opener = std::function<std::unique_ptr<Transport>()>;
  static constexpr std::chrono::milliseconds kRest{1000};

  /// Opens the link for the first time. Throws what `open` throws; later on that only means another
  /// attempt. `open` is called by a thread of this class.
  explicit ReopeningTransport(Opener open, std::chrono::milliseconds rest = kRest);
  ~ReopeningTransport() override;

  std::size_t send(std::span<const Frame> frames) noexcept override;
  std::size_t receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept override;
  [[nodiscard]] int poll_fd() const noexcept override { return link_->poll_fd(); }
  [[nodiscard]] LinkStatus status() const noexcept override { return link_->status(); }
  /// Sums over all its links.
  [[nodiscard]] LinkCounters counters() const noexcept override;
  [[nodiscard]] Capabilities capabilities() const noexcept override {
    return link_->capabilities();
  }
  void flush() noexcept override { link_->flush(); }
  /// It is not opened again after this.
  void close() noexcept override;
  [[nodiscard]] const std::string& name() const noexcept override { return name_; }

  [[nodiscard]] std::uint64_t attempts() const noexcept {
    return attempts_.load(std::memory_order_relaxed);
  }

 private:
  /// Owner of `spare_`: the user while kGood or kThere, the thread while kBroken.
  enum class State : std::uint8_t { kGood, kBroken, kThere, kClosed };

  void look() noexcept;
  void reopen(const std::stop_token& stop);

  Opener open_;
  std::chrono::milliseconds rest_;
  std::string name_;
  std::unique_ptr<Transport> link_;   ///< the user's
  std::unique_ptr<Transport> spare_;  ///< the one to come, or the broken one to be thrown away
  LinkCounters before_;               ///< of links that are gone
  std::atomic<State> state_{State::kGood};
  std::atomic<std::uint64_t> attempts_{0};
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace jointrig::can
