#pragma once
/// A link whose frames go through the text or bytes of a protocol, some of them damaged on the way.

#include <array>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "hw/can/cannelloni_codec.h"
#include "hw/can/forwarding_transport.h"
#include "hw/can/slcan_codec.h"
#include "hw/can/socketcand_codec.h"
#include "tests/hw/can/damage.h"

namespace jointrig::matrix {

enum class LineProtocol { kSlcan, kCannelloni, kSocketcand };
inline constexpr std::array kAllLineProtocol{LineProtocol::kSlcan, LineProtocol::kCannelloni,
                                             LineProtocol::kSocketcand};

/// One direction of a line: writes a frame, damages the bytes, reads the readable part.
class LineDirection {
 public:
  explicit LineDirection(LineProtocol protocol) : protocol_(protocol) {}

  void carry(const can::Frame& frame, can::Damage* damage, std::vector<can::Frame>& arrived) {
    std::string text = written(frame);
    if (damage != nullptr) damage->hurt(text);
    if (protocol_ == LineProtocol::kCannelloni) return read_datagram(text, arrived);
    unread_ += text;
    protocol_ == LineProtocol::kSlcan ? read_lines(arrived) : read_messages(arrived);
  }

 private:
  [[nodiscard]] std::string written(const can::Frame& frame) const {
    if (protocol_ == LineProtocol::kCannelloni) {
      std::array<std::uint8_t, can::kMaxCannelloniFrame> bytes{};
      const std::size_t size = can::encode_cannelloni(frame, bytes);
      return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)};
    }
    std::array<char, 256> text{};
    return {text.data(), protocol_ == LineProtocol::kSlcan
                             ? can::encode_slcan(frame, text)
                             : can::encode_socketcand_send(frame, text)};
  }
  /// If the bytes of a datagram become invalid, the rest of it is lost.
  static void read_datagram(const std::string& text, std::vector<can::Frame>& arrived) {
    std::vector<std::uint8_t> bytes(text.begin(), text.end());
    for (;;) {
      const can::CannelloniItem item = can::next_cannelloni(bytes);
      if (item.consumed == 0) return;
      if (item.kind == can::CannelloniItem::Kind::kFrame) arrived.push_back(item.frame);
      bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(item.consumed));
    }
  }
  void read_lines(std::vector<can::Frame>& arrived) {
    for (;;) {
      const can::SlcanLines::Item item = lines_.next(unread_);
      if (item.kind == can::SlcanLines::Kind::kLine) {
        const can::SlcanAnswer answer = can::parse_slcan_answer(item.line);
        if (answer.kind == can::SlcanAnswer::Kind::kFrame) arrived.push_back(answer.frame.frame);
      }
      if (item.consumed == 0) return;
      unread_.erase(0, item.consumed);
    }
  }
  void read_messages(std::vector<can::Frame>& arrived) {
    for (;;) {
      const can::SocketcandMessages::Item item = can::SocketcandMessages::next(unread_);
      if (item.kind == can::SocketcandMessages::Kind::kMessage) {
        if (const auto frame = can::parse_socketcand_send(item.words)) arrived.push_back(*frame);
      }
      if (item.consumed == 0) return;
      unread_.erase(0, item.consumed);
    }
  }

  LineProtocol protocol_;
  can::SlcanLines lines_;
  std::string unread_;
};

/// Both directions, while `damage` is set one frame in eight hurt on its way. No protocol here
/// notices a digit that turned into another one, so `may_hurt` says which of the host's frames are
/// put at risk.
class DamagedLine final : public can::ForwardingTransport {
 public:
  struct Control {
    can::Damage* damage = nullptr;
    std::function<bool(const can::Frame&)> may_hurt = [](const can::Frame&) { return false; };
    std::uint64_t hurt = 0;
  };

  DamagedLine(std::unique_ptr<can::Transport> link, LineProtocol protocol, Control& control)
      : ForwardingTransport(std::move(link)), to_(protocol), from_(protocol), control_(&control) {}

  std::size_t send(std::span<const can::Frame> frames) noexcept override {
    std::vector<can::Frame> arrived;
    for (const can::Frame& frame : frames) {
      to_.carry(frame, control_->may_hurt(frame) ? pick() : nullptr, arrived);
    }
    ForwardingTransport::send(arrived);
    return frames.size();
  }
  std::size_t receive(std::span<can::ReceivedFrame> into, can::TimeNs deadline) noexcept override {
    if (waiting_.empty()) take_more(into.size(), deadline);
    std::size_t count = 0;
    for (; count < into.size() && !waiting_.empty(); waiting_.pop_front()) {
      into[count++] = waiting_.front();
    }
    return count;
  }

 private:
  [[nodiscard]] can::Damage* pick() {
    if (control_->damage == nullptr || control_->damage->pick(8) != 0) return nullptr;
    ++control_->hurt;
    return control_->damage;
  }
  void take_more(std::size_t most, can::TimeNs deadline) {
    std::vector<can::ReceivedFrame> heard(most);
    heard.resize(ForwardingTransport::receive(heard, deadline));
    for (const can::ReceivedFrame& each : heard) {
      std::vector<can::Frame> arrived;
      from_.carry(each.frame, pick(), arrived);
      for (const can::Frame& frame : arrived) waiting_.push_back({frame, each.time});
    }
  }

  LineDirection to_;
  LineDirection from_;
  Control* control_;
  std::deque<can::ReceivedFrame> waiting_;
};

}  // namespace jointrig::matrix
