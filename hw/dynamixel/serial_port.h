#pragma once
/// The end of a serial line for a program that speaks to virtual servos: a pty, and a name for it
/// that stays. A frame of the bus is a packet, or a piece of one that is longer than a frame.

#include <cstddef>
#include <string>

#include "hw/can/hub_link.h"
#include "hw/can/serial_line.h"
#include "hw/can/stream_transport.h"

namespace jointrig::dynamixel {

/// Identifier of the pieces that come from the host; those of servos have kFirstAnswer and above,
/// in the order in which they speak.
inline constexpr std::uint32_t kHostPiece = 0;
inline constexpr std::uint32_t kFirstAnswer = 0x100;

class SerialPort final : public can::StreamTransport, public can::HubLink {
 public:
  /// @param link  symbolic link to the device; empty: none. Throws OpenError.
  explicit SerialPort(const std::string& link);
  ~SerialPort() override;

  /// The path that a client opens: /dev/pts/3.
  [[nodiscard]] const std::string& device() const noexcept { return name(); }

  Transport& transport() noexcept override { return *this; }
  [[nodiscard]] Capabilities capabilities() const noexcept override { return {}; }
  [[nodiscard]] unsigned openings() const noexcept override { return 1; }
  [[nodiscard]] bool on_bus() const noexcept override { return true; }

 private:
  SerialPort(can::Pty pty, const std::string& link);

  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const can::Frame& frame, std::span<char> out) noexcept override;

  can::UniqueFd slave_;  ///< kept open, so that the line outlives its clients
  std::string link_;
  std::size_t rest_ = 0;  ///< bytes of a packet whose first pieces were taken
};

}  // namespace jointrig::dynamixel
