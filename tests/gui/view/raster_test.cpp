#include "gui/window/raster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace jointrig::gui {
namespace {

constexpr int kSize = 32;
constexpr ImU32 kWhite = IM_COL32(255, 255, 255, 255);
constexpr ImU32 kHalf = IM_COL32(255, 255, 255, 128);
constexpr PixelBox kAll{0, 0, kSize, kSize};

struct RasterTest : ::testing::Test {
  [[nodiscard]] std::uint32_t at(int x, int y) const {
    return memory[static_cast<std::size_t>(y * kSize + x)];
  }
  void clear() { std::fill(memory.begin(), memory.end(), 0U); }

  std::vector<std::uint32_t> memory = std::vector<std::uint32_t>(kSize * kSize);
  Pixels pixels{memory.data(), kSize, kSize, kSize};
  std::uint8_t full = 255;
  Texels white{&full, 1, 1, true, 0};
};

ImDrawVert corner(float x, float y, ImU32 colour = kWhite, ImVec2 uv = {}) {
  return {{x, y}, uv, colour};
}

TEST_F(RasterTest, AnOpaqueColourCoversAndItsChannelsAreWhereXLooksForThem) {
  draw_fill(pixels, {2, 3, 5, 4}, IM_COL32(1, 2, 3, 255));
  EXPECT_EQ(at(2, 3), 0x010203U);
  EXPECT_EQ(at(4, 3), 0x010203U);
  EXPECT_EQ(at(1, 3), 0U);
  EXPECT_EQ(at(5, 3), 0U);
  EXPECT_EQ(at(2, 4), 0U);
}

TEST_F(RasterTest, AVeilIsBlended) {
  draw_fill(pixels, kAll, IM_COL32(100, 0, 200, 255));
  draw_fill(pixels, kAll, IM_COL32(200, 100, 0, 51));  // a fifth
  const std::uint32_t pixel = at(7, 7);
  EXPECT_NEAR(pixel >> 16, 120.0, 1.0);
  EXPECT_NEAR((pixel >> 8) & 0xFF, 20.0, 1.0);
  EXPECT_NEAR(pixel & 0xFF, 160.0, 1.0);
}

TEST_F(RasterTest, ATriangleHasThePixelsWhoseCentresAreInside) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> anywhere(-4.0F, kSize + 4.0F);
  for (int round = 0; round < 200; ++round) {
    const ImDrawVert v[3]{corner(anywhere(random), anywhere(random)),
                          corner(anywhere(random), anywhere(random)),
                          corner(anywhere(random), anywhere(random))};
    clear();
    draw_triangle(pixels, kAll, v[0], v[1], v[2], white);
    for (int y = 0; y < kSize; ++y) {
      for (int x = 0; x < kSize; ++x) {
        double nearest = 1e9;  // distance to a side, positive inside
        double turn = 0.0;
        for (int i = 0; i < 3; ++i) {
          const ImVec2 p = v[i].pos;
          const ImVec2 q = v[(i + 1) % 3].pos;
          const ImVec2 r = v[(i + 2) % 3].pos;
          const double dx = q.x - p.x;
          const double dy = q.y - p.y;
          turn = dx * (r.y - p.y) - dy * (r.x - p.x);
          const double side = dx * (y + 0.5 - p.y) - dy * (x + 0.5 - p.x);
          nearest = std::min(nearest, side * (turn > 0 ? 1.0 : -1.0) / std::hypot(dx, dy));
        }
        if (std::abs(nearest) < 0.01) continue;  // a matter of rounding
        EXPECT_EQ(at(x, y) != 0, nearest > 0) << "round " << round << ", " << x << ", " << y;
      }
    }
  }
}

TEST_F(RasterTest, TwoTrianglesThatShareASideShareNoPixelAndLeaveNoneOut) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> near(-6.0F, 6.0F);
  for (int round = 0; round < 200; ++round) {
    // Around a point inside: corners on pixel centres make sides that go through centres.
    const float snap = round % 2 == 0 ? 1.0F : 0.25F;
    const auto place = [&](float x) { return std::round((x + near(random)) / snap) * snap + 0.5F; };
    const ImDrawVert middle = corner(place(16.0F), place(16.0F), kHalf);
    clear();
    const ImDrawVert corners[4]{corner(0.5F, 0.5F, kHalf), corner(31.5F, 0.5F, kHalf),
                                corner(31.5F, 31.5F, kHalf), corner(0.5F, 31.5F, kHalf)};
    for (int i = 0; i < 4; ++i) {
      draw_triangle(pixels, kAll, middle, corners[i], corners[(i + 1) % 4], white);
    }
    const std::uint32_t once = at(1, 2);
    EXPECT_NE(once, 0U);
    for (int y = 0; y < 31; ++y) {
      for (int x = 0; x < 31; ++x) EXPECT_EQ(at(x, y), once) << round << ": " << x << ", " << y;
    }
  }
}

TEST_F(RasterTest, ColoursGoEvenlyFromCornerToCorner) {
  const ImDrawVert left = corner(0, -32, IM_COL32(0, 0, 0, 255));
  const ImDrawVert low = corner(0, 96, IM_COL32(0, 0, 0, 255));
  const ImDrawVert right = corner(64, 32, IM_COL32(255, 128, 0, 255));
  draw_triangle(pixels, kAll, left, low, right, white);
  for (const int x : {0, 8, 31}) {
    EXPECT_NEAR(at(x, 16) >> 16, 255.0 * (x + 0.5) / 64.0, 1.0);
    EXPECT_NEAR((at(x, 16) >> 8) & 0xFF, 128.0 * (x + 0.5) / 64.0, 1.0);
  }
}

TEST_F(RasterTest, AGlyphIsItsAlphaInTheColourOfTheText) {
  const std::uint8_t glyph[4]{255, 0, 0, 255};  // two by two
  const Texels texels{glyph, 2, 2, true, 1};
  const ImU32 red = IM_COL32(255, 0, 0, 255);
  draw_sprite(pixels, {4, 4, 8, 8}, corner(4, 4, red, {0, 0}), corner(8, 8, red, {1, 1}), texels);
  EXPECT_EQ(at(4, 4), 0xFF0000U);
  EXPECT_EQ(at(5, 5), 0xFF0000U);
  EXPECT_EQ(at(6, 5), 0U);
  EXPECT_EQ(at(6, 6), 0xFF0000U);
}

TEST_F(RasterTest, AnImageMayStandOnItsHead) {
  const std::uint8_t image[8]{10, 20, 30, 255, 40, 50, 60, 255};  // one above the other
  const Texels texels{image, 1, 2, false, 1};
  draw_sprite(pixels, {0, 0, 4, 4}, corner(0, 0, kWhite, {0, 1}), corner(4, 4, kWhite, {1, 0}),
              texels);
  EXPECT_EQ(at(1, 0), 0x28323CU);
  EXPECT_EQ(at(1, 3), 0x0A141EU);
}

}  // namespace
}  // namespace jointrig::gui
