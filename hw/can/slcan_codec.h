#pragma once
/// SLCAN: CAN frames and an adapter's commands and answers as lines of text.
///
///     frames    t III L DD..  11-bit identifier      r III L  remote       d, b  FD, FD with BRS
///               T IIIIIIII L DD..  29-bit            R                     D, B
///     answers   CR  done     z CR, Z CR  frame taken     BEL  refused
///     reports   s{a,w,p,b}RRRTTT  state, error counters  e<n><letters>  errors on the bus
///
/// L is the data length code as one digit (9..F only of FD frames), DD bytes, all hexadecimal. A
/// received frame may end with a stamp of four digits, milliseconds modulo one minute. Sources:
/// Lawicel CAN232 manual; CANable 2 firmware (d D b B); Linux drivers/net/can/slcan (s and e
/// lines).
///
/// Pure; nothing here allocates or throws. A frame's `error_state` has no place in a line.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hw/can/frame.h"
#include "hw/can/link_status.h"

namespace jointrig::can {

/// B, 8 digits of identifier, length, 64 bytes, stamp, CR.
inline constexpr std::size_t kMaxSlcanLine = 1 + 8 + 1 + 128 + 4 + 1;

/// Writes the line of a frame with its CR. Returns the characters written; 0 where the frame is not
/// valid() or `out` is too short (kMaxSlcanLine always suffices).
[[nodiscard]] std::size_t encode_slcan(const Frame& frame, std::span<char> out) noexcept;

struct SlcanFrame {
  Frame frame;
  std::optional<std::uint16_t> stamp_ms;
};

/// A line without its CR; empty for anything but a whole, valid frame.
[[nodiscard]] std::optional<SlcanFrame> parse_slcan_frame(std::string_view line) noexcept;

struct SlcanAnswer {
  enum class Kind : std::uint8_t {
    kGarbage,  ///< none of the below
    kFrame,
    kDone,    ///< an empty line, z or Z
    kState,   ///< `bus`, `rx_errors`, `tx_errors`
    kErrors,  ///< `error_count` errors on the bus; `overrun` if frames were lost in the adapter
    kText,    ///< the answer to V, N, F or a question of that kind
  };
  Kind kind = Kind::kGarbage;
  SlcanFrame frame;
  BusState bus = BusState::kErrorActive;
  std::uint16_t rx_errors = 0;
  std::uint16_t tx_errors = 0;
  int error_count = 0;
  bool overrun = false;
};

/// A line from an adapter, without its CR.
[[nodiscard]] SlcanAnswer parse_slcan_answer(std::string_view line) noexcept;

/// Cuts a stream of bytes into lines. After a line that is too long it looks for the next CR.
class SlcanLines {
 public:
  enum class Kind : std::uint8_t {
    kMore,     ///< nothing to tell; `consumed` may be above 0 while an endless line is skipped
    kLine,     ///< `line`, without CR and line feeds
    kRefused,  ///< a BEL
    kGarbage,  ///< half a line before a BEL, or one without end: once for each
  };
  struct Item {
    Kind kind = Kind::kMore;
    std::size_t consumed = 0;  ///< bytes to take off the front; 0: come again with more
    std::string_view line;     ///< into the bytes handed in
  };

  /// The first item of `unread`. Consumes something whenever kMaxSlcanLine or more bytes are there.
  [[nodiscard]] Item next(std::string_view unread) noexcept;

 private:
  bool skipping_ = false;
};

/// The digit after S for a bit rate [bit/s]; empty for a rate that adapters do not have.
[[nodiscard]] std::optional<char> slcan_rate_digit(std::int64_t bit_rate) noexcept;
/// The digit after Y for the rate of the data phase [bit/s].
[[nodiscard]] std::optional<char> slcan_data_rate_digit(std::int64_t bit_rate) noexcept;
/// Their inverses: [bit/s].
[[nodiscard]] std::optional<std::int64_t> slcan_rate(char digit) noexcept;
[[nodiscard]] std::optional<std::int64_t> slcan_data_rate(char digit) noexcept;

}  // namespace jointrig::can
