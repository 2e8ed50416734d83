#include "gui/panel/quantity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace jointrig::gui {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(JointQuantity, HingesAreShownInDegreesAndSlidesInMillimetres) {
  EXPECT_EQ(show(kPi / 2, JointQuantity::kPosition, false), "90.0 °");
  EXPECT_EQ(show(0.0125, JointQuantity::kPosition, true), "12.5 mm");
  EXPECT_EQ(show(-kPi, JointQuantity::kVelocity, false), "-180.0 °/s");
  EXPECT_EQ(show(1.234, JointQuantity::kTorque, false), "1.23 N·m");
  EXPECT_EQ(show(1.234, JointQuantity::kTorque, true), "1.23 N");
  EXPECT_EQ(show(0.5, JointQuantity::kDuty, false), "50.0 %");
}

TEST(JointQuantity, NothingHasNoSignAndNoNumberIsADash) {
  EXPECT_EQ(show_number(-1e-9, JointQuantity::kPosition, false), "0.0");
  EXPECT_EQ(show_number(std::numeric_limits<double>::quiet_NaN(), JointQuantity::kTorque, false),
            "–");
}

TEST(JointQuantity, TypedValuesAreReadWithAndWithoutUnits) {
  const auto hinge = [](const char* text) {
    const Typed typed = read_typed(text, JointQuantity::kPosition, false);
    EXPECT_EQ(typed.error, "") << text;
    return typed.value;
  };
  EXPECT_DOUBLE_EQ(hinge("90"), kPi / 2);
  EXPECT_DOUBLE_EQ(hinge("  +90° "), kPi / 2);
  EXPECT_DOUBLE_EQ(hinge("-90 deg"), -kPi / 2);
  EXPECT_DOUBLE_EQ(hinge("0.5 rad"), 0.5);
  EXPECT_DOUBLE_EQ(hinge("5e2mrad"), 0.5);
  EXPECT_DOUBLE_EQ(read_typed("25", JointQuantity::kPosition, true).value, 0.025);
  EXPECT_DOUBLE_EQ(read_typed("2.5 cm", JointQuantity::kPosition, true).value, 0.025);
  EXPECT_DOUBLE_EQ(read_typed("40 %", JointQuantity::kDuty, false).value, 0.4);
  EXPECT_DOUBLE_EQ(read_typed("90 deg/s^2", JointQuantity::kAcceleration, false).value, kPi / 2);
  EXPECT_DOUBLE_EQ(read_typed("1.5 m/s²", JointQuantity::kAcceleration, true).value, 1.5);
  EXPECT_DOUBLE_EQ(read_typed("1500", JointQuantity::kAcceleration, true).value, 1.5);
}

TEST(JointQuantity, WhatIsNoNumberOrNoUnitOfItIsRefusedInASentence) {
  EXPECT_EQ(read_typed("ten", JointQuantity::kTorque, false).error,
            "\"ten\" is no number; type one such as 1.5 N·m");
  EXPECT_EQ(read_typed("10 rad", JointQuantity::kTorque, false).error,
            "\"rad\" is no unit of a torque; there are N·m, Nm, N*m, mNm");
  EXPECT_NE(read_typed("", JointQuantity::kPosition, false).error, "");
  EXPECT_NE(read_typed("nan", JointQuantity::kPosition, false).error, "");
  EXPECT_NE(read_typed("inf", JointQuantity::kPosition, false).error, "");
  EXPECT_NE(read_typed("10 mm", JointQuantity::kPosition, false).error, "");
}

TEST(JointQuantity, WhatIsShownCanBeTypedBack) {
  for (const bool slide : {false, true}) {
    for (const JointQuantity quantity : kAllJointQuantity) {
      const Typed typed = read_typed(show(0.25, quantity, slide), quantity, slide);
      EXPECT_EQ(typed.error, "");
      // Half of the last digit shown.
      const QuantityUnit unit = shown_unit(quantity, slide);
      EXPECT_NEAR(typed.value, 0.25, 0.51 * std::pow(10.0, -unit.decimals) / unit.per_si);
    }
  }
}

}  // namespace
}  // namespace jointrig::gui
