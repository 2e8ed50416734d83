#pragma once
/// How a link to a bus fares: its state, what went wrong, and a count of everything that was lost.

#include <cstdint>
#include <string>
#include <string_view>

namespace jointrig::can {

/// Fault confinement of the controller on the wire (ISO 11898-1), as an adapter tells it; one that
/// tells nothing stays kErrorActive.
enum class BusState : std::uint8_t { kErrorActive, kErrorWarning, kErrorPassive, kBusOff };

enum class LinkError : std::uint8_t {
  kNone,
  kClosed,           ///< by close()
  kDeviceGone,       ///< adapter unplugged, pty closed, interface removed
  kPeerClosed,       ///< the other end of a connection closed it
  kPeerUnreachable,  ///< nobody takes our datagrams; the link stays open, since somebody may come
  kProtocol,         ///< the stream cannot be understood and offers no place to start again
  kSystem,           ///< anything else: see system_error
};

struct LinkStatus {
  bool open = false;  ///< false: every send and receive returns 0 until somebody opens a new link
  LinkError error = LinkError::kNone;
  int system_error = 0;  ///< errno behind `error`, 0 if none
  BusState bus = BusState::kErrorActive;
  std::uint16_t rx_errors = 0;  ///< the controller's error counters, where it tells them
  std::uint16_t tx_errors = 0;
};

/// All of them only grow.
struct LinkCounters {
  std::uint64_t sent = 0;            ///< frames handed to the medium
  std::uint64_t received = 0;        ///< frames handed to the caller
  std::uint64_t tx_refused = 0;      ///< not taken: the medium was full or the link closed
  std::uint64_t tx_unsupported = 0;  ///< not taken: invalid, or the medium cannot carry such frames
  std::uint64_t tx_rejected = 0;     ///< taken, then answered with an error
  std::uint64_t rx_garbage = 0;      ///< lines, messages or datagrams that could not be understood
  std::uint64_t rx_lost = 0;         ///< frames or datagrams that the medium says are missing
  std::uint64_t rx_out_of_order = 0;  ///< datagrams that came twice or late; their frames count
  std::uint64_t bus_errors = 0;       ///< errors on the wire that an adapter reported
};

[[nodiscard]] std::string_view to_string(BusState state) noexcept;
[[nodiscard]] std::string_view to_string(LinkError error) noexcept;

/// A sentence for people: what is wrong with the link called `name`, and what to do. Allocates: not
/// for a bus thread.
[[nodiscard]] std::string describe(const LinkStatus& status, std::string_view name);

}  // namespace jointrig::can
