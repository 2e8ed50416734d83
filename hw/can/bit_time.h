#pragma once
/// How long a frame keeps the wire, and what share of it a list of cyclic frames takes.
///
/// Classic frame of s bytes (Davis, Burns, Bril, Lukkien 2007, "Controller Area Network (CAN)
/// schedulability analysis: refuted, revisited and revised"), intermission included:
///
///     bits = g + 8 s + 13 + stuff bits,   stuff bits <= floor((g + 8 s - 1) / 4)
///
///     g   34 with an 11-bit identifier, 54 with 29 bits: start to the end of the CRC
///     13  CRC delimiter, acknowledge slot and delimiter, end of frame (7), intermission (3)
///
/// FD frame (ISO 11898-1:2015): the arbitration phase has a = 17 (or 36) bits, start to BRS; the
/// data phase d = 5 + 8 s bits that are stuffed as in classic frames, then stuff count (4), CRC (17
/// up to 16 bytes, else 21) and a fixed stuff bit before each four of these; the last 13 bits are
/// those of a classic frame. With BRS the data phase runs at the second rate. A run that ends with
/// the last stuffed bit needs no stuff bit of its own, since a fixed one follows:
///
///     stuff bits <= floor((a + d - 2) / 4),   floor((a - 1) / 4) of them in the arbitration phase
///
/// A piece of a serial line takes ten bits a byte at the first rate: start, eight of data, stop.
///
/// All pure functions; any thread.

#include <cstdint>
#include <span>

#include "hw/can/frame.h"
#include "hw/can/time.h"

namespace jointrig::can {

/// [bit/s], both above 0.
struct BitRates {
  std::int64_t nominal = 1'000'000;
  std::int64_t data = 5'000'000;  ///< of frames with `bit_rate_switch`

  friend bool operator==(const BitRates&, const BitRates&) = default;
};

enum class Stuffing {
  kNone,   ///< no stuff bits but an FD frame's fixed ones: the least a frame of this shape takes
  kWorst,  ///< an upper bound for frames of this shape; identifier and data do not matter
  kExact,  ///< as this very frame is stuffed, its CRC included
};

/// Bits of one frame with the three of the intermission, by the rate they are sent at.
struct FrameBits {
  int nominal = 0;
  int data = 0;  ///< 0 unless the frame switches its rate

  [[nodiscard]] int total() const noexcept { return nominal + data; }
  friend bool operator==(const FrameBits&, const FrameBits&) = default;
};

/// @param frame  valid(frame); of a remote frame `size` is sent as its length code, without data
[[nodiscard]] FrameBits frame_bits(const Frame& frame, Stuffing stuffing) noexcept;

/// Rounded up to a nanosecond.
[[nodiscard]] TimeNs duration(const FrameBits& bits, const BitRates& rates) noexcept;
[[nodiscard]] TimeNs duration(const Frame& frame, const BitRates& rates,
                              Stuffing stuffing) noexcept;

/// `count` frames of one shape every `period`.
struct CyclicFrame {
  Frame frame;
  TimeNs period = kMillisecond;  ///< above 0
  int count = 1;
};

/// Share of the wire's time: 1 is a full bus, more does not fit.
[[nodiscard]] double cyclic_load(std::span<const CyclicFrame> frames, const BitRates& rates,
                                 Stuffing stuffing) noexcept;

}  // namespace jointrig::can
