// The fault matrix, rows F25 to F33 and F41: faults of a drive and its joint.

#include <gtest/gtest.h>

#include <cmath>

#include "hw/can/forwarding_transport.h"
#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

/// A drive's own fault in motion: found within `cycles`, its part holds, FORCE_IDLE leads out once
/// the cause is gone.
void expect_drive_fault(MatrixRig& rig, std::size_t joint, FaultCode fault, std::uint16_t code,
                        int cycles) {
  ASSERT_TRUE(rig.run_until(cycles, [&] { return rig.mode(joint) == JointMode::kHwFault; }));
  EXPECT_EQ(rig.joint(joint).fault.code, fault);
  EXPECT_EQ(rig.last(EventKind::kFault, joint)->fault, fault);
  rig.run(2);
  EXPECT_TRUE(is_fault(rig.drive(joint).state));
  EXPECT_EQ(rig.drive(joint).error_code, code);
  rig.expect_arm_held_but({joint});
  rig.expect_hand_free();
}

TEST(BoardFaults, F25AWindingThatGetsHotWarnsThenFaultsAndIsNotClearedWhileItIsHot) {
  MatrixRig rig;
  rig.set_off();
  rig.board(kElbow).inject(sim::SimFault::kOverTemperature, 85.0);  // the limit is 90
  rig.run(3);
  EXPECT_EQ(rig.notices(Notice::kWarning, kElbow), 1);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  rig.board(kElbow).inject(sim::SimFault::kOverTemperature, 95.0);
  expect_drive_fault(rig, kElbow, FaultCode::kOverTemperature, 0x4310, 4);
  rig.board(kElbow).inject(sim::SimFault::kOverTemperature, 87.0);  // gone is 5 K below
  rig.mode("elbow", ModeRequest::kForceIdle);
  rig.run(300);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  ASSERT_TRUE(rig.last(EventKind::kFaultStays, kElbow));
  rig.board(kElbow).end(sim::SimFault::kOverTemperature);
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(BoardFaults, F26ADipOfTheSupplyIsRiddenThroughAndALongOneIsAFault) {
  {
    MatrixRig rig;
    rig.set_off();
    rig.board(kElbow).inject(sim::SimFault::kSupplyVoltage, 20.0, 2);  // 4 ms
    rig.run(50);
    EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
    EXPECT_FALSE(rig.is_held(kYaw));
  }
  MatrixRig rig;
  rig.set_off();
  rig.board(kElbow).inject(sim::SimFault::kSupplyVoltage, 20.0, 100);  // 200 ms
  expect_drive_fault(rig, kElbow, FaultCode::kSupplyVoltage, 0x3220, 8);
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(BoardFaults, F27AShortCircuitTurnsTheMotorOffAtOnce) {
  MatrixRig rig;
  rig.set_off();
  rig.board(kElbow).inject(sim::SimFault::kOverCurrent, 0.0, 10);
  expect_drive_fault(rig, kElbow, FaultCode::kOverCurrent, 0x2310, 4);
  rig.expect_force_idle_is_the_way_out(kElbow);
}

/// A link on which the position of a drive reads wrong in some of its frames.
class Glitching final : public can::ForwardingTransport {
 public:
  Glitching(std::unique_ptr<can::Transport> link, int& left)
      : ForwardingTransport(std::move(link)), left_(&left) {}

  std::size_t receive(std::span<can::ReceivedFrame> into, can::TimeNs deadline) noexcept override {
    const std::size_t count = ForwardingTransport::receive(into, deadline);
    for (std::size_t i = 0; i < count; ++i) {
      if (into[i].frame.id != 0x183 || *left_ == 0) continue;
      --*left_;
      into[i].frame.data[6] ^= 0x40;  // 4 million counts: 8 rad
    }
    return count;
  }

 private:
  int* left_;
};

TEST(BoardFaults, F28ASampleThatJumpsIsReplacedAndTheThirdInARowIsAFault) {
  int left = 0;
  MatrixRig rig({.link = [&left](std::unique_ptr<can::Transport> link) {
    return std::make_unique<Glitching>(std::move(link), left);
  }});
  rig.set_off();
  for (const int in_a_row : {1, 2}) {
    left = in_a_row;
    for (int cycle = 0; cycle < 10; ++cycle) {
      rig.run(1);
      EXPECT_NEAR(rig.joint(kElbow).state.q, rig.where(kElbow), 2e-3);
      EXPECT_NEAR(rig.joint(kElbow).state.v, rig.speed(kElbow), 0.05) << "no spike";
    }
  }
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition);
  EXPECT_EQ(rig.notices(Notice::kEncoderGlitch, kElbow), 1) << "once a second";
  EXPECT_EQ(rig.bus(0).host(kElbow).replaced_samples(), 3U);
  left = 3;
  rig.run(3);
  EXPECT_EQ(rig.mode(kElbow), JointMode::kHwFault);
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kEncoderJump);
  rig.expect_arm_held_but({kElbow});
}

