#pragma once

#include "hw/can/slcan_codec.h"
#include "hw/can/stream_transport.h"

namespace jointrig::can {

struct SlcanOptions {
  std::string device;                 ///< /dev/ttyACM0, a pty
  std::int64_t bit_rate = 1'000'000;  ///< of the bus: 10k 20k 50k 100k 125k 250k 500k 800k 1M
  std::int64_t data_bit_rate = 0;     ///< of FD data phases: 1M 2M 4M 5M 8M; 0: a classic bus
  int baud = 115'200;                 ///< of the serial line; of no account over USB
  bool listen_only = false;
  /// The adapter answers commands. False for a line whose other end is a program that merely
  /// understands frames.
  bool answers = true;
};

/// An SLCAN adapter: opened with C, S, [Y,] O (or L), each answered within two seconds; closed
/// with C. A line that is no line of SLCAN is counted (rx_garbage) and the next one is read; BEL
/// after a frame is counted (tx_rejected); `s` and `e` lines go to status() and bus_errors.
class SlcanTransport final : public StreamTransport {
 public:
  explicit SlcanTransport(const SlcanOptions& options);
  ~SlcanTransport() override { close(); }
  [[nodiscard]] Capabilities capabilities() const noexcept override {
    return {.fd = fd_bus_, .remote = true, .bus_state = true};
  }

 private:
  Taken take(std::string_view unread) noexcept override;
  std::size_t encode(const Frame& frame, std::span<char> out) noexcept override;
  void say_goodbye() noexcept override { write_text("C\r"); }
  void follow(const SlcanAnswer& answer) noexcept;

  SlcanLines lines_;
  bool fd_bus_;
};

}  // namespace jointrig::can
