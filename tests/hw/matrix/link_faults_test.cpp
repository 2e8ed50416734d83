// The fault matrix, rows F1 to F14 and F43: the wire, the frames, the host's end of the bus.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "hw/can/forwarding_transport.h"
#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

using can::FaultKind;
using Hit = MatrixRig::Hit;

constexpr std::uint16_t kFollows = cia402::status::kModeSpecific12;

bool follows(const MatrixRig& rig, std::size_t joint) {
  return (rig.drive(joint).statusword & kFollows) != 0;
}

TEST(LinkFaults, AHealthyStartAndTwoSecondsOfRestTellNothingOfTheLink) {
  MatrixRig rig;
  rig.run_for(2.0);
  rig.mode("all", ModeRequest::kPosition);
  rig.run_for(2.0);
  for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
    for (const Notice notice : kAllNotice) {
      EXPECT_EQ(rig.notices(notice, joint), 0) << to_string(notice) << " of joint " << joint;
    }
  }
}

TEST(LinkFaults, F1WhereTheWireIsCutTheBoardsStopByThemselvesAndTheJointsAreLostAfterTwenty) {
  MatrixRig rig;
  rig.set_off();
  rig.cut(0);
  rig.run(2);
  EXPECT_FALSE(rig.is_held(kElbow)) << "two samples are carried on";
  rig.run(1);
  EXPECT_TRUE(rig.is_held(kElbow));
  EXPECT_TRUE(rig.is_held(kWrist)) << "of the same part, on the other bus";
  EXPECT_FALSE(rig.is_held(kLeft));
  rig.run(4);
  EXPECT_FALSE(follows(rig, kElbow)) << "after five periods without a command it comes to rest";
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  rig.run(12);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition) << "19 in a row";
  rig.run(1);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
    EXPECT_EQ(rig.joint(joint).fault.code, FaultCode::kBoardLost);
    EXPECT_EQ(rig.joint(joint).state.missed, 20U);
    EXPECT_EQ(rig.last(EventKind::kFault, joint)->fault, FaultCode::kBoardLost);
  }
  rig.run(3);
  EXPECT_TRUE(is_fault(rig.drive(kElbow).state)) << "the board's own watch";
  EXPECT_EQ(rig.drive(kElbow).error_code, 0x8250);
  rig.mend(0);
  rig.expect_arm_held_but({kYaw, kShoulder, kElbow});
  rig.expect_hand_free();
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(LinkFaults, F2AHostThatStoodStillFindsEveryJointInAFaultAndMovesNothing) {
  MatrixRig rig;
  rig.set_off();
  rig.freeze_host(500);
  EXPECT_TRUE(is_fault(rig.drive(kElbow).state));
  const double before = rig.where(kElbow);
  rig.run(200);
  for (std::size_t joint = kYaw; joint <= kRight; ++joint) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault) << joint;
  }
  EXPECT_NEAR(rig.where(kElbow), before, 0.001);
  EXPECT_EQ(rig.notices(Notice::kSkipped, kYaw), 1);
  rig.expect_force_idle_is_the_way_out(kElbow);
  rig.expect_force_idle_is_the_way_out(kLeft);
}

TEST(LinkFaults, F3OneSampleThatIsLostIsCarriedOnUnnoticedButForTheCount) {
  MatrixRig rig;
  rig.set_off();
  const double before = rig.joint(kElbow).state.q;
  rig.hit_state(kElbow, {.count = 1});
  rig.run(1);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 1U);
  EXPECT_GT(rig.joint(kElbow).state.q, before) << "q + v T";
  EXPECT_NEAR(rig.joint(kElbow).state.q, rig.where(kElbow), 1e-3);
  rig.run(1);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 0U);
  EXPECT_EQ(rig.notices(Notice::kLinkStale, kElbow), 1);
  EXPECT_EQ(rig.notices(Notice::kPartHeld, kElbow), 0);
  rig.run_for(4.0);
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01) << "it arrives";
}

TEST(LinkFaults, F4TwoOfThreeSamplesLostForASecondLeaveTheMotionWithinItsTolerance) {
  MatrixRig rig;
  rig.set_off();
  double worst = 0.0;
  for (int cycle = 0; cycle < 500; ++cycle) {
    rig.clear(0);
    if (cycle % 3 != 0) rig.hit_state(kElbow, {.count = 1});
    rig.run(1);
    worst = std::max(worst, std::abs(rig.where(kElbow) - rig.joint(kElbow).reference.q));
  }
  EXPECT_LT(worst, 0.02);
  EXPECT_EQ(rig.notices(Notice::kPartHeld, kElbow), 0);
  EXPECT_EQ(rig.notices(Notice::kLinkStale, kElbow), 1) << "once a second";
  EXPECT_FALSE(rig.joint(kElbow).fault);
}

