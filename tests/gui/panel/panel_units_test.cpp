#include "gui/panel/panel_units.h"

#include <gtest/gtest.h>

namespace jointrig::gui {
namespace {

// π/6 rad = 30°, π rad/s = 180°/s.
TEST(PanelUnits, AnglesAreInDegreesAndLengthsInMillimetres) {
  EXPECT_EQ(in_panel_units("elbow: goal 0.523599 rad reached"), "elbow: goal 30 ° reached");
  EXPECT_EQ(in_panel_units("limited by velocity: 3.142 rad/s against 3.141 rad/s"),
            "limited by velocity: 180 °/s against 180 °/s");
  EXPECT_EQ(in_panel_units("the object is gone at a width of 0.0312 m, it was at 0.04 m"),
            "the object is gone at a width of 31.2 mm, it was at 40 mm");
  EXPECT_EQ(in_panel_units("(0.02 m)"), "(20 mm)");
  EXPECT_EQ(in_panel_units("at 1.5 m."), "at 1500 mm.");
}

TEST(PanelUnits, BothEndsOfARangeAreConverted) {
  EXPECT_EQ(in_panel_units("stay within -1.5708 to 3.14159 rad"), "stay within -90 to 180 °");
  EXPECT_EQ(in_panel_units("give 0.01 to 1"), "give 0.01 to 1");
}

TEST(PanelUnits, TwoNumbersThatDifferStillDo) {
  EXPECT_EQ(in_panel_units("1.00001 rad against 1.00002 rad"), "57.2964 ° against 57.2969 °");
}

TEST(PanelUnits, OtherUnitsNamesAndWordsStay) {
  for (const char* text : {"12 N·m against 10 N·m", "a stiffness of 20 N·m/rad", "joint3: 2 mode",
                           "took 1 ms", "[panel #12]", "l_arm2 rad", "nan rad", ""}) {
    EXPECT_EQ(in_panel_units(text), text);
  }
}

}  // namespace
}  // namespace jointrig::gui
