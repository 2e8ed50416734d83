/// Our transports as clients of our hub: whole buses over ptys and sockets of this machine. That
/// both speak as others do is the foreign-side test's to show.

#include "hw/can/bus_hub.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "hw/can/clock.h"
#include "hw/can/reopening_transport.h"
#include "hw/can/transport_address.h"
#include "tests/hw/can/random_frame.h"

namespace jointrig::can {
namespace {

using Bytes = std::vector<std::uint8_t>;

TimeNs soon() { return monotonic_now() + 60 * kSecond; }  // reached only when something is broken

/// A hub in a thread of its own; what a test does to the bus itself runs in that thread.
class RunningHub {
 public:
  explicit RunningHub(const BusHubConfig& config) : hub_(config) {
    thread_ = std::thread([this] {
      while (!stop_.load()) {
        hub_.step(monotonic_now() + kMillisecond);
        if (const auto* job = job_.load()) {
          (*job)(hub_);
          job_.store(nullptr);
        }
      }
    });
  }
  ~RunningHub() {
    stop_.store(true);
    thread_.join();
  }

  void in_hub(const std::function<void(BusHub&)>& job) {
    job_.store(&job);
    while (job_.load() != nullptr) std::this_thread::yield();
  }
  std::string slcan(int adapter) {
    std::string device;
    in_hub([&](BusHub& hub) { device = hub.adapter_device(adapter); });
    return "slcan:" + device + "@1000000,data=5000000";
  }