TEST(LinkFaults, F5NineteenLostInARowAreHeldAndComeBackTwentyAreAFault) {
  {
    MatrixRig rig;
    rig.set_off();
    rig.hit_state(kElbow, {.count = 19});
    rig.run(19);
    EXPECT_EQ(rig.joint(kElbow).state.missed, 19U);
    EXPECT_TRUE(rig.is_held(kYaw));
    rig.run(2);
    EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
    EXPECT_FALSE(rig.is_held(kYaw));
    EXPECT_EQ(rig.notices(Notice::kPartFreed, kElbow), 1);
    rig.run_for(4.5);
    EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01) << "back to normal: it goes on to its goal";
    EXPECT_NEAR(rig.where(kYaw), 0.6, 0.01);
  }
  MatrixRig rig;
  rig.set_off();
  rig.hit_state(kElbow, {.count = 20});
  rig.run(20);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kBoardLost);
  rig.run(3);
  EXPECT_EQ(rig.drive(kElbow).state, cia402::PowerState::kQuickStopActive) << "it may still hear";
  rig.expect_arm_held_but({kElbow});
  rig.expect_hand_free();
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(LinkFaults, F6OrdersThatGetLostAreBridgedForFourPeriodsThenTheDriveStopsThenItFaults) {
  const auto lose_orders = [](MatrixRig& rig, std::uint32_t count) {
    rig.hit(0, {.id = 0x300U + MatrixRig::node_of(kShoulder),
                .count = count,
                .receiver = rig.board_node(kShoulder)});
  };
  {
    MatrixRig rig;
    rig.set_off();
    lose_orders(rig, 4);
    rig.run(10);
    EXPECT_EQ(rig.notices(Notice::kRpdoTimeout, kShoulder), 0);
    EXPECT_FALSE(rig.is_held(kShoulder));
  }
  {
    MatrixRig rig;
    rig.set_off();
    lose_orders(rig, 6);
    ASSERT_TRUE(rig.run_until(12, [&] { return rig.is_held(kShoulder); }));
    EXPECT_TRUE(rig.is_held(kWrist)) << "its part";
    EXPECT_FALSE(rig.is_held(kLeft));
    EXPECT_EQ(rig.notices(Notice::kRpdoTimeout, kShoulder), 1);
    EXPECT_EQ(rig.mode(kShoulder), JointMode::kPosition);
    ASSERT_TRUE(rig.run_until(12, [&] { return !rig.is_held(kShoulder); })) << "it follows again";
    EXPECT_FALSE(rig.is_held(kWrist));
    EXPECT_EQ(rig.notices(Notice::kPartHeld, kShoulder), 1);
    EXPECT_EQ(rig.notices(Notice::kPartFreed, kShoulder), 1);
    rig.run_for(4.5);
    for (const std::size_t joint : {kYaw, kShoulder, kElbow, kWrist}) {
      EXPECT_NEAR(rig.where(joint), 0.6, 0.01) << "it goes on to its goal";
    }
    rig.expect_hand_free();
  }
  MatrixRig rig;
  rig.set_off();
  lose_orders(rig, 30);
  rig.run(26);
  EXPECT_EQ(rig.mode(kShoulder), JointMode::kHwFault);
  EXPECT_EQ(rig.joint(kShoulder).fault.code, FaultCode::kCommandLost);
  EXPECT_GE(rig.notices(Notice::kPartWaits, kShoulder), 1);
  EXPECT_EQ(rig.notices(Notice::kPartFreed, kShoulder), 0) << "nothing goes on";
  EXPECT_GE(rig.notices(Notice::kEmergency, kShoulder), 1);
  rig.run(10);
  rig.expect_arm_held_but({kShoulder});
  rig.expect_force_idle_is_the_way_out(kShoulder);
}