TEST(BoardFaults, F29AnEncoderThatSlipsOrFreezesIsAFaultOfItsOwn) {
  {
    MatrixRig rig;
    rig.set_off();
    rig.board(kElbow).inject(sim::SimFault::kEncoderJump, 0.5, 50);
    expect_drive_fault(rig, kElbow, FaultCode::kEncoderJump, 0x7320, 4);
  }
  MatrixRig rig;
  rig.set_off();
  rig.board(kElbow).inject(sim::SimFault::kEncoderFreeze, 0.0, 200);
  ASSERT_TRUE(rig.run_until(25, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kEncoderFrozen);
  rig.expect_arm_held_but({kElbow});
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(BoardFaults, F30AJointThatIsBlockedIsAFollowingErrorOfItsDrive) {
  MatrixRig rig(
      {.change =
           [](RobotConfig& robot) {
             robot.joints[kElbow].board.drive_modes = {DriveMode::kOff, DriveMode::kPosition};
           },
       .drive =
           [](hw::BusJoint& drive) {
             if (drive.name == "elbow") drive.settings.following_window = 25'000;
           }});
  rig.set_off();
  EXPECT_EQ(rig.mode(kElbow), JointMode::kPosition) << "the way there is within the window";
  rig.board(kElbow).inject(sim::SimFault::kStictionStep, 1000.0);  // stuck
  const auto cycles = rig.run_until(400, [&] { return rig.mode(kElbow) == JointMode::kHwFault; });
  ASSERT_TRUE(cycles);
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kFollowingError);
  EXPECT_EQ(rig.drive(kElbow).error_code, 0x8611);
  rig.expect_arm_held_but({kElbow});
  rig.expect_hand_free();
  rig.board(kElbow).end(sim::SimFault::kStictionStep);
  rig.expect_force_idle_is_the_way_out(kElbow);
}

TEST(BoardFaults, F31AStreamedStepAboveItsLimitIsShapedAndToldWithItsSize) {
  MatrixRig rig;
  rig.mode("elbow", ModeRequest::kPositionDirect);
  rig.run(30);
  const double begin = rig.where(kElbow);
  rig.user().send<StreamPosition>({{kElbow, {begin + 1.0}}});
  rig.run(1);
  const auto told = rig.last(EventKind::kLimited, kElbow);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->detail, static_cast<std::uint8_t>(Limit::kStep));
  EXPECT_NEAR(told->value, 1.0, 0.01) << "the step that was asked for";
  const double before = rig.where(kElbow);
  rig.run(5);
  EXPECT_LT(std::abs(rig.where(kElbow) - before),
            rig.config().joints[kElbow].limits.v_max * 5 * kPeriod);
}

