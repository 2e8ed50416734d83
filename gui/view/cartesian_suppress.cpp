#include "gui/view/cartesian_suppress.h"

#include <algorithm>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

const char* short_name(Suppressible what) noexcept {
  switch (what) {
    case Suppressible::kGravityCompensation:
      return "Gravity";
    case Suppressible::kCollisionAvoidance:
      return "Avoidance";
    case Suppressible::kContactSafety:
      return "Contact";
    case Suppressible::kCuff:
      return "Cuff";
  }
  return "?";
}

/// Lit while any client suppresses it; fills up if it must be held first.
void button(const ViewContext& ctx, SuppressDesk& desk, Suppressible what) {
  const Theme& theme = ctx.theme();
  const std::string why = desk.why_not(what);
  const bool lit = desk.active(what);
  const std::string label = std::string(short_name(what)) + "##suppress";
  coloured_button(ctx, label.c_str(), lit ? theme.warning : theme.raised,
                  lit ? theme.window : theme.text, {ctx.px(92), 0.0F}, why);
  if (ImGui::IsItemActive() && ImGui::IsItemHovered() && why.empty()) desk.hold(what);
  ctx.note("suppress/" + std::string(to_string(what)));
  const auto part = static_cast<float>(desk.progress(what));
  if (part > 0.0F && part < 1.0F) {
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 to = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRectFilled(from, {from.x + (to.x - from.x) * part, to.y},
                                              colour(theme.warning, 0.45F),
                                              ImGui::GetStyle().FrameRounding);
  }
  if (!why.empty()) return;
  const bool waits = ctx.panel.robot().real && what == Suppressible::kGravityCompensation;
  tip("No " + words_of(what) + " while it is held. " + desk.forecast(what) +
      (waits ? "\nBegins after 0.8 s." : ""));
}

}  // namespace

void draw_suppress(const ViewContext& ctx) {
  SuppressDesk& desk = ctx.desks.suppress;
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Suppress");
  for (const Suppressible what : kAllSuppressible) {
    same_line_if_fits(ctx, ctx.px(92));
    button(ctx, desk, what);
  }
  // Always one line, so that no widget moves under a hand that holds a button.
  const std::string alarm = desk.alarm();
  ImGui::PushStyleColor(ImGuiCol_Text,
                        colour(alarm.empty() ? ctx.theme().soft : ctx.theme().warning));
  ImGui::TextUnformatted(alarm.empty() ? "all protections act" : alarm.c_str());
  ImGui::PopStyleColor();
  ctx.note("suppress/state");
}

}  // namespace jointrig::gui
