#include "app/gui/layout_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/app/gui/scratch.h"

namespace jointrig::testing {
namespace {

TEST(LayoutFile, WhatIsWrittenIsReadAgainTheSame) {
  const Scratch scratch;
  Layout layout;
  layout.boxes = BoxSize::kRow;
  layout.side = SideTab::kSequence;
  layout.side_part = 0.4321F;
  layout.events_part = 0.25F;
  layout.scene_open = false;
  layout.scene_part = 0.625F;
  layout.events = EventSeverity::kWarning;
  layout.palette = Palette::kIcubLight;
  layout.width = 1600;
  layout.magnification = 1.21F;
  layout.height = 900;
  const std::string path = scratch.path("deep/down/panel.yaml");
  ASSERT_TRUE(write_layout(layout, path));
  EXPECT_EQ(read_layout(path), layout);
}

TEST(LayoutFile, AMissingOrABrokenFileGivesTheDefaults) {
  const Scratch scratch;
  EXPECT_EQ(read_layout(scratch.path("none.yaml")), Layout{});
  EXPECT_EQ(read_layout(scratch.write("broken.yaml", "boxes: [")), Layout{});
}

TEST(LayoutFile, WhatItDoesNotKnowKeepsItsDefault) {
  const Scratch scratch;
  const Layout read = read_layout(scratch.write(
      "other.yaml", "boxes: huge\nside: Plots\nside_part: wide\nwidth: 7\nheight: 900\nnew: 1\n"));
  Layout expected;
  expected.height = 900;
  EXPECT_EQ(read, expected);
}

TEST(LayoutFile, StandsWhereTheSystemKeepsSuchFiles) {
  const char* before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before != nullptr ? before : "";
  ASSERT_EQ(setenv("XDG_CONFIG_HOME", "/somewhere", 1), 0);
  EXPECT_EQ(layout_path(), "/somewhere/jointrig/panel.yaml");
  before != nullptr ? setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
}

TEST(LayoutFile, AFolderThatCannotBeWrittenIsNoCrash) {
  const Scratch scratch;
  static_cast<void>(scratch.write("file", ""));
  EXPECT_FALSE(write_layout(Layout{}, scratch.path("file/panel.yaml")));
}

}  // namespace
}  // namespace jointrig::testing