TEST(LinkFaults, F7OneSyncLostIsCarriedOnSixOfThemStopTheBoards) {
  const auto lose_sync = [](MatrixRig& rig, std::uint32_t count) {
    for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
      rig.hit(0, {.id = 0x080, .count = count, .receiver = rig.board_node(joint)});
    }
  };
  MatrixRig rig;
  rig.set_off();
  lose_sync(rig, 1);
  rig.run(1);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.joint(joint).state.missed, 1U);
  }
  EXPECT_EQ(rig.joint(kWrist).state.missed, 0U) << "the other bus";
  rig.run(3);
  EXPECT_EQ(rig.notices(Notice::kSyncGap, kYaw), 1);
  EXPECT_FALSE(rig.is_held(kElbow));
  lose_sync(rig, 6);
  rig.run(6);
  EXPECT_FALSE(follows(rig, kElbow));
  EXPECT_TRUE(rig.is_held(kElbow));
  ASSERT_TRUE(rig.run_until(8, [&] { return !rig.is_held(kElbow); }));
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  EXPECT_EQ(rig.notices(Notice::kPartFreed, kElbow), 1);
  rig.run_for(4.5);
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01);
  rig.expect_hand_free();
}

TEST(LinkFaults, F8StatesThatAlwaysComeTooLateAreOneCycleOldAndTheMotionGoesOn) {
  MatrixRig rig;
  rig.set_off();
  // Cycles are closed after 0.6 periods. The first of three drives, whose states come soon enough
  // to be of their own cycle so late, whatever else is on the wire.
  constexpr std::int64_t kLate = 7 * kPeriodNs / 10;
  rig.hit_state(kYaw, {.kind = FaultKind::kDelay, .delay = kLate});
  rig.run(2);
  double worst = 0.0;
  for (int cycle = 0; cycle < 250; ++cycle) {
    rig.run(1);
    ASSERT_EQ(rig.joint(kYaw).state.missed, 1U) << cycle;
    worst = std::max(worst, std::abs(rig.joint(kYaw).state.q - rig.where(kYaw)));
  }
  EXPECT_LT(worst, 2e-3);
  EXPECT_EQ(rig.notices(Notice::kTpdoLate, kYaw), 1) << "once a second";
  EXPECT_EQ(rig.notices(Notice::kTpdoDoubled, kYaw), 0);
  EXPECT_EQ(rig.notices(Notice::kPartHeld, kYaw), 0);
  rig.run_for(4.0);
  EXPECT_NEAR(rig.where(kYaw), 0.6, 0.01);
}

TEST(LinkFaults, F9StatesThatComeTwiceOutOfOrderOrAgainLeaveNoSpikeInTheSpeed) {
  struct Case {
    const char* what = "";
    Hit hit;
    int every = 0;  ///< cycles from one to the next, for 200 cycles; 0: once
    int told = 0;   ///< as doubled or old
    int late = 0;   ///< told as that: frames without a counter, after the cycle was closed
    std::uint64_t dropped = 0;  ///< states, by their life counter
  };
  for (const Case& now :
       {Case{"twice", {.kind = FaultKind::kDouble, .for_cycles = 200}, 0, 1, 0, 0},
        // The two of a cycle change places: nothing is lost and nothing late.
        Case{"within a cycle",
             {.kind = FaultKind::kReorder, .delay = kPeriodNs, .for_cycles = 200},
             0,
             0,
             0,
             0},
        Case{"overtaken by the next cycle's",
             {.kind = FaultKind::kDelay, .count = 1, .delay = 5 * kPeriodNs / 4},
             2,
             1,
             1,
             100},
        // Well after the new one: the cycle is closed by then.
        Case{"again, three cycles old",
             {.kind = FaultKind::kDelay, .count = 1, .delay = 3 * kPeriodNs + kPeriodNs / 3},
             0,
             1,
             1,
             1}}) {
    SCOPED_TRACE(now.what);
    MatrixRig rig;
    rig.set_off();
    double worst_q = 0.0;
    double worst_v = 0.0;
    for (int cycle = 0; cycle < 220; ++cycle) {
      const bool is_next = now.every > 0 && cycle < 200 && cycle % now.every == 0;
      if (is_next) rig.clear(0);
      if (is_next || cycle == 0) rig.hit_state(kElbow, now.hit);
      rig.run(1);
      worst_q = std::max(worst_q, std::abs(rig.joint(kElbow).state.q - rig.where(kElbow)));
      worst_v = std::max(worst_v, std::abs(rig.joint(kElbow).state.v - rig.speed(kElbow)));
    }
    EXPECT_LT(worst_q, 3e-3);
    EXPECT_LT(worst_v, 0.05);
    EXPECT_FALSE(rig.joint(kElbow).fault);
    EXPECT_EQ(rig.notices(Notice::kPartHeld, kElbow), 0);
    EXPECT_EQ(rig.notices(Notice::kTpdoDoubled, kElbow), now.told) << "once a second";
    EXPECT_EQ(rig.notices(Notice::kTpdoLate, kElbow), now.late);
    const auto replayed = static_cast<std::size_t>(hw::JointPdos::Verdict::kReplayed);
    EXPECT_EQ(rig.bus(0).pdos(kElbow).counters()[replayed], now.dropped);
  }
}

