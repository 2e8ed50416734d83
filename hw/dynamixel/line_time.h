#pragma once
/// How long a cycle of n servos keeps a serial line, ten bits a byte:
///
///     t = 10 (w + q + a) / rate + delays
///
///     w  writes: 14 bytes a packet and 1 + size a servo, as many servos a packet as 64 bytes hold
///     q  the question, one sync read: 14 + n
///     a  answers of d bytes of data: n (11 + d), or as one of fast sync read 8 + n (4 + d)
///     delays  one return delay an answer, of fast sync read one altogether
///
/// Stuffing is not counted: it needs FF FF FD in the data, and takes a byte each.

#include <cstddef>
#include <cstdint>

namespace jointrig::dynamixel {

/// Bytes of a packet of the host at most: one piece of the line (hw/can/frame.h).
inline constexpr std::size_t kMostPiece = 64;

struct LineLoad {
  std::size_t servos = 1;
  std::size_t goal_size = 4;    ///< bytes that each is written
  std::size_t report_size = 0;  ///< d
  bool fast = true;
  double return_delay = 0.0;  ///< [s]
};

[[nodiscard]] std::size_t write_bytes(std::size_t servos, std::size_t goal_size) noexcept;
[[nodiscard]] std::size_t question_bytes(std::size_t servos) noexcept;
[[nodiscard]] std::size_t answer_bytes(const LineLoad& load) noexcept;
/// t [s] at a rate [bit/s].
[[nodiscard]] double cycle_time(const LineLoad& load, double rate) noexcept;

}  // namespace jointrig::dynamixel
