// Buses whose cycle T is longer than the loop's: T = 4 ms under a loop of 2 ms.

#include <gtest/gtest.h>

#include <cmath>

#include "harness/log/event_text.h"
#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

constexpr unsigned kEvery = 2;
constexpr double kT = kEvery * kPeriod;
constexpr std::int64_t kTNs = kEvery * kPeriodNs;

/// The next cycle of the loop is one with a SYNC.
void go_to_sync(MatrixRig& rig) {
  while ((rig.stack().snapshot().cycle + 1) % kEvery != 0) rig.run(1);
}

/// Cycles of the bus, up to before the next SYNC.
void run_bus(MatrixRig& rig, int cycles) { rig.run(cycles * static_cast<int>(kEvery)); }

TEST(LongCycle, BetweenTwoSyncsAJointIsCarriedOnAndNothingIsMissed) {
  MatrixRig rig(kEvery);
  rig.set_off();
  go_to_sync(rig);
  double worst = 0.0;
  for (int cycle = 0; cycle < 200; ++cycle) {
    rig.run(1);
    const JointState& state = rig.joint(kElbow).state;
    EXPECT_EQ(state.missed, 0U);
    EXPECT_TRUE(state.extrapolated) << "answers take longer than the loop waits";
    // The plant stands where the last SYNC found it until the next one is on the wire, which is
    // after the cycle of the loop that sends it.
    const bool sends = rig.stack().snapshot().cycle % kEvery == 0;
    const double since = sends ? kT : kPeriod;
    worst = std::max(worst, std::abs(state.q - rig.where(kElbow) - rig.speed(kElbow) * since));
  }
  // q + v t leaves out a t²/2 with t below 2 T; the board's estimate of v lags 1/(2π·200 Hz).
  const double a_max = rig.config().joints[kElbow].limits.a_max;
  EXPECT_LT(worst, 0.5 * a_max * 4 * kT * kT);
  EXPECT_EQ(rig.notices(Notice::kLinkStale, kElbow), 0);
}

TEST(LongCycle, ADriveIsOneCycleAndTheWayOfItsCommandBehind) {
  RigOptions options;
  options.every = kEvery;
  options.drive = [](hw::BusJoint& joint) { joint.settings.feed_forward = true; };
  MatrixRig rig(options);
  rig.mode("yaw", ModeRequest::kVelocity);
  constexpr double kSpeed = 0.5;
  for (int i = 0; i < 40; ++i) {  // 4 s: the drive's integral has time to take up the friction
    rig.user().send<StreamVelocity>({{JointIndex{kYaw}, {kSpeed}}});
    rig.run(50);
  }
  if (rig.stack().snapshot().cycle % kEvery == 0) rig.run(1);
  const JointReference& reference = rig.joint(kYaw).reference;
  ASSERT_EQ(reference.v, kSpeed);
  // The plant is as the last SYNC found it, a period ago. A command had left a period before the
  // SYNC at which its line began, and that line took T to get there; the board compares what a
  // period leads to with where the joint is at its beginning, which makes up for one.
  const double delay = kPeriod + kPeriod + kT - kPeriod;
  EXPECT_NEAR((reference.q - rig.where(kYaw)) / kSpeed, delay, 0.05 * kT);
}

TEST(LongCycle, WhatComesBeforeSixTenthsOfTheCycleIsInTimeAndWhatComesLaterIsOneCycleOld) {
  MatrixRig rig(kEvery);
  rig.set_off();
  rig.hit_state(kElbow, {.kind = can::FaultKind::kDelay, .delay = 3 * kTNs / 10});
  run_bus(rig, 50);
  const int told_before = rig.notices(Notice::kTpdoLate, kElbow);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 0U);
  rig.clear(0);
  rig.hit_state(kElbow, {.kind = can::FaultKind::kDelay, .delay = 7 * kTNs / 10});
  run_bus(rig, 50);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 1U);
  EXPECT_EQ(rig.notices(Notice::kTpdoLate, kElbow), told_before + 1) << "once a second";
  EXPECT_FALSE(rig.is_held(kElbow));
  rig.clear(0);
  rig.run_for(4.0);
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01) << "it arrives";
}