TEST(LinkFaults, F10ABurstOfOldFramesAfterAStallIsDrainedAndTheNewestCounts) {
  MatrixRig rig;
  rig.set_off();
  rig.hit(0, {.kind = FaultKind::kHold, .mask = 0, .receiver = rig.host_node(0), .for_cycles = 16});
  double worst = 0.0;
  double before = rig.joint(kElbow).state.q;
  for (int cycle = 0; cycle < 60; ++cycle) {
    rig.run(1);
    const double now = rig.joint(kElbow).state.q;
    worst = std::max(worst, std::abs(now - before));
    before = now;
  }
  EXPECT_GE(rig.notices(Notice::kBacklog, kElbow), 1);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  // 16 cycles at 0.3 rad/s are 10 mrad; two of them were carried on.
  EXPECT_LT(worst, 0.3 * 15 * kPeriod);
  EXPECT_NEAR(before, rig.where(kElbow), 2e-3);
  rig.run_for(4.5);
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01);
}

TEST(LinkFaults, F11JitterOfSyncIsBorneAndAnOverrunSkipsCyclesWithoutDoublingAny) {
  MatrixRig rig;
  rig.set_off();
  for (int cycle = 0; cycle < 250; ++cycle) {
    rig.clear(0);
    const std::int64_t late = (cycle * 37 % 5) * kPeriodNs / 10;  // 0 to 0.4 T
    for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
      rig.hit(0, {.kind = FaultKind::kDelay,
                  .id = 0x080,
                  .count = 1,
                  .receiver = rig.board_node(joint),
                  .delay = late});
    }
    rig.run(1);
    ASSERT_LT(rig.joint(kElbow).state.missed, 3U);
  }
  rig.clear(0);
  rig.run(2);
  const std::uint64_t cycle_before = rig.stack().snapshot().cycle;
  const std::uint64_t syncs_before = rig.robot().cycles();
  rig.freeze_host(3);
  rig.run(1);
  EXPECT_EQ(rig.stack().snapshot().cycle - cycle_before, 3U) << "two skipped, none made up for";
  EXPECT_EQ(rig.robot().cycles() - syncs_before, 4U) << "three alone, one by SYNC";
  EXPECT_EQ(rig.notices(Notice::kSkipped, kYaw), 1);
  EXPECT_EQ(rig.last(EventKind::kOverrun, kNoJoint)->cycle, rig.stack().snapshot().cycle);
  rig.run_for(4.5);
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01) << "it goes on";
}

TEST(LinkFaults, F12ABusThatGoesOffFaultsItsJointsInTwoCyclesAndHoldsTheOthersOfThePart) {
  MatrixRig rig;
  rig.set_off();
  rig.wire(0).force_bus_off(rig.host_node(0), 0);
  rig.run(2);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
    EXPECT_EQ(rig.joint(joint).fault.code, FaultCode::kBusLost);
    EXPECT_EQ(rig.notices(Notice::kBusOff, joint), 1);
  }
  EXPECT_EQ(rig.mode(kWrist), JointMode::kPosition);
  rig.run(30);
  EXPECT_TRUE(is_fault(rig.drive(kElbow).state)) << "as where the wire is cut";
  rig.expect_arm_held_but({kYaw, kShoulder, kElbow});
  rig.expect_hand_free();
}

TEST(LinkFaults, F13ABusThatSomebodyBringsBackLeavesItsJointsInTheirFault) {
  MatrixRig rig;
  rig.set_off();
  rig.wire(0).force_bus_off(rig.host_node(0), 0);
  rig.run(30);
  rig.wire(0).recover(rig.host_node(0), 0);
  rig.run(300);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
    EXPECT_EQ(rig.notices(Notice::kBusBack, joint), 1);
  }
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(LinkFaults, F14AnAdapterThatVanishesIsNoCrashAndTheCycleGoesOnAtItsPace) {
  MatrixRig rig;
  rig.set_off();
  rig.link(0).unplug();
  rig.run(2);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kBusLost);
  EXPECT_EQ(rig.notices(Notice::kAdapterLost, kElbow), 1);
  const std::uint64_t before = rig.stack().snapshot().cycle;
  rig.run(100);
  EXPECT_EQ(rig.stack().snapshot().cycle - before, 100U) << "no cycle skipped, none hurried";
  rig.expect_arm_held_but({kYaw, kShoulder, kElbow});
  rig.expect_hand_free();
  rig.mode("elbow", ModeRequest::kForceIdle);
  rig.run(300);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault) << "it is still away";
}

