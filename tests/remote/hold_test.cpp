/// The loop's side of the lease: it stops the robot by itself, in time, whatever the server does.

#include <gtest/gtest.h>

#include "remote/hold_on_loss.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/ideal_rig.h"

namespace jointrig::remote {
namespace {

using jointrig::testing::IdealRig;

constexpr int kSilentCycles = 200;  // 0.2 s at 1 kHz

struct HeldRig {
  IdealRig rig;
  HolderWatch watch{rig.stack.config().period_ns};
  HoldOnLoss hold{watch, rig.stack.inbox(), rig.stack.events(), rig.stack.config().joints.size()};

  HeldRig() { rig.enter(ModeRequest::kVelocity); }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      hold.before_cycle(rig.stack.snapshot());
      rig.run(1);
    }
  }
  /// Number of stops by the lease since the last call, and the cycle of the last one.
  int stops() {
    int count = 0;
    for (const Event& event : rig.events()) {
      if (event.kind != EventKind::kAccepted || event.command != CommandKind::kStop) continue;
      if (rig.stack.inbox().sender_name(event.sender) != HoldOnLoss::kSender) continue;
      ++count;
      last_stop = event.cycle;
    }
    return count;
  }
  std::uint64_t last_stop = 0;

  /// Events of the lease since the last call: `taken anna 1`, in their order.
  std::string lease_events() {
    std::string all;
    for (const Event& event : rig.events()) {
      if (event.kind != EventKind::kLease && event.kind != EventKind::kLeaseLost) continue;
      all += std::string(event.kind == EventKind::kLeaseLost ? "lost: " : "") +
             std::string(to_string(static_cast<LeaseAct>(event.detail))) + " " +
             std::string(rig.stack.inbox().sender_name(event.sender)) + " " +
             std::to_string(event.number) + "\n";
    }
    return all;
  }
};

TEST(HoldOnLoss, ASilentHolderIsStoppedInTheCycleAfterTwoHundred) {
  HeldRig held;
  held.watch.begin(1);
  held.run(1);
  held.watch.heard();
  held.run(1);  // the last cycle that hears something
  const std::uint64_t heard = held.rig.stack.snapshot().cycle;

  held.run(kSilentCycles);
  EXPECT_EQ(held.stops(), 0);
  held.run(1);

  EXPECT_EQ(held.stops(), 1);
  EXPECT_EQ(held.last_stop, heard + kSilentCycles + 1);
  EXPECT_EQ(held.watch.holding(), 0U);
  EXPECT_EQ(held.watch.fell_silent(), 1U);
  held.run(2 * kSilentCycles);
  EXPECT_EQ(held.stops(), 0) << "once is enough";
}

TEST(HoldOnLoss, AHolderThatGivesSignsOfLifeIsLeftAlone) {
  HeldRig held;
  held.watch.begin(1);
  for (int i = 0; i < 20; ++i) {
    held.run(kSilentCycles - 1);
    held.watch.heard();
  }
  EXPECT_EQ(held.stops(), 0);
  EXPECT_EQ(held.watch.holding(), 1U);
}

TEST(HoldOnLoss, TheRobotStandsStillAfterTheHolderFellSilent) {
  HeldRig held;
  held.watch.begin(1);
  held.run(1);
  for (int i = 0; i < kSilentCycles; ++i) {  // a stream goes on, from a client that gives no signs
    StreamVelocity stream;
    stream.joints.set(0);
    stream.values.push_back({0.5});
    held.rig.client.post(stream);
    held.run(1);
  }
  EXPECT_GT(held.rig.joint().state.v, 0.4);
  held.run(500);
  EXPECT_NEAR(held.rig.joint().state.v, 0.0, 1e-3);
}

TEST(HoldOnLoss, ReleaseAndTakeoverStopTheRobotOnceEach) {
  HeldRig held;
  held.watch.begin(1);
  held.run(3);
  held.watch.begin(2);  // taken over
  held.run(3);
  EXPECT_EQ(held.stops(), 1);
  held.watch.end();
  held.run(3);
  EXPECT_EQ(held.stops(), 1);
  held.watch.begin(3);  // from nobody
  held.run(3);
  EXPECT_EQ(held.stops(), 0);
}

