#include "gui/view/stop_corner.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

// Sizes at scale 1 [px]: STOP is the largest thing to press; the gap keeps a hand that aims at it
// from OFF, which lets loaded joints fall.
constexpr float kStopWidth = 116.0F;
constexpr float kCornerHeight = 74.0F;
constexpr float kGap = 16.0F;
constexpr float kOffWidth = 60.0F;

constexpr Rgb kStopText{255, 255, 255};
constexpr Rgb kOffFill{70, 20, 22};
constexpr int kMouseButtons = 3;  // left, right, middle

bool contains(const ImVec4& box, ImVec2 at) noexcept {
  return at.x >= box.x && at.x < box.z && at.y >= box.y && at.y < box.w;
}

/// Presses since the last frame: those that the window saw, with their places at that moment, and
/// those of ImGui.
std::vector<MousePress> presses_of(const KeyInput& input) {
  const ImGuiIO& io = ImGui::GetIO();
  std::vector<MousePress> presses = input.presses;
  for (int button = 0; button < kMouseButtons; ++button) {
    if (io.MouseClicked[button]) presses.push_back({io.MousePos, button});
  }
  return presses;
}

/// Hides this frame's presses from ImGui.
void swallow_presses() {
  constexpr float kNotNew = 1e-4F;  // s: ImGui takes 0 for a new press
  ImGuiIO& io = ImGui::GetIO();
  for (int button = 0; button < kMouseButtons; ++button) {
    if (!io.MouseClicked[button]) continue;
    io.MouseClicked[button] = io.MouseDoubleClicked[button] = false;
    io.MouseDownDuration[button] = kNotNew;
  }
}

/// A tip below the corner, which is drawn over all else.
void tip_below(const ViewContext& ctx, const ImVec4& box, const std::string& text) {
  if (ImGui::IsItemHovered()) ImGui::SetNextWindowPos({box.x + ctx.px(4), box.w + ctx.px(4)});
  tip(text);
  ImGui::GetCurrentContext()->NextWindowData.ClearFlags();  // there may have been none yet
}

void block(const ViewContext& ctx, const char* name, const ImVec4& box, Rgb fill, const char* text,
           ImFont* font) {
  const ImVec2 from{box.x, box.y};
  const ImVec2 to{box.z, box.w};
  ImGui::SetCursorScreenPos(from);
  ImGui::PushID(name);
  ImGui::InvisibleButton("place", {to.x - from.x, to.y - from.y});
  ImGui::PopID();
  ctx.note(name);
  const bool hovered = contains(box, ImGui::GetIO().MousePos);
  ImDrawList* draw = ImGui::GetForegroundDrawList();
  draw->AddRectFilled(from, to, colour(hovered ? mixed(fill, kStopText, 0.12) : fill));
  ImGui::PushFont(font);
  const ImVec2 size = ImGui::CalcTextSize(text);
  draw->AddText(
      {std::floor(0.5F * (from.x + to.x - size.x)), std::floor(0.5F * (from.y + to.y - size.y))},
      colour(kStopText), text);
  ImGui::PopFont();
}

}  // namespace

StopCorner stop_corner(float scale) noexcept {
  const float off = kStopWidth + kGap;
  return {{0.0F, 0.0F, kStopWidth * scale, kCornerHeight * scale},
          {off * scale, 0.0F, (off + kOffWidth) * scale, kCornerHeight * scale}};
}

void end_gestures() {
  ImGuiContext& imgui = *ImGui::GetCurrentContext();
  if (imgui.OpenPopupStack.Size > 0) ImGui::ClosePopupToLevel(0, true);
  if (imgui.DragDropActive) ImGui::ClearDragDrop();
  ImGui::ClearActiveID();
}

void stop_now(const ViewContext& ctx) {
  ctx.panel.stop_all();
  end_gestures();
}

void off_now(const ViewContext& ctx) {
  ctx.panel.off_all();
  end_gestures();
}

void act_on_stop(const ViewContext& ctx, const KeyInput& input) {
  const StopCorner corner = stop_corner(ctx.fonts.scale);
  const std::vector<MousePress> presses = presses_of(input);
  const auto any = [&](auto&& hit) { return std::any_of(presses.begin(), presses.end(), hit); };
  const bool stop = any([&](const MousePress& p) { return contains(corner.stop, p.at); });
  const bool off =
      any([&](const MousePress& p) { return p.button == 0 && contains(corner.off, p.at); });
  if (off) off_now(ctx);
  if (stop) stop_now(ctx);
  if (stop || off) swallow_presses();
}

void draw_stop_corner(const ViewContext& ctx) {
  const StopCorner corner = stop_corner(ctx.fonts.scale);
  block(ctx, "stop", corner.stop, ctx.theme().stop, "STOP", ctx.fonts.large);
  tip_below(ctx, corner.stop,
            "Every joint brakes and holds; torque and openloop become position. Never asks. F10.");
  block(ctx, "off", corner.off, kOffFill, "OFF", ctx.fonts.bold);
  tip_below(ctx, corner.off, "Every motor off: loaded joints fall. Ctrl+Space.");
}

}  // namespace jointrig::gui
