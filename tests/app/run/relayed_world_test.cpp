#include "app/run/relayed_world.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "tests/harness/runner/fake_stack.h"

namespace jointrig::app {
namespace {

using Log = std::vector<std::string>;

class RelayedWorldTest : public ::testing::Test {
 protected:
  harness::World::Handle push() {
    return relay_.prepare(harness::ForceAction{"hand", {1, 0, 0}, {}, {}, false});
  }
  harness::World::Handle load() { return relay_.prepare(harness::PayloadAction{"hand", 1.0, {}}); }
  void judge(std::uint64_t cycle) { relay_.show(cycle, {}); }

  testing::FakeWorld world_;
  RelayedWorld relay_{world_};
};

TEST_F(RelayedWorldTest, NothingHappensToTheWorldBeforeTheLoopCarriesItOut) {
  const auto action = push();
  judge(5);
  relay_.begin(action);
  EXPECT_EQ(world_.log, Log{});
  relay_.carry_out(6);
  EXPECT_EQ(world_.log, Log{"begin force hand"});
}

TEST_F(RelayedWorldTest, RequestsAreCarriedOutOnceInTheOrderInWhichTheyWereAskedFor) {
  const auto first = push();
  const auto second = load();
  judge(5);
  relay_.begin(second);
  relay_.begin(first);
  relay_.carry_out(6);
  relay_.carry_out(7);
  EXPECT_EQ(world_.log, (Log{"begin payload hand", "begin force hand"}));
}

TEST_F(RelayedWorldTest, AnActionActsForAllTheCyclesAskedForWhenTheFollowerWasBehind) {
  const auto pulse = push();
  const auto later = load();
  // Cycles 100 to 110 are judged at once while the loop is at 500.
  judge(100);
  relay_.begin(pulse);
  judge(110);
  relay_.end(pulse);
  relay_.begin(later);

  relay_.carry_out(500);
  EXPECT_EQ(world_.log, Log{"begin force hand"});
  relay_.carry_out(509);
  EXPECT_EQ(world_.log.size(), 1U) << "a cycle too early";
  relay_.carry_out(510);
  EXPECT_EQ(world_.log, (Log{"begin force hand", "end force hand", "begin payload hand"}));
}

TEST_F(RelayedWorldTest, AnEndThatComesLateIsCarriedOutAtOnce) {
  const auto pulse = push();
  judge(100);
  relay_.begin(pulse);
  relay_.carry_out(101);
  judge(110);
  relay_.end(pulse);
  relay_.carry_out(140);
  EXPECT_EQ(world_.log, (Log{"begin force hand", "end force hand"}));
}

TEST_F(RelayedWorldTest, TheTruthIsThatOfTheCycleBeingJudged) {
  const auto signal = relay_.find_truth("body.hand.x");
  ASSERT_TRUE(signal);
  EXPECT_FALSE(relay_.find_truth("body.foot.x"));
  ASSERT_EQ(relay_.truth_count(), 1U);

  std::array<double, 1> sampled{};
  world_.truth_value = 0.25;
  relay_.sample(sampled);
  world_.truth_value = 0.75;  // the loop has gone on
  relay_.show(7, sampled);
  EXPECT_EQ(relay_.truth(*signal), 0.25);
}

TEST_F(RelayedWorldTest, WhatTheWorldRefusesIsRefused) {
  EXPECT_THROW(relay_.prepare(harness::FaultAction{"elbow", "encoder_jump"}),
               std::invalid_argument);
}

/// A loop that has ended takes nothing more: who asks must not wait for it for ever.
TEST_F(RelayedWorldTest, AfterTheLoopHasEndedRequestsComeToNothing) {
  const auto action = push();
  relay_.close();
  for (int i = 0; i < 100'000; ++i) relay_.begin(action);  // far more than fit
  EXPECT_EQ(world_.log, Log{}) << "and nobody else carries them out";
}

}  // namespace
}  // namespace jointrig::app
