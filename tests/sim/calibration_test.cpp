#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/flywheel_joint.h"

namespace jointrig::sim {
namespace {

JointConfig uncalibrated() {
  JointConfig config = flywheel_config();
  config.board.needs_calibration = true;
  config.board.calibration_offset = 0.4;
  config.board.calibration_tolerance = 0.1;
  config.board.calibration_speed = 0.2;
  return config;
}

const JointSetpoint kCalibrate = request_of(BoardRequest::kCalibrate);

double run_while_calibrating(FlywheelJoint& joint, double seconds) {
  int n = 0;
  while (joint.state().status == BoardStatus::kCalibrating && n < seconds * 1000) {
    joint.step(kCalibrate);
    ++n;
  }
  return n * 0.001;
}

TEST(Calibration, UntilThenTheBoardReadsItsOwnZeroAndDoesNotDrive) {
  FlywheelJoint joint(uncalibrated());
  EXPECT_EQ(joint.state().status, BoardStatus::kConfigured);
  EXPECT_NEAR(joint.state().q, 0.0 + 0.4, 1e-5);
  joint.run(torque_of(5.0), 0.02);
  EXPECT_EQ(joint.state().status, BoardStatus::kConfigured);
  EXPECT_EQ(joint.torque, 0.0);
}

TEST(Calibration, MovesAShortWayAndBackThenReadsTheTruth) {
  FlywheelJoint joint(uncalibrated());
  joint.load = -5.0;  // a weight that it has to carry
  joint.step(kCalibrate);
  EXPECT_EQ(joint.state().status, BoardStatus::kCalibrating);

  double furthest = 0;
  double progress = 0;
  int n = 0;
  while (joint.state().status == BoardStatus::kCalibrating && n < 5000) {
    joint.step(kCalibrate);
    furthest = std::max(furthest, std::abs(joint.q));
    if (joint.state().status == BoardStatus::kCalibrating) {
      EXPECT_GE(joint.state().progress, progress - 1e-12);
      progress = joint.state().progress;
    }
    ++n;
  }
  EXPECT_EQ(joint.state().status, BoardStatus::kCalibDone);
  EXPECT_EQ(joint.state().progress, 1.0);
  EXPECT_NEAR(joint.state().zero, 0.4, 1e-12);
  EXPECT_GT(progress, 0.95);
  EXPECT_NEAR(furthest, 0.05, 0.02);             // the way of BoardSpec, 0.05 rad
  EXPECT_NEAR(n * 0.001, 2 * 0.045 / 0.2, 0.1);  // both ways at calibration_speed
  EXPECT_NEAR(joint.state().q, joint.q, 1e-5);
  EXPECT_EQ(joint.torque, 0.0);  // motor off
}

TEST(Calibration, MovesAwayFromTheNearerEndOfTheRange) {
  for (const double start : {1.45, -2.45}) {
    FlywheelJoint joint(uncalibrated());
    joint.q = start;
    joint.board().power_on({start, 0.0});
    double way = 0;
    joint.step(kCalibrate);
    while (joint.state().status == BoardStatus::kCalibrating && joint.cycles < 5000) {
      joint.step(kCalibrate);
      if (std::abs(joint.q - start) > std::abs(way)) way = joint.q - start;
    }
    EXPECT_EQ(joint.state().status, BoardStatus::kCalibDone);
    EXPECT_NEAR(way, start > 0 ? -0.05 : 0.05, 0.01);
  }
}

TEST(Calibration, AHeldRequestDoesNotStartItAgain) {
  FlywheelJoint joint(uncalibrated());
  joint.run(kCalibrate, 3.0);
  EXPECT_EQ(joint.state().status, BoardStatus::kCalibDone);
}

TEST(Calibration, CalibDoneLastsUntilTheMotorIsDriven) {
  FlywheelJoint joint(uncalibrated());
  joint.step(kCalibrate);
  run_while_calibrating(joint, 5);
  joint.run(off(), 0.5);
  EXPECT_EQ(joint.state().status, BoardStatus::kCalibDone);
  joint.step(torque_of(1.0));
  EXPECT_EQ(joint.state().status, BoardStatus::kEnabled);
  joint.step(off());
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
}

TEST(Calibration, ReleasingTheRequestAborts) {
  FlywheelJoint joint(uncalibrated());
  for (int i = 0; i < 50; ++i) joint.step(kCalibrate);
  joint.step(off());
  EXPECT_EQ(joint.state().status, BoardStatus::kConfigured);
  EXPECT_EQ(joint.torque, 0.0);
}

TEST(Calibration, AZeroFarFromTheLastKnownOneIsRefused) {
  FlywheelJoint joint(uncalibrated());
  joint.board().inject(SimFault::kWrongCalibrationOffset, 0.15);
  joint.step(kCalibrate);
  run_while_calibrating(joint, 5);
  EXPECT_EQ(joint.state().status, BoardStatus::kHwFault);
  EXPECT_EQ(joint.state().fault, FaultCode::kCalibrationFailed);
  EXPECT_NEAR(joint.state().fault_value, 0.15, 1e-12);
  EXPECT_EQ(joint.state().fault_limit, 0.1);

  joint.board().end(SimFault::kWrongCalibrationOffset);
  joint.step(request_of(BoardRequest::kClearFault));
  EXPECT_EQ(joint.state().status, BoardStatus::kConfigured);
  joint.step(kCalibrate);
  run_while_calibrating(joint, 5);
  EXPECT_EQ(joint.state().status, BoardStatus::kCalibDone);
}

TEST(Calibration, AZeroNearTheLastKnownOneIsTakenEvenIfItIsWrong) {
  FlywheelJoint joint(uncalibrated());
  joint.board().inject(SimFault::kWrongCalibrationOffset, 0.05);
  joint.step(kCalibrate);
  run_while_calibrating(joint, 5);
  EXPECT_EQ(joint.state().status, BoardStatus::kCalibDone);
  EXPECT_NEAR(joint.state().q, joint.q - 0.05, 1e-5);
}

TEST(Calibration, AJointThatCannotMoveFails) {
  FlywheelJoint joint(uncalibrated());
  joint.blocked = true;
  joint.step(kCalibrate);
  double t = 0;
  while (joint.state().status == BoardStatus::kCalibrating && t < 5) {
    joint.step(kCalibrate);
    EXPECT_LE(std::abs(joint.torque), 0.8 * 20.0);
    t += 0.001;
  }
  EXPECT_EQ(joint.state().fault, FaultCode::kCalibrationFailed);
  EXPECT_NEAR(joint.state().fault_limit, 0.05, 1e-12);
  EXPECT_NEAR(joint.state().fault_value, 0.0, 0.001);
  EXPECT_NEAR(t, 3 * 2 * 0.05 / 0.2 + 0.5, 0.01);  // the patience of calibration.h
}

TEST(Calibration, StopsWhenSetpointsStop) {
  FlywheelJoint joint(uncalibrated());
  for (int i = 0; i < 50; ++i) joint.step(kCalibrate);
  for (int i = 0; i < 50; ++i) joint.step(nullptr);
  EXPECT_EQ(joint.state().fault, FaultCode::kCommandLost);
  EXPECT_EQ(joint.torque, 0.0);
}

TEST(Calibration, AnAbsoluteEncoderNeedsNone) {
  JointConfig config = uncalibrated();
  config.board.needs_calibration = false;
  FlywheelJoint joint(config);
  EXPECT_EQ(joint.state().status, BoardStatus::kReady);
  EXPECT_NEAR(joint.state().q, 0.0, 1e-5);
}

}  // namespace
}  // namespace jointrig::sim
