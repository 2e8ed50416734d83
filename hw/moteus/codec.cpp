#include "hw/moteus/codec.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace jointrig::moteus {
namespace {

constexpr std::uint32_t kWriteBase = 0x00;
constexpr std::uint32_t kReadBase = 0x10;
constexpr std::uint32_t kReplyBase = 0x20;
constexpr std::uint32_t kWriteErrorHead = 0x30;
constexpr std::uint32_t kReadErrorHead = 0x31;
constexpr std::uint32_t kNothing = 0x50;

constexpr std::uint32_t kIdBits = 0x7F;
constexpr std::uint32_t kReplyBit = 0x8000;
constexpr std::uint32_t kAllIdBits = 0xFFFF;

/// The greatest integer of a resolution; the least is kept for NaN.
double most(Resolution resolution) noexcept {
  constexpr double kMost[] = {127.0, 32767.0, 2147483647.0};
  return kMost[static_cast<std::size_t>(resolution)];
}

std::size_t varuint_size(std::uint32_t value) noexcept {
  std::size_t bytes = 1;
  while (value >>= 7U) ++bytes;
  return bytes;
}

}  // namespace

can::Frame frame_to(const Address& address) noexcept {
  can::Frame frame;
  frame.id = (address.source & kIdBits) << 8U | (address.destination & kIdBits) |
             (address.wants_reply ? kReplyBit : 0U);
  frame.extended = frame.id > can::kMaxStandardId;
  frame.fd = frame.bit_rate_switch = true;
  return frame;
}

std::optional<Address> address_of(const can::Frame& frame) noexcept {
  // Bit 7 belongs to neither end; above bit 15 is a prefix that this bus doesn't use.
  constexpr std::uint32_t kUnused = 0x80;
  if (!frame.fd || frame.id > kAllIdBits || (frame.id & kUnused) != 0) return std::nullopt;
  return Address{.source = static_cast<std::uint8_t>(frame.id >> 8U & kIdBits),
                 .destination = static_cast<std::uint8_t>(frame.id & kIdBits),
                 .wants_reply = (frame.id & kReplyBit) != 0};
}

std::uint32_t encode(double value, Quantity quantity, Resolution resolution) noexcept {
  if (resolution == Resolution::kFloat) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  const double end = most(resolution);
  if (std::isnan(value)) return static_cast<std::uint32_t>(static_cast<std::int64_t>(-end - 1.0));
  const double scaled = std::nearbyint(value / step_of(quantity, resolution));
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::clamp(scaled, -end, end)));
}

double decode(std::uint32_t bits, Quantity quantity, Resolution resolution) noexcept {
  if (resolution == Resolution::kFloat) {
    return static_cast<double>(std::bit_cast<float>(bits));
  }
  const unsigned unused = 32U - 8U * static_cast<unsigned>(size_of(resolution));
  const std::int32_t integer = static_cast<std::int32_t>(bits << unused) >> unused;
  // An integer register's least value is a value: a serial number has any bits.
  const bool is_nan = quantity != Quantity::kInteger && integer < -most(resolution);
  return is_nan ? std::nan("") : integer * step_of(quantity, resolution);
}

// Writing
// -------------------------------------------------------------------------------------------

bool FrameWriter::has_room(std::size_t bytes) const noexcept {
  return frame_->size + bytes <= can::kMaxFdBytes;
}

void FrameWriter::put(std::uint32_t byte) noexcept {
  frame_->data[frame_->size++] = static_cast<std::uint8_t>(byte);
}

void FrameWriter::put_varuint(std::uint32_t value) noexcept {
  constexpr std::uint32_t kMore = 0x80;
  for (; value >= kMore; value >>= 7U) put((value & 0x7FU) | kMore);
  put(value);
}

void FrameWriter::put_head(std::uint32_t base, std::uint32_t first, Resolution resolution,
                           std::size_t count) noexcept {
  const std::uint32_t kind = base | static_cast<std::uint32_t>(resolution) << 2U;
  const bool is_short = count <= 3;
  put(is_short ? kind | static_cast<std::uint32_t>(count) : kind);
  if (!is_short) put_varuint(static_cast<std::uint32_t>(count));
  put_varuint(first);
}

