// Brakes over the bus, on an arm that gravity pulls: stretched out it bears 11.8 N·m at its first
// joint, which falls if nothing holds it.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/hw/matrix/matrix_rig.h"

namespace jointrig::matrix {
namespace {

// Links beyond the first joint: masses [kg] at distances [m], and the joint's rotor.
constexpr double kLoad = 9.81 * (1 * 0.15 + 1 * 0.45 + 0.5 * 0.7 + 0.3 * 0.85);  // [N·m]
constexpr double kInertia =
    0.1 + 1 * 0.15 * 0.15 + 1 * 0.45 * 0.45 + 0.5 * 0.7 * 0.7 + 0.3 * 0.85 * 0.85;  // [kg·m²]
constexpr double kTurns = kLoad / kInertia;  // at the most, as the links have inertias of their own
constexpr double kEngage = 0.03;             // [s]
constexpr double kHolds = 40.0;              // [N·m]

/// Falls for the delay and three periods (a fault is found, the motor goes off, the friction takes
/// hold), then slows down against the brake.
double longest_drop() {
  const double t = kEngage + 3.0 * kPeriod;
  const double v = kTurns * t;
  return 0.5 * kTurns * t * t + 0.5 * v * v / ((kHolds - kLoad) / kInertia);
}
/// The links' own inertia is less than a tenth.
double shortest_drop() { return 0.5 * 0.9 * kTurns * kEngage * kEngage; }

RigOptions with_brakes() { return {.weighs = true}; }
RigOptions without_brakes() {
  return {.change =
              [](RobotConfig& robot) {
                for (JointConfig& joint : robot.joints) joint.brake = {};
              },
          .weighs = true};
}
/// The first joint has none, the others have.
RigOptions with_one_left_out() {
  return {.change = [](RobotConfig& robot) { robot.joints[kYaw].brake = {}; }, .weighs = true};
}

void stand(MatrixRig& rig) {
  rig.mode("all", ModeRequest::kPosition);
  rig.run_for(0.5);
  ASSERT_EQ(rig.mode(kYaw), JointMode::kPosition);
}

std::uint32_t outputs(MatrixRig& rig, std::size_t joint) {
  return rig.virtual_drive(joint).node().objects().object<std::uint32_t>(0x60FE, 1).get();
}
void take_by_hand(MatrixRig& rig, std::size_t joint, bool set) {
  auto& objects = rig.virtual_drive(joint).node().objects();
  objects.object<std::uint32_t>(0x60FE, 1).set(set ? 1U : 0U);
  objects.object<std::uint32_t>(0x60FE, 2).set(1U);
}

TEST(Brakes, ADriveIsEnabledOnlyOnceItsBrakeIsOpenAndHasTorqueBeforeAndNothingSags) {
  MatrixRig rig(with_brakes());
  const double before = rig.where(kYaw);
  EXPECT_EQ(outputs(rig, kYaw), 1U) << "set";
  rig.mode("all", ModeRequest::kPosition);
  ASSERT_TRUE(rig.run_until(10, [&] { return rig.drive(kYaw).power_stage(); }));
  EXPECT_EQ(rig.drive(kYaw).state, cia402::PowerState::kSwitchedOn);
  rig.run(4);
  EXPECT_EQ(outputs(rig, kYaw), 0U) << "it opens";
  EXPECT_EQ(rig.drive(kYaw).state, cia402::PowerState::kSwitchedOn);
  EXPECT_NEAR(std::abs(rig.board(kYaw).report().tau), kLoad, 0.5) << "the motor carries it";
  ASSERT_TRUE(rig.run_until(
      20, [&] { return rig.drive(kYaw).state == cia402::PowerState::kOperationEnabled; }));
  rig.run_for(1.0);
  EXPECT_NEAR(rig.where(kYaw), before, 1e-3);
}

TEST(Brakes, AnArmThatIsSwitchedOffIsHeldAndTheEventSaysSoWithLoadAndBrake) {
  MatrixRig rig(with_brakes());
  stand(rig);
  const double before = rig.where(kYaw);
  rig.mode("all", ModeRequest::kIdle);
  const auto told = rig.last(EventKind::kHeld, kYaw);
  ASSERT_TRUE(told);
  EXPECT_NEAR(told->value, kLoad, 0.1);
  EXPECT_EQ(told->limit, kHolds);
  EXPECT_FALSE(rig.last(EventKind::kFalls, kYaw));
  EXPECT_NE(rig.board(kYaw).report().tau, 0.0) << "it was told before the torque goes";
  rig.run_for(2.0);
  EXPECT_NEAR(rig.where(kYaw), before, 1e-3);
  EXPECT_EQ(rig.board(kYaw).report().tau, 0.0);
}

TEST(Brakes, AJointWithoutOneIsToldToFallBeforeItDoes) {
  MatrixRig rig(with_one_left_out());
  stand(rig);
  const double before = rig.where(kYaw);
  rig.mode("all", ModeRequest::kIdle);
  const auto told = rig.last(EventKind::kFalls, kYaw);
  ASSERT_TRUE(told);
  EXPECT_NEAR(told->value, kLoad, 0.1);
  EXPECT_EQ(told->limit, 0.0);
  EXPECT_TRUE(rig.last(EventKind::kHeld, kShoulder));
  EXPECT_NEAR(rig.where(kYaw), before, 1e-3) << "not yet";
  rig.run_for(0.3);
  EXPECT_GT(std::abs(rig.where(kYaw) - before), 0.2);
}

TEST(Brakes, ALossOfPowerDropsAJointByTheDelayOfItsBrake) {
  MatrixRig rig(with_brakes());
  stand(rig);
  const double before = rig.where(kYaw);
  rig.board(kYaw).inject(sim::SimFault::kPowerOff);
  rig.run_for(0.2);
  const double drop = std::abs(rig.where(kYaw) - before);
  EXPECT_GT(drop, shortest_drop());
  EXPECT_LT(drop, longest_drop());
  const double caught = rig.where(kYaw);
  rig.run_for(2.0);
  EXPECT_NEAR(rig.where(kYaw), caught, 1e-3);
}

TEST(Brakes, AFaultClosesTheBrakeAtOnce) {
  MatrixRig rig(with_brakes());
  stand(rig);
  const double before = rig.where(kYaw);
  rig.board(kYaw).inject(sim::SimFault::kOverCurrent, 0.0, 10);
  rig.run_for(0.5);
  EXPECT_EQ(rig.mode(kYaw), JointMode::kHwFault);
  EXPECT_GT(std::abs(rig.where(kYaw) - before), shortest_drop());
  EXPECT_LT(std::abs(rig.where(kYaw) - before), longest_drop());
}

TEST(Brakes, ALossOfPowerDropsAJointWithoutBrakeAndNothingElse) {
  MatrixRig rig(without_brakes());
  stand(rig);
  const double before = rig.where(kYaw);
  const double elbow = rig.where(kElbow);
  rig.board(kYaw).inject(sim::SimFault::kPowerOff);
  rig.run_for(0.25);
  // Free fall against the joint's own damping, 1 N·m·s/rad.
  EXPECT_GT(std::abs(rig.where(kYaw) - before), 0.2);
  EXPECT_NEAR(rig.where(kElbow), elbow, 0.05);
}

TEST(Brakes, AMasterWithItsMaskOpensAndClosesTheBrakeByHand) {
  MatrixRig rig(with_brakes());
  stand(rig);
  rig.mode("all", ModeRequest::kIdle);
  rig.run_for(0.3);
  const double before = rig.where(kYaw);
  take_by_hand(rig, kYaw, false);
  rig.run_for(0.2);
  take_by_hand(rig, kYaw, true);
  rig.run_for(0.3);
  const double after = rig.where(kYaw);
  EXPECT_GT(std::abs(after - before), 0.1) << "it fell while its brake was open";
  rig.run_for(0.5);
  EXPECT_NEAR(rig.where(kYaw), after, 1e-3) << "and is held again";
}

}  // namespace
}  // namespace jointrig::matrix
