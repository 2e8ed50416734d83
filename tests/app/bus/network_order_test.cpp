#include "app/bus/network_order.h"

#include <gtest/gtest.h>

namespace jointrig::app {
namespace {

using canopen::NmtCommand;
using canopen::NmtState;
using Verdict = Followed::Verdict;

TEST(NetworkOrder, FiveWordsAreOrders) {
  EXPECT_EQ(parse_order("start"), NmtCommand::kStart);
  EXPECT_EQ(parse_order("stop"), NmtCommand::kStop);
  EXPECT_EQ(parse_order("preop"), NmtCommand::kEnterPreOperational);
  EXPECT_EQ(parse_order("reset"), NmtCommand::kResetNode);
  EXPECT_EQ(parse_order("reset-communication"), NmtCommand::kResetCommunication);
  try {
    static_cast<void>(parse_order("strat"));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "there is no order \"strat\"; did you mean \"start\"?");
  }
}

TEST(NetworkOrder, ADriveIsPoweredWhileItFollowsOrHoldsAfterAQuickStop) {
  const auto with = [](std::optional<std::uint16_t> statusword) {
    FoundNode node;
    node.statusword = statusword;
    return std::vector{node};
  };
  EXPECT_EQ(powered(with(0x0237)).size(), 1U) << "operation enabled";
  EXPECT_EQ(powered(with(0x0217)).size(), 1U) << "quick stop active";
  EXPECT_EQ(powered(with(0x0233)).size(), 0U) << "switched on: the stage is off";
  EXPECT_EQ(powered(with(0x0208)).size(), 0U) << "fault";
  EXPECT_EQ(powered(with(std::nullopt)).size(), 0U);
}

TEST(NetworkOrder, AHeartbeatTellsWhetherItWasFollowed) {
  EXPECT_EQ(followed(NmtCommand::kStart, {NmtState::kOperational}).verdict, Verdict::kYes);
  EXPECT_EQ(followed(NmtCommand::kStart, {NmtState::kPreOperational}).verdict, Verdict::kNo);
  EXPECT_EQ(followed(NmtCommand::kStop, {NmtState::kOperational, NmtState::kStopped}).verdict,
            Verdict::kYes)
      << "the last one counts";
  EXPECT_EQ(followed(NmtCommand::kStop, {}).verdict, Verdict::kUnknown);
}

TEST(NetworkOrder, AResetIsFollowedByABootUp) {
  EXPECT_EQ(followed(NmtCommand::kResetNode, {NmtState::kInitialising, NmtState::kPreOperational})
                .verdict,
            Verdict::kYes);
  EXPECT_EQ(followed(NmtCommand::kResetNode, {NmtState::kOperational}).verdict, Verdict::kNo);
  EXPECT_EQ(followed(NmtCommand::kResetCommunication, {}).verdict, Verdict::kUnknown);
}

}  // namespace
}  // namespace jointrig::app
