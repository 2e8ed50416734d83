#include "gui/window/tiled_picture.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/gui/view/headless_view.h"

namespace jointrig::gui {
namespace {

constexpr ImU32 kTileRed = IM_COL32(255, 0, 0, 255);
constexpr ImU32 kBlue = IM_COL32(0, 0, 255, 255);
constexpr int kTile = TiledPicture::kTile;

Texels font_texels(ImTextureID /*only one*/) {
  const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  return {fonts.TexPixelsAlpha8, fonts.TexWidth, fonts.TexHeight, true, 0};
}

/// A picture and the memory of its pixels.
struct Canvas {
  Canvas(int width, int height) : memory(static_cast<std::size_t>(width * height)) {
    picture.use({memory.data(), width, height, width});
  }
  const std::vector<PixelBox>& draw() { return picture.draw(*ImGui::GetDrawData(), font_texels); }
  std::vector<std::uint32_t> memory;
  TiledPicture picture;
};

struct TiledPictureTest : ::testing::Test {
  static constexpr int kWidth = 5 * kTile + 10;
  static constexpr int kHeight = 3 * kTile;
  TiledPictureTest() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {kWidth, kHeight};
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  }
  ~TiledPictureTest() override { ImGui::DestroyContext(); }

  template <typename Draw>
  std::vector<PixelBox> frame(const Draw& draw) {
    ImGui::NewFrame();
    draw(*ImGui::GetBackgroundDrawList());
    ImGui::Render();
    return canvas.draw();
  }
  [[nodiscard]] std::uint32_t at(int x, int y) const {
    return canvas.memory[static_cast<std::size_t>(y * kWidth + x)];
  }

  Canvas canvas{kWidth, kHeight};
};

TEST_F(TiledPictureTest, TheFirstFrameIsDrawnWholeAndTheSameAgainNotAtAll) {
  const auto same = [](ImDrawList& draw) { draw.AddRectFilled({10, 10}, {20, 20}, kTileRed); };
  const std::vector<PixelBox> rows{
      {0, 0, kWidth, kTile}, {0, kTile, kWidth, 2 * kTile}, {0, 2 * kTile, kWidth, 3 * kTile}};
  EXPECT_EQ(frame(same), rows);
  EXPECT_EQ(at(15, 15), 0xFF0000U);
  EXPECT_TRUE(frame(same).empty());
  canvas.picture.forget();
  EXPECT_EQ(frame(same), rows);
}

TEST_F(TiledPictureTest, WhatMovesIsDrawnWhereItWasAndWhereItIs) {
  frame([](ImDrawList& draw) { draw.AddRectFilled({10, 10}, {20, 20}, kTileRed); });
  const auto moved = frame([](ImDrawList& draw) {
    draw.AddRectFilled({10.0F + 3 * kTile, 10}, {20.0F + 3 * kTile, 20}, kTileRed);
  });
  EXPECT_EQ(moved, (std::vector<PixelBox>{{0, 0, kTile, kTile}, {3 * kTile, 0, 4 * kTile, kTile}}));
  EXPECT_EQ(at(15, 15), 0U);
  EXPECT_EQ(at(15 + 3 * kTile, 15), 0xFF0000U);
}

TEST_F(TiledPictureTest, WhatIsHiddenMayChangeUnseen) {
  const auto over = [](float hidden_at) {
    return [hidden_at](ImDrawList& draw) {
      draw.AddRectFilled({hidden_at, 10}, {hidden_at + 5, 20}, kTileRed);
      draw.AddRectFilled({0, 0}, {kWidth, kHeight}, kBlue);
    };
  };
  frame(over(10));
  EXPECT_TRUE(frame(over(30)).empty());
  EXPECT_EQ(at(12, 15), 0x0000FFU);
}

TEST_F(TiledPictureTest, TheOrderOfTwoOnOnePlaceCounts) {
  const auto both = [](ImU32 first, ImU32 second) {
    return [=](ImDrawList& draw) {
      draw.AddRectFilled({10, 10}, {20, 20}, first);
      draw.AddRectFilled({10, 10}, {20, 20}, second);
    };
  };
  frame(both(kTileRed, kBlue));
  EXPECT_EQ(at(15, 15), 0x0000FFU);
  EXPECT_EQ(frame(both(kBlue, kTileRed)).size(), 1U);
  EXPECT_EQ(at(15, 15), 0xFF0000U);
}

TEST_F(TiledPictureTest, WhatIsClippedAwayStaysSo) {
  frame([](ImDrawList& draw) {
    draw.PushClipRect({12, 12}, {14, 14});
    draw.AddRectFilled({0, 0}, {100, 100}, kTileRed);
    draw.AddTriangleFilled({0, 0}, {100, 0}, {0, 100}, kTileRed);
    draw.PopClipRect();
  });
  EXPECT_EQ(at(12, 12), 0xFF0000U);
  EXPECT_EQ(at(13, 13), 0xFF0000U);
  EXPECT_EQ(at(14, 13), 0U);
  EXPECT_EQ(at(11, 12), 0U);
}

TEST(TiledPicture, OfThePanelIsTheSameWhetherDrawnByPiecesOrAtOnce) {
  testing::RigWithPanel rig;
  testing::HeadlessView view(rig);
  Canvas by_pieces(1920, 1080);
  Canvas at_once(1920, 1080);
  rig.panel.set_access(Access::kArmed);
  std::size_t drawn = 0;
  const auto compare = [&] {
    for (const PixelBox& box : by_pieces.draw()) {
      drawn += static_cast<std::size_t>((box.right - box.left) * (box.bottom - box.top));
    }
    at_once.picture.forget();
    at_once.draw();
    ASSERT_EQ(by_pieces.memory, at_once.memory);
  };
  view.look(2);
  compare();
  for (const char* item : {"size/full", "side/Faults", "side/Plots", "plot/cursors", "size/rows"}) {
    view.click(item);
    compare();
  }
  const std::size_t before = drawn;
  for (int i = 0; i < 10; ++i) {
    view.frame();
    compare();
  }
  EXPECT_GT(drawn, before);
  EXPECT_LT(drawn, before + 10U * 1920U * 1080U / 2U) << "most of the window stays as it is";
}

}  // namespace
}  // namespace jointrig::gui
