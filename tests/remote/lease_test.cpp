/// The right to command: one holder, told apart by an epoch.

#include "remote/lease.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "remote/rate_limit.h"
#include "remote/seats.h"

namespace jointrig::remote {
namespace {

constexpr TimeNs kPeriod = 1'000'000;

/// The loop's side, as fast as it can: silence takes 201 calls.
struct Loop {
  HolderWatch watch{kPeriod};
  std::atomic<bool> counts_silence{false};
  std::atomic<int> stops{0};
  std::jthread thread{[this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!counts_silence.load()) watch.heard();
      if (watch.on_cycle().ended.epoch != 0) stops.fetch_add(1);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }};
};

std::string reason_of(Lease& lease, ClientId client, std::uint64_t epoch, int* pushed = nullptr) {
  int count = 0;
  const LeaseRefusal refusal = lease.pass(
      client, epoch, [&] { ++count; }, [] {});
  if (pushed != nullptr) *pushed = count;
  return refusal.reason;
}

TEST(Lease, OneClientHoldsItAndTheOthersAreToldWho) {
  Loop loop;
  Lease lease(loop.watch);
  EXPECT_EQ(lease.take(1, "anna", false), "");
  const std::string refusal = lease.take(2, "ben", false);
  EXPECT_NE(refusal.find("anna holds the lease"), std::string::npos) << refusal;
  EXPECT_EQ(lease.now().holder_name, "anna");
  EXPECT_EQ(lease.take(1, "anna", false), "") << "who has it keeps it";
  EXPECT_EQ(lease.now().epoch, 1U);
}

TEST(Lease, ACommandPassesWithTheEpochOfItsHolderAlone) {
  Loop loop;
  Lease lease(loop.watch);
  int pushed = 0;
  EXPECT_EQ(reason_of(lease, 1, 0, &pushed), "no_lease");
  EXPECT_EQ(pushed, 0);
  lease.take(1, "anna", false);
  EXPECT_EQ(reason_of(lease, 1, 1, &pushed), "");
  EXPECT_EQ(pushed, 1);
  EXPECT_EQ(reason_of(lease, 2, 1, &pushed), "stale_epoch") << "a stranger who has read the epoch";
  EXPECT_EQ(pushed, 0);
}

TEST(Lease, AfterATakeoverTheFormerEpochIsStale) {
  Loop loop;
  Lease lease(loop.watch);
  lease.take(1, "anna", false);
  EXPECT_EQ(lease.take(2, "ben", true), "");
  EXPECT_EQ(reason_of(lease, 1, 1), "stale_epoch");
  EXPECT_EQ(reason_of(lease, 2, 2), "");
  EXPECT_EQ(lease.changes_after(0).back().sentence, "ben took the lease over from anna");
  EXPECT_EQ(loop.stops.load(), 1) << "take() returns once the loop has seen it";
}

TEST(Lease, WhoTakesItAgainIsHeldToTheNewEpoch) {
  Loop loop;
  Lease lease(loop.watch);
  lease.take(1, "anna", false);
  lease.release(1);
  lease.take(1, "anna", false);
  int pushed = 0;
  EXPECT_EQ(reason_of(lease, 1, 1, &pushed), "stale_epoch") << "it was under way meanwhile";
  EXPECT_EQ(pushed, 0);
  EXPECT_EQ(reason_of(lease, 1, 2), "");
}

TEST(Lease, ItIsFreeWhenItsHolderReleasesItOrIsGone) {
  Loop loop;
  Lease lease(loop.watch);
  lease.take(1, "anna", false);
  EXPECT_NE(lease.release(2), "");
  EXPECT_EQ(lease.release(1), "");
  EXPECT_EQ(lease.take(2, "ben", false), "");
  lease.leave(1);
  EXPECT_EQ(lease.now().holder, 2U);
  lease.leave(2);
  EXPECT_EQ(lease.now().holder, 0U);
  EXPECT_EQ(reason_of(lease, 2, 2), "stale_epoch");
}

TEST(Lease, ItIsFreeWhenItsHolderFallsSilent) {
  Loop loop;
  Lease lease(loop.watch);
  lease.take(1, "anna", false);
  loop.counts_silence.store(true);
  while (loop.watch.holding() != 0) std::this_thread::yield();
  EXPECT_EQ(reason_of(lease, 1, 1), "stale_epoch");
  EXPECT_EQ(lease.changes_after(0).back().sentence, "anna lost the lease: silent for 0.2 s");
}

TEST(Lease, ACommandThatGoesInWhileTheLoopEndsTheLeaseIsFollowedByAStop) {
  Loop loop;
  Lease lease(loop.watch);
  lease.take(1, "anna", false);
  bool undone = false;
  const LeaseRefusal refusal = lease.pass(
      1, 1,
      [&] {
        loop.counts_silence.store(true);
        while (loop.watch.holding() != 0) std::this_thread::yield();
      },
      [&] { undone = true; });
  EXPECT_TRUE(undone);
  EXPECT_EQ(refusal.reason, "stale_epoch");
}

TEST(Lease, AStopOfSomebodyElseEndsItAndOneOfItsHolderDoesNot) {
  Loop loop;
  Lease lease(loop.watch);
  lease.take(1, "anna", false);
  lease.stopped_by(1, "anna");
  EXPECT_EQ(lease.now().holder, 1U);
  lease.stopped_by(2, "ben");
  EXPECT_EQ(lease.now().holder, 0U);
  EXPECT_EQ(lease.changes_after(0).back().sentence,
            "ben stopped the robot, and anna lost the lease");
}

TEST(Lease, ALoopThatDoesNotRunGivesNone) {
  HolderWatch watch(kPeriod);
  Lease lease(watch);
  EXPECT_NE(lease.take(1, "anna", false), "");
  EXPECT_EQ(lease.now().holder, 0U);
  EXPECT_EQ(watch.holding(), 0U);
}

TEST(Seats, ASenderHasTheNameOfItsClientAndKeepsItWhileOthersAreFree) {
  CommandInbox inbox;
  Seats seats(inbox, 2);
  const Seats::Seat anna = seats.take("anna").value();
  EXPECT_EQ(std::string(inbox.sender_name(anna.sender)), "remote1:anna");
  seats.give_back(anna);
  const Seats::Seat ben = seats.take("ben").value();
  EXPECT_EQ(std::string(inbox.sender_name(ben.sender)), "remote2:ben");
  EXPECT_EQ(std::string(inbox.sender_name(anna.sender)), "remote1:anna")
      << "a log may write it yet";
  const Seats::Seat carl = seats.take(std::string(60, 'c')).value();
  EXPECT_EQ(carl.sender, anna.sender);
  EXPECT_EQ(std::string(inbox.sender_name(carl.sender)), "remote1:" + std::string(23, 'c'));
  EXPECT_FALSE(seats.take("dora"));
}

TEST(RateLimit, PassesABurstAndThenItsRate) {
  using std::chrono::milliseconds;
  RateLimit limit(100.0, 5.0);
  const RateLimit::Time begin{std::chrono::seconds(1)};
  int passed = 0;
  for (int i = 0; i < 50; ++i) passed += limit.take(begin) ? 1 : 0;
  EXPECT_EQ(passed, 5);
  passed = 0;
  for (int ms = 1; ms <= 1000; ++ms) passed += limit.take(begin + milliseconds(ms)) ? 1 : 0;
  EXPECT_NEAR(passed, 100, 1);
}

}  // namespace
}  // namespace jointrig::remote
