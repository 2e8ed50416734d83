#include "gui/view/joint_box.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gui/view/joint_bars.h"
#include "gui/view/joint_menu.h"
#include "gui/view/reference_slider.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

const ImVec2 kChip{176, 56};
constexpr float kRowHeight = 30;
const ImVec2 kFull{296, 286};

const std::string& name_of(const ViewContext& ctx, JointIndex joint) {
  return ctx.panel.config().joints[joint].name;
}

/// Behind all elements of a box: a click selects, the right button opens the menu.
void box_area(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size) {
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("box", size);
  ImGui::SetItemAllowOverlap();
  ctx.note("joint/" + name_of(ctx, joint) + "/box");
  if (ImGui::IsItemClicked()) ctx.panel.selected = joint;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    ctx.plots.show_joint(ctx.history, joint);
  }
  // Only when it is dragged: a drag source would take the press from the buttons on it.
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left) &&
      ImGui::BeginDragDropSource()) {
    ImGui::SetDragDropPayload(kDraggedJoint, &joint, sizeof joint);
    ImGui::TextUnformatted(name_of(ctx, joint).c_str());
    ImGui::EndDragDropSource();
  }
  joint_menu(ctx, joint);
}

bool act_button(const ViewContext& ctx, JointIndex joint, const char* label, const char* item,
                PanelAct act, const std::string& help) {
  const std::string why = ctx.panel.acts.why_not(act, joint);
  const bool pressed = guarded_button(label, why, help);
  ctx.note("joint/" + name_of(ctx, joint) + "/" + item);
  return pressed;
}

void idle_button(const ViewContext& ctx, JointIndex joint) {
  // Lit while it asks: the press after that is the answer. Its size stays.
  const auto& question = ctx.panel.acts.question();
  const bool asks = question && question->joint == joint;
  for (const ImGuiCol part : {ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive}) {
    if (asks) ImGui::PushStyleColor(part, colour(ctx.theme().warning));
  }
  if (asks) ImGui::PushStyleColor(ImGuiCol_Text, colour(ctx.theme().window));
  const bool pressed = act_button(
      ctx, joint, "Idle", "idle", PanelAct::kIdle,
      asks ? question->text + "\nOnce more: motor off."
           : std::string("Motor off. Under load it asks first; Shift skips that in simulation."));
  if (asks) ImGui::PopStyleColor(4);
  if (pressed) ctx.panel.acts.idle(joint, ImGui::GetIO().KeyShift);
}

void run_button(const ViewContext& ctx, JointIndex joint) {
  if (act_button(ctx, joint, "Run", "run", PanelAct::kRun,
                 "POSITION, motor on. The interaction mode stays as it is.")) {
    ctx.panel.acts.act(PanelAct::kRun, JointSet{}.set(joint));
  }
}

void force_idle_button(const ViewContext& ctx, JointIndex joint, bool faulted) {
  const Theme& theme = ctx.theme();
  const std::string why = ctx.panel.acts.why_not(PanelAct::kForceIdle, joint);
  const bool lit = faulted && why.empty();
  if (coloured_button(ctx, "Force-idle", lit ? theme.stop : theme.raised,
                      lit ? Rgb{255, 255, 255} : theme.text, {0, 0}, why)) {
    ctx.panel.acts.act(PanelAct::kForceIdle, JointSet{}.set(joint));
  }
  ctx.note("joint/" + name_of(ctx, joint) + "/force_idle");
}

void buttons(const ViewContext& ctx, JointIndex joint, ImVec2 at, const JointStatus& status) {
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ctx.px(3), ctx.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ctx.px(5), ctx.px(3)});
  run_button(ctx, joint);
  ImGui::SameLine();
  idle_button(ctx, joint);
  ImGui::SameLine();
  force_idle_button(ctx, joint, status.faulted);
  ImGui::SameLine();
  if (act_button(ctx, joint, "Home", "home", PanelAct::kHome, "To its home pose.")) {
    ctx.panel.acts.act(PanelAct::kHome, JointSet{}.set(joint));
  }
  ImGui::SameLine();
  if (act_button(ctx, joint, "Cal", "calibrate", PanelAct::kCalibrate,
                 "Calibrate: the joint moves by itself to find its zero.")) {
    ctx.panel.acts.act(PanelAct::kCalibrate, JointSet{}.set(joint));
  }
  ImGui::SameLine();
  joint_menu_button(ctx, joint);
  ImGui::PopStyleVar(2);
}

/// A value of a silent board is old: it is struck out.
void measured(const ViewContext& ctx, const JointStatus& status, ImVec2 at, Rgb ink,
              const std::string& text) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  text_at(draw, at, status.silent ? ctx.theme().soft : ink, text);
  if (!status.silent) return;
  const float middle = std::round(at.y + 0.55F * ImGui::GetFontSize());
  draw->AddLine({at.x, middle}, {at.x + width_of(text), middle}, colour(ctx.theme().soft),
                ctx.px(1.5F));
}

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
  text_at(draw, {at.x + ctx.px(10), at.y + ctx.px(3)}, style.text, name_of(ctx, joint),
          width - ctx.px(50));
  ImGui::PopFont();
  ImGui::PushFont(ctx.fonts.small);
  text_at(draw, {at.x + ctx.px(10), at.y + ctx.px(21)}, style.text, s.title, width - ctx.px(50));
  const std::string id = "#" + std::to_string(joint);
  text_at(draw, {at.x + width - width_of(id) - ctx.px(10), at.y + ctx.px(4)}, style.text, id);
  ImGui::PopFont();
  draw_timeout_ring(ctx, {at.x + width - ctx.px(18), at.y + ctx.px(27)}, ctx.px(7), s.timeout_part);
}

}  // namespace

