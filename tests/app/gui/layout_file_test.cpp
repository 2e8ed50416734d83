#include "app/gui/layout_file.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/app/gui/scratch.h"

namespace jointrig::app {
namespace {

TEST(LayoutFile, WhatIsWrittenIsReadAgainTheSame) {
  const testing::Scratch scratch;
  gui::Layout layout;
  layout.boxes = gui::BoxSize::kRow;
  layout.side = gui::SideTab::kSequence;
  layout.side_part = 0.4321F;
  layout.events_part = 0.25F;
  layout.scene_open = false;
  layout.scene_part = 0.625F;
  layout.events = EventSeverity::kWarning;
  layout.palette = gui::Palette::kIcubLight;
  layout.width = 1600;
  layout.magnification = 1.21F;
  layout.height = 900;
  const std::string path = scratch.path("deep/down/panel.yaml");
  ASSERT_EQ(write_layout(layout, path), "");
  EXPECT_EQ(read_layout(path), layout);
}

TEST(LayoutFile, AMissingOrABrokenFileGivesTheDefaults) {
  const testing::Scratch scratch;
  EXPECT_EQ(read_layout(scratch.path("none.yaml")), gui::Layout{});
  EXPECT_EQ(read_layout(scratch.write("broken.yaml", "boxes: [")), gui::Layout{});
}

TEST(LayoutFile, WhatItDoesNotKnowKeepsItsDefault) {
  const testing::Scratch scratch;
  const gui::Layout read = read_layout(scratch.write(
      "other.yaml", "boxes: huge\nside: Plots\nside_part: wide\nwidth: 7\nheight: 900\nnew: 1\n"));
  gui::Layout expected;
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
  const testing::Scratch scratch;
  static_cast<void>(scratch.write("file", ""));
  EXPECT_NE(write_layout(gui::Layout{}, scratch.path("file/panel.yaml")), "");
}

}  // namespace
}  // namespace jointrig::app
