#include "gui/view/box_grid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jointrig::gui {
namespace {

// The page of boxes in windows of 1920x1080 and 1280x800, as they are at the start.
const ImVec2 kLarge{1250, 740};
const ImVec2 kSmall{825, 490};

float used(const BoxGrid& grid, std::size_t joints, ImVec2 room) {
  const auto columns = static_cast<float>(grid.columns(room.x));
  const float lines = std::ceil(static_cast<float>(joints) / columns);
  return lines * (grid.box.y + grid.gap) - grid.gap;
}

TEST(BoxGrid, ShowsTheRichestBoxesOfWhichAllFit) {
  EXPECT_EQ(fitting_grid(1, kLarge, 1.0F).size, BoxSize::kFull);
  EXPECT_EQ(fitting_grid(8, kLarge, 1.0F).size, BoxSize::kFull);
  EXPECT_EQ(fitting_grid(12, kLarge, 1.0F).size, BoxSize::kFull) << "with less of its trace";
  EXPECT_EQ(fitting_grid(16, kLarge, 1.0F).size, BoxSize::kRow) << "an arm with its hand";
  EXPECT_EQ(fitting_grid(41, kLarge, 1.0F).size, BoxSize::kChip);
  EXPECT_EQ(fitting_grid(1, kSmall, 1.0F).size, BoxSize::kFull);
  EXPECT_EQ(fitting_grid(8, kSmall, 1.0F).size, BoxSize::kRow);
  EXPECT_EQ(fitting_grid(41, kSmall, 1.0F).size, BoxSize::kChip);
}

TEST(BoxGrid, BoxesInFullGrowIntoThePageAndNeverBeyondIt) {
  for (const ImVec2 room : {kLarge, kSmall}) {
    for (std::size_t joints = 1; joints <= 60; ++joints) {
      SCOPED_TRACE(joints);
      const BoxGrid grid = fitting_grid(joints, room, 1.0F);
      if (grid.size == BoxSize::kChip) continue;  // they scroll where they must
      EXPECT_LE(used(grid, joints, room), room.y + 0.5F);
      EXPECT_LE(grid.box.x, room.x + 0.5F);
    }
  }
  // Two lines of four: (740 − 8) / 2 high, (1250 − 3 · 8) / 4 wide.
  const BoxGrid eight = fitting_grid(8, kLarge, 1.0F);
  EXPECT_NEAR(eight.box.y, 366.0F, 0.01F);
  EXPECT_NEAR(eight.box.x, 306.5F, 0.01F);
}

TEST(BoxGrid, OneJointHasABoxOfItsOwnSizeAndNotOfTheWholePage) {
  const BoxGrid one = fitting_grid(1, kLarge, 1.0F);
  EXPECT_NEAR(one.box.x, 2.2F * 296.0F, 0.01F);
  EXPECT_NEAR(one.box.y, 1.6F * 286.0F, 0.01F);
}

TEST(BoxGrid, RowsThatAllFitFillThePage) {
  for (std::size_t joints = 13; joints <= 16; ++joints) {
    SCOPED_TRACE(joints);
    const BoxGrid rows = fitting_grid(joints, kLarge, 1.0F);
    ASSERT_EQ(rows.size, BoxSize::kRow);
    EXPECT_NEAR(used(rows, joints, kLarge), kLarge.y, 0.5F);
  }
}

// An iCub's upper body: head, torso and two arms, 6 to a line of 1250 px.
TEST(BoxGrid, ChipsUnderHeadingsGrowIntoThePageOrStayLowIfTheyScroll) {
  constexpr std::size_t kParts[]{6, 3, 16, 16};
  constexpr float kHeading = 20.0F;
  BoxGrid large = fitting_grid(41, kLarge, 1.0F);
  fill_below_headings(large, kParts, kHeading, kLarge, 1.0F);
  constexpr float kLines = 1 + 1 + 3 + 3;
  EXPECT_NEAR(kLines * (large.box.y + large.gap) - large.gap + 4 * kHeading, kLarge.y, 0.5F);
  EXPECT_GE(large.box.y, kTallChip);
  BoxGrid small = fitting_grid(41, kSmall, 1.0F);
  fill_below_headings(small, kParts, kHeading, kSmall, 1.0F);
  EXPECT_EQ(small.box.y, 56.0F);
}

TEST(BoxGrid, AllOfItGrowsWithTheScaleOfTheMonitor) {
  const BoxGrid one = fitting_grid(8, kSmall, 1.0F);
  const BoxGrid two = fitting_grid(8, {2 * kSmall.x, 2 * kSmall.y}, 2.0F);
  EXPECT_EQ(one.size, two.size);
  EXPECT_NEAR(two.box.x, 2.0F * one.box.x, 0.01F);
  EXPECT_NEAR(two.box.y, 2.0F * one.box.y, 0.01F);
}

}  // namespace
}  // namespace jointrig::gui
