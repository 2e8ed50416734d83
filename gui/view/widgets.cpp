#include "gui/view/widgets.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr float kTipAfter = 0.6F;  // s for which the pointer must rest

}  // namespace

void tip(const std::string& text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  if (ImGui::GetCurrentContext()->HoveredIdTimer < kTipAfter) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28.0F);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool coloured_button(const ViewContext& ctx, const char* label, Rgb fill, Rgb text, ImVec2 size,
                     const std::string& why_not) {
  ImGui::BeginDisabled(!why_not.empty());
  ImGui::PushStyleColor(ImGuiCol_Button, colour(fill));
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour(fill, 0.85F));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, colour(fill, 0.7F));
  ImGui::PushStyleColor(ImGuiCol_Text, colour(text));
  ImGui::PushFont(ctx.fonts.bold);
  const bool pressed = ImGui::Button(label, size);
  ImGui::PopFont();
  ImGui::PopStyleColor(4);
  ImGui::EndDisabled();
  tip(why_not);
  return pressed;
}

bool guarded_button(const char* label, const std::string& why_not, const std::string& help) {
  ImGui::BeginDisabled(!why_not.empty());
  const bool pressed = ImGui::Button(label);
  ImGui::EndDisabled();
  tip(why_not.empty() ? help : why_not);
  return pressed;
}

bool hold_button(const ViewContext& ctx, const char* label, const std::string& help,
                 const std::string& why_not) {
  HoldGuard& guard = ctx.state.holds[ImGui::GetID(label)];
  ImGui::BeginDisabled(!why_not.empty());
  ImGui::Button(label);
  const bool down = ImGui::IsItemActive() && ImGui::IsItemHovered() && why_not.empty();
  ImGui::EndDisabled();
  const bool fired = guard.update(down, ctx.now());
  const auto part = static_cast<float>(guard.progress(ctx.now()));
  if (part > 0.0F) {
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 to = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled(
        from, {from.x + (to.x - from.x) * part, to.y},
        colour(ctx.theme().accent, part < 1.0F ? 0.45F : 0.7F), ImGui::GetStyle().FrameRounding);
  }
  tip(why_not.empty() ? help + "\nHold for 0.8 s." : why_not);
  return fired;
}

bool text_field(const char* label, const char* hint, std::string& text, float width,
                bool on_enter) {
  ImGui::SetNextItemWidth(width);
  return ImGui::InputTextWithHint(
      label, hint, &text,
      on_enter ? ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll : 0);
}

bool number_field(const char* label, std::string& text, float width) {
  ImGui::SetNextItemWidth(width);
  return ImGui::InputText(label, &text, ImGuiInputTextFlags_AutoSelectAll);
}

void splitter(const char* name, bool vertical, float length, float total, float& part, float least,
              float most) {
  const float thick = ImGui::GetStyle().ItemSpacing.x;
  ImGui::InvisibleButton(name, vertical ? ImVec2(thick, length) : ImVec2(length, thick));
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                              ImGui::GetColorU32(ImGuiCol_SeparatorHovered));
  }
  if (!ImGui::IsItemActive() || total <= 0.0F) return;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  part = std::clamp(part - (vertical ? moved.x : moved.y) / total, least, most);
}

void same_line_if_fits(const ViewContext& ctx, float width, float gap_at_scale_1) {
  const float gap = ctx.px(gap_at_scale_1);
  const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (ImGui::GetItemRectMax().x + gap + width <= end) ImGui::SameLine(0, gap);
}

float button_width(const std::string& label) {
  return ImGui::CalcTextSize(label.c_str(), nullptr, /*hide_text_after_double_hash=*/true).x +
         2.0F * ImGui::GetStyle().FramePadding.x;
}

float width_of(const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }

void text_at(ImDrawList* draw, ImVec2 at, Rgb rgb, const std::string& text, float width) {
  if (width <= 0.0F) {
    draw->AddText(at, colour(rgb), text.c_str());
    return;
  }
  const bool fits = width_of(text) <= width;
  const std::string shown = fits ? text : wrapped_lines(*ImGui::GetFont(), text, width, 1).front();
  const ImVec4 clip{at.x, at.y - 4.0F, at.x + width, at.y + 2.0F * ImGui::GetFontSize()};
  draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, colour(rgb), shown.c_str(), nullptr,
                0.0F, &clip);
}

std::vector<std::string> wrapped_lines(const ImFont& font, const std::string& text, float width,
                                       std::size_t most) {
  std::vector<std::string> lines;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto width_from = [&](const char* from, float room, const char** left) {
    return font.CalcTextSizeA(font.FontSize, room, 0.0F, from, end, left).x;
  };
  while (at < end && lines.size() < most) {
    const char* next = end;
    if (lines.size() + 1 < most) {
      next = std::max(at + 1, font.CalcWordWrapPositionA(1.0F, at, end, width));
      lines.emplace_back(at, next);
    } else if (width_from(at, FLT_MAX, nullptr) <= width) {
      lines.emplace_back(at, end);
    } else {
      constexpr const char* kCut = "…";
      const float room = width - font.CalcTextSizeA(font.FontSize, FLT_MAX, 0.0F, kCut).x;
      const char* left = at;
      width_from(at, std::max(room, 1.0F), &left);
      lines.push_back(std::string(at, left) + kCut);
    }
    at = next;
    while (at < end && (*at == ' ' || *at == '\n')) ++at;
  }
  return lines;
}

void fitted_text(const ViewContext& ctx, ImVec2 from, ImVec2 to, Rgb rgb, const std::string& text) {
  const float width = to.x - from.x;
  if (width <= 0.0F) return;
  const bool is_short = width_of(text) <= width && text.find('\n') == std::string::npos;
  if (!is_short) ImGui::PushFont(ctx.fonts.small);
  const float line = ImGui::GetFontSize();
  const auto most = static_cast<std::size_t>(std::max(1.0F, std::floor((to.y - from.y) / line)));
  const std::vector<std::string> lines = wrapped_lines(*ImGui::GetFont(), text, width, most);
  const float height = line * static_cast<float>(lines.size());
  float y = std::floor(0.5F * (from.y + to.y - height));
  for (const std::string& one : lines) {
    text_at(ImGui::GetWindowDrawList(), {from.x, y}, rgb, one);
    y += line;
  }
  if (!is_short) ImGui::PopFont();
}

void hatch(ImDrawList* draw, ImVec2 from, ImVec2 to, ImU32 ink, float spacing) {
  const float height = to.y - from.y;
  draw->PushClipRect(from, to, true);
  const int lines = static_cast<int>(std::ceil((to.x - from.x + height) / spacing));
  for (int i = 0; i < lines; ++i) {
    const float x = from.x - height + static_cast<float>(i) * spacing;
    draw->AddLine({x, to.y}, {x + height, from.y}, ink, spacing * 0.22F);
  }
  draw->PopClipRect();
}

}  // namespace jointrig::gui
