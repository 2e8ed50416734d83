#pragma once
/// The port to a CAN bus: an adapter, a socket or a simulated bus, as a bus thread uses it.

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include "hw/can/frame.h"
#include "hw/can/link_status.h"
#include "hw/can/time.h"

namespace jointrig::can {

struct ReceivedFrame {
  Frame frame;
  TimeNs time = 0;  ///< monotonic clock, when it was read from the medium
};

/// Why a link could not be opened. what() is one sentence: where, what, what to do.
class OpenError : public std::runtime_error {
 public:
  enum class Reason {
    kAddress,      ///< the address is not understood
    kNoDevice,     ///< no such device, interface or host
    kRefused,      ///< the adapter, the server or the system said no
    kNoAnswer,     ///< nothing came back in time
    kUnsupported,  ///< this kernel or adapter cannot do it
    kSystem,
  };
  OpenError(Reason reason, const std::string& text) : std::runtime_error(text), reason_(reason) {}
  [[nodiscard]] Reason reason() const noexcept { return reason_; }

 private:
  Reason reason_;
};

/// A link is opened by the constructor of its class (or open_transport), which throws OpenError and
/// takes at most some seconds. From then on nothing throws and nothing allocates; what is lost is
/// counted. One thread at a time.
///
/// Nothing is kept in order to be sent later: a frame that the medium does not take at once is
/// refused, since a command that waits is a stale command. A link that broke stays broken; a user
/// who needs it again opens a new one.
class Transport {
 public:
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  /// Hands frames to the medium, in order, with as few system calls as it allows (one for a cycle's
  /// commands). Never waits. Frames that are invalid or cannot be carried are left out
  /// (tx_unsupported); from the first one on that the medium has no room for, all are refused
  /// (tx_refused).
  /// @return frames handed over
  virtual std::size_t send(std::span<const Frame> frames) noexcept = 0;

  /// Takes what has come, oldest first, at most into.size() frames. Waits until there is one or the
  /// monotonic clock reads `deadline`; with a deadline that is past it only looks.
  /// @return frames written to `into`; fewer than its size: no more are there for now
  virtual std::size_t receive(std::span<ReceivedFrame> into, TimeNs deadline) noexcept = 0;

  /// To wait for several links at once (POLLIN): call receive() until it returns less than it could
  /// before waiting. -1 when the link is not open.
  [[nodiscard]] virtual int poll_fd() const noexcept = 0;

  [[nodiscard]] virtual LinkStatus status() const noexcept = 0;
  [[nodiscard]] virtual LinkCounters counters() const noexcept = 0;

  struct Capabilities {
    bool fd = false;
    bool remote = false;
    bool bus_state = false;  ///< tells when the controller goes bus-off
  };
  [[nodiscard]] virtual Capabilities capabilities() const noexcept = 0;

  /// Throws away what has come and was not read, and, where the medium can do that, what was
  /// sent and is not on the wire yet.
  virtual void flush() noexcept = 0;

  /// Leaves the bus. Again: nothing.
  virtual void close() noexcept = 0;

  /// The address it was opened with, for messages.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;

 protected:
  Transport() = default;
};

}  // namespace jointrig::can
