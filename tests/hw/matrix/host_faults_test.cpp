// The fault matrix, rows F34 to F40: other masters, requests, budgets, clocks.

#include <gtest/gtest.h>

#include <cmath>

#include "hw/driver/bus_load.h"
#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

TEST(HostFaults, F34AFaultThatSomebodyElseResetsStaysLatchedHere) {
  MatrixRig rig;
  rig.set_off();
  rig.board(kElbow).inject(sim::SimFault::kOverCurrent, 0.0, 10);
  ASSERT_TRUE(rig.run_until(4, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
  rig.run(30);
  ASSERT_EQ(rig.drive(kElbow).state, cia402::PowerState::kFault);
  rig.intrude(0, 0x403, {0x80, 0x00, 10, 0, 0, 0, 0, 0});
  ASSERT_TRUE(rig.run_until(5, [&] { return rig.notices(Notice::kForeignReset, kElbow) == 1; }));
  EXPECT_FALSE(is_fault(rig.drive(kElbow).state)) << "the drive itself is out of it";
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  EXPECT_EQ(rig.joint(kElbow).state.status, BoardStatus::kHwFault) << "the driver's latch";
  EXPECT_EQ(rig.joint(kElbow).state.fault, FaultCode::kOverCurrent);
  rig.expect_arm_held_but({kElbow});
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(HostFaults, F35ForceIdleWhileTheCauseIsThereSaysWhichAndStaysInTheFault) {
  MatrixRig rig;
  rig.set_off();
  rig.board(kElbow).inject(sim::SimFault::kSupplyVoltage, 20.0);
  ASSERT_TRUE(rig.run_until(10, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
  rig.mode("elbow", ModeRequest::kForceIdle);
  const auto cycles =
      rig.run_until(260, [&] { return rig.last(EventKind::kFaultStays, kElbow).has_value(); });
  ASSERT_TRUE(cycles) << "half a second";
  EXPECT_EQ(rig.last(EventKind::kFaultStays, kElbow)->fault, FaultCode::kSupplyVoltage);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  EXPECT_TRUE(is_fault(rig.drive(kElbow).state));
  rig.board(kElbow).end(sim::SimFault::kSupplyVoltage);
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(HostFaults, F36ADriveThatDoesNotTakeUpItsModeIsAFaultAfterHalfASecondAndNothingIsFollowed) {
  // The drive knows positions alone; the file says that it takes torques.
  MatrixRig rig(
      {.change =
           [](RobotConfig& robot) {
             robot.joints[kElbow].board.drive_modes = {DriveMode::kOff, DriveMode::kPosition};
           },
       .drive =
           [](hw::BusJoint& drive) {
             if (drive.name != "elbow") return;
             drive.host.supported_modes |= cia402::offer_of(cia402::mode::kCyclicTorque);
           }});
  const double before = rig.where(kElbow);
  rig.mode("elbow", ModeRequest::kTorque);
  const auto cycles = rig.run_until(400, [&] { return rig.mode(kElbow) == JointMode::kHwFault; });
  ASSERT_TRUE(cycles);
  EXPECT_GE(*cycles, 245);
  EXPECT_LE(*cycles, 265);
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kEnableTimeout);
  // A drive with a brake never gets as far as OPERATION ENABLED, where a mode can be missed.
  EXPECT_EQ(rig.notices(Notice::kModeRefused, kElbow), has_weight() ? 0 : 1);
  const auto told = rig.last(Notice::kNotEnabled, kElbow);
  ASSERT_EQ(told.has_value(), has_weight());
  if (told) {
    EXPECT_DOUBLE_EQ(told->value, 0.2);
    EXPECT_DOUBLE_EQ(told->limit, 0.5);
  }
  EXPECT_NE(rig.drive(kElbow).mode, cia402::mode::kCyclicTorque) << "it keeps the old one";
  rig.user().send<StreamTorque>({{kElbow, {1.0}}});
  rig.run(100);
  EXPECT_EQ(rig.last(EventKind::kRejected, kElbow)->reason, RejectReason::kBoardFaulted);
  EXPECT_NEAR(rig.where(kElbow), before, 0.01);
}

TEST(HostFaults, F37ATorqueStreamThatStopsIsHeldAfterItsTimeOut) {
  MatrixRig rig;
  rig.mode("elbow", ModeRequest::kTorque);
  rig.run(30);
  for (int i = 0; i < 20; ++i) {
    rig.user().send<StreamTorque>({{kElbow, {0.3}}});
    rig.run(1);
  }
  EXPECT_FALSE(rig.joint(kElbow).timed_out);
  const auto cycles = rig.run_until(120, [&] { return rig.joint(kElbow).timed_out; });
  ASSERT_TRUE(cycles);
  EXPECT_NEAR(*cycles * kPeriod, 0.2, 2 * kPeriod);
  EXPECT_NEAR(rig.last(EventKind::kCommandTimeout, kElbow)->value, 0.2, 1e-9);
  rig.run_for(1.0);
  const double there = rig.where(kElbow);
  rig.run_for(0.5);
  EXPECT_NEAR(rig.where(kElbow), there, 1e-3) << "it holds";
}

TEST(HostFaults, F38AQuickStopThatSomebodyElseOrdersEndsInIdleAndIsLeftByAModeAlone) {
  MatrixRig rig;
  rig.set_off();
  const double begin = rig.where(kElbow);
  // It counts on where the host is: a counter that jumps would be taken for a frame of the past.
  const auto life = rig.virtual_drive(kElbow).node().objects().find(0x2010, 1)->bits() + 2;
  rig.intrude(0, 0x403, {0x02, 0x00, 10, static_cast<std::uint8_t>(life), 0, 0, 0, 0});
  ASSERT_TRUE(rig.run_until(5, [&] { return rig.mode(kElbow) == JointMode::kIdle; }));
  EXPECT_EQ(rig.notices(Notice::kQuickStop, kElbow), 1);
  rig.run(100);
  EXPECT_EQ(rig.drive(kElbow).state, cia402::PowerState::kQuickStopActive);
  EXPECT_LT(std::abs(rig.speed(kElbow)), 0.02);
  EXPECT_LT(rig.where(kElbow) - begin, 0.1) << "its ramp";
  const double there = rig.where(kElbow);
  rig.run(500);
  EXPECT_NEAR(rig.where(kElbow), there, 0.01) << "stopped";
  rig.mode("elbow", ModeRequest::kPosition);
  rig.run(50);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  EXPECT_EQ(rig.drive(kElbow).state, cia402::PowerState::kOperationEnabled);
  EXPECT_NEAR(rig.where(kElbow), there, 0.01) << "and goes nowhere by itself";
}

TEST(HostFaults, F39SevenJointsAtAKilohertzOnOneWireAreRefusedWithTheLoad) {
  std::vector<hw::DriveSettings> drives(7);
  const auto text = hw::why_overfull("arm", drives, {});
  ASSERT_TRUE(text);
  // SYNC 55 bits, three frames of 135 for each of seven, in a millisecond of 1000 bits.
  EXPECT_NE(text->find("289"), std::string::npos) << *text;
  for (hw::DriveSettings& drive : drives) drive.period_us = 5000;
  EXPECT_FALSE(hw::why_overfull("arm", drives, {})) << "58 % at 5 ms";
}

/// The boards take their time from SYNC; by their own clocks they send heartbeats and watch over
/// the host.
TEST(HostFaults, F40ABoardWhoseClockDriftsIsToldOnceAMinuteAndNoSampleIsLostOrDoubled) {
  for (const double ppm : {200.0, -200.0, 60.0}) {
    SCOPED_TRACE(ppm);
    MatrixRig rig;
    rig.virtual_drive(kElbow).set_drift(ppm);
    rig.mode("all", ModeRequest::kPosition);
    rig.run(30);
    const double begin = rig.bus_time(0);
    for (int cycle = 0; cycle < 30'000; ++cycle) {
      rig.run(1);
      ASSERT_EQ(rig.joint(kElbow).state.missed, 0U) << cycle;
    }
    EXPECT_NEAR(rig.bus_time(0) - begin, 60.0, 0.01);
    const bool is_far = std::abs(ppm) > 100.0;
    for (const Notice notice : kAllNotice) {
      const bool is_told = is_far && notice == Notice::kClockDrift;
      EXPECT_EQ(rig.notices(notice, kElbow), is_told ? 1 : 0) << to_string(notice);
    }
    if (is_far) {
      const auto event = rig.last(EventKind::kNotice, kElbow);
      ASSERT_TRUE(event);
      EXPECT_NEAR(event->value, ppm, 20.0) << "above 0 is fast";
      EXPECT_EQ(event->limit, 100.0);
    }
    rig.run_for(35.0);
    EXPECT_EQ(rig.notices(Notice::kClockDrift, kElbow), is_far ? 2 : 0) << "while it lasts";
    EXPECT_EQ(rig.notices(Notice::kClockDrift, kShoulder), 0) << "its clock is the bus's";
    EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
    EXPECT_LT(std::abs(rig.speed(kElbow)), 1e-3);
  }
}

}  // namespace
}  // namespace jointrig::matrix
