#include "app/bus/node_scan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/hw/canopen/frame_text.h"

namespace jointrig::app {
namespace {

using canopen::from_text;
using canopen::taken_from;
using canopen::Texts;
constexpr std::int64_t kMs = 1'000'000;

/// Answers of node 5 to the requests of a scan: a drive of vendor 02FFh, serial 1234h, "EC".
const std::map<std::string, std::string> kDrive{{"605#4000100000000000", "585#4300100092010200"},
                                                {"605#4018100100000000", "585#43181001FF020000"},
                                                {"605#4018100200000000", "585#4318100202040000"},
                                                {"605#4018100300000000", "585#4318100301000000"},
                                                {"605#4018100400000000", "585#4318100434120000"},
                                                {"605#4008100000000000", "585#4B08100045430000"},
                                                {"605#4041600000000000", "585#4B41600040020000"}};

/// A scan with a bus on which so many drives have the number 5.
struct Fixture {
  explicit Fixture(NodeScanOptions options = {}, int drives = 1)
      : scan(options), drives_at_5(drives) {
    scan.start(0);
  }

  void run(std::int64_t until = 20'000 * kMs) {
    for (; !scan.done() && now < until; now += kMs) {
      scan.poll(now);
      for (const std::string& text : taken_from(scan.out())) hear(text);
    }
  }
  void hear(const std::string& text) {
    asked.push_back(text);
    const auto answer = kDrive.find(text);
    if (answer == kDrive.end()) return;
    for (int i = 0; i < drives_at_5; ++i) scan.receive(from_text(answer->second), now);
  }

  NodeScan scan;
  int drives_at_5;
  std::int64_t now = 0;
  Texts asked;
};

TEST(NodeScan, FindsADriveWithIdentityNameAndState) {
  Fixture fixture;
  fixture.run();
  const auto found = fixture.scan.found();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].node, 5);
  EXPECT_TRUE(found[0].is_drive());
  EXPECT_EQ(found[0].vendor, 0x2FFU);
  EXPECT_EQ(found[0].product, 0x402U);
  EXPECT_EQ(found[0].revision, 1U);
  EXPECT_EQ(found[0].serial, 0x1234U);
  EXPECT_EQ(found[0].name, "EC");
  EXPECT_EQ(found[0].statusword, 0x0240);
  EXPECT_FALSE(found[0].doubled);
}

TEST(NodeScan, AsksEveryNumberFrom1To126AndWritesNothing) {
  Fixture fixture;
  fixture.run();
  std::set<std::string> identifiers;
  for (const std::string& text : fixture.asked) {
    identifiers.insert(text.substr(0, 3));
    const std::string command = text.substr(4, 2);
    EXPECT_TRUE(command == "40" || command == "80") << text << " is no question and no abort";
  }
  EXPECT_EQ(identifiers.size(), 126U);
  EXPECT_EQ(*identifiers.begin(), "601");
  EXPECT_EQ(*identifiers.rbegin(), "67E");
}

TEST(NodeScan, HasNoMoreQuestionsOpenThanItMay) {
  NodeScan scan({.in_flight = 3});
  scan.start(0);
  scan.poll(0);
  EXPECT_EQ(taken_from(scan.out()).size(), 3U);
  scan.poll(99 * kMs);
  EXPECT_TRUE(taken_from(scan.out()).empty());
  scan.poll(100 * kMs);
  EXPECT_EQ(taken_from(scan.out()).size(), 6U) << "three are given up, three are begun";
}

// 126 numbers, eight at a time, 100 ms each: 16 rounds.
TEST(NodeScan, AnEmptyBusTakesUnderTwoSeconds) {
  Fixture fixture({}, 0);
  fixture.run();
  EXPECT_TRUE(fixture.scan.found().empty());
  EXPECT_LT(fixture.now, 2000 * kMs);
}

TEST(NodeScan, TwoNodesWithOneNumberAreTold) {
  Fixture fixture({}, 2);
  fixture.run();
  ASSERT_EQ(fixture.scan.found().size(), 1U);
  EXPECT_TRUE(fixture.scan.found()[0].doubled);
}

TEST(NodeScan, AnswersToSomebodyElseAreNoSecondNode) {
  Fixture fixture;
  fixture.scan.receive(from_text("605#4000100000000000"), 0);
  fixture.scan.receive(from_text("585#4300100092010200"), 0);
  fixture.run();
  ASSERT_EQ(fixture.scan.found().size(), 1U);
  EXPECT_FALSE(fixture.scan.found()[0].doubled);
}

TEST(NodeScan, ANodeThatAnswersLateIsAskedAgain) {
  NodeScanOptions only;
  only.first = only.last = 5;
  Fixture fixture(only, 0);
  fixture.run(150 * kMs);  // given up after 100 ms
  fixture.scan.receive(from_text("585#4300100092010200"), fixture.now);
  fixture.drives_at_5 = 1;
  fixture.run();
  ASSERT_EQ(fixture.scan.found().size(), 1U);
  EXPECT_EQ(fixture.scan.found()[0].serial, 0x1234U);
  EXPECT_FALSE(fixture.scan.found()[0].doubled) << "a late answer is no second one";
}

TEST(NodeScan, ANodeThatOnlyBeatsIsFoundWithItsState) {
  Fixture fixture({}, 0);
  fixture.scan.receive(from_text("705#04"), 0);
  fixture.run();
  const auto found = fixture.scan.found();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].answers);
  EXPECT_EQ(found[0].nmt, canopen::NmtState::kStopped);
}

TEST(NodeScan, WhatANodeRefusesIsLeftOpen) {
  NodeScanOptions only;
  only.first = only.last = 5;
  NodeScan scan(only);
  scan.start(0);
  scan.poll(0);
  ASSERT_EQ(taken_from(scan.out()), Texts{"605#4000100000000000"});
  scan.receive(from_text("585#4300100091010000"), 0);  // 0191h: an input and output device
  ASSERT_EQ(taken_from(scan.out()), Texts{"605#4018100100000000"});
  for (const char* object : {"181001", "181002", "181003", "181004", "081000"}) {
    scan.receive(from_text("585#80" + std::string(object) + "00000206"), 0);
    taken_from(scan.out());
  }
  scan.poll(1300 * kMs);
  EXPECT_TRUE(scan.done()) << "6041h is asked of drives alone";
  ASSERT_EQ(scan.found().size(), 1U);
  EXPECT_TRUE(scan.found()[0].answers);
  EXPECT_EQ(scan.found()[0].device_type, 0x191U);
  EXPECT_FALSE(scan.found()[0].vendor);
  EXPECT_FALSE(scan.found()[0].is_drive());
}

}  // namespace
}  // namespace jointrig::app
