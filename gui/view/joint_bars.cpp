#include "gui/view/joint_bars.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr double kTraceSeconds = 5.0;
constexpr float kFullError = 20.0F;   // the bar is full at a twentieth of the range
constexpr double kBlinkPeriod = 1.0;  // s

float lerp(float from, float to, double part) {
  return from + (to - from) * static_cast<float>(part);
}

}  // namespace

void draw_bar(const ViewContext& ctx, ImVec2 from, ImVec2 to, const Bar& bar) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& theme = ctx.theme();
  const auto x_of = [&](double value) { return lerp(from.x, to.x, bar.place(value)); };
  draw->AddRectFilled(from, to, colour(theme.raised), ctx.px(2));
  draw->AddRectFilled(from, {x_of(bar.soft_low), to.y}, colour(theme.error, 0.35F));
  draw->AddRectFilled({x_of(bar.soft_high), from.y}, to, colour(theme.error, 0.35F));
  const double zero = std::clamp(0.0, bar.low, bar.high);
  const float x0 = x_of(zero);
  const float x = x_of(bar.value);
  draw->AddRectFilled({std::min(x0, x), from.y}, {std::max(x0, x), to.y},
                      colour(theme.accent, 0.30F));
  draw->AddLine({x0, from.y}, {x0, to.y}, colour(theme.line));
  draw->AddRectFilled({x - ctx.px(1.5F), from.y - ctx.px(1)}, {x + ctx.px(1.5F), to.y + ctx.px(1)},
                      colour(theme.accent));
  if (!bar.has_reference) return;
  const float r = x_of(bar.reference);
  const float half = ctx.px(4);
  draw->AddTriangleFilled({r - half, from.y - half}, {r + half, from.y - half},
                          {r, from.y + half * 0.6F}, colour(theme.asked));
}

void draw_error_bar(const ViewContext& ctx, ImVec2 from, ImVec2 to, const JointStatus& status) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& theme = ctx.theme();
  draw->AddRectFilled(from, to, colour(theme.raised), ctx.px(2));
  const float middle = 0.5F * (from.x + to.x);
  if (status.has_reference) {
    const double range = std::max(1e-9, status.position.high - status.position.low);
    const double part = std::clamp(kFullError * status.error / range, -1.0, 1.0);
    const float x = middle + static_cast<float>(part) * 0.5F * (to.x - from.x);
    draw->AddRectFilled({std::min(middle, x), from.y}, {std::max(middle, x), to.y},
                        colour(theme.asked));
  }
  draw->AddLine({middle, from.y - 1}, {middle, to.y + 1}, colour(theme.soft));
}

void draw_trace(const ViewContext& ctx, JointIndex joint, ImVec2 from, ImVec2 to) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& theme = ctx.theme();
  draw->AddRectFilled(from, to, colour(theme.window), ctx.px(2));
  const float middle = 0.5F * (from.y + to.y);
  draw->AddLine({from.x, middle}, {to.x, middle}, colour(theme.line));
  const SampleRing& error = ctx.history.live(ctx.history.signal(joint, JointTrace::kError));
  const double last = ctx.history.index_of(ctx.history.newest());
  const double first = last - kTraceSeconds / ctx.history.period();
  static thread_local std::vector<Extremes> found;
  found.resize(static_cast<std::size_t>(std::max(1.0F, (to.x - from.x) / ctx.px(1))));
  columns(error, first, last, found);
  Extremes all;
  for (const Extremes& e : found) all.add(e);
  if (all.empty()) {
    ImGui::PushFont(ctx.fonts.small);
    text_at(draw, {from.x + ctx.px(3), from.y}, theme.soft, "no position is followed");
    ImGui::PopFont();
    return;
  }
  // At least a tenth of a degree or millimetre fills it, so that noise isn't magnified.
  const float full = std::max({std::abs(all.low), std::abs(all.high), 0.1F});
  const float half = 0.5F * (to.y - from.y) - 1.0F;
  Extremes before;
  for (std::size_t i = 0; i < found.size(); ++i) {
    Extremes joined = found[i];
    if (found[i].empty()) {
      before = {};
      continue;
    }
    // A rising line continues where the column before ended.
    if (!before.empty())
      joined.add(std::clamp(0.5F * (joined.low + joined.high), before.low, before.high));
    before = found[i];
    const float x = from.x + static_cast<float>(i) * ctx.px(1);
    draw->AddRectFilled({x, middle - half * joined.high / full - 0.5F},
                        {x + ctx.px(1), middle - half * joined.low / full + 0.5F},
                        colour(theme.asked));
  }
  ImGui::PushFont(ctx.fonts.small);
  const std::string text = fmt::format(
      "±{:.3g}{}", full, ctx.history.unit(ctx.history.signal(joint, JointTrace::kError)));
  text_at(draw, {from.x + ctx.px(3), from.y}, theme.soft, text);
  ImGui::PopFont();
}

