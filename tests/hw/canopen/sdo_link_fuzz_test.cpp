/// Our client and our server over a link that loses and doubles frames: a transfer may fail, but
/// one that is said to be done has moved the right bytes.

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <utility>

#include "hw/canopen/sdo_client.h"
#include "hw/canopen/sdo_server.h"

namespace jointrig::canopen {
namespace {

constexpr std::uint16_t kRoom = 200;

DeviceDescription a_device() {
  DeviceDescription device;
  device.objects.push_back(
      variable(0x2000, text_entry("Text", Access::kReadWrite, "start", kRoom)));
  device.objects.push_back(
      variable(0x2001, entry("Number", DataType::kUnsigned32, Access::kReadWrite, 7)));
  return device;
}

/// Passes frames on in their order, most of them once, some late.
struct BadLink {
  std::mt19937& random;
  unsigned lost_in_100 = 0;
  unsigned doubled_in_100 = 0;
  unsigned late_in_100 = 0;  ///< by up to 150 ms, and what comes behind it too
  std::deque<std::pair<std::int64_t, can::Frame>> under_way{};

  std::vector<can::Frame> carry(FrameQueue& from, std::int64_t now) {
    while (const auto frame = from.pop()) {
      if (random() % 100 < lost_in_100) continue;
      std::int64_t due = under_way.empty() ? now : std::max(now, under_way.back().first);
      if (random() % 100 < late_in_100) due += random() % 150 * 1'000'000;
      under_way.emplace_back(due, *frame);
      if (random() % 100 < doubled_in_100) under_way.emplace_back(due, *frame);
    }
    std::vector<can::Frame> arrived;
    for (; !under_way.empty() && under_way.front().first <= now; under_way.pop_front()) {
      arrived.push_back(under_way.front().second);
    }
    return arrived;
  }
};

struct Link {
  explicit Link(std::uint32_t seed) : random(seed) {}

  std::mt19937 random;
  ObjectDictionary objects{a_device(), 5};
  SdoServer server{objects, 0x605, 0x585};
  SdoClient client{5};
  FrameQueue to_server;
  FrameQueue to_client;
  std::int64_t now = 0;

  /// Runs until the client is done, with any result, and no frame is in transit.
  void run(unsigned lost, unsigned doubled, unsigned late) {
    BadLink there{random, lost, doubled, late};
    BadLink back{random, lost, doubled, late};
    for (int step = 0; client.state() == SdoClient::State::kBusy || !there.under_way.empty() ||
                       !back.under_way.empty();
         ++step) {
      ASSERT_LT(step, 100'000) << "a transfer ends";
      now += 1'000'000;
      for (const can::Frame& frame : there.carry(to_server, now)) {
        server.receive(frame, now, to_client);
      }
      for (const can::Frame& frame : back.carry(to_client, now)) {
        client.receive(frame, now, to_server);
      }
      server.poll(now, to_client);
      client.poll(now, to_server);
    }
    to_server.clear();
    to_client.clear();
  }

  std::vector<std::uint8_t> value(std::uint16_t index) {
    const auto bytes = objects.find(index, 0)->bytes();
    return {bytes.begin(), bytes.end()};
  }
};

TEST(SdoOverABadLink, WhatIsDoneIsRight) {
  Link link(1);
  int done = 0;
  int failed = 0;
  for (int round = 0; round < 3000; ++round) {
    const unsigned lost = round % 3 == 0 ? 0 : link.random() % 15;
    const unsigned doubled = round % 2 == 0 ? 0 : link.random() % 10;
    const std::uint16_t index = link.random() % 4 == 0 ? 0x2001 : 0x2000;
    std::vector<std::uint8_t> value(index == 0x2001 ? 4 : 1 + link.random() % kRoom);
    for (std::uint8_t& byte : value) byte = static_cast<std::uint8_t>(link.random());

    const bool writes = link.random() % 2 == 0;
    const std::vector<std::uint8_t> before = link.value(index);
    ASSERT_TRUE(writes ? link.client.download(index, 0, value, link.now, link.to_server)
                       : link.client.upload(index, 0, link.now, link.to_server));
    const unsigned late = round % 5 == 0 ? link.random() % 10 : 0;
    link.run(lost, doubled, late);
    SCOPED_TRACE(round);
    if (link.client.state() == SdoClient::State::kDone) {
      ++done;
      const auto read = link.client.value();
      EXPECT_EQ(std::vector(read.begin(), read.end()), writes ? value : before);
      EXPECT_EQ(link.value(index), writes ? value : before);
    } else {
      ++failed;
      EXPECT_NE(link.client.failure(), AbortCode::kNone);
      const bool whole = link.value(index) == before || (writes && link.value(index) == value);
      EXPECT_TRUE(whole) << "half a value was stored";
    }
    if (lost == 0 && doubled == 0 && late == 0) {
      EXPECT_EQ(link.client.tries_made(), 1);
    }
  }
  EXPECT_GT(done, 1500);
  EXPECT_GT(failed, 50);
}

}  // namespace
}  // namespace jointrig::canopen
