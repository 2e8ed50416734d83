#pragma once
/// Traffic as text, in the format that can-utils log and replay (candump -L, canplayer, log2asc):
///
///     (1436509052.249713) can0 123#11223344      data; eight digits of identifier for 29 bits
///     (1436509052.249713) can0 123#R8            remote, with its length
///     (1436509052.249713) can0 123##311223344    FD; the first digit has BRS (1) and ESI (2)
///
/// Pure.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hw/can/frame.h"
#include "hw/can/time.h"

namespace jointrig::can {

/// The longest line, with a bus's name of up to 15 letters.
inline constexpr std::size_t kMaxCandumpLine = 192;

/// Writes a line with its line feed.
/// @param time  [ns], not below 0; told in microseconds
/// @param bus  without blanks. Returns the characters written; 0 where the frame is not valid() or
/// the line does not fit.
[[nodiscard]] std::size_t encode_candump(const Frame& frame, TimeNs time, std::string_view bus,
                                         std::span<char> out) noexcept;

struct CandumpLine {
  TimeNs time = 0;
  std::string bus;
  Frame frame;
};
/// A line, with or without its line feed; empty for anything that is none.
[[nodiscard]] std::optional<CandumpLine> parse_candump(std::string_view line);

}  // namespace jointrig::can