TEST(BoardFaults, F32AJointStopsInsideItsSoftLimitAndASwitchThatClosesIsAFault) {
  MatrixRig rig;
  const JointLimits& limits = rig.config().joints[kElbow].limits;
  rig.set_off();
  rig.mode("elbow", ModeRequest::kVelocity);
  double furthest = 0.0;
  for (int cycle = 0; cycle < 1500; ++cycle) {
    if (cycle % 10 == 0) rig.user().send<StreamVelocity>({{kElbow, {limits.v_max}}});
    rig.run(1);
    furthest = std::max(furthest, rig.where(kElbow));
  }
  EXPECT_GT(furthest, limits.q_max - 3 * limits.soft_margin);
  EXPECT_LT(furthest, limits.q_max);
  ASSERT_TRUE(rig.last(EventKind::kLimited, kElbow));
  EXPECT_EQ(rig.mode(kElbow), JointMode::kVelocity);
  rig.board(kElbow).inject(sim::SimFault::kLimitSwitch, 0.0, 20);
  ASSERT_TRUE(rig.run_until(4, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
  EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kLimitSwitch);
  rig.expect_force_idle_is_the_way_out(kElbow);
}

RobotConfig& calibrated_elbow(RobotConfig& robot) {
  robot.joints[kElbow].board.needs_calibration = true;
  return robot;
}

TEST(BoardFaults, F33AHomingThatFailsOrIsInterruptedLeavesTheJointWithoutAZero) {
  {
    MatrixRig rig({.change = [](RobotConfig& robot) { calibrated_elbow(robot); }});
    EXPECT_EQ(rig.mode(kElbow), JointMode::kConfigured);
    rig.board(kElbow).inject(sim::SimFault::kWrongCalibrationOffset, 1.0);
    rig.user().calibrate(rig.user().select("elbow"));
    rig.run(5);
    EXPECT_EQ(rig.mode(kElbow), JointMode::kCalibrating);
    ASSERT_TRUE(rig.run_until(20'000, [&] { return rig.mode(kElbow) == JointMode::kHwFault; }));
    EXPECT_EQ(rig.joint(kElbow).fault.code, FaultCode::kCalibrationFailed);
    EXPECT_FALSE(rig.last(EventKind::kCalibrationDone, kElbow));
    rig.board(kElbow).end(sim::SimFault::kWrongCalibrationOffset);
    rig.mode("elbow", ModeRequest::kForceIdle);
    EXPECT_TRUE(rig.run_until(300, [&] { return rig.mode(kElbow) == JointMode::kConfigured; }));
  }
  MatrixRig rig({.change = [](RobotConfig& robot) { calibrated_elbow(robot); }});
  rig.user().calibrate(rig.user().select("elbow"));
  rig.run(100);
  ASSERT_EQ(rig.mode(kElbow), JointMode::kCalibrating);
  rig.mode("elbow", ModeRequest::kIdle);
  EXPECT_TRUE(rig.run_until(50, [&] { return rig.mode(kElbow) == JointMode::kConfigured; }));
  EXPECT_FALSE(rig.last(EventKind::kCalibrationDone, kElbow));
  rig.mode("elbow", ModeRequest::kPosition);
  EXPECT_EQ(rig.last(EventKind::kRejected, kElbow)->reason, RejectReason::kNotCalibrated);
}

/// The arm, with a cuff at input 2 of the left finger's board.
RigOptions with_a_cuff() {
  RigOptions options;
  options.change = [](RobotConfig& robot) {
    ArmConfig& arm = robot.arms.emplace_back();
    arm.name = arm.part = "arm";
    arm.joints = {kYaw, kShoulder, kElbow, kWrist};
    arm.tool = "tool";
    arm.posture_weights.assign(arm.joints.size(), 1.0);
    arm.friction.resize(arm.joints.size());
    arm.zero_g.cuff_joint = kLeft;
    arm.zero_g.cuff_input = 2;
  };
  options.drive = [](hw::BusJoint& drive) { drive.settings.tells_inputs = drive.name == "left"; };
  return options;
}

class Cuff : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(OfItsInputsAloneAndOfItsBoard, Cuff, testing::Bool());

TEST_P(Cuff, F41IsReleasedWhereItsFramesStayAwayForThreeCyclesAndTheArmHolds) {
  const bool whole_board = GetParam();
  MatrixRig rig(with_a_cuff());
  const auto guided = [&] { return rig.stack().snapshot().arms[0].interaction; };
  rig.mode("all", ModeRequest::kPosition);
  rig.run(30);
  rig.board(kLeft).inject(sim::SimFault::kDigitalInput, 2.0);
  ASSERT_TRUE(rig.run_until(300, [&] { return guided().guide == GuideState::kGuiding; }));
  rig.run(100);
  const double elbow = rig.where(kElbow);

  const std::size_t bus = MatrixRig::bus_of(kLeft);
  const std::uint32_t inputs = 0x680U + MatrixRig::node_of(kLeft);
  rig.hit(bus, {.id = inputs, .receiver = rig.host_node(bus), .sender = rig.board_node(kLeft)});
  if (whole_board) rig.hit_state(kLeft, {});
  rig.run(2);
  EXPECT_EQ(guided().guide, GuideState::kGuiding) << "two cycles are carried on";
  rig.run(1);
  EXPECT_FALSE(guided().cuff);
  EXPECT_EQ(guided().guide, GuideState::kOff);
  EXPECT_EQ(rig.joint(kLeft).state.missed, whole_board ? 3U : 0U);
  EXPECT_EQ(rig.is_held(kLeft), whole_board) << "as any board that is silent";
  rig.run(5);
  for (std::size_t i = kYaw; i <= kWrist; ++i) EXPECT_EQ(rig.mode(i), JointMode::kPosition);
  EXPECT_NEAR(rig.where(kElbow), elbow, 1e-3);

  rig.clear(bus);
  rig.run(2);
  EXPECT_TRUE(guided().cuff) << "heard again it is as it is found";
  rig.board(kLeft).end(sim::SimFault::kDigitalInput);
  rig.run(2);
  EXPECT_FALSE(guided().cuff);
}

}  // namespace
}  // namespace jointrig::matrix
