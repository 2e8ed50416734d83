#include "harness/config/units.h"

#include <cmath>
#include <numbers>

#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

YamlNode node(const std::string& text) { return parse_yaml("k: " + text, "f.yaml").at("k"); }
double si(const std::string& text, const char* units) { return quantity(node(text), units); }
std::string refusal(const std::string& text, const char* units) {
  return sentence_of([&] { return si(text, units); });
}

TEST(Units, ConvertExactly) {
  EXPECT_EQ(si("180 deg", "rad"), std::numbers::pi);
  EXPECT_EQ(si("90 deg", "rad"), std::numbers::pi / 2);
  EXPECT_EQ(si("60 deg", "rad"), std::numbers::pi / 3);
  EXPECT_EQ(si("12 deg", "rad"), std::numbers::pi / 15);
  EXPECT_EQ(si("360 deg/s", "rad/s"), 2 * std::numbers::pi);
  EXPECT_EQ(si("1 rev", "rad"), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(si("30 rpm", "rad/s"), std::numbers::pi);
  EXPECT_EQ(si("200 ms", "s"), 0.2);  // one rounding: the double nearest to a fifth
  EXPECT_EQ(si("3 ms", "s"), 0.003);
  EXPECT_EQ(si("7 us", "s"), 7e-6);
  EXPECT_EQ(si("2 min", "s"), 120.0);
  EXPECT_EQ(si("1.5 h", "s"), 5400.0);
  EXPECT_EQ(si("35 mm", "m"), 0.035);
  EXPECT_EQ(si("250 g", "kg"), 0.25);
  EXPECT_EQ(si("20 %", "1"), 0.2);
  EXPECT_EQ(si("20%", "1"), 0.2);
  EXPECT_EQ(si("2 kHz", "Hz"), 2000.0);
  EXPECT_EQ(si("300 mNm", "Nm"), 0.3);
  EXPECT_EQ(si("150 mA", "A"), 0.15);
}

TEST(Units, ReadWhatPeopleWrite) {
  const std::pair<const char*, const char*> same[] = {{"20 Nm/rad", "Nm/rad"},
                                                      {"20 N m/rad", "Nm/rad"},
                                                      {"20 N*m/rad", "Nm/rad"},
                                                      {"20 N·m/rad", "Nm/rad"},
                                                      {"20 Nms/rad", "Nm s/rad"},
                                                      {"20 Nm/(rad/s)", ""},
                                                      {"20 Ns/m", "N s/m"},
                                                      {"20 kg m^2", "kg m^2"},
                                                      {"20 kg m2", "kg m^2"},
                                                      {"20 kg*m²", "kg m^2"},
                                                      {"20 rad/s^2", "rad/s^2"},
                                                      {"20 rad/s²", "rad/s^2"},
                                                      {"20 rad/s/s", "rad/s^2"},
                                                      {"20 rad s^-2", "rad/s^2"},
                                                      {"20 Nm/(rad s)", "Nm/rad/s"},
                                                      {"20 1/s", "Hz"},
                                                      {"20 degC", "°C"},
                                                      {"20 °C", "degC"},
                                                      {"20 ohm", "Ω"},
                                                      {"20 degC/W", "degC/W"},
                                                      {"20 Nm/A", "Nm/A"},
                                                      {"20Nm", "Nm"},
                                                      {"+20 V", "V"},
                                                      {"2e1 m", "m"},
                                                      {"20 Nm", "kg m^2/s^2"},
                                                      {"20 V", "W/A"},
                                                      {"20 ohm", "V/A"}};
  for (const auto& [text, unit] : same) {
    SCOPED_TRACE(text);
    if (std::string(unit).empty()) {
      EXPECT_NE(refusal(text, "Nms/rad"), "");
    } else {
      EXPECT_EQ(refusal(text, unit), "");
      EXPECT_EQ(any_quantity(node(text)).value, 20.0);
    }
  }
}

TEST(Units, APlainNumberIsOfWhateverWasExpected) {
  EXPECT_EQ(si("3", "rad"), 3.0);
  EXPECT_EQ(si("-1.5e-3", "Nm/rad|N/m"), -1.5e-3);
  EXPECT_EQ(si("\"3\"", "rad"), 3.0);
}

TEST(Units, AWrongDimensionNamesBothAndShowsWhatWouldDo) {
  EXPECT_EQ(
      error_of([] {
        return quantity(parse_yaml("stiffness: 20 Nm", "f.yaml").at("stiffness"), "Nm/rad|N/m");
      }),
      "f.yaml:1:12: expected an angular stiffness (Nm/rad) or a stiffness (N/m), got 20 Nm, a "
      "torque\n"
      "  stiffness: 20 Nm\n"
      "             ^");
  EXPECT_EQ(refusal("5 s", "rad"), "expected an angle (rad, deg), got 5 s, a time");
  EXPECT_EQ(refusal("5 Hz", "rad/s"),
            "expected an angular speed (rad/s, deg/s), got 5 Hz, a frequency");
  EXPECT_EQ(refusal("5 m", "1"), "expected a ratio (1, %), got 5 m, a length");
  EXPECT_EQ(refusal("5 m^5", "s"),
            "expected a time (s, ms), got 5 m^5, a quantity of another kind");
}

TEST(Units, AnUnknownUnitGetsTheNearest) {
  EXPECT_EQ(refusal("60 degs", "rad"), "unknown unit \"degs\"; did you mean \"deg\"?");
  EXPECT_EQ(refusal("60 Rad", "rad"), "unknown unit \"Rad\"; did you mean \"rad\"?");
  EXPECT_EQ(refusal("60 furlong", "m"), "unknown unit \"furlong\"");
}

TEST(Units, WhatCannotBeReadIsRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"fast", "expected a number with or without a unit, got \"fast\""},
      {"[1]", "expected a number with or without a unit, got a list"},
      {"true", "expected a number with or without a unit, got true"},
      {"5 Nm/rad s",
       "\"Nm/rad s\" is ambiguous after the \"/\"; put the denominator in parentheses"},
      {"5 Nm/(rad s", "\"Nm/(rad s\" lacks a closing parenthesis"},
      {"5 Nm/", "\"Nm/\" is not a unit"},
      {"5 m^x", "\"m^x\" lacks an exponent after the \"^\""},
      {"5 m^99", "\"m^99\" has an exponent that makes no sense"},
      {"5 6", "\"6\" is not a unit"},
      {"5 1", "\"5 1\" has a second number"},
      {"5 m)", "\"m)\" is not a unit"},
      {"1e999 m", "the number 1e999 is out of range"},
      {"1e308 km", "1e308 km is out of range"}};
  for (const auto& [text, sentence] : cases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(refusal(text, "m"), sentence);
  }
}

