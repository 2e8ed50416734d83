#include "hw/driver/dynamixel_host.h"

#include <gtest/gtest.h>

namespace jointrig::hw {
namespace {

constexpr std::uint8_t kId = 3;

DynamixelHostSpec spec(double window) {
  DynamixelHostSpec s;
  s.units = DynamixelUnits({.gear = 2, .reversed = true, .zero_counts = 2048}, false);
  s.id = kId;
  s.watchdog = 0.04;
  s.following_window = window;
  s.following_time = 0.0105;  // between two cycles
  return s;
}

/// A host and a servo that takes what is written and stays where it is put by hand.
struct Pair {
  explicit Pair(double window) : host(spec(window)) {
    report.position = 2048;
    host.set_configured(true);
    host.begin();
  }
  void cycle(const JointSetpoint& setpoint) {
    const DynamixelOrder order = host.order(setpoint);
    if (order.map) report.id = kId;
    if (order.watchdog) report.watchdog = *order.watchdog;
    if (order.mode) report.mode = *order.mode;
    if (order.torque) report.torque = *order.torque;
    host.heard(report);
    host.state(joint);
  }
  void cycles(int count, const JointSetpoint& setpoint) {
    for (int i = 0; i < count; ++i) cycle(setpoint);
  }
  DynamixelHost host;
  dynamixel::Report report;
  JointState joint;
};

JointSetpoint driven(DriveMode mode, double q = 0.0, double v = 0.0) {
  JointSetpoint s;
  s.drive = mode;
  s.q = q;
  s.v = v;
  return s;
}

TEST(DynamixelHost, AServoThatStaysBehindItsTargetIsAFaultAfterTheTimeAndTurnedOff) {
  Pair pair(0.1);
  pair.cycles(50, driven(DriveMode::kPosition, 0.09));
  ASSERT_EQ(pair.joint.status, BoardStatus::kEnabled) << "within the window";
  // Told with the first burst, it acts until the second, which is the first sample that is away.
  pair.cycles(1 + 10, driven(DriveMode::kPosition, 0.3));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled) << "for 10 ms";
  pair.cycle(driven(DriveMode::kPosition, 0.3));
  EXPECT_EQ(pair.joint.fault, FaultCode::kFollowingError);
  EXPECT_NEAR(pair.joint.fault_value, 0.3, 1e-9);
  EXPECT_EQ(pair.joint.fault_limit, 0.1);
  pair.cycle(driven(DriveMode::kPosition, 0.3));
  EXPECT_FALSE(pair.report.torque);
  JointSetpoint clearing;
  clearing.request = BoardRequest::kClearFault;
  pair.cycle(clearing);
  pair.cycles(10, driven(DriveMode::kPosition));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);

  Pair unwatched(0.0);
  unwatched.cycles(200, driven(DriveMode::kPosition, 0.3));
  EXPECT_EQ(unwatched.joint.status, BoardStatus::kEnabled) << "without a window";
}

TEST(DynamixelHost, AnEncoderThatStandsWhileVelocityIsAskedForIsAFault) {
  Pair pair(0.1);
  pair.cycles(50, driven(DriveMode::kVelocity));
  for (int i = 0; i < 500; ++i) {
    --pair.report.position;
    pair.cycle(driven(DriveMode::kVelocity, 0.0, 1.0));
  }
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled) << "it moves";
  pair.cycles(190, driven(DriveMode::kVelocity, 0.0, 1.0));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled) << "two windows take 200 ms";
  pair.cycles(20, driven(DriveMode::kVelocity, 0.0, 1.0));
  EXPECT_EQ(pair.joint.fault, FaultCode::kEncoderFrozen);
}

// One step of velocity is 0.229 rev/min, 0.012 rad/s behind a gear of 2: less than half of it is
// written as none. In 60 s the setpoint asks for 0.24 rad, more than two windows.
TEST(DynamixelHost, AServoThatIsToldLessThanAStepMayStand) {
  Pair pair(0.1);
  pair.cycles(50, driven(DriveMode::kVelocity));
  pair.cycles(60'000, driven(DriveMode::kVelocity, 0.0, 0.004));
  EXPECT_EQ(pair.joint.status, BoardStatus::kEnabled);
  EXPECT_EQ(pair.joint.fault, FaultCode::kNone);
}

}  // namespace
}  // namespace jointrig::hw
