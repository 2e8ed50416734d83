/// Calls of a bus thread allocate, lock, throw and print nothing, for any received frame.

#include <gtest/gtest.h>

#include "hw/canopen/nmt_master.h"
#include "hw/canopen/sdo_client.h"
#include "tests/hw/canopen/any_frames.h"
#include "tests/hw/canopen/ideal_drive.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::canopen {
namespace {

TEST(CanopenInACycle, ASlaveAllocatesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  IdealDrive drive(5);
  AnyFrames frames(7, drive.node().objects());
  std::vector<can::Frame> heard;
  for (int i = 0; i < 20'000; ++i) heard.push_back(frames.next(0x27));
  RealtimeGuard guard;
  drive.node().power_on(0);
  std::int64_t now = 0;
  int sent = 0;
  for (const can::Frame& frame : heard) {
    drive.node().receive(frame, now += kMillisecond);
    drive.node().poll(now);
    while (drive.node().out().pop()) ++sent;
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_GT(sent, 1000);
}

TEST(CanopenInACycle, AMasterAllocatesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  IdealDrive drive(5);
  SdoClient sdo(5);
  NmtMaster nmt;
  EmergencyLog emergencies;
  FrameQueue out;
  nmt.watch(5, 100);
  RealtimeGuard guard;
  drive.node().power_on(0);
  std::int64_t now = 0;
  int transfers = 0;
  for (int i = 0; i < 20'000; ++i) {
    now += kMillisecond;
    if (sdo.state() != SdoClient::State::kBusy) {
      ++transfers;
      sdo.upload(i % 2 == 0 ? 0x1008 : 0x5FFF, 0, now, out);
    }
    if (i % 500 == 0) nmt.order(NmtCommand::kResetCommunication, 5, out);
    if (i % 700 == 0) drive.raise_fault(0x7320);
    while (const auto frame = out.pop()) drive.node().receive(*frame, now);
    drive.node().poll(now);
    while (const auto frame = drive.node().out().pop()) {
      nmt.receive(*frame, now);
      emergencies.receive(*frame, now);
      sdo.receive(*frame, now, out);
    }
    nmt.poll(now);
    sdo.poll(now, out);
    while (nmt.next_event()) {
    }
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_GT(transfers, 1000);
  EXPECT_GT(emergencies.total(), 0U);
}

}  // namespace
}  // namespace jointrig::canopen
