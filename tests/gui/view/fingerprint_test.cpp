#include "gui/window/fingerprint.h"

#include <gtest/gtest.h>

#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

struct FingerprintTest : ::testing::Test {
  FingerprintTest() : t(6), view(t) { view.look(3); }
  /// Fingerprint of a frame in which the robot stands still.
  std::uint64_t of_a_frame() {
    view.draw(false);
    return fingerprint(*ImGui::GetDrawData());
  }
  testing::RigWithPanel t;
  testing::HeadlessView view;
};

TEST_F(FingerprintTest, IsTheSameWhileNothingChanges) {
  const std::uint64_t before = of_a_frame();
  EXPECT_NE(before, 0U);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(of_a_frame(), before);
}

TEST_F(FingerprintTest, IsAnotherWhenTheRobotGoesOn) {
  const std::uint64_t before = of_a_frame();
  view.frame();
  EXPECT_NE(of_a_frame(), before);
}

TEST_F(FingerprintTest, IsAnotherForAnotherColourOrAnotherPlace) {
  const std::uint64_t before = of_a_frame();
  t.panel.palette = Palette::kIcubLight;
  EXPECT_NE(of_a_frame(), before);
  t.panel.palette = Palette::kIcubDark;
  EXPECT_EQ(of_a_frame(), before);
  view.state.side_part += 0.001F;
  EXPECT_NE(of_a_frame(), before);
}

TEST_F(FingerprintTest, IsAnotherAsTheCountdownOfArmedGoesOn) {
  t.panel.set_access(Access::kArmed);
  const std::uint64_t before = of_a_frame();
  t.now += 1.5;
  EXPECT_NE(of_a_frame(), before);
}

}  // namespace
}  // namespace jointrig::gui
