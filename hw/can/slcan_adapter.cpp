#include "hw/can/slcan_adapter.h"

#include <termios.h>

#include <algorithm>
#include <array>

#include "hw/can/clock.h"
#include "hw/can/hex.h"

namespace jointrig::can {
SlcanAdapter::SlcanAdapter(const BitRates& rates) : SlcanAdapter(rates, open_pty()) {}

SlcanAdapter::SlcanAdapter(const BitRates& rates, Pty pty)
    : StreamTransport(pty.device, Medium::kTerminal), rates_(rates), slave_(std::move(pty.slave)) {
  opened(std::move(pty.master));
}

std::size_t SlcanAdapter::encode(const Frame& frame, std::span<char> out) noexcept {
  if (!open_) return 0;
  std::size_t size = encode_slcan(frame, out);
  if (size == 0 || !stamps_) return size;
  TextWriter stamp(out.subspan(size - 1));
  stamp.put_hex(static_cast<std::uint32_t>(monotonic_now() / kMillisecond % 60'000), 4);
  stamp.put('\r');
  return stamp.size() == 0 ? 0 : size - 1 + stamp.size();
}

StreamTransport::Taken SlcanAdapter::take(std::string_view unread) noexcept {
  const SlcanLines::Item item = lines_.next(unread);
  Taken taken{item.consumed, false, {}};
  if (item.kind == SlcanLines::Kind::kGarbage) ++counters_ref().rx_garbage;
  if (item.kind != SlcanLines::Kind::kLine) return taken;
  const bool wants_to_send = open_ && !listen_only_;
  if (const auto frame = parse_slcan_frame(item.line); frame && wants_to_send) {
    taken.is_frame = true;
    taken.frame = frame->frame;
  } else {
    obey(item.line);
  }
  return taken;
}

void SlcanAdapter::answer(const Frame& frame, bool taken) noexcept {
  write_text(!taken ? "\a" : frame.extended ? "Z\r" : "z\r");
}

void SlcanAdapter::obey(std::string_view line) noexcept {
  const char command = line.empty() ? '\0' : line[0];
  const char digit = line.size() == 2 ? line[1] : '\0';
  bool done = false;
  switch (command) {
    case '\0':  // an empty line asks whether anybody is there
      done = true;
      break;
    case 'O':
      done = set_channel(true, false);
      break;
    case 'L':
      done = set_channel(true, true);
      break;
    case 'C':
      done = set_channel(false, false);
      break;
    case 'S':
      done = !open_ && slcan_rate(digit) == rates_.nominal;
      break;
    case 'Y':
      done = !open_ && slcan_data_rate(digit) == rates_.data;
      break;
    case 's':
      done = !open_ && line.size() == 5 && parse_hex(line.substr(1)).has_value();
      break;
    case 'Z':
      done = digit == '0' || digit == '1';
      if (done) stamps_ = digit == '1';
      break;
    case 'M':
    case 'm':
      done = line.size() == 9 && parse_hex(line.substr(1)).has_value();
      break;
    case 'V':
      write_text("V1013\r");
      return;
    case 'N':
      write_text("NJR01\r");
      return;
    case 'F':
      tell_flags();
      return;
    default:
      ++counters_ref().rx_garbage;
  }
  write_text(done ? "\r" : "\a");
}

bool SlcanAdapter::set_channel(bool open, bool listen_only) noexcept {
  if (!open) drop_unread_frames();
  if (open && !open_) ++openings_;
  open_ = open;
  listen_only_ = listen_only;
  return true;
}

/// The next client must not get what the last one left unread. It lies in two places: with the
/// line, and with what the client's side has taken over from it.
void SlcanAdapter::drop_unread_frames() noexcept {
  tcflush(fd(), TCOFLUSH);
  tcflush(slave_.get(), TCIFLUSH);
  forget_rest();
}

/// Status flags of the SJA1000, as the manual has them.
void SlcanAdapter::tell_flags() noexcept {
  std::uint32_t flags = 0;
  if (state_.bus == BusState::kErrorWarning) flags = 0x04;
  if (state_.bus == BusState::kErrorPassive) flags = 0x04 | 0x20;
  if (state_.bus == BusState::kBusOff) flags = 0x04 | 0x20 | 0x80;
  std::array<char, 8> text{};
  TextWriter line(text);
  line.put('F');
  line.put_hex(flags, 2);
  line.put('\r');
  write_text({text.data(), line.size()});
}

void SlcanAdapter::tell(const VirtualBus::NodeState& state) noexcept {
  state_ = state;
  if (!open_) return;
  std::array<char, 16> text{};
  TextWriter line(text);
  line.put('s');
  line.put("awpb"[static_cast<std::size_t>(state.bus)]);
  line.put_decimal(static_cast<std::uint64_t>(std::clamp(state.rx_errors, 0, 999)), 3);
  line.put_decimal(static_cast<std::uint64_t>(std::clamp(state.tx_errors, 0, 999)), 3);
  line.put('\r');
  write_text({text.data(), line.size()});
}

}  // namespace jointrig::can
