#include "hw/can/serial_transport.h"

#include <linux/serial.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "hw/can/serial_line.h"

namespace jointrig::can {
namespace {

void ask_for_low_latency(int fd) noexcept {
  serial_struct settings{};
  if (::ioctl(fd, TIOCGSERIAL, &settings) != 0) return;
  settings.flags |= ASYNC_LOW_LATENCY;
  ::ioctl(fd, TIOCSSERIAL, &settings);
}

}  // namespace

SerialTransport::SerialTransport(const SerialOptions& options)
    : StreamTransport("serial:" + options.device, Medium::kTerminal) {
  UniqueFd line = open_serial_line(options.device, options.baud);
  ask_for_low_latency(line.get());
  opened(std::move(line));
}

StreamTransport::Taken SerialTransport::take(std::string_view unread) noexcept {
  if (unread.empty()) return {};
  Taken taken;
  taken.consumed = std::min(unread.size(), kMaxFdBytes);
  taken.is_frame = true;
  taken.frame.serial = true;
  taken.frame.size = static_cast<std::uint8_t>(taken.consumed);
  std::copy_n(unread.begin(), taken.consumed, taken.frame.data.begin());
  return taken;
}

std::size_t SerialTransport::encode(const Frame& frame, std::span<char> out) noexcept {
  if (!frame.serial) return 0;
  std::copy(frame.bytes().begin(), frame.bytes().end(), out.begin());
  return frame.bytes().size();
}

}  // namespace jointrig::can
