#include "gui/window/opaque_fills.h"

#include <gtest/gtest.h>

#include <vector>

namespace jointrig::gui {
namespace {

constexpr ImU32 kRed = IM_COL32(255, 0, 0, 255);
constexpr ImU32 kVeil = IM_COL32(255, 0, 0, 100);

std::vector<OpaqueFills::Fill> cleared;

struct OpaqueFillsTest : ::testing::Test {
  OpaqueFillsTest() {
    cleared.clear();
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {400, 300};
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImGui::NewFrame();
    draw = ImGui::GetBackgroundDrawList();
  }
  ~OpaqueFillsTest() override { ImGui::DestroyContext(); }

  /// Acts as a renderer: calls callbacks and counts the indices of all else. A negative number
  /// stands for a callback.
  std::vector<int> rendered() {
    ImGui::Render();
    ImDrawData& drawn = *ImGui::GetDrawData();
    fills.take_out(drawn);
    std::vector<int> order;
    unsigned next = 0;
    for (const ImDrawCmd& command : drawn.CmdLists[0]->CmdBuffer) {
      if (command.UserCallback != nullptr) {
        command.UserCallback(drawn.CmdLists[0], &command);
        order.push_back(-1);
        next += 6;
        continue;
      }
      EXPECT_EQ(command.IdxOffset, next) << "nothing is drawn twice or left out";
      next = command.IdxOffset + command.ElemCount;
      order.push_back(static_cast<int>(command.ElemCount));
    }
    return order;
  }

  ImDrawList* draw = nullptr;
  OpaqueFills fills{[](const OpaqueFills::Fill& fill) { cleared.push_back(fill); }};
};

TEST_F(OpaqueFillsTest, ALargeOpaqueRectangleIsCleared) {
  draw->AddRectFilled({10, 20}, {110, 70}, kRed);
  EXPECT_EQ(rendered(), std::vector<int>{-1});
  ASSERT_EQ(cleared.size(), 1U);
  EXPECT_EQ(cleared[0].left, 10);
  EXPECT_EQ(cleared[0].bottom, 230) << "from the bottom of 300";
  EXPECT_EQ(cleared[0].width, 100);
  EXPECT_EQ(cleared[0].height, 50);
  EXPECT_EQ(cleared[0].colour, kRed);
}

TEST_F(OpaqueFillsTest, TheOrderStays) {
  draw->AddRectFilled({0, 0}, {100, 100}, kRed);
  draw->AddRectFilled({0, 0}, {10, 10}, kRed);  // small
  draw->AddRectFilled({0, 0}, {200, 200}, kRed);
  draw->AddRectFilled({0, 0}, {5, 5}, kRed);
  EXPECT_EQ(rendered(), (std::vector<int>{-1, 6, -1, 6}));
  EXPECT_EQ(cleared[1].width, 200);
}

TEST_F(OpaqueFillsTest, WhatLetsSomethingThroughOrIsRoundOrSlantedIsDrawn) {
  draw->AddRectFilled({0, 0}, {200, 200}, kVeil);
  draw->AddRectFilled({0, 0}, {200, 200}, kRed, 8.0F);
  draw->AddQuadFilled({0, 0}, {200, 10}, {200, 210}, {0, 200}, kRed);
  draw->AddRectFilledMultiColor({0, 0}, {200, 200}, kRed, kRed, kVeil, kRed);
  draw->AddImage(nullptr, {0, 0}, {200, 200}, {0, 0}, {1, 1});
  for (const int count : rendered()) EXPECT_GT(count, 0);
  EXPECT_TRUE(cleared.empty());
}

TEST_F(OpaqueFillsTest, WhatIsClippedAwayStaysSo) {
  draw->PushClipRect({50, 50}, {150, 100});
  draw->AddRectFilled({0, 0}, {400, 300}, kRed);
  draw->PopClipRect();
  rendered();
  ASSERT_EQ(cleared.size(), 1U);
  EXPECT_EQ(cleared[0].left, 50);
  EXPECT_EQ(cleared[0].bottom, 200);
  EXPECT_EQ(cleared[0].width, 100);
  EXPECT_EQ(cleared[0].height, 50);
}

TEST_F(OpaqueFillsTest, AnEdgeBetweenPixelsFollowsTheirCentres) {
  draw->AddRectFilled({10.4F, 0.0F}, {110.6F, 50.5F}, kRed);
  rendered();
  ASSERT_EQ(cleared.size(), 1U);
  EXPECT_EQ(cleared[0].left, 10);
  EXPECT_EQ(cleared[0].width, 101);
  EXPECT_EQ(cleared[0].height, 51);
}

}  // namespace
}  // namespace jointrig::gui
