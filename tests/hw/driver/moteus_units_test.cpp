#include "hw/driver/moteus_units.h"

#include <gtest/gtest.h>

#include <numbers>
#include <stdexcept>

namespace jointrig::hw {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(MoteusUnits, ARevolutionOfTheOutputIsATurnOfTheJoint) {
  const MoteusUnits units(MoteusFacts{}, false);
  EXPECT_NEAR(units.position(0.25), kPi / 2, 1e-15);
  EXPECT_NEAR(units.velocity(2.0), 4 * kPi, 1e-15);
  EXPECT_NEAR(units.torque(3.0), 3.0, 1e-15);
  EXPECT_NEAR(units.rev(kPi), 0.5, 1e-15);
}

TEST(MoteusUnits, AGearBehindItSlowsAndStrengthens) {
  // Three turns of the servo are one of the joint, the other way round, from 0.5 rev on.
  const MoteusUnits units({.gear = 3, .reversed = true, .zero = 0.5, .efficiency = 0.9}, false);
  EXPECT_NEAR(units.position(3.5), -2 * kPi, 1e-12);
  EXPECT_NEAR(units.velocity(3.0), -2 * kPi, 1e-12);
  EXPECT_NEAR(units.torque(2.0), -2.0 * 3 * 0.9, 1e-12);
  EXPECT_NEAR(units.rev(-2 * kPi), 3.5, 1e-12);
  EXPECT_NEAR(units.rev_per_s(2 * kPi), -3.0, 1e-12);
  EXPECT_NEAR(units.servo_torque(5.4), -2.0, 1e-12);
  EXPECT_TRUE(units.reversed());
}

TEST(MoteusUnits, ASlideGoesItsFeedInATurnAndPowerIsKept) {
  const MoteusUnits units({.gear = 1, .feed = 0.01}, true);
  EXPECT_NEAR(units.position(2.0), 0.02, 1e-15);
  // 1 N·m at 1 rev/s is 2 pi W; at 0.01 m/s that is 200 pi N.
  EXPECT_NEAR(units.torque(1.0), 200 * kPi, 1e-9);
}

TEST(MoteusUnits, AGainOfTheJointIsOneOfTheServo) {
  // 1 rev at the servo is 2 pi / 3 rad of the joint, which gives 10 * 2 pi / 3 N·m there, and a
  // third of it at the servo; a reversed servo has the same.
  for (const bool reversed : {false, true}) {
    const MoteusUnits units({.gear = 3, .reversed = reversed}, false);
    EXPECT_NEAR(units.servo_gain(10.0), 10.0 * 2 * kPi / 9, 1e-12);
  }
}

TEST(MoteusUnits, FactsThatMakeNoUnitsAreRefused) {
  EXPECT_THROW(MoteusUnits({.gear = 0}, false), std::invalid_argument);
  EXPECT_THROW(MoteusUnits({.efficiency = 1.2}, false), std::invalid_argument);
  EXPECT_THROW(MoteusUnits(MoteusFacts{}, true), std::invalid_argument) << "no feed";
}

TEST(MoteusUnits, WhatAnIntegerCantCarryIsTold) {
  const MoteusUnits units({.gear = 9}, false);
  const DriveRange range{.q_min = -kPi, .q_max = kPi, .v_max = 2.0, .tau_max = 90.0};
  EXPECT_TRUE(units.misfits(range, moteus::Resolution::kFloat).empty());
  EXPECT_TRUE(units.misfits(range, moteus::Resolution::kInt32).empty());
  const auto misfits = units.misfits(range, moteus::Resolution::kInt16);
  ASSERT_EQ(misfits.size(), 1U) << "4.5 rev, where 16 bits end at 3.2767";
  EXPECT_NE(misfits[0].find("4.500 rev"), std::string::npos) << misfits[0];
  EXPECT_NE(misfits[0].find("3.277"), std::string::npos) << misfits[0];
}

}  // namespace
}  // namespace jointrig::hw
