#include "gui/view/reference_slider.h"

#include <algorithm>

#include "gui/view/joint_bars.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr float kFieldWidth = 84.0F;
constexpr float kLiveWidth = 46.0F;
constexpr float kLineHeight = 25.0F;

std::string item_name(const ViewContext& ctx, JointIndex joint, const SliderKind& kind,
                      const char* what) {
  return "joint/" + ctx.panel.config().joints[joint].name + "/" +
         std::string(to_string(kind.quantity)) + "/" + what;
}

void draw_ghost(const ViewContext& ctx, ImVec2 from, ImVec2 to, float x, bool held) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const Rgb ink = held ? ctx.theme().text : ctx.theme().asked;
  draw->AddRectFilled({x - ctx.px(5), from.y - ctx.px(2)}, {x + ctx.px(5), to.y + ctx.px(2)},
                      colour(ink, 0.25F), ctx.px(3));
  draw->AddRect({x - ctx.px(5), from.y - ctx.px(2)}, {x + ctx.px(5), to.y + ctx.px(2)}, colour(ink),
                ctx.px(3), 0, ctx.px(1.5F));
}

void slider(const ViewContext& ctx, JointIndex joint, const SliderKind& kind, ImVec2 at,
            float width) {
  MotorPanel& panel = ctx.panel;
  const Bar bar = panel.sliders.range(joint, kind);
  const ImVec2 from{at.x, at.y + ctx.px(5)};
  const ImVec2 to{at.x + width, at.y + ctx.px(17)};
  ImGui::SetCursorScreenPos({at.x, at.y});
  ImGui::InvisibleButton("slider", {width, ctx.px(22)});
  ctx.note(item_name(ctx, joint, kind, "slider"));
  const bool held = ImGui::IsItemActive();
  if (held) {
    const double part = std::clamp((ImGui::GetIO().MousePos.x - from.x) / width, 0.0F, 1.0F);
    panel.sliders.drag(joint, kind, bar.low + part * (bar.high - bar.low));
  }
  if (ImGui::IsItemDeactivated()) panel.sliders.release(joint, kind);
  draw_bar(ctx, from, to, bar);
  const SliderState& s = panel.sliders.state(joint, kind);
  const double ghost = s.has_ghost ? s.ghost : bar.reference;
  if (s.has_ghost) {
    const float x = from.x + width * static_cast<float>(bar.place(ghost));
    draw_ghost(ctx, from, to, x, held);
  }
  const bool slide = panel.config().joints[joint].slide;
  if (held) ImGui::SetTooltip("%s", show(ghost, kind.quantity, slide).c_str());
}

void typed_field(const ViewContext& ctx, JointIndex joint, const SliderKind& kind, ImVec2 at) {
  MotorPanel& panel = ctx.panel;
  const bool slide = panel.config().joints[joint].slide;
  const SliderState& s = panel.sliders.state(joint, kind);
  const double value = s.has_ghost ? s.ghost : panel.sliders.range(joint, kind).reference;
  std::string text = show(value, kind.quantity, slide);
  ImGui::SetCursorScreenPos(at);
  // Enter passes the text to the panel; Esc and a click elsewhere discard it.
  if (text_field("##typed", "", text, ctx.px(kFieldWidth), true)) {
    panel.sliders.type(joint, kind, text);
  }
  ctx.note(item_name(ctx, joint, kind, "field"));
  tip("Type a value, with a unit if you like, and Enter. Esc reverts.");
}

void live_switch(const ViewContext& ctx, JointIndex joint, ImVec2 at) {
  MotorPanel& panel = ctx.panel;
  const bool live = panel.sliders.is_live(joint);
  const Theme& theme = ctx.theme();
  ImGui::SetCursorScreenPos(at);
  const std::string why = live ? std::string() : panel.acts.why_not(PanelAct::kReference, joint);
  if (coloured_button(ctx, "Live", live ? theme.asked : theme.raised,
                      live ? theme.window : theme.text, {ctx.px(kLiveWidth), 0}, why)) {
    panel.sliders.set_live(joint, !live);
  }
  ctx.note("joint/" + panel.config().joints[joint].name + "/live");
  if (why.empty()) {
    tip(live ? "Streams the ghost. Ends with focus, 30 s without input, another part, STOP."
             : "Stream the ghost while you move it.");
  }
}

void slider_line(const ViewContext& ctx, JointIndex joint, const SliderKind& kind, ImVec2 at,
                 float width, bool with_live) {
  const float gap = ctx.px(5);
  const float slider_width = width - ctx.px(kFieldWidth + kLiveWidth) - 2.0F * gap;
  ImGui::PushID(static_cast<int>(kind.quantity));
  slider(ctx, joint, kind, at, slider_width);
  typed_field(ctx, joint, kind, {at.x + slider_width + gap, at.y});
  if (with_live) {
    live_switch(ctx, joint, {at.x + slider_width + ctx.px(kFieldWidth) + 2.0F * gap, at.y});
  }
  ImGui::PopID();
}

}  // namespace

float reference_sliders_height(const ViewContext& ctx, JointIndex joint) {
  return ctx.px(kLineHeight) * static_cast<float>(ctx.panel.sliders.of(joint).size());
}

void first_reference_slider(const ViewContext& ctx, JointIndex joint, ImVec2 at, float width) {
  const std::vector<SliderKind> kinds = ctx.panel.sliders.of(joint);
  if (!kinds.empty()) slider_line(ctx, joint, kinds.front(), at, width, /*with_live=*/true);
}

void reference_sliders(const ViewContext& ctx, JointIndex joint, ImVec2 at, float width) {
  bool first = true;
  for (const SliderKind& kind : ctx.panel.sliders.of(joint)) {
    slider_line(ctx, joint, kind, at, width, first);
    first = false;
    at.y += ctx.px(kLineHeight);
  }
}

}  // namespace jointrig::gui
