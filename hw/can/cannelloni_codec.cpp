#include "hw/can/cannelloni_codec.h"

#include <cstring>

#include "hw/can/socketcan_codec.h"

namespace jointrig::can {
namespace {

constexpr std::uint8_t kVersion = 2;
constexpr std::uint8_t kData = 0;
constexpr std::uint8_t kFdLength = 0x80;

void put_u32(std::uint32_t value, std::uint8_t* out) noexcept {
  for (int i = 0; i < 4; ++i) out[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

std::uint32_t get_u32(const std::uint8_t* in) noexcept {
  return std::uint32_t{in[0]} << 24 | std::uint32_t{in[1]} << 16 | std::uint32_t{in[2]} << 8 |
         std::uint32_t{in[3]};
}

}  // namespace

std::size_t encode_cannelloni(const Frame& frame, std::span<std::uint8_t> out) noexcept {
  const std::size_t head = frame.fd ? 6 : 5;
  if (!valid(frame) || out.size() < head + frame.bytes().size()) return 0;
  put_u32(linux_id(frame), out.data());
  out[4] = static_cast<std::uint8_t>(frame.size | (frame.fd ? kFdLength : 0));
  if (frame.fd) {
    out[5] = static_cast<std::uint8_t>((frame.bit_rate_switch ? kLinuxFdBitRateSwitch : 0) |
                                       (frame.error_state ? kLinuxFdErrorState : 0));
  }
  std::memcpy(out.data() + head, frame.data.data(), frame.bytes().size());
  return head + frame.bytes().size();
}

CannelloniItem next_cannelloni(std::span<const std::uint8_t> unread) noexcept {
  CannelloniItem item;
  if (unread.size() < 5) return item;
  Frame& frame = item.frame;
  const std::uint32_t id = get_u32(unread.data());
  const bool is_bus_frame = set_linux_id(id, frame);
  frame.fd = (unread[4] & kFdLength) != 0;
  frame.size = unread[4] & 0x7F;
  const std::size_t head = frame.fd ? 6 : 5;
  if (unread.size() < head) return item;
  if (frame.fd) {
    frame.bit_rate_switch = (unread[5] & kLinuxFdBitRateSwitch) != 0;
    frame.error_state = (unread[5] & kLinuxFdErrorState) != 0;
  }
  const bool is_error_frame = (id & kLinuxErrorFlag) != 0;
  if (is_error_frame ? frame.fd || frame.size > kMaxClassicBytes : !is_bus_frame || !valid(frame)) {
    item.kind = CannelloniItem::Kind::kGarbage;
    return item;
  }
  const std::size_t data = is_error_frame ? frame.size : frame.bytes().size();
  if (unread.size() < head + data) return item;
  std::memcpy(frame.data.data(), unread.data() + head, data);
  item.consumed = head + data;
  item.kind = is_error_frame ? CannelloniItem::Kind::kSkipped : CannelloniItem::Kind::kFrame;
  return item;
}

void CannelloniDatagram::start(std::uint8_t sequence) noexcept {
  bytes_[0] = kVersion;
  bytes_[1] = kData;
  bytes_[2] = sequence;
  size_ = kCannelloniHeader;
  count_ = 0;
}

bool CannelloniDatagram::add(const Frame& frame) noexcept {
  const std::size_t written = encode_cannelloni(frame, std::span(bytes_).subspan(size_));
  if (written == 0) return false;
  size_ += written;
  ++count_;
  return true;
}

std::span<const std::uint8_t> CannelloniDatagram::bytes() noexcept {
  bytes_[3] = static_cast<std::uint8_t>(count_ >> 8);
  bytes_[4] = static_cast<std::uint8_t>(count_ & 0xFF);
  return {bytes_.data(), size_};
}

CannelloniHeader parse_cannelloni_header(std::span<const std::uint8_t> datagram) noexcept {
  CannelloniHeader header;
  if (datagram.size() < kCannelloniHeader) return header;
  header.ok = datagram[0] == kVersion && datagram[1] == kData;
  header.sequence = datagram[2];
  header.count = static_cast<std::uint16_t>(datagram[3] << 8 | datagram[4]);
  return header;
}

SequenceWatch::Result SequenceWatch::take(std::uint8_t sequence) noexcept {
  const auto ahead = static_cast<std::uint8_t>(sequence - next_);
  if (started_ && ahead > 127) return {Verdict::kLateOrDoubled, 0};
  const bool gap = started_ && ahead != 0;
  started_ = true;
  next_ = static_cast<std::uint8_t>(sequence + 1);
  return gap ? Result{Verdict::kGap, ahead} : Result{};
}

}  // namespace jointrig::can
