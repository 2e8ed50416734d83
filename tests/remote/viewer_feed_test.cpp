/// The feed of viewers without any connection: queues, protocol, parameters, who is welcome.

#include "remote/viewer_feed.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "remote/address.h"
#include "remote/viewer_protocol.h"

namespace jointrig::remote {
namespace {

std::vector<std::byte> payload(std::uint32_t number, std::size_t size = 200) {
  const auto first = std::as_bytes(std::span(&number, 1));
  std::vector<std::byte> bytes(first.begin(), first.end());
  bytes.resize(size);
  return bytes;
}

std::uint32_t number_of(const WaitingMessage& message) {
  std::uint32_t number = 0;
  std::memcpy(&number, message.cdr.data(), sizeof number);
  return number;
}

/// With two channels.
class ViewerFeedTest : public ::testing::Test {
 protected:
  ViewerFeedTest() {
    feed.open({1, "/j/a", "x/msg/J", "float64 q\n"});
    feed.open({2, "/j/b", "x/msg/J", "float64 q\n"});
  }
  ViewerFeed feed{[] {}};
};

TEST_F(ViewerFeedTest, WhatASlowViewerLosesIsCountedAndTheRestKeepsItsOrder) {
  ViewerQueue slow(std::size_t{1} << 14);
  ASSERT_EQ(feed.subscribe(slow, 7, 1), "");
  constexpr std::uint32_t kMessages = 1000;
  for (std::uint32_t i = 0; i < kMessages; ++i) feed.take(1, i, payload(i));

  std::uint32_t read = 0;
  for (WaitingMessage next = slow.front(); !next.cdr.empty(); next = slow.front()) {
    EXPECT_EQ(number_of(next), read);
    EXPECT_EQ(next.time_ns, read);
    EXPECT_EQ(next.subscription, 7U);
    slow.pop();
    ++read;
  }
  EXPECT_GT(read, 10U);
  EXPECT_EQ(read + slow.dropped(), kMessages);
}

TEST_F(ViewerFeedTest, OneSlowViewerCostsTheOthersNothing) {
  ViewerQueue slow(std::size_t{1} << 14);
  ViewerQueue quick(std::size_t{1} << 14);
  feed.subscribe(slow, 1, 1);
  feed.subscribe(quick, 1, 1);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    feed.take(1, i, payload(i));
    EXPECT_EQ(number_of(quick.front()), i);
    quick.pop();
  }
  EXPECT_EQ(quick.dropped(), 0U);
  EXPECT_GT(slow.dropped(), 0U);
}

TEST_F(ViewerFeedTest, AfterAForgetComesNothingOfBeforeAndAllOfAfter) {
  ViewerQueue slow(std::size_t{1} << 14);
  feed.subscribe(slow, 1, 1);
  for (std::uint32_t i = 0; i < 10; ++i) feed.take(1, i, payload(i));
  feed.forget();
  feed.take(1, 90, payload(90));
  EXPECT_EQ(number_of(slow.front()), 90U);
  slow.pop();
  EXPECT_TRUE(slow.front().cdr.empty());
  EXPECT_EQ(slow.dropped(), 0U) << "they were not too slow for it";
}

TEST(ViewerFeedOfALog, ANewSubscriptionGetsItsFirstMessageBeforeAnyLaterOne) {
  ViewerFeed feed([] {}, true);
  feed.open({1, "/j/a", "x/msg/J", "float64 q\n"});
  feed.open({2, "/j/b", "x/msg/J", "float64 q\n"});
  ViewerQueue viewer(std::size_t{1} << 14);
  feed.subscribe(viewer, 1, 1);
  feed.subscribe(viewer, 2, 2);
  feed.take(1, 50, payload(50));
  EXPECT_TRUE(viewer.front().cdr.empty()) << "newer than the first";
  EXPECT_EQ(feed.waited(), (std::vector<harness::ChannelId>{1, 2}));

  feed.admit(1, 40, payload(40));
  feed.admit(2, 0, {});  // nothing was ever sent on it
  EXPECT_TRUE(feed.waited().empty());
  feed.take(2, 60, payload(60));
  EXPECT_EQ(number_of(viewer.front()), 40U);
  viewer.pop();
  EXPECT_EQ(number_of(viewer.front()), 60U);
  EXPECT_EQ(viewer.front().subscription, 2U);
}

TEST_F(ViewerFeedTest, AChannelIsWantedAsLongAsSomebodyHasSubscribedToIt) {
  ViewerQueue viewer(std::size_t{1} << 14);
  EXPECT_FALSE(feed.wants(1));
  feed.subscribe(viewer, 1, 1);
  feed.subscribe(viewer, 2, 2);
  EXPECT_TRUE(feed.take_new_reader());
  EXPECT_FALSE(feed.take_new_reader()) << "once";
  EXPECT_TRUE(feed.wants(1));
  EXPECT_EQ(feed.unsubscribe(viewer, 1), "");
  EXPECT_FALSE(feed.wants(1));
  EXPECT_TRUE(feed.wants(2));
  feed.leave(viewer);
  EXPECT_FALSE(feed.wants(2));
}

TEST_F(ViewerFeedTest, SubscriptionsThatCannotBeAreRefused) {
  ViewerQueue viewer(std::size_t{1} << 14);
  EXPECT_NE(feed.subscribe(viewer, 1, 0), "");
  EXPECT_NE(feed.subscribe(viewer, 1, 3), "");
  EXPECT_EQ(feed.subscribe(viewer, 1, 1), "");
  EXPECT_NE(feed.subscribe(viewer, 1, 2), "") << "a number that is in use";
  EXPECT_NE(feed.subscribe(viewer, 2, 1), "") << "a channel that is subscribed to";
  EXPECT_NE(feed.unsubscribe(viewer, 9), "");
}

TEST(ViewerProtocol, AMessageIsOneByteANumberATimeAndTheBytesOfTheLog) {
  const std::vector<std::byte> cdr = payload(1);
  const MessageHead head = message_head({0x04030201, 0x0807060504030201, cdr});
  const std::uint8_t expected[] = {1, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(std::memcmp(head.data(), expected, sizeof expected), 0);
}

TEST(ViewerProtocol, AnyBytesAreReadOrRefused) {
  std::mt19937 random(14);
  const std::string good = R"({"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]})";
  std::size_t refused = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string text = good;
    for (int k = 0; k <= i % 3; ++k) text[random() % text.size()] = static_cast<char>(random());
    for (const ViewerWish& wish : read_viewer_text(text)) {
      refused += std::holds_alternative<BadWish>(wish) ? 1 : 0;
    }
    (void)read_viewer_bytes(std::as_bytes(std::span(text)).first(random() % text.size()));
  }
  EXPECT_GT(refused, 30'000U);
  EXPECT_LT(refused, 60'000U) << "some changes leave sense";
}

TEST(ViewerAccess, APageOfAStrangerIsNotWelcome) {
  for (const char* page : {"", "https://app.foxglove.dev", "file://", "http://localhost:8080",
                           "http://127.0.0.1", "http://[::1]:80", "https://viewer.example"}) {
    EXPECT_TRUE(is_welcome(page, {"https://viewer.example"})) << page;
  }
  for (const char* page : {"null", "https://evil.example", "https://localhost.evil.example",
                           "http://127.0.0.1.evil.example", "https://app.foxglove.dev.evil.example",
                           "https://viewer.example.evil", "http://127.evil.example:80"}) {
    EXPECT_FALSE(is_welcome(page, {"https://viewer.example"})) << page;
  }
}

}  // namespace
}  // namespace jointrig::remote
