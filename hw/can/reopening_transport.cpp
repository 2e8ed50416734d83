#include "hw/can/reopening_transport.h"

#include <algorithm>
#include <utility>

namespace jointrig::can {
namespace {

constexpr std::chrono::milliseconds kLook{20};  // how soon a broken link is noticed

LinkCounters sum(const LinkCounters& a, const LinkCounters& b) noexcept {
  return {.sent = a.sent + b.sent,
          .received = a.received + b.received,
          .tx_refused = a.tx_refused + b.tx_refused,
          .tx_unsupported = a.tx_unsupported + b.tx_unsupported,
          .tx_rejected = a.tx_rejected + b.tx_rejected,
          .rx_garbage = a.rx_garbage + b.rx_garbage,
          .rx_lost = a.rx_lost + b.rx_lost,
          .rx_out_of_order = a.rx_out_of_order + b.rx_out_of_order,
          .bus_errors = a.bus_errors + b.bus_errors};
}

}  // namespace

ReopeningTransport::ReopeningTransport(Opener open, std::chrono::milliseconds rest)
    : open_(std::move(open)), rest_(rest), link_(open_()) {
  name_ = link_->name();
  thread_ = std::jthread([this](const std::stop_token& stop) { reopen(stop); });
}

ReopeningTransport::~ReopeningTransport() = default;

std::size_t ReopeningTransport::send(std::span<const Frame> frames) noexcept {
  look();
  return link_->send(frames);
}

std::size_t ReopeningTransport::receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept {
  look();
  return link_->receive(into, deadline);
}

LinkCounters ReopeningTransport::counters() const noexcept {
  return sum(before_, link_->counters());
}

void ReopeningTransport::close() noexcept {
  state_.store(State::kClosed, std::memory_order_release);
  link_->close();
}

/// Changes over to a link that is there, asks for one where this one has broken.
void ReopeningTransport::look() noexcept {
  const State state = state_.load(std::memory_order_acquire);
  if (state == State::kThere) {
    before_ = sum(before_, link_->counters());
    std::swap(link_, spare_);
    state_.store(State::kGood, std::memory_order_release);
  } else if (state == State::kGood && !link_->status().open) {
    state_.store(State::kBroken, std::memory_order_release);
  }
}

void ReopeningTransport::reopen(const std::stop_token& stop) {
  auto next_attempt = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(std::min(kLook, rest_));
    const bool is_due = std::chrono::steady_clock::now() >= next_attempt;
    if (state_.load(std::memory_order_acquire) != State::kBroken || !is_due) continue;
    attempts_.fetch_add(1, std::memory_order_relaxed);
    spare_.reset();  // the one that broke before
    next_attempt = std::chrono::steady_clock::now() + rest_;
    try {
      spare_ = open_();
    } catch (const OpenError&) {
      continue;  // still away
    }
    State expected = State::kBroken;  // or it was closed meanwhile
    state_.compare_exchange_strong(expected, State::kThere, std::memory_order_acq_rel);
  }
}

}  // namespace jointrig::can
