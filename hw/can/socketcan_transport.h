#pragma once

#include "hw/can/fd_transport.h"
#include "hw/can/socketcan_codec.h"

namespace jointrig::can {

struct SocketCanOptions {
  std::string interface;      ///< "can0"; up, and with its bit rate set, before it is opened
  bool fd = false;            ///< FD frames too; the interface has to be an FD one
  int send_bytes = 8 * 1024;  ///< of the socket's queue: bounds how old a command can get in it
};

/// A CAN_RAW socket of Linux. Error frames of the kernel go to status() and bus_errors. A full
/// queue (ENOBUFS) refuses frames and is not tried again. Bus-off is left by whoever set the
/// interface up, never by us: use restart-ms 0.
class SocketCanTransport final : public FdTransport {
 public:
  /// Throws OpenError: kUnsupported where the kernel has no CAN.
  explicit SocketCanTransport(const SocketCanOptions& options);
  ~SocketCanTransport() override { close(); }

  std::size_t send(std::span<const Frame> frames) noexcept override;
  [[nodiscard]] Capabilities capabilities() const noexcept override {
    return {.fd = fd_bus_, .remote = true, .bus_state = true};
  }

 private:
  static constexpr std::size_t kBatch = 32;

  std::size_t read_available(std::span<ReceivedFrame> into) noexcept override;
  std::size_t send_batch(std::span<const Frame> frames, std::size_t& tried, bool& full) noexcept;
  void follow(const BusReport& report) noexcept;

  bool fd_bus_;
};

}  // namespace jointrig::can