ImU32 hatch_ink(const ModeStyle& style) {
  const bool light_text = style.text.r > 127;
  return light_text ? colour({0, 0, 0}, 0.38F) : colour({255, 255, 255}, 0.6F);
}

void draw_frame(const ViewContext& ctx, JointIndex joint, const JointStatus& status, ImVec2 from,
                ImVec2 to, float title_height) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& theme = ctx.theme();
  const ModeStyle style = style_of(status.look, ctx.panel.palette);
  const float rounding = status.compliant ? ctx.px(9) : 0.0F;
  draw->AddRectFilled(from, to, colour(theme.box), rounding);
  const ImVec2 title_end{to.x, from.y + title_height};
  draw->AddRectFilled(
      from, title_end, colour(style.fill), rounding,
      title_height < to.y - from.y ? ImDrawFlags_RoundCornersTop : ImDrawFlags_RoundCornersAll);
  if (status.compliant) {
    hatch(draw, {from.x + rounding * 0.3F, from.y}, {to.x - rounding * 0.3F, title_end.y},
          hatch_ink(style), ctx.px(9));
  }
  draw->AddRect(from, to, colour(status.compliant ? style.fill : theme.line), rounding, 0,
                ctx.px(status.compliant ? 2.0F : 1.0F));
  if (status.silent) {
    draw->AddLine(from, to, colour(theme.soft), ctx.px(1.5F));
    draw->AddLine({from.x, to.y}, {to.x, from.y}, colour(theme.soft), ctx.px(1.5F));
  }
  if (ctx.panel.selected == joint) {
    const float out = ctx.px(2);
    draw->AddRect({from.x - out, from.y - out}, {to.x + out, to.y + out}, colour(theme.accent),
                  rounding, 0, ctx.px(2));
  }
  if (status.faulted) {
    const bool bright = std::fmod(ctx.now(), kBlinkPeriod) < 0.5 * kBlinkPeriod ||
                        ctx.panel.watch.fault_record(joint).acknowledged;
    draw->AddRect(from, to, colour(theme.error, bright ? 1.0F : 0.45F), rounding, 0, ctx.px(3));
  }
}

float draw_badges(const ViewContext& ctx, const JointStatus& status, ImVec2 at, float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Theme& theme = ctx.theme();
  ImGui::PushFont(ctx.fonts.small);
  float x = at.x;
  for (const JointBadge& badge : status.badges) {
    const float w = width_of(badge.text) + ctx.px(8);
    if (x + w > at.x + width) break;
    const bool calm = badge.kind == BadgeKind::kMoving;
    const ImVec2 to{x + w, at.y + ImGui::GetFontSize() + ctx.px(3)};
    draw->AddRectFilled({x, at.y}, to, colour(calm ? theme.accent : theme.warning, 0.16F),
                        ctx.px(3));
    draw->AddRect({x, at.y}, to, colour(calm ? theme.accent : theme.warning, 0.7F), ctx.px(3));
    text_at(draw, {x + ctx.px(4), at.y + ctx.px(1)}, calm ? theme.accent : theme.warning,
            badge.text);
    if (ImGui::IsMouseHoveringRect({x, at.y}, to)) ImGui::SetTooltip("%s", badge.tip.c_str());
    x += w + ctx.px(4);
  }
  ImGui::PopFont();
  return x - at.x;
}

void draw_timeout_ring(const ViewContext& ctx, ImVec2 centre, float radius, double part) {
  if (part < 0.0) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  constexpr float kTop = -0.5F * std::numbers::pi_v<float>;
  draw->AddCircle(centre, radius, colour(ctx.theme().line), 0, ctx.px(2));
  draw->PathArcTo(centre, radius, kTop,
                  kTop + 2.0F * std::numbers::pi_v<float> * static_cast<float>(part));
  draw->PathStroke(colour(part < 0.35 ? ctx.theme().warning : ctx.theme().accent), 0, ctx.px(2));
}

}  // namespace jointrig::gui
