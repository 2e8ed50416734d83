#include "gui/view/joint_box.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gui/view/box_grid.h"
#include "gui/view/joint_bars.h"
#include "gui/view/joint_buttons.h"
#include "gui/view/reference_slider.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

/// Label on the left, number on the right, bar below.
void labelled(const ViewContext& ctx, const JointStatus& status, ImVec2 at, float width,
              const std::string& label, const std::string& value, Rgb ink) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImGui::PushFont(ctx.fonts.small);
  text_at(draw, {at.x, at.y + ctx.px(2)}, ctx.theme().soft, label);
  ImGui::PopFont();
  measured(ctx, status, {at.x + width - width_of(value), at.y}, ink, value);
}

void position_lines(const ViewContext& ctx, JointIndex joint, const JointStatus& s, ImVec2 at,
                    float width) {
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const bool slide = ctx.panel.config().joints[joint].slide;
  const Theme& theme = ctx.theme();
  const float third = width / 3.0F - ctx.px(4);
  const float step = width / 3.0F + ctx.px(2);
  labelled(ctx, s, at, third, "q", show(now.state.q, JointQuantity::kPosition, slide),
           theme.accent);
  const std::string none = "–";
  labelled(ctx, s, {at.x + step, at.y}, third, "ref",
           s.has_reference ? show(now.reference.q, JointQuantity::kPosition, slide) : none,
           theme.asked);
  labelled(ctx, s, {at.x + 2.0F * step, at.y}, third, s.at_target ? "✓ err" : "err",
           s.has_reference ? show(s.error, JointQuantity::kPosition, slide) : none,
           s.at_target ? theme.good : theme.text);
  draw_bar(ctx, {at.x, at.y + ctx.px(23)}, {at.x + width, at.y + ctx.px(31)}, s.position);
  ImGui::PushFont(ctx.fonts.small);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const std::string high = show_number(s.position.high, JointQuantity::kPosition, slide);
  text_at(draw, {at.x, at.y + ctx.px(33)}, theme.soft,
          show_number(s.position.low, JointQuantity::kPosition, slide));
  text_at(draw, {at.x + width - width_of(high), at.y + ctx.px(33)}, theme.soft, high);
  ImGui::PopFont();
}

void torque_lines(const ViewContext& ctx, JointIndex joint, const JointStatus& s, ImVec2 at,
                  float width) {
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const JointConfig& config = ctx.panel.config().joints[joint];
  const Theme& theme = ctx.theme();
  const float half = width / 2.0F - ctx.px(5);
  labelled(ctx, s, at, half, "v", show(now.state.v, JointQuantity::kVelocity, config.slide),
           theme.text);
  labelled(ctx, s, {at.x + width / 2.0F + ctx.px(5), at.y}, half, "τ",
           show_number(now.state.tau, JointQuantity::kTorque, config.slide) + " / " +
               show(config.limits.tau_max, JointQuantity::kTorque, config.slide),
           theme.text);
  draw_bar(ctx, {at.x + width / 2.0F + ctx.px(5), at.y + ctx.px(21)},
           {at.x + width, at.y + ctx.px(26)}, s.torque);
  const std::string board = fmt::format("{:.2f} A   {:.0f} °C   {:.1f} V", now.state.current_A,
                                        now.state.temperature_C, now.state.supply_V);
  ImGui::PushFont(ctx.fonts.small);
  measured(ctx, s, {at.x, at.y + ctx.px(18)}, theme.soft, board);
  ImGui::PopFont();
}

void fault_lines(const ViewContext& ctx, const JointStatus& status, ImVec2 from, ImVec2 to) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(from, to, colour(ctx.theme().error, 0.14F), ctx.px(3));
  ImGui::PushFont(ctx.fonts.small);
  const std::string text = "! " + status.fault_line;
  draw->PushClipRect(from, to, true);
  draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {from.x + ctx.px(5), from.y + ctx.px(3)},
                colour(ctx.theme().error), text.c_str(), nullptr, to.x - from.x - ctx.px(10));
  draw->PopClipRect();
  ImGui::PopFont();
}

void full_title(const ViewContext& ctx, JointIndex joint, const JointStatus& s, ImVec2 at,
                float width) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ModeStyle style = style_of(s.look, ctx.panel.palette);
  ImGui::PushFont(ctx.fonts.bold);
  text_at(draw, {at.x + ctx.px(10), at.y + ctx.px(3)}, style.text, joint_name(ctx, joint),
          width - ctx.px(50));
  ImGui::PopFont();
  ImGui::PushFont(ctx.fonts.small);
  text_at(draw, {at.x + ctx.px(10), at.y + ctx.px(21)}, style.text, s.title, width - ctx.px(50));
  const std::string id = "#" + std::to_string(joint);
  text_at(draw, {at.x + width - width_of(id) - ctx.px(10), at.y + ctx.px(4)}, style.text, id);
  ImGui::PopFont();
  draw_timeout_ring(ctx, {at.x + width - ctx.px(18), at.y + ctx.px(27)}, ctx.px(7), s.timeout_part);
}

