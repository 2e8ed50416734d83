#pragma once
/// socketcand, raw mode: classic frames as messages in angle brackets over TCP
/// (github.com/linux-can/socketcand, doc/protocol.md).
///
///     server  < hi >   < ok >   < echo >   < frame 123 23.424242 1AF1 >   < error .. >
///     client  < open can0 >   < rawmode >   < echo >   < send 123 2 1A F1 >
///
/// An identifier of eight digits is one of 29 bits. The protocol carries neither FD nor remote
/// frames. Pure; nothing here allocates or throws.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hw/can/frame.h"
#include "hw/can/time.h"

namespace jointrig::can {

inline constexpr std::size_t kMaxSocketcandMessage = 128;

/// True for valid classic data frames: both directions carry only these.
[[nodiscard]] bool fits_socketcand(const Frame& frame) noexcept;

/// "< send .. >". Returns the characters written; 0 where it does not fit.
[[nodiscard]] std::size_t encode_socketcand_send(const Frame& frame, std::span<char> out) noexcept;

/// "< frame .. >".
/// @param time  [ns], told in seconds with six decimals; not below 0
[[nodiscard]] std::size_t encode_socketcand_frame(const Frame& frame, TimeNs time,
                                                  std::span<char> out) noexcept;

/// Cuts a stream into the words between brackets. Text outside of them is skipped.
class SocketcandMessages {
 public:
  enum class Kind : std::uint8_t { kMore, kMessage, kGarbage };
  struct Item {
    Kind kind = Kind::kMore;
    std::size_t consumed = 0;  ///< bytes to take off the front; 0: come again with more
    std::string_view words;    ///< between the brackets, without blanks around
  };
  /// The first item of `unread`. Consumes something whenever kMaxSocketcandMessage bytes are there.
  [[nodiscard]] static Item next(std::string_view unread) noexcept;
};

/// The words of a message: "send 123 2 1A F1" with the length as a hexadecimal number.
[[nodiscard]] std::optional<Frame> parse_socketcand_send(std::string_view words) noexcept;
/// "frame 123 23.424242 1AF1"; the bytes may be apart.
[[nodiscard]] std::optional<Frame> parse_socketcand_frame(std::string_view words) noexcept;

/// Takes the first word off `words`; empty at the end.
[[nodiscard]] std::string_view take_word(std::string_view& words) noexcept;

}  // namespace jointrig::can
