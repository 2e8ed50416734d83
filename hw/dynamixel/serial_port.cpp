#include "hw/dynamixel/serial_port.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "hw/dynamixel/packet.h"

namespace jointrig::dynamixel {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

can::Frame piece(std::string_view bytes) noexcept {
  can::Frame frame;
  frame.id = kHostPiece;
  frame.serial = true;
  frame.size = static_cast<std::uint8_t>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), frame.data.begin());
  return frame;
}

void make_link(const std::string& link, const std::string& device) {
  struct stat found {};
  if (::lstat(link.c_str(), &found) == 0 && !S_ISLNK(found.st_mode)) {
    throw can::OpenError(can::OpenError::Reason::kSystem,
                         link +
                             ": is there and no link of a virtual line; give the line another "
                             "name.");
  }
  ::unlink(link.c_str());
  if (::symlink(device.c_str(), link.c_str()) != 0) {
    throw can::OpenError(can::OpenError::Reason::kSystem,
                         link + ": cannot be linked to the virtual line.");
  }
}

}  // namespace

SerialPort::SerialPort(const std::string& link) : SerialPort(can::open_pty(), link) {}

SerialPort::SerialPort(can::Pty pty, const std::string& link)
    : StreamTransport(pty.device, Medium::kTerminal), slave_(std::move(pty.slave)), link_(link) {
  if (!link_.empty()) make_link(link_, pty.device);
  opened(std::move(pty.master));
}

SerialPort::~SerialPort() {
  if (!link_.empty()) ::unlink(link_.c_str());
  close();
}

/// Bytes that begin no packet go on as they are, up to the next byte that may begin one.
can::StreamTransport::Taken SerialPort::take(std::string_view unread) noexcept {
  if (unread.empty()) return {};
  std::size_t size = 0;
  if (rest_ == 0 && static_cast<std::uint8_t>(unread[0]) == 0xFF) {
    if (unread.size() < kHeaderSize) return {};
    rest_ = packet_size(bytes_of(unread));
  }
  if (rest_ > 0) {
    size = std::min(rest_, can::kMaxFdBytes);
    if (unread.size() < size) return {};
    rest_ -= size;
  } else {
    size = std::min({unread.find('\xFF', 1), unread.size(), can::kMaxFdBytes});
  }
  return {size, true, piece(unread.substr(0, size))};
}

std::size_t SerialPort::encode(const can::Frame& frame, std::span<char> out) noexcept {
  if (frame.serial) {
    std::copy(frame.bytes().begin(), frame.bytes().end(), out.begin());
    return frame.bytes().size();
  }
  // Bytes that are no piece say that all have answered.
  return write_packet(kBroadcast, Instruction::kAllHaveAnswered, {},
                      {reinterpret_cast<std::uint8_t*>(out.data()), out.size()});
}

}  // namespace jointrig::dynamixel