TEST(Units, ATimeThatTheClockCannotCountIsRefused) {
  EXPECT_EQ(si("1e9 s", "s"), 1e9);
  EXPECT_EQ(refusal("1e300 s", "s"), "1e300 s is longer than 1e9 s, which is 31 years");
  EXPECT_EQ(refusal("1.1e9", "s"), "1.1e9 is longer than 1e9 s, which is 31 years");
  EXPECT_EQ(si("1e300", "m"), 1e300);
  EXPECT_EQ(refusal("1e-300 Hz", "Hz"),
            "1e-300 Hz is slower than 1e-9 Hz, which is once in 31 years");
  EXPECT_EQ(si("0 Hz", "Hz"), 0.0);
}

TEST(Units, OnlyOneAlternativeIsLeftForAJointOfAKind) {
  const Expected either("rad|m");
  EXPECT_TRUE(either.takes(dimension_of("deg")));
  EXPECT_TRUE(either.takes(dimension_of("mm")));
  EXPECT_FALSE(either.only(0).takes(dimension_of("mm")));
  EXPECT_FALSE(either.only(1).takes(dimension_of("deg")));
  EXPECT_TRUE(Expected("Hz").only(1).takes(dimension_of("Hz")));  // the same for both kinds
}

}  // namespace
}  // namespace jointrig::harness