/// Velocity and torque, where a chip has room for them.
void second_line(const ViewContext& ctx, JointIndex joint, const JointStatus& s, ImVec2 at,
                 float width) {
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const bool slide = ctx.panel.config().joints[joint].slide;
  const std::string torque = show(now.state.tau, JointQuantity::kTorque, slide);
  ImGui::PushFont(ctx.fonts.small);
  measured(ctx, s, at, ctx.theme().soft, show(now.state.v, JointQuantity::kVelocity, slide));
  measured(ctx, s, {at.x + width - width_of(torque), at.y}, ctx.theme().soft, torque);
  ImGui::PopFont();
}

}  // namespace

void draw_chip(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size) {
  const ImVec2 to{at.x + size.x, at.y + size.y};
  const JointStatus s = ctx.panel.watch.status(joint);
  const ModeStyle style = style_of(s.look, ctx.panel.palette);
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const bool slide = ctx.panel.config().joints[joint].slide;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  box_area(ctx, joint, at, size);
  draw_frame(ctx, joint, s, at, to, ctx.px(22));
  text_at(draw, {at.x + ctx.px(28), at.y + ctx.px(2)}, style.text, joint_name(ctx, joint),
          size.x - ctx.px(32));
  ImGui::PushFont(ctx.fonts.bold);
  text_at(draw, {at.x + ctx.px(9), at.y + ctx.px(2)}, style.text, std::string(style.letter));
  ImGui::PopFont();
  const std::string q = show(now.state.q, JointQuantity::kPosition, slide);
  measured(ctx, s, {at.x + ctx.px(8), at.y + ctx.px(25)}, ctx.theme().text, q);
  ImGui::PushFont(ctx.fonts.small);
  const std::string right = s.silent            ? s.title
                            : s.faulted         ? std::string(to_string(now.fault.code))
                            : !s.badges.empty() ? s.badges.front().text
                            : s.has_reference
                                ? "e " + show_number(s.error, JointQuantity::kPosition, slide)
                                : std::string();
  const Rgb ink = s.faulted           ? ctx.theme().error
                  : !s.badges.empty() ? ctx.theme().warning
                                      : ctx.theme().soft;
  const float w = std::min(width_of(right), size.x - ctx.px(80));
  text_at(draw, {to.x - w - ctx.px(8), at.y + ctx.px(27)}, ink, right, w);
  ImGui::PopFont();
  draw_error_bar(ctx, {at.x + ctx.px(8), at.y + ctx.px(46)}, {to.x - ctx.px(8), at.y + ctx.px(51)},
                 s);
  if (size.y >= ctx.px(kTallChip)) {
    second_line(ctx, joint, s, {at.x + ctx.px(8), at.y + ctx.px(56)}, size.x - ctx.px(16));
  }
  if (ImGui::IsMouseHoveringRect(at, to) && s.faulted) {
    ImGui::SetTooltip("%s", s.fault_line.c_str());
  }
}

void draw_full(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size) {
  const ImVec2 to{at.x + size.x, at.y + size.y};
  const float left = at.x + ctx.px(10);
  const float width = size.x - ctx.px(20);
  const JointStatus s = ctx.panel.watch.status(joint);
  box_area(ctx, joint, at, size);
  draw_frame(ctx, joint, s, at, to, ctx.px(40));
  full_title(ctx, joint, s, at, size.x);
  position_lines(ctx, joint, s, {left, at.y + ctx.px(46)}, width);
  torque_lines(ctx, joint, s, {left, at.y + ctx.px(96)}, width);
  const float sliders_end = reference_sliders_height(ctx, joint);
  reference_sliders(ctx, joint, {left, at.y + ctx.px(132)}, width);
  const float trace_from = at.y + ctx.px(134) + sliders_end;
  const float buttons_at = to.y - ctx.px(30);
  const float badges_at = buttons_at - ctx.px(22);
  if (s.faulted) {
    fault_lines(ctx, s, {left, trace_from}, {left + width, buttons_at - ctx.px(4)});
  } else {
    if (badges_at - trace_from > ctx.px(14)) {
      draw_trace(ctx, joint, {left, trace_from}, {left + width, badges_at - ctx.px(3)});
    }
    draw_badges(ctx, s, {left, badges_at}, width);
  }
  joint_buttons(ctx, joint, {left, buttons_at}, s.faulted);
}

}  // namespace jointrig::gui