TEST(LinkFaults, F14AnAdapterThatReturnsIsDrivenOverAgainAfterForceIdleAndNotBefore) {
  MatrixRig rig;
  rig.set_off();
  rig.link(0).unplug();
  rig.run(300);
  rig.link(0).plug();
  rig.run(1500);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
    EXPECT_EQ(rig.joint(joint).fault.code, FaultCode::kBusLost);
    EXPECT_EQ(rig.notices(Notice::kBusBack, joint), 1);
    EXPECT_EQ(rig.bus(0).phase(joint), hw::NodePhase::kRunning) << "reset, set up, no further";
    EXPECT_FALSE(rig.drive(joint).power_stage());
  }
  rig.expect_force_idle_is_the_way_out(kElbow);
  rig.expect_force_idle_is_the_way_out(kYaw);
  rig.mode("elbow", ModeRequest::kPosition);
  rig.run(50);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition) << "asked for, it drives again";
  rig.user().move(rig.user().select("elbow"), 0.2, 0.5);
  rig.run_for(4.0);
  EXPECT_NEAR(rig.where(kElbow), 0.2, 0.01);
}

/// A link that loses three of a hundred frames, either way.
class Lossy final : public can::ForwardingTransport {
 public:
  using ForwardingTransport::ForwardingTransport;

  std::size_t send(std::span<const can::Frame> frames) noexcept override {
    std::size_t sent = 0;
    for (const can::Frame& frame : frames) {
      sent += is_lost() ? 1 : ForwardingTransport::send({&frame, 1});
    }
    return sent;
  }
  std::size_t receive(std::span<can::ReceivedFrame> into, can::TimeNs deadline) noexcept override {
    const std::size_t count = ForwardingTransport::receive(into, deadline);
    const auto end = std::remove_if(into.begin(), into.begin() + static_cast<std::ptrdiff_t>(count),
                                    [this](const auto&) { return is_lost(); });
    return static_cast<std::size_t>(end - into.begin());
  }
  std::uint64_t lost = 0;
  bool loses = false;

 private:
  bool is_lost() noexcept {
    const bool hit = loses && random_() % 100 < 3;
    lost += hit ? 1 : 0;
    return hit;
  }
  std::minstd_rand random_{1};
};

/// JOINTRIG_LOSSY_SECONDS=600 runs that long.
TEST(LinkFaults, F43ThreeInAHundredFramesLostForMinutesAreNoFault) {
  Lossy* link = nullptr;
  MatrixRig rig({.link = [&](std::unique_ptr<can::Transport> inner) {
    auto lossy = std::make_unique<Lossy>(std::move(inner));
    link = lossy.get();
    return lossy;
  }});
  rig.set_off();
  link->loses = true;
  const char* const asked = std::getenv("JOINTRIG_LOSSY_SECONDS");
  const double seconds = asked != nullptr ? std::atof(asked) : 40.0;
  double goal = 0.6;
  double worst = 0.0;
  for (double t = 0; t < seconds; t += 8.0) {
    rig.user().move(rig.user().select("arm"), goal = -goal, 0.5);
    for (int cycle = 0; cycle < 4000; ++cycle) {
      rig.run(1);
      worst = std::max(worst, std::abs(rig.joint(kElbow).state.q - rig.where(kElbow)));
      for (std::size_t i = kYaw; i <= kRight; ++i)
        ASSERT_EQ(rig.mode(i), JointMode::kPosition) << t;
    }
    for (const std::size_t i : {kYaw, kShoulder, kElbow}) {
      ASSERT_NEAR(rig.where(i), goal, 0.02) << "moves end, after " << t << " s";
    }
  }
  EXPECT_GT(static_cast<double>(link->lost), 40.0 * seconds) << "some 2700 frames a second go";
  EXPECT_LT(worst, 0.01);
  for (const std::size_t i : {kYaw, kShoulder, kElbow}) EXPECT_FALSE(rig.joint(i).fault);
}

}  // namespace
}  // namespace jointrig::matrix