float box_gap(const ViewContext& ctx, BoxSize size) {
  return ctx.px(size == BoxSize::kRow ? 3.0F : 8.0F);
}

ImVec2 box_size(const ViewContext& ctx, BoxSize size, float page) {
  if (size == BoxSize::kRow) return {page, ctx.px(kRowHeight)};
  const ImVec2 least = size == BoxSize::kFull ? kFull : kChip;
  const float gap = box_gap(ctx, size);
  const float across = std::max(1.0F, std::floor((page + gap) / (ctx.px(least.x) + gap)));
  const float width = (page + gap) / across - gap;
  return {std::clamp(width, ctx.px(least.x), ctx.px(1.4F * least.x)), ctx.px(least.y)};
}

void draw_chip(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size) {
  const ImVec2 to{at.x + size.x, at.y + size.y};
  const JointStatus s = ctx.panel.watch.status(joint);
  const ModeStyle style = style_of(s.look, ctx.panel.palette);
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const bool slide = ctx.panel.config().joints[joint].slide;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  box_area(ctx, joint, at, size);
  draw_frame(ctx, joint, s, at, to, ctx.px(22));
  text_at(draw, {at.x + ctx.px(28), at.y + ctx.px(2)}, style.text, name_of(ctx, joint),
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
  if (ImGui::IsMouseHoveringRect(at, to) && s.faulted) {
    ImGui::SetTooltip("%s", s.fault_line.c_str());
  }
}

void draw_row(const ViewContext& ctx, JointIndex joint, ImVec2 at, float width) {
  const ImVec2 to{at.x + width, at.y + ctx.px(kRowHeight)};
  const JointStatus s = ctx.panel.watch.status(joint);
  const ModeStyle style = style_of(s.look, ctx.panel.palette);
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const bool slide = ctx.panel.config().joints[joint].slide;
  const Theme& theme = ctx.theme();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  box_area(ctx, joint, at, {width, ctx.px(kRowHeight)});
  draw_frame(ctx, joint, s, at, to, 0);
  const ImVec2 mode_end{at.x + ctx.px(300), to.y};
  draw->AddRectFilled(at, mode_end, colour(style.fill), s.compliant ? ctx.px(9) : 0.0F,
                      ImDrawFlags_RoundCornersLeft);
  if (s.compliant) hatch(draw, at, mode_end, hatch_ink(style), ctx.px(9));
  const float y = at.y + ctx.px(6);
  text_at(draw, {at.x + ctx.px(8), y}, style.text, name_of(ctx, joint), ctx.px(135));
  ImGui::PushFont(ctx.fonts.small);
  text_at(draw, {at.x + ctx.px(146), y + ctx.px(1)}, style.text, s.title, ctx.px(152));
  ImGui::PopFont();
  const auto right_aligned = [&](float x, const std::string& text, Rgb ink) {
    measured(ctx, s, {at.x + ctx.px(x) - width_of(text), y}, ink, text);
  };
  right_aligned(370, show(now.state.q, JointQuantity::kPosition, slide), theme.accent);
  if (s.has_reference) {
    right_aligned(440, show(now.reference.q, JointQuantity::kPosition, slide), theme.asked);
    right_aligned(500, show(s.error, JointQuantity::kPosition, slide), theme.text);
  }
  const float buttons_at = std::max(at.x + ctx.px(760), to.x - ctx.px(225));
  const float bar_end = at.x + ctx.px(650);
  draw_bar(ctx, {at.x + ctx.px(512), at.y + ctx.px(11)}, {bar_end, at.y + ctx.px(19)}, s.position);
  right_aligned(728, show(now.state.tau, JointQuantity::kTorque, slide), theme.text);
  if (s.faulted) {
    text_at(draw, {at.x + ctx.px(738), y}, theme.error, s.fault_line,
            buttons_at - at.x - ctx.px(744));
  } else {
    draw_badges(ctx, s, {at.x + ctx.px(738), y}, buttons_at - at.x - ctx.px(744));
  }
  ImGui::SetCursorScreenPos({buttons_at, at.y + ctx.px(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ctx.px(3), ctx.px(3)});
  run_button(ctx, joint);
  ImGui::SameLine();
  idle_button(ctx, joint);
  ImGui::SameLine();
  force_idle_button(ctx, joint, s.faulted);
  ImGui::SameLine();
  joint_menu_button(ctx, joint);
  ImGui::PopStyleVar();
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
  buttons(ctx, joint, {left, buttons_at}, s);
}

}  // namespace jointrig::gui
