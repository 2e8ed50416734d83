/// Transports against ends that this test holds in its own hands: a pty's other side, a socket.
/// Whole buses over them are tested in hub_test and by the foreign side.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/socket.h>

#include <cerrno>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "hw/can/cannelloni_transport.h"
#include "hw/can/clock.h"
#include "hw/can/slcan_adapter.h"
#include "hw/can/slcan_transport.h"
#include "hw/can/socketcan_transport.h"
#include "hw/can/socketcand_transport.h"
#include "hw/can/transport_address.h"

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr TimeNs kSoon = 2 * kSecond;  // never reached unless something is broken

TimeNs soon() { return monotonic_now() + kSoon; }

/// The adapter's end of a serial line.
struct Pty {
  Pty() {
    int master = -1;
    int slave = -1;
    EXPECT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    adapter = UniqueFd(master);
    keep_open = UniqueFd(slave);
    device = ttyname(slave);
  }
  void say(const std::string& text) const {
    ASSERT_EQ(::write(adapter.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// Waits for `size` bytes.
  [[nodiscard]] std::string heard(std::size_t size) const {
    std::string text;
    pollfd waited{adapter.get(), POLLIN, 0};
    while (text.size() < size && ::poll(&waited, 1, 2'000) > 0) {
      std::array<char, 4096> bytes{};
      const ssize_t got =
          ::read(adapter.get(), bytes.data(), std::min(bytes.size(), size - text.size()));
      if (got <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

  UniqueFd adapter;
  UniqueFd keep_open;
  std::string device;
};

SlcanOptions silent(const Pty& pty) {
  SlcanOptions options;
  options.device = pty.device;
  options.answers = false;
  return options;
}

std::vector<Frame> received(Transport& transport, std::size_t count) {
  std::vector<Frame> frames;
  std::array<ReceivedFrame, 16> some;
  while (frames.size() < count) {
    const std::size_t got = transport.receive(some, soon());
    if (got == 0) break;
    for (std::size_t i = 0; i < got; ++i) frames.push_back(some[i].frame);
  }
  return frames;
}

std::string refusal(const std::function<void()>& open, OpenError::Reason reason) {
  try {
    open();
  } catch (const OpenError& error) {
    EXPECT_EQ(error.reason(), reason) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "opened";
  return "";
}

TEST(SlcanTransport, OpensTheChannelAtTheRateAndClosesIt) {
  const Pty pty;
  {
    SlcanTransport bus(silent(pty));
    EXPECT_TRUE(bus.status().open);
    EXPECT_EQ(pty.heard(8), "\rC\rS8\rO\r");
  }
  EXPECT_EQ(pty.heard(2), "C\r");
}

TEST(SlcanTransport, SendsAllFramesOfACallAndReceivesWhatComes) {
  const Pty pty;
  SlcanTransport bus(silent(pty));
  (void)pty.heard(8);
  const std::array<Frame, 2> out{data_frame(0x80, {}), data_frame(0x201, Bytes{1, 2})};
  EXPECT_EQ(bus.send(out), 2U);
  EXPECT_EQ(pty.heard(16), "t0800\rt20120102\r");
  pty.say("z\rz\rt18122233\rt1820\r");
  EXPECT_EQ(received(bus, 2),
            (std::vector<Frame>{data_frame(0x181, Bytes{0x22, 0x33}), data_frame(0x182, {})}));
  EXPECT_EQ(bus.counters().sent, 2U);
  EXPECT_EQ(bus.counters().received, 2U);
}

TEST(SlcanTransport, FdFramesWantAnFdBus) {
  const Pty pty;
  Frame frame;
  frame.fd = true;
  SlcanTransport classic(silent(pty));
  EXPECT_EQ(classic.send({&frame, 1}), 0U);
  EXPECT_EQ(classic.counters().tx_unsupported, 1U);
  classic.close();
  (void)pty.heard(10);
  SlcanOptions options = silent(pty);
  options.data_bit_rate = 5'000'000;
  SlcanTransport fd(options);
  EXPECT_EQ(fd.send({&frame, 1}), 1U);
  EXPECT_EQ(pty.heard(17), "\rC\rS8\rY5\rO\rd0000\r");
}

TEST(SlcanTransport, GarbageIsCountedAndTheNextLineIsRead) {
  const Pty pty;
  SlcanTransport bus(silent(pty));
  pty.say("t18122\r\x01\x80garbage\r\at1810\rt18");
  EXPECT_EQ(received(bus, 1), (std::vector<Frame>{data_frame(0x181, {})}));
  EXPECT_EQ(bus.counters().rx_garbage, 2U);
  EXPECT_EQ(bus.counters().tx_rejected, 1U);
  pty.say("20\r");  // the other half
  EXPECT_EQ(received(bus, 1), (std::vector<Frame>{data_frame(0x182, {})}));
}

TEST(SlcanTransport, StateAndErrorLinesReachTheStatus) {
  const Pty pty;
  SlcanTransport bus(silent(pty));
  pty.say("sb000256\re2ao\rt1810\r");
  EXPECT_EQ(received(bus, 1).size(), 1U);
  EXPECT_EQ(bus.status().bus, BusState::kBusOff);
  EXPECT_EQ(bus.status().tx_errors, 256);
  EXPECT_EQ(bus.counters().bus_errors, 2U);
  EXPECT_EQ(bus.counters().rx_lost, 1U);
  EXPECT_NE(describe(bus.status(), bus.name()).find("bus-off"), std::string::npos);
}

TEST(SlcanTransport, AFullLineRefusesFramesAndCutsNone) {
  const Pty pty;
  SlcanTransport bus(silent(pty));
  (void)pty.heard(8);
  const std::vector<Frame> burst(64, data_frame(0x123, Bytes{1, 2, 3, 4, 5, 6, 7, 8}));
  std::size_t sent = 0;
  for (int i = 0; i < 100; ++i) sent += bus.send(burst);
  EXPECT_LT(sent, 6'400U);
  EXPECT_EQ(bus.counters().sent, sent);
  EXPECT_EQ(bus.counters().tx_refused, 6'400 - sent);

  // All that was taken arrives whole, once the other side reads again.
  const std::string line = "t12380102030405060708\r";
  std::string text = pty.heard(sent * line.size() - line.size());
  EXPECT_EQ(bus.send(burst), 64U);  // the rest of a line goes first
  text += pty.heard(65 * line.size());
  ASSERT_EQ(text.size(), (sent + 64) * line.size());
  for (std::size_t i = 0; i < text.size(); i += line.size()) {
    ASSERT_EQ(text.substr(i, line.size()), line);
  }
}

TEST(SlcanTransport, AnAdapterThatGoesAwayBreaksTheLinkForGood) {
  Pty pty;
  SlcanTransport bus(silent(pty));
  (void)pty.heard(8);
  pty.keep_open.reset();
  pty.adapter.reset();
  std::array<ReceivedFrame, 4> some;
  EXPECT_EQ(bus.receive(some, soon()), 0U);
  EXPECT_FALSE(bus.status().open);
  EXPECT_EQ(bus.status().error, LinkError::kDeviceGone);
  EXPECT_EQ(bus.poll_fd(), -1);
  const Frame frame = data_frame(1, {});
  EXPECT_EQ(bus.send({&frame, 1}), 0U);
  EXPECT_EQ(bus.counters().tx_refused, 1U);
  EXPECT_EQ(bus.receive(some, soon()), 0U);  // at once: nothing can come
  EXPECT_NE(describe(bus.status(), bus.name()).find("the adapter is gone"), std::string::npos);
}

TEST(SlcanTransport, ThatTheAdapterWentAwayShowsInSendingToo) {
  Pty pty;
  SlcanTransport bus(silent(pty));
  pty.keep_open.reset();
  pty.adapter.reset();
  const Frame frame = data_frame(1, {});
  EXPECT_EQ(bus.send({&frame, 1}), 0U);
  EXPECT_EQ(bus.status().error, LinkError::kDeviceGone);
  EXPECT_EQ(bus.counters().tx_refused, 1U);
}

TEST(SlcanTransport, FlushForgetsWhatCame) {
  const Pty pty;
  SlcanTransport bus(silent(pty));
  for (int i = 0; i < 100; ++i) pty.say("t18122233\r");
  bus.flush();
  std::array<ReceivedFrame, 4> some;
  EXPECT_EQ(bus.receive(some, 0), 0U);
  pty.say("t1820\r");
  EXPECT_EQ(received(bus, 1), (std::vector<Frame>{data_frame(0x182, {})}));
}

TEST(SlcanTransport, WaitsNoLongerThanItsDeadline) {
  const Pty pty;
  SlcanTransport bus(silent(pty));
  std::array<ReceivedFrame, 4> some;
  const TimeNs deadline = monotonic_now() + 5 * kMillisecond;
  EXPECT_EQ(bus.receive(some, deadline), 0U);
  EXPECT_GE(monotonic_now(), deadline);
}

TEST(SlcanTransport, ALineThatNeverAnswersIsNoAdapter) {
  const Pty pty;
  SlcanOptions options = silent(pty);
  options.answers = true;
  EXPECT_NE(refusal([&] { SlcanTransport bus(options); }, OpenError::Reason::kNoAnswer)
                .find("is it an SLCAN adapter?"),
            std::string::npos);
}

TEST(SlcanTransport, WhatCannotBeOpenedSaysWhy) {
  using Reason = OpenError::Reason;
  SlcanOptions options;
  options.device = "/dev/no-such-adapter";
  EXPECT_NE(refusal([&] { SlcanTransport bus(options); }, Reason::kNoDevice)
                .find("is the adapter plugged in"),
            std::string::npos);
  options.device = "/dev/null";
  EXPECT_NE(
      refusal([&] { SlcanTransport bus(options); }, Reason::kNoDevice).find("is not a serial line"),
      std::string::npos);
  options.bit_rate = 750'000;
  EXPECT_NE(refusal([&] { SlcanTransport bus(options); }, Reason::kAddress).find("800000"),
            std::string::npos);
}

TEST(SlcanAdapter, OfAnAnswerAllOrNothingReachesAClientThatReadsSlowly) {
  SlcanAdapter adapter{BitRates{}};
  const UniqueFd client(::open(adapter.device().c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK));
  std::string text;
  const auto read_some = [&](std::size_t most) {
    std::array<char, 4096> bytes{};
    const ssize_t got = ::read(client.get(), bytes.data(), std::min(most, bytes.size()));
    if (got > 0) text.append(bytes.data(), static_cast<std::size_t>(got));
    return got > 0;
  };
  std::array<ReceivedFrame, 1> none;
  for (int round = 0; round < 300; ++round) {
    for (int i = 0; i < 400; ++i) adapter.inject("sb000256\r");  // nine bytes
    read_some(static_cast<std::size_t>(1 + 37 * round % 1'000));
    adapter.receive(none, 0);  // as in a hub: the rest goes on
  }
  while (read_some(4096) || (adapter.receive(none, 0), read_some(4096))) continue;
  ASSERT_GT(text.size(), 10'000U);
  ASSERT_EQ(text.size() % 9, 0U);
  for (std::size_t i = 0; i < text.size(); i += 9) ASSERT_EQ(text.substr(i, 9), "sb000256\r") << i;
}

TEST(SlcanAdapter, WhatAClientLeftUnreadIsGoneWhenTheChannelIsClosed) {
  SlcanAdapter adapter{BitRates{}};
  const UniqueFd client(::open(adapter.device().c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK));
  const auto say = [&](std::string_view text) {
    EXPECT_EQ(::write(client.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    std::array<ReceivedFrame, 1> none;
    adapter.receive(none, monotonic_now() + 5 * kMillisecond);
  };
  say("O\r");
  for (const int frames : {3, 10'000}) {  // a few; more than the line holds, the last one cut
    for (int i = 0; i < frames; ++i) {
      const Frame frame = data_frame(0x181, Bytes(8));
      adapter.send({&frame, 1});
    }
    say("C\r");
    std::array<char, 8192> bytes{};
    const ssize_t got = ::read(client.get(), bytes.data(), bytes.size());
    EXPECT_EQ(std::string(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))), "\r");
    say("O\r");
    EXPECT_EQ(::read(client.get(), bytes.data(), bytes.size()), 1);
  }
}

/// Two ends of cannelloni over UDP on free ports of this machine.
struct UdpPair {
  static int free_port() { return port_of(listen_udp({"127.0.0.1", 0}).get()); }
  int a_port = free_port();
  int b_port = free_port();
  CannelloniUdpTransport a{{"127.0.0.1", b_port}, a_port};
};

TEST(CannelloniUdpTransport, CarriesFramesOfAllKindsBothWays) {
  UdpPair pair;
  CannelloniUdpTransport b({"127.0.0.1", pair.a_port}, pair.b_port);
  Frame fd;
  fd.fd = fd.bit_rate_switch = true;
  fd.size = 64;
  fd.data.fill(0xA5);
  Frame remote;
  remote.remote = remote.extended = true;
  remote.id = 0x1234567;
  remote.size = 5;
  const std::vector<Frame> frames{data_frame(0x80, {}), fd, remote};
  EXPECT_EQ(pair.a.send(frames), 3U);
  EXPECT_EQ(received(b, 3), frames);
  EXPECT_EQ(b.send(frames), 3U);
  EXPECT_EQ(received(pair.a, 3), frames);
}

TEST(CannelloniUdpTransport, AHundredFramesOfACallComeInOrder) {
  UdpPair pair;
  CannelloniUdpTransport b({"127.0.0.1", pair.a_port}, pair.b_port);
  std::vector<Frame> frames;
  for (std::uint32_t i = 0; i < 300; ++i) frames.push_back(data_frame(i, Bytes(8)));
  EXPECT_EQ(pair.a.send(frames), 300U);
  EXPECT_EQ(received(b, 300), frames);
  EXPECT_EQ(b.counters().rx_lost, 0U);
  EXPECT_EQ(b.counters().rx_out_of_order, 0U);
}

TEST(CannelloniUdpTransport, MissingLateAndBrokenDatagramsAreCounted) {
  UdpPair pair;
  const UniqueFd peer = connect_udp({"127.0.0.1", pair.a_port}, pair.b_port);
  const auto say = [&](const Bytes& bytes) {
    ASSERT_EQ(::send(peer.get(), bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
  };
  say({2, 0, 7, 0, 1, 0, 0, 1, 1, 0});
  say({2, 0, 10, 0, 1, 0, 0, 1, 2, 0});  // 8 and 9 are missing
  say({2, 0, 9, 0, 1, 0, 0, 1, 3, 0});   // there is 9
  say({9, 0, 11, 0, 1, 0, 0, 1, 4, 0});  // another version
  say({2});
  say({2, 0, 11, 0, 2, 0, 0, 1, 5, 0, 0, 0, 1, 6, 8});  // the second frame is cut
  std::vector<Frame> expected;
  for (const std::uint32_t id : {0x101, 0x102, 0x103, 0x105})
    expected.push_back(data_frame(id, {}));
  EXPECT_EQ(received(pair.a, 4), expected);
  std::array<ReceivedFrame, 4> some;
  EXPECT_EQ(pair.a.receive(some, monotonic_now() + 50 * kMillisecond), 0U);
  EXPECT_EQ(pair.a.counters().rx_lost, 2U);
  EXPECT_EQ(pair.a.counters().rx_out_of_order, 1U);
  EXPECT_EQ(pair.a.counters().rx_garbage, 3U);
}

TEST(CannelloniUdpTransport, ThatNobodyIsThereIsToldAndPasses) {
  UdpPair pair;
  const Frame frame = data_frame(1, {});
  std::array<ReceivedFrame, 4> some;
  for (int i = 0; i < 10; ++i) {
    pair.a.send({&frame, 1});
    pair.a.receive(some, monotonic_now() + kMillisecond);
  }
  EXPECT_TRUE(pair.a.status().open);
  EXPECT_EQ(pair.a.status().error, LinkError::kPeerUnreachable);
  CannelloniUdpTransport b({"127.0.0.1", pair.a_port}, pair.b_port);
  b.send({&frame, 1});
  EXPECT_EQ(received(pair.a, 1).size(), 1U);
  EXPECT_EQ(pair.a.status().error, LinkError::kNone);
}

/// A server that says something to the first who comes, and then hands over the connection.
class Server {
 public:
  explicit Server(std::string words)
      : listener_(listen_tcp({"127.0.0.1", 0})),
        connection_(std::async(std::launch::async, [this, words = std::move(words)] {
          pollfd waited{listener_.get(), POLLIN, 0};
          ::poll(&waited, 1, 2'000);
          UniqueFd fd(::accept(listener_.get(), nullptr, nullptr));
          EXPECT_EQ(::send(fd.get(), words.data(), words.size(), MSG_NOSIGNAL),
                    static_cast<ssize_t>(words.size()));
          return fd;
        })) {}
  [[nodiscard]] Endpoint endpoint() const { return {"127.0.0.1", port_of(listener_.get())}; }
  UniqueFd connection() { return connection_.get(); }

 private:
  UniqueFd listener_;
  std::future<UniqueFd> connection_;
};

void say(const UniqueFd& fd, std::string_view text) {
  ASSERT_EQ(::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(text.size()));
}

TEST(CannelloniTcpTransport, PutsFramesTogetherFromPieces) {
  Server server("CANNELLONIv1");
  CannelloniTcpTransport bus(server.endpoint());
  const UniqueFd peer = server.connection();
  std::array<ReceivedFrame, 4> some;
  say(peer, {"\0\0\1\x81\2\x22", 6});
  EXPECT_EQ(bus.receive(some, monotonic_now() + 5 * kMillisecond), 0U);
  say(peer, {"\x33\0\0\1\x82\0", 6});
  EXPECT_EQ(received(bus, 2),
            (std::vector<Frame>{data_frame(0x181, Bytes{0x22, 0x33}), data_frame(0x182, {})}));
}

TEST(CannelloniTcpTransport, AStreamThatIsNoneBreaksTheLink) {
  Server server("CANNELLONIv1");
  CannelloniTcpTransport bus(server.endpoint());
  const UniqueFd peer = server.connection();
  say(peer, "GET / HTTP/1.1\r\n");
  EXPECT_TRUE(received(bus, 1).empty());
  EXPECT_EQ(bus.status().error, LinkError::kProtocol);
  EXPECT_FALSE(bus.status().open);
}

TEST(CannelloniTcpTransport, APeerThatLeavesBreaksTheLink) {
  Server server("CANNELLONIv1");
  CannelloniTcpTransport bus(server.endpoint());
  server.connection().reset();
  EXPECT_TRUE(received(bus, 1).empty());
  EXPECT_EQ(bus.status().error, LinkError::kPeerClosed);
}

TEST(CannelloniTcpTransport, AServerOfAnotherKindIsRefusedWithItsWords) {
  Server server("SSH-2.0-OpenSSH_9.2p1\r\n");
  const std::string why =
      refusal([&] { CannelloniTcpTransport bus(server.endpoint()); }, OpenError::Reason::kRefused);
  EXPECT_NE(why.find("SSH-2.0"), std::string::npos) << why;
}

TEST(CannelloniTcpTransport, WhereNobodyListensTheMessageSaysSo) {
  const int port = port_of(listen_tcp({"127.0.0.1", 0}).get());  // free again
  const std::string why = refusal(
      [&] {
        CannelloniTcpTransport bus({"127.0.0.1", port});
      },
      OpenError::Reason::kRefused);
  EXPECT_NE(why.find("no server listens there"), std::string::npos) << why;
}

TEST(SocketcandTransport, OpensTheBusInRawModeAndGoesOnAfterGarbage) {
  Server server("< hi >< ok >< ok >");
  SocketcandTransport bus(server.endpoint(), "can7");
  const UniqueFd peer = server.connection();
  std::array<char, 64> heard{};
  const ssize_t count = ::recv(peer.get(), heard.data(), heard.size(), 0);
  EXPECT_EQ(std::string(heard.data(), static_cast<std::size_t>(count)).substr(0, 13),
            "< open can7 >");
  say(peer, "< frame 1< frame 181 1.5 2233 >?< error 20000040 1.5 >< frame 182 1.6 ");
  EXPECT_EQ(received(bus, 1), (std::vector<Frame>{data_frame(0x181, Bytes{0x22, 0x33})}));
  say(peer, " >");
  EXPECT_EQ(received(bus, 1), (std::vector<Frame>{data_frame(0x182, {})}));
  EXPECT_EQ(bus.counters().rx_garbage, 2U);
  EXPECT_EQ(bus.counters().bus_errors, 1U);
}

TEST(SocketcandTransport, ABusThatTheServerDoesNotHaveIsRefusedWithItsWords) {
  Server server("< hi >< error could not open bus >");
  const std::string why = refusal([&] { SocketcandTransport bus(server.endpoint(), "can9"); },
                                  OpenError::Reason::kRefused);
  EXPECT_NE(why.find("could not open bus"), std::string::npos) << why;
}

bool kernel_has_can() {
  const UniqueFd fd(::socket(PF_CAN, SOCK_RAW, 1));
  return static_cast<bool>(fd);
}

TEST(SocketCanTransport, WithoutCanInTheKernelTheMessageNamesOtherWays) {
  if (kernel_has_can()) GTEST_SKIP() << "this kernel has CAN";
  const std::string why =
      refusal([] { (void)open_transport("socketcan:can0"); }, OpenError::Reason::kUnsupported);
  EXPECT_NE(why.find("this kernel has no CAN"), std::string::npos) << why;
  EXPECT_NE(why.find("slcan:"), std::string::npos) << why;
}

TEST(SocketCanTransport, TwoSocketsOfAVirtualInterfaceHearEachOther) {
  if (!kernel_has_can()) GTEST_SKIP() << "this kernel has no CAN";
  std::unique_ptr<Transport> a;
  try {
    a = open_transport("socketcan:vcan0");
  } catch (const OpenError& error) {
    GTEST_SKIP() << error.what() << " ('ip link add vcan0 type vcan; ip link set vcan0 up')";
  }
  const auto b = open_transport("socketcan:vcan0");
  const std::vector<Frame> frames{data_frame(0x80, {}), data_frame(0x201, Bytes{1, 2})};
  EXPECT_EQ(a->send(frames), 2U);
  EXPECT_EQ(received(*b, 2), frames);
  std::array<ReceivedFrame, 4> some;
  EXPECT_EQ(a->receive(some, 0), 0U);  // not what it sent itself
}

}  // namespace
}  // namespace jointrig::can
