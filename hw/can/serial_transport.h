#pragma once
/// A serial line itself, for servos that speak over one: a frame is a piece of what comes or goes,
/// up to 64 bytes as they are. Where a packet begins is for the reader to find.

#include <string>

#include "hw/can/stream_transport.h"

namespace jointrig::can {

struct SerialOptions {
  std::string device;
  int baud = 1'000'000;  ///< [bit/s]
};

class SerialTransport final : public StreamTransport {
 public:
  /// Asks the driver not to wait for more bytes before it hands over those that have come; one that
  /// cannot be asked is used as it is. Throws OpenError.
  explicit SerialTransport(const SerialOptions& options);
  ~SerialTransport() override { close(); }

  [[nodiscard]] Capabilities capabilities() const noexcept override { return {}; }

 private:
  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const Frame& frame, std::span<char> out) noexcept override;
};

}  // namespace jointrig::can