TEST(HoldOnLoss, ANewHolderCountsOnlyOnceTheStopOfTheFormerOneIsOnItsWay) {
  HeldRig held;
  held.watch.begin(1);
  held.run(1);
  EXPECT_EQ(held.watch.acknowledged(), 1U);
  held.watch.begin(2);
  EXPECT_EQ(held.watch.acknowledged(), 1U);
  held.hold.before_cycle(held.rig.stack.snapshot());
  EXPECT_EQ(held.watch.acknowledged(), 2U);
  StreamVelocity stream;  // the new holder's first command, in the same cycle
  stream.joints.set(0);
  stream.values.push_back({0.5});
  held.rig.client.post(stream);
  held.rig.run(100);
  EXPECT_EQ(held.stops(), 1);
  EXPECT_GT(held.rig.joint().state.v, 0.1) << "the stop came before it";
}

TEST(HoldOnLoss, AFullInboxDelaysTheStopByACycleAndLosesItNot) {
  HeldRig held;
  held.watch.begin(1);
  held.run(1);
  const Command filler{.request = SetSpeedOverride{}, .sender = 0, .number = 1};
  while (held.rig.stack.inbox().push(filler)) {
  }
  held.watch.end();
  held.hold.before_cycle(held.rig.stack.snapshot());
  held.rig.run(1);
  held.run(static_cast<int>(CommandInbox::kCapacity / Stack::kCommandsPerCycle) + 1);
  EXPECT_EQ(held.stops(), 1);
}

TEST(HoldOnLoss, EachChangeOfTheLeaseIsAnEventOfItsHolder) {
  HeldRig held;
  const std::uint16_t anna = held.rig.stack.inbox().connect("anna");
  const std::uint16_t ben = held.rig.stack.inbox().connect("ben");
  held.watch.begin(1, anna);
  held.run(2);
  EXPECT_EQ(held.lease_events(), "taken anna 1\n");
  held.watch.begin(2, ben);
  held.run(2);
  EXPECT_EQ(held.lease_events(), "lost: taken_over anna 1\ntaken ben 2\n");
  held.watch.end(LeaseAct::kReleased);
  held.run(2);
  EXPECT_EQ(held.lease_events(), "released ben 2\n");
  held.watch.begin(3, anna);
  held.run(1);
  held.watch.end(LeaseAct::kDisconnected);
  held.watch.begin(4, ben);  // before the loop has seen the end
  held.run(1);
  EXPECT_EQ(held.lease_events(), "taken anna 3\nlost: disconnected anna 3\ntaken ben 4\n");
  held.run(kSilentCycles + 1);
  EXPECT_EQ(held.lease_events(), "lost: silent ben 4\n");
}

TEST(HoldOnLoss, TheEventOfALostLeaseIsBesideItsStop) {
  HeldRig held;
  held.watch.begin(1);
  held.run(1);
  held.rig.events();
  held.watch.end(LeaseAct::kDisconnected);
  held.run(1);
  std::uint64_t lost = 0;
  std::uint64_t stopped = 0;
  for (const Event& event : held.rig.events()) {
    if (event.kind == EventKind::kLeaseLost) lost = event.cycle;
    if (event.kind == EventKind::kAccepted) stopped = event.cycle;
  }
  EXPECT_GT(lost, 0U);
  EXPECT_EQ(stopped, lost + 1);
}

TEST(HoldOnLoss, ItAllocatesAndLocksNothing) {
  HeldRig held;
  held.watch.begin(1);
  held.run(1);
  JOINTRIG_NEEDS_REALTIME_GUARD();
  RealtimeGuard guard;
  for (int i = 0; i < 2 * kSilentCycles; ++i) held.hold.before_cycle(held.rig.stack.snapshot());
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

}  // namespace
}  // namespace jointrig::remote
