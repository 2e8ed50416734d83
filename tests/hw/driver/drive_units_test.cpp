#include "hw/driver/drive_units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>

namespace jointrig::hw {
namespace {

constexpr double kPi = std::numbers::pi;

/// An elbow on a motor of 0.5 N·m with a 100:1 gear and an encoder of 4096 increments.
DriveFacts elbow() {
  DriveFacts facts;
  facts.encoder_increments = 4096;
  facts.gear = 100;
  facts.rated_torque = 0.5;
  return facts;
}

std::string refusal(const DriveFacts& facts, bool slide = false) {
  try {
    const DriveUnits units(facts, slide);
    return "taken";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(DriveUnits, OneTurnOfTheJointIsAHundredOfTheMotor) {
  const DriveUnits units(elbow(), false);
  bool saturated = false;
  EXPECT_EQ(units.counts(2 * kPi, saturated), 409'600);
  EXPECT_EQ(units.counts(-kPi / 2, saturated), -102'400);
  EXPECT_FALSE(saturated);
  EXPECT_DOUBLE_EQ(units.position(409'600), 2 * kPi);
  EXPECT_DOUBLE_EQ(units.velocity(409'600), 2 * kPi) << "counts per second";
  EXPECT_DOUBLE_EQ(units.torque(1000), 50.0) << "rated torque through the gear";
  EXPECT_DOUBLE_EQ(units.torque_step(), 0.05);
}

TEST(DriveUnits, AReversedDriveTurnsEverySignButNoStep) {
  DriveFacts facts = elbow();
  facts.reversed = true;
  facts.zero_counts = 1000;
  const DriveUnits units(facts, false);
  bool saturated = false;
  EXPECT_EQ(units.counts(2 * kPi, saturated), 1000 - 409'600);
  EXPECT_DOUBLE_EQ(units.position(1000), 0.0);
  EXPECT_DOUBLE_EQ(units.position(1000 - 409'600), 2 * kPi);
  EXPECT_EQ(units.velocity_units(2 * kPi, saturated), -409'600);
  EXPECT_EQ(units.per_mille(50.0, saturated), -1000);
  EXPECT_DOUBLE_EQ(units.torque_step(), 0.05);
  EXPECT_GT(units.position_step(), 0);
}

TEST(DriveUnits, ADriveMayCountInRpmAndInThousandthsOfItsCurrent) {
  DriveFacts facts = elbow();
  facts.velocity_unit = VelocityUnit::kMotorRpm;
  facts.torque_base = TorqueBase::kRatedCurrent;
  facts.rated_current = 4.0;
  facts.torque_constant = 0.1;
  facts.efficiency = 0.8;
  const DriveUnits units(facts, false);
  bool saturated = false;
  EXPECT_EQ(units.velocity_units(2 * kPi, saturated), 6000) << "one turn a second of the joint";
  EXPECT_DOUBLE_EQ(units.torque(1000), 4.0 * 0.1 * 100 * 0.8);
}

TEST(DriveUnits, ASpindleTurnsTorqueIntoForce) {
  DriveFacts facts = elbow();
  facts.gear = 2;
  facts.feed = 0.005;  // [m] a turn of the spindle
  const DriveUnits units(facts, true);
  bool saturated = false;
  EXPECT_EQ(units.counts(0.005, saturated), 8192);
  // Work in one turn of the spindle: the motor's 2 turns · 2π · 0.5 N·m lift F through 5 mm.
  EXPECT_NEAR(units.torque(1000), 2 * 2 * kPi * 0.5 / 0.005, 1e-9);
}

TEST(DriveUnits, WhatGoesOutComesBackToWithinHalfAStep) {
  DriveFacts facts = elbow();
  facts.reversed = true;
  facts.zero_counts = -321;
  const DriveUnits units(facts, false);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> q(-3, 3);
  std::uniform_real_distribution<double> tau(-80, 80);
  bool saturated = false;
  for (int i = 0; i < 10'000; ++i) {
    const double wish = q(random);
    EXPECT_NEAR(units.position(units.counts(wish, saturated)), wish,
                0.5 * units.position_step() * (1 + 1e-9));
    EXPECT_NEAR(units.velocity(units.velocity_units(wish, saturated)), wish,
                0.5 * units.velocity_step() * (1 + 1e-9));
    const double push = tau(random);
    EXPECT_NEAR(units.torque(units.per_mille(push, saturated)), push,
                0.5 * units.torque_step() * (1 + 1e-9));
  }
  EXPECT_FALSE(saturated);
}

TEST(DriveUnits, AJointWithoutEndCountsOnPastThirtyTwoBits) {
  const DriveUnits units(elbow(), false);
  bool saturated = false;
  const double far = 2 * kPi * 10'000;  // 4.096e9 counts
  EXPECT_EQ(units.counts(far, saturated), 4'096'000'000);
  EXPECT_DOUBLE_EQ(units.position(4'096'000'000), far);
  EXPECT_FALSE(saturated);
}

TEST(DriveUnits, WhatDoesNotFitStopsAtTheEndAndSaysSo) {
  const DriveUnits units(elbow(), false);
  bool saturated = false;
  EXPECT_EQ(units.per_mille(1638.35, saturated), 32767);
  EXPECT_FALSE(saturated);
  EXPECT_EQ(units.per_mille(1639.0, saturated), 32767);
  EXPECT_TRUE(saturated);
  saturated = false;
  EXPECT_EQ(units.counts(-std::numeric_limits<double>::infinity(), saturated), -(1LL << 52));
  EXPECT_TRUE(saturated);
  saturated = false;
  EXPECT_EQ(units.per_mille(std::nan(""), saturated), 0);
  EXPECT_TRUE(saturated);
}

TEST(DriveUnits, LimitsThatTheWireCantCarryAreTold) {
  DriveFacts facts = elbow();
  facts.encoder_increments = 1 << 20;
  const DriveUnits units(facts, false);
  EXPECT_TRUE(units.misfits({-3, 3, 10, 100}).empty());
  // 20 turns · 100 · 2^20 = 2.1e9, beside 2^31 - 1 = 2147483647.
  const auto far = units.misfits({-3, 40 * kPi, 10, 100});
  ASSERT_EQ(far.size(), 1U);
  EXPECT_EQ(far[0],
            "the range of the joint needs 2097152000 in 6064h, which with a margin of a tenth is "
            "more than its 2147483647");
  EXPECT_EQ(units.misfits({-3, 3, 200, 2000}).size(), 2U);
  const double endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(units.misfits({-endless, endless, 10, 100}).empty());
}

TEST(DriveUnits, AZeroNearTheEndOfTheCounterIsARangeLikeAnother) {
  DriveFacts facts = elbow();
  facts.zero_counts = 2'147'483'000;
  const DriveUnits units(facts, false);
  EXPECT_TRUE(units.misfits({-3, 3, 10, 100}).empty()) << "the counter wraps around on the way";
  // 2147485000 is 1352 beyond 2^31, where the counter goes on at -2^31.
  EXPECT_EQ(units.nearest_to_zero(-2'147'482'296), 2'147'485'000);
  EXPECT_EQ(units.nearest_to_zero(2'147'482'000), 2'147'482'000);
  EXPECT_EQ(units.nearest_to_zero(0), 0);
  EXPECT_EQ(units.nearest_to_zero(-1), -1) << "2147483001 away; 2^32 - 1 would be 2147484295";
  facts.zero_counts = -2'147'483'000;
  EXPECT_EQ(DriveUnits(facts, false).nearest_to_zero(2'147'482'296), -2'147'485'000);
}

TEST(DriveUnits, FactsThatMakeNoUnitsAreRefusedByTheirName) {
  DriveFacts facts = elbow();
  facts.gear = 0;
  EXPECT_EQ(refusal(facts), "gear (6091h) is 0, must be above 0");
  facts = elbow();
  facts.rated_torque = std::nan("");
  EXPECT_EQ(refusal(facts), "rated_torque (6076h) is nan, must be above 0");
  EXPECT_EQ(refusal(elbow(), true), "feed (6092h) of a slide is 0, must be above 0");
  facts = elbow();
  facts.torque_base = TorqueBase::kRatedCurrent;
  facts.rated_current = 3;
  EXPECT_EQ(refusal(facts), "torque_constant is 0, must be above 0");
  facts = elbow();
  facts.efficiency = 1.2;
  EXPECT_EQ(refusal(facts), "efficiency is above 1");
  EXPECT_EQ(refusal(elbow()), "taken");
}

}  // namespace
}  // namespace jointrig::hw
