#include "hw/can/server_links.h"

#include <array>
#include <ctime>

#include "hw/can/hex.h"
#include "hw/can/inet.h"
#include "hw/can/socketcan_codec.h"

namespace jointrig::can {
namespace {

/// socketcand stamps frames with the time of day.
TimeNs time_of_day() noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return TimeNs{now.tv_sec} * kSecond + now.tv_nsec;
}

}  // namespace

CannelloniServerLink::CannelloniServerLink(UniqueFd connection)
    : StreamTransport("cannelloni client", Medium::kSocket) {
  send_without_delay(connection.get());
  opened(std::move(connection));
  write_text(kCannelloniGreeting);
}

std::size_t CannelloniServerLink::encode(const Frame& frame, std::span<char> out) noexcept {
  return encode_cannelloni(frame, {reinterpret_cast<std::uint8_t*>(out.data()), out.size()});
}

StreamTransport::Taken CannelloniServerLink::take(std::string_view unread) noexcept {
  if (!greeted_) {
    if (unread.size() < kCannelloniGreeting.size()) return {};
    greeted_ = unread.starts_with(kCannelloniGreeting);
    if (!greeted_) fail(LinkError::kProtocol, 0);
    return {kCannelloniGreeting.size(), false, {}};
  }
  const CannelloniItem item =
      next_cannelloni({reinterpret_cast<const std::uint8_t*>(unread.data()), unread.size()});
  if (item.kind == CannelloniItem::Kind::kGarbage) {
    ++counters_ref().rx_garbage;
    fail(LinkError::kProtocol, 0);
  }
  return {item.consumed, item.kind == CannelloniItem::Kind::kFrame, item.frame};
}

SocketcandServerLink::SocketcandServerLink(UniqueFd connection, std::string bus)
    : StreamTransport("socketcand client", Medium::kSocket), bus_(std::move(bus)) {
  send_without_delay(connection.get());
  opened(std::move(connection));
  write_text("< hi >");
}

std::size_t SocketcandServerLink::encode(const Frame& frame, std::span<char> out) noexcept {
  return state_ == State::kRaw ? encode_socketcand_frame(frame, time_of_day(), out) : 0;
}

StreamTransport::Taken SocketcandServerLink::take(std::string_view unread) noexcept {
  const SocketcandMessages::Item item = SocketcandMessages::next(unread);
  Taken taken{item.consumed, false, {}};
  if (item.kind == SocketcandMessages::Kind::kGarbage) ++counters_ref().rx_garbage;
  if (item.kind != SocketcandMessages::Kind::kMessage) return taken;
  if (const auto frame = parse_socketcand_send(item.words); frame && state_ == State::kRaw) {
    taken.is_frame = true;
    taken.frame = *frame;
  } else {
    obey(item.words);
  }
  return taken;
}

void SocketcandServerLink::obey(std::string_view words) noexcept {
  const std::string_view command = take_word(words);
  if (command == "echo") {
    write_text("< echo >");
  } else if (command == "open" && state_ == State::kNoBus) {
    const bool known = take_word(words) == bus_;
    if (known) state_ = State::kOpened;
    write_text(known ? "< ok >" : "< error could not open bus >");
  } else if (command == "rawmode" && state_ != State::kNoBus) {
    if (state_ == State::kOpened) ++openings_;
    state_ = State::kRaw;
    write_text("< ok >");
  } else {
    ++counters_ref().rx_garbage;
    write_text("< error unknown command >");
  }
}

void SocketcandServerLink::tell(const VirtualBus::NodeState& state) noexcept {
  constexpr std::uint32_t kBusOffClass = 0x40;
  constexpr std::uint32_t kControllerClass = 0x04;
  if (state_ != State::kRaw || state.bus < BusState::kErrorPassive) return;
  std::array<char, 64> text{};
  TextWriter message(text);
  message.put("< error ");
  message.put_hex(
      kLinuxErrorFlag | (state.bus == BusState::kBusOff ? kBusOffClass : kControllerClass), 8);
  message.put(' ');
  message.put_decimal(static_cast<std::uint64_t>(time_of_day() / kSecond));
  message.put(".000000 >");
  write_text({text.data(), message.size()});
}

}  // namespace jointrig::can
