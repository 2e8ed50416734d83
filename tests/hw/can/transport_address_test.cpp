#include "hw/can/transport_address.h"

#include <gtest/gtest.h>

#include <string>

namespace jointrig::can {
namespace {

template <typename Address>
Address parsed(std::string_view text) {
  return std::get<Address>(parse_transport_address(text));
}

std::string refusal(std::string_view text) {
  try {
    (void)parse_transport_address(text);
  } catch (const OpenError& error) {
    EXPECT_EQ(error.reason(), OpenError::Reason::kAddress);
    return error.what();
  }
  return "accepted";
}

TEST(TransportAddress, SlcanHasADeviceARateAndOptions) {
  const auto plain = parsed<SlcanOptions>("slcan:/dev/ttyACM0@1000000");
  EXPECT_EQ(plain.device, "/dev/ttyACM0");
  EXPECT_EQ(plain.bit_rate, 1'000'000);
  EXPECT_EQ(plain.data_bit_rate, 0);
  EXPECT_TRUE(plain.answers);
  EXPECT_FALSE(plain.listen_only);
  const auto all =
      parsed<SlcanOptions>("slcan:/dev/x@y@500000,data=5000000,baud=2000000,listen,silent");
  EXPECT_EQ(all.device, "/dev/x@y");
  EXPECT_EQ(all.bit_rate, 500'000);
  EXPECT_EQ(all.data_bit_rate, 5'000'000);
  EXPECT_EQ(all.baud, 2'000'000);
  EXPECT_FALSE(all.answers);
  EXPECT_TRUE(all.listen_only);
}

TEST(TransportAddress, NetworkAddressesHaveHostAndPorts) {
  const auto udp = parsed<CannelloniUdpAddress>("cannelloni-udp:robot.local:20000:20001");
  EXPECT_EQ(udp.peer, (Endpoint{"robot.local", 20000}));
  EXPECT_EQ(udp.local_port, 20001);
  EXPECT_EQ(parsed<CannelloniTcpAddress>("cannelloni-tcp:[::1]:20000").server,
            (Endpoint{"::1", 20000}));
  const auto daemon = parsed<SocketcandAddress>("socketcand:127.0.0.1:29536/can0");
  EXPECT_EQ(daemon.server, (Endpoint{"127.0.0.1", 29536}));
  EXPECT_EQ(daemon.bus, "can0");
}

TEST(TransportAddress, SocketCanHasAnInterface) {
  EXPECT_EQ(parsed<SocketCanOptions>("socketcan:can0").interface, "can0");
  EXPECT_FALSE(parsed<SocketCanOptions>("socketcan:can0").fd);
  EXPECT_TRUE(parsed<SocketCanOptions>("socketcan:can0,fd").fd);
}

TEST(TransportAddress, ARefusalSaysWhatIsWrongAndWhatWouldBeRight) {
  EXPECT_EQ(refusal("slcan:/dev/ttyACM0"),
            "bus address 'slcan:/dev/ttyACM0': the bit rate of the bus is missing; write "
            "slcan:DEVICE@BITRATE, as in slcan:/dev/ttyACM0@1000000.");
  EXPECT_EQ(refusal("cannelloni-tcp:h:70000"),
            "bus address 'cannelloni-tcp:h:70000': '70000' is no port (1 to 65535); write "
            "cannelloni-tcp:HOST:PORT, as in cannelloni-tcp:127.0.0.1:20000.");
}

TEST(TransportAddress, EachThingThatIsMissingOrWrongIsNamed) {
  const auto names = [](std::string_view address, const std::string& part) {
    EXPECT_NE(refusal(address).find(part), std::string::npos) << refusal(address);
  };
  names("", "is no kind of bus");
  names("can0", "'can0' is no kind of bus");
  names("usb:0", "'usb' is no kind of bus");
  names("slcan:@1000000", "the device is missing");
  names("slcan:/dev/x@1M", "'1M' is no bit rate");
  names("slcan:/dev/x@1000000,fast", "'fast' is no option of slcan");
  names("slcan:/dev/x@1000000,data=x", "'x' is no data bit rate");
  names("cannelloni-udp:h:1", "the local port, that the peer sends to, is missing");
  names("cannelloni-udp:h", "the port is missing");
  names("cannelloni-udp::1:2", "the host is missing");
  names("cannelloni-tcp:[::1:5", "the bracket is not closed");
  names("cannelloni-tcp:h:5/x", "'/x' behind the port is too much");
  names("socketcand:h:5", "the name of the bus is missing");
  names("socketcand:h:5/a b", "'a b' is no name of a bus");
  names("socketcan:", "the interface is missing");
  names("socketcan:abcdefghijklmnop", "at most 15 letters");
  names("socketcan:can0,xl", "'xl' is no option of socketcan");
}

}  // namespace
}  // namespace jointrig::can
