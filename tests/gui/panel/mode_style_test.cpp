#include "gui/panel/mode_style.h"

#include <gtest/gtest.h>

#include <set>

namespace jointrig::gui {
namespace {

TEST(ModeStyle, ContrastIsThatOfTheStandard) {
  // The examples that everybody checks by: the ends of the scale, and the grey #767676 on white.
  EXPECT_DOUBLE_EQ(contrast({0, 0, 0}, {255, 255, 255}), 21.0);
  EXPECT_DOUBLE_EQ(contrast({9, 9, 9}, {9, 9, 9}), 1.0);
  EXPECT_NEAR(contrast({0x76, 0x76, 0x76}, {255, 255, 255}), 4.54, 0.005);
}

TEST(ModeStyle, TextStandsOutOnEveryModeInEveryPalette) {
  for (const Palette palette : kAllPalette) {
    for (const JointMode mode : kAllJointMode) {
      SCOPED_TRACE(std::string(to_string(palette)) + ", " + std::string(to_string(mode)));
      const ModeStyle style = style_of(mode, palette);
      EXPECT_GE(contrast(style.fill, style.text), kLeastContrast);
    }
  }
}

TEST(ModeStyle, LightPaletteHasTheColoursOfTheIcubsOwnPanel) {
  EXPECT_EQ(style_of(JointMode::kIdle, Palette::kIcubLight).fill, (Rgb{249, 236, 141}));
  EXPECT_EQ(style_of(JointMode::kTorque, Palette::kIcubLight).fill, (Rgb{219, 166, 171}));
  EXPECT_EQ(style_of(JointMode::kHwFault, Palette::kIcubLight).fill, (Rgb{255, 50, 50}));
}

TEST(ModeStyle, EveryModeHasALetterATitleAndAColourOfItsOwn) {
  std::set<std::string_view> letters;
  std::set<std::string_view> titles;
  for (const JointMode mode : kAllJointMode) {
    letters.insert(style_of(mode, Palette::kIcubDark).letter);
    titles.insert(style_of(mode, Palette::kIcubDark).title);
  }
  EXPECT_EQ(letters.size(), kAllJointMode.size());
  EXPECT_EQ(titles.size(), kAllJointMode.size());
  for (const Palette palette : kAllPalette) {
    std::set<int> colours;
    for (const ControlMode mode : kAllControlMode) {
      const Rgb c = style_of(as_joint_mode(mode), palette).fill;
      colours.insert(c.r * 65536 + c.g * 256 + c.b);
    }
    EXPECT_EQ(colours.size(), kAllControlMode.size()) << to_string(palette);
  }
}

TEST(ModeStyle, TheInteractionIsShownWhereItActs) {
  EXPECT_EQ(title_of(JointMode::kPosition, InteractionMode::kCompliant), "POSITION · compliant");
  EXPECT_EQ(title_of(JointMode::kVelocity, InteractionMode::kStiff), "VELOCITY · stiff");
  EXPECT_EQ(title_of(JointMode::kTorque, InteractionMode::kCompliant), "TORQUE");
  EXPECT_EQ(title_of(JointMode::kHwFault, InteractionMode::kCompliant), "HARDWARE FAULT");
}

}  // namespace
}  // namespace jointrig::gui