 private:
  BusHub hub_;
  std::atomic<bool> stop_{false};
  std::atomic<const std::function<void(BusHub&)>*> job_{nullptr};
  std::thread thread_;
};

std::vector<Frame> received(Transport& transport, std::size_t count, TimeNs deadline = soon()) {
  std::vector<Frame> frames;
  std::array<ReceivedFrame, 16> some;
  while (frames.size() < count) {
    const std::size_t got = transport.receive(some, deadline);
    if (got == 0) break;
    for (std::size_t i = 0; i < got; ++i) frames.push_back(some[i].frame);
  }
  return frames;
}

bool wait_until(const std::function<bool()>& condition) {
  for (const TimeNs end = soon(); monotonic_now() < end;) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

int free_udp_port() { return port_of(listen_udp({"127.0.0.1", 0}).get()); }

/// One client by each way into the hub.
struct AllWays {
  AllWays() {
    BusHubConfig config;
    config.adapters = 1;
    const int hub_port = free_udp_port();
    const int our_port = free_udp_port();
    config.cannelloni_udp.push_back({{"127.0.0.1", our_port}, hub_port});
    config.cannelloni_tcp = {"127.0.0.1", 0};
    config.socketcand = {"127.0.0.1", 0};
    hub = std::make_unique<RunningHub>(config);
    int tcp = 0;
    int daemon = 0;
    hub->in_hub([&](BusHub& h) {
      tcp = h.cannelloni_tcp_port();
      daemon = h.socketcand_port();
    });
    clients.push_back(open_transport(hub->slcan(0)));
    clients.push_back(open_transport("cannelloni-udp:127.0.0.1:" + std::to_string(hub_port) + ":" +
                                     std::to_string(our_port)));
    clients.push_back(open_transport("cannelloni-tcp:127.0.0.1:" + std::to_string(tcp)));
    clients.push_back(open_transport("socketcand:127.0.0.1:" + std::to_string(daemon) + "/can0"));
    EXPECT_TRUE(wait_until([&] { return online() == 4; }));
  }
  int online() {
    int count = 0;
    hub->in_hub([&](BusHub& h) {
      for (NodeId node = 0; node < h.bus().node_count(); ++node) {
        count += h.bus().state(node).online ? 1 : 0;
      }
    });
    return count;
  }
  std::unique_ptr<RunningHub> hub;
  std::vector<std::unique_ptr<Transport>> clients;
};

TEST(BusHub, WhatOneClientSendsAllOthersReceiveWhateverTheirWay) {
  AllWays ways;
  std::mt19937 random(9);
  for (const auto& sender : ways.clients) {
    std::vector<Frame> frames;
    for (int i = 0; i < 20; ++i) frames.push_back(random_frame(random, FrameKinds::kClassicData));
    EXPECT_EQ(sender->send(frames), frames.size());
    for (const auto& receiver : ways.clients) {
      if (receiver == sender) continue;
      EXPECT_EQ(received(*receiver, frames.size()), frames)
          << sender->name() << " to " << receiver->name();
    }
  }
}

TEST(BusHub, FdFramesTravelWhereTheWayHasThem) {
  AllWays ways;
  std::mt19937 random(10);
  std::vector<Frame> frames;
  while (frames.size() < 10) {
    const Frame frame = random_frame(random);
    if (frame.fd && !frame.error_state) frames.push_back(frame);
  }
  EXPECT_EQ(ways.clients[0]->send(frames), frames.size());
  EXPECT_EQ(received(*ways.clients[1], frames.size()), frames);
  EXPECT_EQ(received(*ways.clients[2], frames.size()), frames);
  EXPECT_EQ(ways.clients[3]->send(frames), 0U);
  EXPECT_EQ(ways.clients[3]->counters().tx_unsupported, frames.size());
}

TEST(BusHub, TheBusTakesTheTimeOfTheFrames) {
  AllWays ways;
  const std::vector<Frame> frames(50, data_frame(0x181, Bytes(8, 0x55)));
  const TimeNs start = monotonic_now();
  EXPECT_EQ(ways.clients[1]->send(frames), frames.size());
  EXPECT_EQ(received(*ways.clients[2], frames.size()).size(), frames.size());
  EXPECT_GE(monotonic_now() - start, 50 * duration(frames[0], BitRates{}, Stuffing::kExact));
}

TEST(BusHub, ABoardInTheProgramIsCalledWhenSomethingHappensAndWhenItWantsToBe) {
  BusHubConfig config;
  config.adapters = 1;
  RunningHub hub(config);
  hub.in_hub([](BusHub& h) {
    const NodeId node = h.bus().attach("board");
    h.add([&bus = h.bus(), node, beat = TimeNs{0}](TimeNs now) mutable {
      std::array<Delivery, 8> heard;
      for (std::size_t i = bus.receive(node, heard); i > 0; --i) {
        if (heard[i - 1].frame.id == 0x80) bus.send(node, data_frame(0x181, Bytes{1}), now);
      }
      if (now >= beat) {
        bus.send(node, data_frame(0x701, Bytes{5}), now);
        beat = now + 20 * kMillisecond;
      }
      return beat;
    });
  });
  const auto client = open_transport(hub.slcan(0));
  // On a busy machine more come at once than were waited for.
  std::vector<Frame> beats = received(*client, 3);
  ASSERT_GE(beats.size(), 3U);
  beats.resize(3);
  EXPECT_EQ(beats, std::vector<Frame>(3, data_frame(0x701, Bytes{5})));
  const Frame sync = data_frame(0x80, {});
  client->send({&sync, 1});
  EXPECT_TRUE(wait_until([&] {
    const auto got = received(*client, 1);
    return std::find(got.begin(), got.end(), data_frame(0x181, Bytes{1})) != got.end();
  }));
}

TEST(BusHub, AnAdapterThatIsUnpluggedBreaksItsClientAndComesBackUnderItsName) {
  BusHubConfig config;
  config.adapters = 2;
  const std::string link =
      testing::TempDir() + "jointrig_" + std::to_string(::getpid()) + "_adapter";
  config.adapter_links = {link};
  RunningHub hub(config);
  const std::string address = "slcan:" + link + "@1000000";
  auto client = open_transport(address);
  const auto other = open_transport(hub.slcan(1));
  hub.in_hub([](BusHub& h) { h.unplug(0); });
  EXPECT_TRUE(received(*client, 1).empty());
  EXPECT_EQ(client->status().error, LinkError::kDeviceGone);
  EXPECT_THROW((void)open_transport(address), OpenError);
  hub.in_hub([](BusHub& h) { h.plug(0); });
  client = open_transport(address);
  const std::vector<Frame> frames{data_frame(0x701, Bytes{5})};
  EXPECT_EQ(client->send(frames), 1U);
  EXPECT_EQ(received(*other, 1), frames);
}

TEST(BusHub, ALinkThatIsReopenedGoesOnOverAnAdapterThatCameBackAndTriesNoMoreOftenThanItMay) {
  BusHubConfig config;
  config.adapters = 2;
  const std::string link =
      testing::TempDir() + "jointrig_" + std::to_string(::getpid()) + "_reopened";
  config.adapter_links = {link};
  RunningHub hub(config);
  constexpr std::chrono::milliseconds kRest{50};
  const std::string address = "slcan:" + link + "@1000000";
  ReopeningTransport client([&] { return open_transport(address); }, kRest);
  const auto other = open_transport(hub.slcan(1));
  const std::vector<Frame> frames{data_frame(0x701, Bytes{5})};
  EXPECT_EQ(client.send(frames), 1U);
  EXPECT_EQ(received(*other, 1), frames);

  hub.in_hub([](BusHub& h) { h.unplug(0); });
  std::array<ReceivedFrame, 1> none;
  EXPECT_TRUE(wait_until([&] {
    client.receive(none, 0);
    return !client.status().open;
  }));
  const auto away = std::chrono::steady_clock::now();
  EXPECT_TRUE(wait_until([&] {
    EXPECT_EQ(client.send(frames), 0U);
    return client.attempts() >= 3;
  }));
  EXPECT_GE(std::chrono::steady_clock::now() - away, 2 * kRest) << "a rest between attempts";

  hub.in_hub([](BusHub& h) { h.plug(0); });
  EXPECT_TRUE(wait_until([&] {
    client.receive(none, 0);
    return client.status().open;
  }));
  EXPECT_EQ(client.send(frames), 1U);
  EXPECT_EQ(received(*other, 1), frames);
  EXPECT_EQ(client.counters().sent, 2U) << "over both links";
  client.close();
  EXPECT_FALSE(client.status().open);
}

TEST(BusHub, ALinkThatCannotBeOpenedAtFirstSaysSo) {
  EXPECT_THROW(ReopeningTransport([] { return open_transport("slcan:/dev/none@1000000"); }),
               OpenError);
}

TEST(BusHub, BusOffIsToldToTheClientAndEndsWithANewOpening) {
  BusHubConfig config;
  config.adapters = 2;
  RunningHub hub(config);
  auto client = open_transport(hub.slcan(0));
  const auto other = open_transport(hub.slcan(1));
  hub.in_hub([](BusHub& h) { h.bus().force_bus_off(h.adapter_node(0), monotonic_now()); });
  std::array<ReceivedFrame, 1> none;
  EXPECT_TRUE(wait_until([&] {
    client->receive(none, 0);
    return client->status().bus == BusState::kBusOff;
  }));
  const std::vector<Frame> frames{data_frame(0x701, Bytes{5})};
  client->send(frames);  // the adapter answers BEL
  EXPECT_TRUE(wait_until([&] {
    client->receive(none, 0);
    return client->counters().tx_rejected == 1;
  }));
  client->close();
  client = open_transport(hub.slcan(0));
  EXPECT_EQ(client->status().bus, BusState::kErrorActive);
  client->send(frames);
  EXPECT_EQ(received(*other, 1), frames);
}

TEST(BusHub, GarbageOnAnAdaptersLineIsCountedAndTheNextFrameRead) {
  BusHubConfig config;
  config.adapters = 2;
  RunningHub hub(config);
  const auto client = open_transport(hub.slcan(0));
  const auto other = open_transport(hub.slcan(1));
  hub.in_hub([](BusHub& h) { h.inject(0, "t18182233\x80\x01t1\rt123"); });
  const std::vector<Frame> frames{data_frame(0x701, Bytes{5}), data_frame(0x702, {})};
  other->send(frames);
  // The half line swallows the first frame behind it; the second one comes.
  EXPECT_EQ(received(*client, 1), (std::vector<Frame>{frames[1]}));
  EXPECT_EQ(client->counters().rx_garbage, 2U);
}

TEST(BusHub, AClientThatDoesNotReadLosesWholeLinesOnly) {
  BusHubConfig config;
  config.adapters = 2;
  RunningHub hub(config);
  const auto reader = open_transport(hub.slcan(0));
  const auto other = open_transport(hub.slcan(1));
  const Frame question = data_frame(0x123, Bytes(8, 0x5A));
  const std::vector<Frame> burst(16, data_frame(0x181, Bytes(8, 0xA5)));
  // Answers of the adapter and frames of the other one fill the line together, which nobody reads.
  const auto lost = [&] {
    std::uint64_t count = 0;
    hub.in_hub([&](BusHub& h) { count = h.counters().clients.tx_refused; });
    return count;
  };
  EXPECT_TRUE(wait_until([&] {
    reader->send({&question, 1});
    other->send(burst);
    std::array<ReceivedFrame, 16> some;
    other->receive(some, 0);
    return lost() > 200;
  }));
  std::size_t count = 0;
  EXPECT_TRUE(wait_until([&] {
    count += received(*reader, 100'000, monotonic_now() + 5 * kMillisecond).size();
    return count > 100;
  }));
  EXPECT_EQ(reader->counters().rx_garbage, 0U);
}

TEST(BusHub, OutlivesWhateverItsClientsSay) {
  BusHubConfig config;
  config.adapters = 2;
  config.cannelloni_tcp = {"127.0.0.1", 0};
  config.socketcand = {"127.0.0.1", 0};
  RunningHub hub(config);
  std::array<int, 2> ports{};
  hub.in_hub([&](BusHub& h) { ports = {h.cannelloni_tcp_port(), h.socketcand_port()}; });
  const std::array<std::string, 2> openings{"CANNELLONIv1", "< open can0 >< rawmode >"};
  std::mt19937 random(41);
  for (int round = 0; round < 200; ++round) {
    std::string words = random() % 4 == 0 ? "" : openings[round % 2];
    for (std::uint32_t n = random() % 2'000; n > 0; --n) {
      constexpr std::string_view kFavourites = "<> sendopenrawmodeecho0123\x80\0";
      words += random() % 2 == 0 ? kFavourites[random() % kFavourites.size()]
                                 : static_cast<char>(random() % 256);
    }
    const UniqueFd client = connect_tcp({"127.0.0.1", ports[round % 2]}, kSecond);
    ::send(client.get(), words.data(), words.size(), MSG_NOSIGNAL);
    std::string line;
    for (std::uint32_t n = random() % 300; n > 0; --n)
      line += "\rCOLSYVNFZMt0123\a\xFF"[random() % 18];
    const auto adapter = hub.slcan(0);
    const UniqueFd serial(
        ::open(adapter.substr(6, adapter.find('@') - 6).c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK));
    EXPECT_GE(::write(serial.get(), line.data(), line.size()), 0);
  }
  // Places become free again, and the bus works.
  std::unique_ptr<Transport> tcp;
  EXPECT_TRUE(wait_until([&] {
    try {
      tcp = open_transport("cannelloni-tcp:127.0.0.1:" + std::to_string(ports[0]));
    } catch (const OpenError&) {
      return false;
    }
    return true;
  }));
  const auto adapter = open_transport(hub.slcan(1));
  const std::vector<Frame> frames{data_frame(0x7A5, Bytes{1, 2, 3})};
  EXPECT_TRUE(wait_until([&] {
    adapter->send(frames);
    const auto got = received(*tcp, 1, monotonic_now() + 5 * kMillisecond);
    return !got.empty() && got.back() == frames[0];
  }));
}

TEST(BusHub, AnotherRateThanTheBusHasIsRefused) {
  BusHubConfig config;
  config.adapters = 1;
  RunningHub hub(config);
  std::string address = hub.slcan(0);
  address.replace(address.find("@1000000"), 8, "@500000");
  try {
    (void)open_transport(address);
    ADD_FAILURE() << "opened";
  } catch (const OpenError& error) {
    EXPECT_NE(std::string(error.what()).find("refuses the bit rate"), std::string::npos);
  }
}

TEST(BusHub, ClientsBeyondTheLimitAreTurnedAwayAndPlacesBecomeFree) {
  BusHubConfig config;
  config.cannelloni_tcp = {"127.0.0.1", 0};
  config.clients = 2;
  RunningHub hub(config);
  int port = 0;
  hub.in_hub([&](BusHub& h) { port = h.cannelloni_tcp_port(); });
  const std::string address = "cannelloni-tcp:127.0.0.1:" + std::to_string(port);
  for (int round = 0; round < 3; ++round) {
    const auto a = open_transport(address);
    const auto b = open_transport(address);
    EXPECT_THROW((void)open_transport(address), OpenError);
    const std::vector<Frame> frames{data_frame(0x701, Bytes{5})};
    EXPECT_TRUE(wait_until([&] {  // the greeting of b may not have been read yet
      a->send(frames);
      return !received(*b, 1, monotonic_now() + 5 * kMillisecond).empty();
    }));
    a->close();
    b->close();
    EXPECT_TRUE(wait_until([&] {
      int online = 0;
      hub.in_hub([&](BusHub& h) {
        online = (h.bus().state(0).online ? 1 : 0) + (h.bus().state(1).online ? 1 : 0);
      });
      return online == 0;
    }));
  }
}

TEST(BusHub, ALateClientGetsNothingOfWhatWasBefore) {
  BusHubConfig config;
  config.adapters = 3;
  RunningHub hub(config);
  const auto a = open_transport(hub.slcan(0));
  const auto b = open_transport(hub.slcan(1));
  {
    const auto reader = open_transport(hub.slcan(2));
    a->send(std::vector<Frame>(10, data_frame(0x100, {})));
    EXPECT_EQ(received(*b, 10).size(), 10U);
  }  // leaves without reading
  const auto late = open_transport(hub.slcan(2));
  const std::vector<Frame> frames{data_frame(0x701, Bytes{5})};
  a->send(frames);
  EXPECT_EQ(received(*late, 1), frames);
}

}  // namespace
}  // namespace jointrig::can