bool FrameWriter::put_values(std::uint32_t base, std::uint32_t first, Resolution resolution,
                             std::span<const double> values) noexcept {
  const std::size_t count = values.size();
  if (count == 0 || count > can::kMaxFdBytes) return false;
  const std::size_t head = 1 + (count > 3 ? 1U : 0U) + varuint_size(first);
  if (!has_room(head + count * size_of(resolution))) return false;
  put_head(base, first, resolution, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = first + static_cast<std::uint32_t>(i);
    const std::uint32_t bits = encode(values[i], quantity_of(number), resolution);
    for (std::size_t byte = 0; byte < size_of(resolution); ++byte) put(bits >> 8U * byte & 0xFFU);
  }
  return true;
}

bool FrameWriter::write(Register first, Resolution resolution,
                        std::span<const double> values) noexcept {
  return put_values(kWriteBase, static_cast<std::uint32_t>(first), resolution, values);
}

bool FrameWriter::reply(std::uint32_t first, Resolution resolution,
                        std::span<const double> values) noexcept {
  return put_values(kReplyBase, first, resolution, values);
}

bool FrameWriter::read(Register first, Resolution resolution, std::size_t count) noexcept {
  const auto number = static_cast<std::uint32_t>(first);
  if (count == 0 || count > FrameReader::kMostRegisters) return false;
  if (!has_room(1 + (count > 3 ? 1U : 0U) + varuint_size(number))) return false;
  put_head(kReadBase, number, resolution, count);
  return true;
}

bool FrameWriter::error(bool of_write, std::uint32_t one, std::uint32_t code) noexcept {
  if (!has_room(1 + varuint_size(one) + varuint_size(code))) return false;
  put(of_write ? kWriteErrorHead : kReadErrorHead);
  put_varuint(one);
  put_varuint(code);
  return true;
}

void FrameWriter::finish() noexcept {
  while (!can::is_fd_size(frame_->size)) put(kNothing);
}

// Reading
// -------------------------------------------------------------------------------------------

std::optional<Item> FrameReader::fail() noexcept {
  malformed_ = true;
  rest_ = {};
  left_ = 0;
  return std::nullopt;
}

bool FrameReader::take_byte(std::uint32_t& byte) noexcept {
  if (rest_.empty()) return false;
  byte = rest_.front();
  rest_ = rest_.subspan(1);
  return true;
}

bool FrameReader::take_varuint(std::uint32_t& value) noexcept {
  constexpr unsigned kMostBytes = 5;
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < kMostBytes; ++i) {
    std::uint32_t byte = 0;
    if (!take_byte(byte)) return false;
    sum |= std::uint64_t{byte & 0x7FU} << 7U * i;
    if ((byte & 0x80U) != 0) continue;
    value = static_cast<std::uint32_t>(sum);
    return sum <= 0xFFFF'FFFFU;
  }
  return false;
}

std::optional<Item> FrameReader::next() noexcept {
  while (left_ == 0) {
    if (rest_.empty()) return std::nullopt;
    if (!open_subframe()) return fail();
  }
  Item item = item_;
  --left_;
  ++item_.number;
  if (item.kind != Item::Kind::kWrite && item.kind != Item::Kind::kReply) return item;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < size_of(item.resolution); ++i) {
    std::uint32_t byte = 0;
    if (!take_byte(byte)) return fail();
    bits |= byte << 8U * i;
  }
  item.value = decode(bits, quantity_of(item.number), item.resolution);
  return item;
}

bool FrameReader::open_subframe() noexcept {
  std::uint32_t head = 0;
  if (!take_byte(head)) return false;
  if (head == kNothing) return true;
  if (head == kWriteErrorHead || head == kReadErrorHead) {
    item_ = {};
    item_.kind = head == kWriteErrorHead ? Item::Kind::kWriteError : Item::Kind::kReadError;
    left_ = 1;
    return take_varuint(item_.number) && take_varuint(item_.error_code);
  }
  return head < kWriteErrorHead && open_registers(head);
}

bool FrameReader::open_registers(std::uint32_t head) noexcept {
  constexpr Item::Kind kKinds[] = {Item::Kind::kWrite, Item::Kind::kRead, Item::Kind::kReply};
  item_ = {};
  item_.kind = kKinds[head >> 4U];
  item_.resolution = static_cast<Resolution>(head >> 2U & 3U);
  left_ = head & 3U;
  if (left_ == 0 && !take_varuint(left_)) return false;
  if (left_ > kMostRegisters) return false;
  // No registers: the maker's servos and client then read no first register either.
  return left_ == 0 || take_varuint(item_.number);
}

}  // namespace jointrig::moteus
