#include "hw/dynamixel/packet.h"

#include <algorithm>

namespace jointrig::dynamixel {
namespace {

constexpr std::array<std::uint8_t, 4> kHeader{0xFF, 0xFF, 0xFD, 0x00};
constexpr std::size_t kCrcSize = 2;
constexpr std::uint16_t kPolynomial = 0x8005;

constexpr std::array<std::uint16_t, 256> make_table() {
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    unsigned value = byte << 8U;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 0x8000U) != 0 ? (value << 1U) ^ kPolynomial : value << 1U;
    }
    table[byte] = static_cast<std::uint16_t>(value);
  }
  return table;
}
constexpr std::array<std::uint16_t, 256> kTable = make_table();

std::size_t length_of(std::span<const std::uint8_t> header) noexcept {
  return header[5] | static_cast<std::size_t>(header[6]) << 8U;
}

/// True if the bytes end with what has to be stuffed.
bool ends_as_header(std::span<const std::uint8_t> bytes) noexcept {
  const std::size_t n = bytes.size();
  return n >= 3 && bytes[n - 1] == 0xFD && bytes[n - 2] == 0xFF && bytes[n - 3] == 0xFF;
}

}  // namespace

std::uint16_t crc16(std::span<const std::uint8_t> bytes, std::uint16_t start) noexcept {
  unsigned crc = start;
  for (const std::uint8_t byte : bytes) {
    crc = (crc << 8U & 0xFFFFU) ^ kTable[(crc >> 8U ^ byte) & 0xFFU];
  }
  return static_cast<std::uint16_t>(crc);
}

std::size_t write_packet(std::uint8_t id, Instruction instruction,
                         std::span<const std::uint8_t> parameters,
                         std::span<std::uint8_t> out) noexcept {
  if (out.size() < kLeastPacket + parameters.size()) return 0;
  std::copy(kHeader.begin(), kHeader.end(), out.begin());
  out[4] = id;
  std::size_t size = kHeaderSize;
  out[size++] = static_cast<std::uint8_t>(instruction);
  const auto has_room = [&] { return size + 1 + kCrcSize <= out.size(); };
  for (const std::uint8_t byte : parameters) {
    if (!has_room()) return 0;
    out[size++] = byte;
    if (!ends_as_header(out.subspan(kHeaderSize, size - kHeaderSize))) continue;
    if (!has_room()) return 0;
    out[size++] = 0xFD;
  }
  const std::size_t length = size - kHeaderSize + kCrcSize;
  out[5] = static_cast<std::uint8_t>(length);
  out[6] = static_cast<std::uint8_t>(length >> 8U);
  const std::uint16_t crc = crc16(out.first(size));
  out[size++] = static_cast<std::uint8_t>(crc);
  out[size++] = static_cast<std::uint8_t>(crc >> 8U);
  return size;
}

std::size_t packet_size(std::span<const std::uint8_t> bytes) noexcept {
  if (bytes.size() < kHeaderSize) return 0;
  if (!std::equal(kHeader.begin(), kHeader.end(), bytes.begin())) return 0;
  const std::size_t size = kHeaderSize + length_of(bytes);
  return size >= kLeastPacket && size <= kMostPacket ? size : 0;
}

void PacketReader::feed(std::span<const std::uint8_t> bytes) noexcept {
  std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(begin_),
            bytes_.begin() + static_cast<std::ptrdiff_t>(size_), bytes_.begin());
  size_ -= begin_;
  begin_ = 0;
  const std::size_t taken = std::min(bytes.size(), bytes_.size() - size_);
  std::copy_n(bytes.begin(), taken, bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
  size_ += taken;
  counters_.garbage += bytes.size() - taken;
}

void PacketReader::skip(std::size_t count) noexcept {
  begin_ += count;
  counters_.garbage += count;
}

/// Skips to what is a header as far as it has come. True if all of it is there.
bool PacketReader::find_header() noexcept {
  for (;;) {
    const auto rest = unread();
    const std::size_t known = std::min(rest.size(), kHeader.size());
    const bool fits = std::equal(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(known),
                                 kHeader.begin());
    if (fits && rest.size() < kHeaderSize) return false;
    if (fits && packet_size(rest) != 0) return true;
    skip(1);
  }
}

std::optional<Packet> PacketReader::next() noexcept {
  while (find_header()) {
    const std::size_t size = packet_size(unread());
    if (unread().size() < size) return std::nullopt;
    const auto packet = unread().first(size);
    const std::uint16_t crc = static_cast<std::uint16_t>(
        packet[size - 2] | static_cast<unsigned>(packet[size - 1]) << 8U);
    if (crc16(packet.first(size - kCrcSize)) == crc) {
      begin_ += size;
      ++counters_.packets;
      return unpack(packet);
    }
    ++counters_.crc_errors;
    skip(1);
  }
  return std::nullopt;
}

Packet PacketReader::unpack(std::span<const std::uint8_t> packet) noexcept {
  Packet result;
  result.id = packet[4];
  result.instruction = static_cast<Instruction>(packet[kHeaderSize]);
  const bool is_stuffed = result.id != kBroadcast || result.instruction != Instruction::kStatus;
  const auto body = packet.subspan(kHeaderSize, packet.size() - kHeaderSize - kCrcSize);
  std::size_t size = 0;
  for (std::size_t i = 1; i < body.size(); ++i) {
    const bool is_stuffing = is_stuffed && body[i] == 0xFD && ends_as_header(body.first(i));
    if (!is_stuffing) parameters_[size++] = body[i];
  }
  result.parameters = std::span(parameters_).first(size);
  return result;
}

}  // namespace jointrig::dynamixel
