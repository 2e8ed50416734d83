#pragma once
/// Frames of a moteus bus: who to whom, and what is written, read, answered in them.
///
/// Identifier: destination in bits 0..6, source in bits 8..14, bit 15 asks for an answer; as a
/// 29-bit identifier where it doesn't fit 11. Always CAN FD with the second bit rate.
///
/// Data: subframes one after another, little endian, padded with 50h to a length that FD has.
///
///     00h 04h 08h 0Ch   write int8, int16, int32, float
///     10h 14h 18h 1Ch   read
///     20h 24h 28h 2Ch   reply
///         two lowest bits: how many registers; 0: that follows as a varuint
///         then the first register as a varuint, then, but for a read, the values
///     30h 31h           write error, read error: register and code as varuints
///     50h               nothing
///
/// The integers' least value stands for NaN; a varuint has at most five bytes of 7 bits, lowest
/// first. Source: the maker's protocol reference.

#include <cstdint>
#include <optional>
#include <span>

#include "hw/can/frame.h"
#include "hw/moteus/registers.h"

namespace jointrig::moteus {

inline constexpr std::uint8_t kLastId = 127;

struct Address {
  std::uint8_t source = 0;       ///< 0..127; a host is 0 by custom
  std::uint8_t destination = 1;  ///< 1..127
  bool wants_reply = false;
  friend bool operator==(const Address&, const Address&) = default;
};

/// An FD frame without data.
[[nodiscard]] can::Frame frame_to(const Address& address) noexcept;

/// Nothing for a frame that isn't of this protocol: not FD, or with more bits in its identifier.
[[nodiscard]] std::optional<Address> address_of(const can::Frame& frame) noexcept;

/// The integer that stands for a value, nearest, brought to the integer's ends; its bits for a
/// float.
[[nodiscard]] std::uint32_t encode(double value, Quantity quantity, Resolution resolution) noexcept;
[[nodiscard]] double decode(std::uint32_t bits, Quantity quantity, Resolution resolution) noexcept;

/// Appends subframes to a frame. A subframe that doesn't fit is left out, whole.
class FrameWriter {
 public:
  explicit FrameWriter(can::Frame& frame) noexcept : frame_(&frame) {}

  /// Values of `values.size()` registers from `first` on.
  bool write(Register first, Resolution resolution, std::span<const double> values) noexcept;
  bool write(Register one, Resolution resolution, double value) noexcept {
    return write(one, resolution, std::span(&value, 1));
  }
  bool read(Register first, Resolution resolution, std::size_t count) noexcept;
  bool reply(std::uint32_t first, Resolution resolution, std::span<const double> values) noexcept;
  bool error(bool of_write, std::uint32_t one, std::uint32_t code) noexcept;

  /// Pads to a length of FD.
  void finish() noexcept;

 private:
  [[nodiscard]] bool has_room(std::size_t bytes) const noexcept;
  void put(std::uint32_t byte) noexcept;
  void put_varuint(std::uint32_t value) noexcept;
  void put_head(std::uint32_t base, std::uint32_t first, Resolution resolution,
                std::size_t count) noexcept;
  bool put_values(std::uint32_t base, std::uint32_t first, Resolution resolution,
                  std::span<const double> values) noexcept;

  can::Frame* frame_;
};

/// One register of a subframe, or an error.
struct Item {
  enum class Kind : std::uint8_t { kWrite, kRead, kReply, kWriteError, kReadError };
  Kind kind = Kind::kWrite;
  std::uint32_t number = 0;  ///< of the register
  Resolution resolution = Resolution::kInt8;
  double value = 0;  ///< written or replied, in the register's unit
  std::uint32_t error_code = 0;
};

/// Takes a frame's data apart. It ends on any bytes, and reads none past the last.
class FrameReader {
 public:
  /// A subframe of more registers than this is no sense: no answer to it fits a frame.
  static constexpr std::uint32_t kMostRegisters = 64;

  explicit FrameReader(std::span<const std::uint8_t> bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] std::optional<Item> next() noexcept;

  /// It ended because of bytes that are no subframe.
  [[nodiscard]] bool is_malformed() const noexcept { return malformed_; }

 private:
  bool open_subframe() noexcept;
  bool open_registers(std::uint32_t head) noexcept;
  bool take_byte(std::uint32_t& byte) noexcept;
  bool take_varuint(std::uint32_t& value) noexcept;
  std::optional<Item> fail() noexcept;

  std::span<const std::uint8_t> rest_;
  Item item_;               ///< next of the subframe that is open
  std::uint32_t left_ = 0;  ///< registers of it
  bool malformed_ = false;
};

}  // namespace jointrig::moteus
