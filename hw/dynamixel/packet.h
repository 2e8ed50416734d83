#pragma once
/// Packets of Dynamixel protocol 2.0 (e-manual.robotis.com, "DYNAMIXEL Protocol 2.0"):
///
///     FF FF FD 00 | id | length, low byte first | instruction | parameters | CRC, low byte first
///
///     length      bytes behind it, the two of the CRC included
///     parameters  of a status packet (instruction 55h) the first is the error
///     CRC         x^16 + x^15 + x^2 + 1 (8005h), start 0, most significant bit first, over all
///                 bytes before it
///
/// FF FF FD within instruction and parameters would look like a header: an FD is stuffed behind it.
/// The answer to a fast sync read is not stuffed: its length is known beforehand.
///
/// Nothing allocates, nothing throws.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace jointrig::dynamixel {

inline constexpr std::uint8_t kLastId = 252;
inline constexpr std::uint8_t kBroadcast = 0xFE;
inline constexpr std::size_t kMostPacket = 1024;  ///< bytes of the longest packet that is taken
inline constexpr std::size_t kHeaderSize = 7;     ///< to the end of the length
inline constexpr std::size_t kLeastPacket = 10;   ///< header, instruction, CRC

enum class Instruction : std::uint8_t {
  kPing = 0x01,
  kRead = 0x02,
  kWrite = 0x03,
  kRegWrite = 0x04,
  kAction = 0x05,
  kReboot = 0x08,
  kStatus = 0x55,
  kAllHaveAnswered = 0x7F,  ///< the project's own: all virtual servos have said what they say
  kSyncRead = 0x82,
  kSyncWrite = 0x83,
  kFastSyncRead = 0x8A,
  kBulkRead = 0x92,
  kBulkWrite = 0x93,
};

/// Error of a status packet, without the alert bit.
enum class Error : std::uint8_t {
  kNone = 0,
  kResult = 1,
  kInstruction = 2,
  kCrc = 3,
  kDataRange = 4,
  kDataLength = 5,
  kDataLimit = 6,
  kAccess = 7,
};
inline constexpr std::uint8_t kAlert = 0x80;  ///< hardware error status is not 0

/// @param start  CRC of the bytes before these
[[nodiscard]] std::uint16_t crc16(std::span<const std::uint8_t> bytes,
                                  std::uint16_t start = 0) noexcept;

struct Packet {
  std::uint8_t id = 0;
  Instruction instruction = Instruction::kStatus;
  std::span<const std::uint8_t> parameters;  ///< without stuffing
};

/// Writes a packet, stuffed and with its CRC. Returns its size, 0 if `out` is too small.
std::size_t write_packet(std::uint8_t id, Instruction instruction,
                         std::span<const std::uint8_t> parameters,
                         std::span<std::uint8_t> out) noexcept;

/// Length of the packet at the front of `bytes`, by its header: 0 if that is no header or not
/// complete.
[[nodiscard]] std::size_t packet_size(std::span<const std::uint8_t> bytes) noexcept;

/// Finds the packets in a line's bytes. Bytes that belong to none are skipped and counted; a packet
/// whose CRC is wrong is given up at its first byte, so that a good one inside of it is found.
class PacketReader {
 public:
  /// Bytes that don't fit are dropped and counted as garbage: call next() after each call.
  void feed(std::span<const std::uint8_t> bytes) noexcept;
  /// The next packet; its parameters are valid until the next call of a member.
  std::optional<Packet> next() noexcept;
  /// Throws away what has come and was not read.
  void reset() noexcept { begin_ = size_ = 0; }

  struct Counters {
    std::uint64_t packets = 0;
    std::uint64_t crc_errors = 0;
    std::uint64_t garbage = 0;  ///< bytes
  };
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

 private:
  [[nodiscard]] std::span<const std::uint8_t> unread() const noexcept {
    return {bytes_.data() + begin_, size_ - begin_};
  }
  void skip(std::size_t count) noexcept;
  bool find_header() noexcept;
  [[nodiscard]] Packet unpack(std::span<const std::uint8_t> packet) noexcept;

  std::array<std::uint8_t, 2 * kMostPacket> bytes_{};
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  std::array<std::uint8_t, kMostPacket> parameters_{};
  Counters counters_;
};

}  // namespace jointrig::dynamixel