TEST(LongCycle, F1ACutWireHoldsAfterThreeCyclesOfTheBusAndIsLostAfterTwenty) {
  MatrixRig rig(kEvery);
  rig.set_off();
  go_to_sync(rig);
  rig.cut(0);
  run_bus(rig, 3);  // the third SYNC has gone out, its answers may still come
  EXPECT_EQ(rig.joint(kElbow).state.missed, 2U);
  EXPECT_FALSE(rig.is_held(kElbow)) << "two samples are carried on";
  rig.run(1);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 3U);
  EXPECT_TRUE(rig.is_held(kElbow));
  EXPECT_TRUE(rig.is_held(kWrist)) << "of the same part, on the other bus";
  EXPECT_FALSE(rig.is_held(kLeft));
  rig.run(1);
  run_bus(rig, 3);
  EXPECT_EQ(rig.drive(kElbow).statusword & cia402::status::kModeSpecific12, 0)
      << "after five cycles without a command it comes to rest";
  run_bus(rig, 13);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition) << "19 in a row";
  rig.run(1);
  for (const std::size_t joint : {kYaw, kShoulder, kElbow}) {
    EXPECT_EQ(rig.mode(joint), JointMode::kHwFault);
    EXPECT_EQ(rig.joint(joint).fault.code, FaultCode::kBoardLost);
    EXPECT_EQ(rig.joint(joint).state.missed, 20U);
  }
  rig.run(1);
  run_bus(rig, 3);
  EXPECT_TRUE(is_fault(rig.drive(kElbow).state)) << "the board's own watch";
  EXPECT_EQ(rig.drive(kElbow).error_code, 0x8250);
  rig.mend(0);
  rig.expect_arm_held_but({kYaw, kShoulder, kElbow});
  rig.expect_hand_free();
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(LongCycle, F3OneSampleThatIsLostIsCarriedOnAndToldOnce) {
  MatrixRig rig(kEvery);
  rig.set_off();
  go_to_sync(rig);
  const double before = rig.joint(kElbow).state.q;
  rig.hit_state(kElbow, {.count = 1});
  run_bus(rig, 1);
  rig.run(1);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 1U);
  EXPECT_GT(rig.joint(kElbow).state.q, before) << "q + v t";
  EXPECT_NEAR(rig.joint(kElbow).state.q, rig.where(kElbow), 2e-3);
  rig.run(1);
  EXPECT_EQ(rig.joint(kElbow).state.missed, 0U);
  EXPECT_EQ(rig.notices(Notice::kLinkStale, kElbow), 1);
  EXPECT_EQ(rig.last(EventKind::kNotice, kElbow)->value, 1.0) << "one cycle of the bus, not two";
  EXPECT_EQ(rig.notices(Notice::kPartHeld, kElbow), 0);
  rig.run_for(4.0);
  EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01) << "it arrives";
}

TEST(LongCycle, F5NineteenLostInARowAreHeldAndComeBackTwentyAreAFault) {
  {
    MatrixRig rig(kEvery);
    rig.set_off();
    go_to_sync(rig);
    rig.hit_state(kElbow, {.count = 19});
    run_bus(rig, 19);
    rig.run(1);
    EXPECT_EQ(rig.joint(kElbow).state.missed, 19U);
    EXPECT_TRUE(rig.is_held(kYaw));
    run_bus(rig, 2);
    EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
    EXPECT_FALSE(rig.is_held(kYaw));
    EXPECT_EQ(rig.notices(Notice::kPartFreed, kElbow), 1);
    rig.run_for(4.5);
    EXPECT_NEAR(rig.where(kElbow), 0.6, 0.01) << "it goes on to its goal";
  }
  MatrixRig rig(kEvery);
  rig.set_off();
  go_to_sync(rig);
  rig.hit_state(kElbow, {.count = 20});
  run_bus(rig, 20);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  rig.run(1);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kBoardLost);
  run_bus(rig, 3);
  EXPECT_EQ(rig.drive(kElbow).state, cia402::PowerState::kQuickStopActive) << "it may still hear";
  rig.expect_arm_held_but({kElbow});
  rig.expect_hand_free();
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(LongCycle, TorqueAndComplianceAreRefusedWithTheCycleAndTheDriveClosesThePositionLoop) {
  MatrixRig rig(kEvery);
  rig.mode("all", ModeRequest::kPosition);
  rig.run(30);
  EXPECT_EQ(rig.joint(kYaw).setpoint.drive, DriveMode::kPosition);
  for (const ModeRequest wish :
       {ModeRequest::kTorque, ModeRequest::kOpenloop, ModeRequest::kImpedancePosition}) {
    SCOPED_TRACE(to_string(wish));
    rig.mode("yaw", wish);
    EXPECT_EQ(rig.mode(kYaw), JointMode::kPosition);
    const auto answer = rig.last(EventKind::kRejected, kYaw);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->reason, RejectReason::kUnsupported);
    const std::string said = harness::sentence(*answer, rig.config());
    EXPECT_NE(said.find("bus 0 has a cycle of 4 ms"), std::string::npos) << said;
    EXPECT_NE(said.find("takes 2 ms at most"), std::string::npos) << said;
    EXPECT_NE(said.find("shorten `cycle`"), std::string::npos) << said;
  }
}

TEST(LongCycle, ABoardThatTakesNothingButTorqueIsRefusedAtTheStart) {
  RigOptions options;
  options.every = kEvery;
  options.change = [](RobotConfig& robot) {
    robot.joints[kElbow].board.drive_modes = {DriveMode::kOff, DriveMode::kTorque};
  };
  try {
    MatrixRig rig(options);
    FAIL() << "it was built";
  } catch (const ConfigError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("joint \"elbow\": bus 0 has a cycle of 4 ms"), std::string::npos) << said;
    EXPECT_NE(said.find("up to 2 ms"), std::string::npos) << said;
    EXPECT_NE(said.find("shorter cycle"), std::string::npos) << said;
  }
}

TEST(LongCycle, AMotionComesOutTheSameTwice) {
  const auto hash = [] {
    MatrixRig rig(kEvery);
    rig.set_off();
    rig.run_for(2.0);
    return rig.hash();
  };
  const std::uint64_t first = hash();
  EXPECT_EQ(first, hash());
}

}  // namespace
}  // namespace jointrig::matrix
