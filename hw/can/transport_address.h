#pragma once
/// Where a bus is, as people write it in robot.yaml and on the command line.
///
///     slcan:/dev/ttyACM0@1000000             options: data=5000000, baud=115200, listen, silent
///     cannelloni-udp:host:port:localport
///     cannelloni-tcp:host:port
///     socketcand:host:port/can0
///     socketcan:can0                         options: fd
///     serial:/dev/ttyUSB0@4000000            a serial line itself, for Dynamixel servos
///
/// Options follow behind commas: slcan:/dev/ttyACM0@1000000,data=5000000. An IPv6 address stands in
/// brackets.

#include <memory>
#include <string_view>
#include <variant>

#include "hw/can/inet.h"
#include "hw/can/serial_transport.h"
#include "hw/can/slcan_transport.h"
#include "hw/can/socketcan_transport.h"
#include "hw/can/transport.h"

namespace jointrig::can {

struct CannelloniUdpAddress {
  Endpoint peer;
  int local_port = 0;
};
struct CannelloniTcpAddress {
  Endpoint server;
};
struct SocketcandAddress {
  Endpoint server;
  std::string bus;
};

using TransportAddress = std::variant<SlcanOptions, CannelloniUdpAddress, CannelloniTcpAddress,
                                      SocketcandAddress, SocketCanOptions, SerialOptions>;

/// Throws OpenError (kAddress): what is wrong, and what would be right.
[[nodiscard]] TransportAddress parse_transport_address(std::string_view text);

/// host:port. Throws OpenError (kAddress).
[[nodiscard]] Endpoint parse_endpoint(std::string_view text);

/// Throws OpenError.
[[nodiscard]] std::unique_ptr<Transport> open_transport(const TransportAddress& address);
[[nodiscard]] std::unique_ptr<Transport> open_transport(std::string_view address);

}  // namespace jointrig::can
