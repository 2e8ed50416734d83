#pragma once
/// cannelloni: CAN frames on a network (github.com/mguentner/cannelloni, doc/udp_format.md,
/// doc/tcp_format.md). All numbers big endian.
///
///     frame         id u32 with the flags of linux/can.h, length u8, [flags u8], data
///                   bit 7 of the length says FD, then the flags follow; a remote frame has no data
///     UDP datagram  version u8 = 2, operation u8 = 0, sequence u8, frames u16, then the frames
///     TCP stream    "CANNELLONIv1" from both sides, then the frames
///
/// Pure; nothing here allocates or throws.

#include <cstdint>
#include <span>
#include <string_view>

#include "hw/can/frame.h"

namespace jointrig::can {

inline constexpr std::string_view kCannelloniGreeting = "CANNELLONIv1";
inline constexpr std::size_t kMaxCannelloniFrame = 4 + 1 + 1 + kMaxFdBytes;
inline constexpr std::size_t kCannelloniHeader = 5;
/// Payload of one Ethernet packet over IPv4.
inline constexpr std::size_t kMaxCannelloniDatagram = 1500 - 20 - 8;

/// Returns the bytes written; 0 where the frame is not valid() or `out` is too short.
[[nodiscard]] std::size_t encode_cannelloni(const Frame& frame,
                                            std::span<std::uint8_t> out) noexcept;

struct CannelloniItem {
  enum class Kind : std::uint8_t {
    kMore,     ///< the frame is not all there
    kFrame,    ///< `frame`
    kSkipped,  ///< whole, but no frame of a bus (an error frame): to be left out
    kGarbage,  ///< no such frame can be: where the next one begins is unknown
  };
  Kind kind = Kind::kMore;
  std::size_t consumed = 0;  ///< bytes to take off the front; 0 for kMore and kGarbage
  Frame frame;
};

/// The first frame of `unread`.
[[nodiscard]] CannelloniItem next_cannelloni(std::span<const std::uint8_t> unread) noexcept;

/// Puts frames into one datagram.
class CannelloniDatagram {
 public:
  /// Empties it.
  /// @param sequence  one more than that of the datagram before, modulo 256
  void start(std::uint8_t sequence) noexcept;
  /// False when there is no room left (or the frame is not valid).
  [[nodiscard]] bool add(const Frame& frame) noexcept;
  [[nodiscard]] std::uint16_t count() const noexcept { return count_; }
  /// Header and frames.
  [[nodiscard]] std::span<const std::uint8_t> bytes() noexcept;

 private:
  std::array<std::uint8_t, kMaxCannelloniDatagram> bytes_{};
  std::size_t size_ = kCannelloniHeader;
  std::uint16_t count_ = 0;
};

struct CannelloniHeader {
  bool ok = false;  ///< version 2, data, long enough for a header
  std::uint8_t sequence = 0;
  std::uint16_t count = 0;
};
[[nodiscard]] CannelloniHeader parse_cannelloni_header(
    std::span<const std::uint8_t> datagram) noexcept;

/// Follows the sequence numbers of one sender.
class SequenceWatch {
 public:
  enum class Verdict : std::uint8_t { kInOrder, kGap, kLateOrDoubled };
  struct Result {
    Verdict verdict = Verdict::kInOrder;
    std::uint8_t missing = 0;  ///< datagrams between the last and this one; kGap alone
  };
  /// Differences of up to 127 ahead are a gap; the rest came late or twice.
  [[nodiscard]] Result take(std::uint8_t sequence) noexcept;

 private:
  bool started_ = false;
  std::uint8_t next_ = 0;
};

}  // namespace jointrig::can
