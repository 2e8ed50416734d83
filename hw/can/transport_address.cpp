#include "hw/can/transport_address.h"

#include <fmt/core.h>

#include <charconv>
#include <vector>

#include "hw/can/cannelloni_transport.h"
#include "hw/can/socketcand_transport.h"

namespace jointrig::can {
namespace {

constexpr std::string_view kKinds =
    "slcan:/dev/ttyACM0@1000000, cannelloni-udp:host:port:localport, cannelloni-tcp:host:port, "
    "socketcand:host:port/can0, socketcan:can0 or serial:/dev/ttyUSB0@4000000";

/// One address and what it should look like, for messages.
class Text {
 public:
  Text(std::string_view whole, std::string_view form) : whole_(whole), form_(form) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw OpenError(OpenError::Reason::kAddress, "bus address '" + std::string(whole_) + "': " +
                                                     what + "; write " + std::string(form_) + ".");
  }

  std::int64_t number(std::string_view digits, const char* what, std::int64_t least,
                      std::int64_t most) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < least ||
        value > most) {
      fail(fmt::format("'{}' is no {} ({} to {})", digits, what, least, most));
    }
    return value;
  }

  int port(std::string_view digits) const {
    return static_cast<int>(number(digits, "port", 1, 65'535));
  }

  std::string not_empty(std::string_view value, const char* what) const {
    if (value.empty()) fail(std::string(what) + " is missing");
    return std::string(value);
  }

  /// host:port at the front of `rest`, which is left with what stands behind it.
  Endpoint endpoint(std::string_view& rest) const {
    Endpoint result;
    if (rest.starts_with('[')) {
      const std::size_t end = rest.find(']');
      if (end == std::string_view::npos) fail("the bracket is not closed");
      result.host = not_empty(rest.substr(1, end - 1), "the host");
      rest.remove_prefix(end + 1);
    } else {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      result.host = not_empty(rest.substr(0, end), "the host");
      rest.remove_prefix(end);
    }
    if (!rest.starts_with(':')) fail("the port is missing");
    rest.remove_prefix(1);
    const std::size_t end = std::min(rest.find_first_not_of("0123456789"), rest.size());
    result.port = port(rest.substr(0, end));
    rest.remove_prefix(end);
    return result;
  }

 private:
  std::string_view whole_;
  std::string_view form_;
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

SlcanOptions parse_slcan(const Text& text, std::string_view rest) {
  SlcanOptions options;
  const std::vector<std::string_view> parts = split(rest, ',');
  const std::size_t at = parts[0].rfind('@');
  options.device = text.not_empty(parts[0].substr(0, at), "the device");
  if (at == std::string_view::npos) text.fail("the bit rate of the bus is missing");
  options.bit_rate = text.number(parts[0].substr(at + 1), "bit rate", 10'000, 1'000'000);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view option = parts[i];
    if (option == "listen") {
      options.listen_only = true;
    } else if (option == "silent") {
      options.answers = false;
    } else if (option.starts_with("data=")) {
      options.data_bit_rate = text.number(option.substr(5), "data bit rate", 1'000'000, 8'000'000);
    } else if (option.starts_with("baud=")) {
      options.baud = static_cast<int>(
          text.number(option.substr(5), "rate of a serial line", 9'600, 4'000'000));
    } else {
      text.fail("'" + std::string(option) +
                "' is no option of slcan (there are data=, baud=, listen and silent)");
    }
  }
  return options;
}

CannelloniUdpAddress parse_cannelloni_udp(const Text& text, std::string_view rest) {
  CannelloniUdpAddress address;
  address.peer = text.endpoint(rest);
  if (!rest.starts_with(':')) text.fail("the local port, that the peer sends to, is missing");
  address.local_port = text.port(rest.substr(1));
  return address;
}

CannelloniTcpAddress parse_cannelloni_tcp(const Text& text, std::string_view rest) {
  CannelloniTcpAddress address{text.endpoint(rest)};
  if (!rest.empty()) text.fail("'" + std::string(rest) + "' behind the port is too much");
  return address;
}

SocketcandAddress parse_socketcand(const Text& text, std::string_view rest) {
  SocketcandAddress address;
  address.server = text.endpoint(rest);
  if (!rest.starts_with('/')) text.fail("the name of the bus is missing");
  address.bus = text.not_empty(rest.substr(1), "the name of the bus");
  if (address.bus.find_first_of(" <>/") != std::string::npos) {
    text.fail("'" + address.bus + "' is no name of a bus");
  }
  return address;
}

SocketCanOptions parse_socketcan(const Text& text, std::string_view rest) {
  constexpr std::size_t kMostLetters = 15;  // IFNAMSIZ without its end
  SocketCanOptions options;
  const std::vector<std::string_view> parts = split(rest, ',');
  options.interface = text.not_empty(parts[0], "the interface");
  if (options.interface.size() > kMostLetters) {
    text.fail("an interface's name has at most 15 letters");
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] != "fd") {
      text.fail("'" + std::string(parts[i]) + "' is no option of socketcan (there is fd)");
    }
    options.fd = true;
  }
  return options;
}

SerialOptions parse_serial(const Text& text, std::string_view rest) {
  SerialOptions options;
  const std::size_t at = rest.rfind('@');
  options.device = text.not_empty(rest.substr(0, at), "the device");
  if (at == std::string_view::npos) text.fail("the rate of the line is missing");
  options.baud =
      static_cast<int>(text.number(rest.substr(at + 1), "rate of a serial line", 9'600, 4'000'000));
  return options;
}

struct Opener {
  std::unique_ptr<Transport> operator()(const SlcanOptions& options) const {
    return std::make_unique<SlcanTransport>(options);
  }
  std::unique_ptr<Transport> operator()(const CannelloniUdpAddress& address) const {
    return std::make_unique<CannelloniUdpTransport>(address.peer, address.local_port);
  }
  std::unique_ptr<Transport> operator()(const CannelloniTcpAddress& address) const {
    return std::make_unique<CannelloniTcpTransport>(address.server);
  }
  std::unique_ptr<Transport> operator()(const SocketcandAddress& address) const {
    return std::make_unique<SocketcandTransport>(address.server, address.bus);
  }
  std::unique_ptr<Transport> operator()(const SocketCanOptions& options) const {
    return std::make_unique<SocketCanTransport>(options);
  }
  std::unique_ptr<Transport> operator()(const SerialOptions& options) const {
    return std::make_unique<SerialTransport>(options);
  }
};

}  // namespace

Endpoint parse_endpoint(std::string_view text) {
  const Text whole(text, "host:port");
  std::string_view rest = text;
  Endpoint endpoint = whole.endpoint(rest);
  if (!rest.empty()) whole.fail("'" + std::string(rest) + "' behind the port is too much");
  return endpoint;
}

TransportAddress parse_transport_address(std::string_view whole) {
  const std::size_t colon = whole.find(':');
  const std::string_view kind = whole.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : whole.substr(colon + 1);
  if (kind == "slcan") {
    return parse_slcan({whole, "slcan:DEVICE@BITRATE, as in slcan:/dev/ttyACM0@1000000"}, rest);
  }
  if (kind == "cannelloni-udp") {
    return parse_cannelloni_udp(
        {whole, "cannelloni-udp:HOST:PORT:LOCALPORT, as in cannelloni-udp:127.0.0.1:20000:20001"},
        rest);
  }
  if (kind == "cannelloni-tcp") {
    return parse_cannelloni_tcp(
        {whole, "cannelloni-tcp:HOST:PORT, as in cannelloni-tcp:127.0.0.1:20000"}, rest);
  }
  if (kind == "socketcand") {
    return parse_socketcand(
        {whole, "socketcand:HOST:PORT/BUS, as in socketcand:127.0.0.1:29536/can0"}, rest);
  }
  if (kind == "socketcan") {
    return parse_socketcan({whole, "socketcan:INTERFACE, as in socketcan:can0"}, rest);
  }
  if (kind == "serial") {
    return parse_serial({whole, "serial:DEVICE@RATE, as in serial:/dev/ttyUSB0@4000000"}, rest);
  }
  Text(whole, kKinds).fail("'" + std::string(kind) + "' is no kind of bus");
}

std::unique_ptr<Transport> open_transport(const TransportAddress& address) {
  return std::visit(Opener{}, address);
}

std::unique_ptr<Transport> open_transport(std::string_view address) {
  return open_transport(parse_transport_address(address));
}

}  // namespace jointrig::can
