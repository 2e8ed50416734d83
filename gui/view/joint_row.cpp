#include "gui/view/joint_row.h"

#include <algorithm>
#include <cmath>

#include "gui/view/joint_bars.h"
#include "gui/view/joint_buttons.h"
#include "gui/view/reference_slider.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

// px at scale 1
constexpr float kTitle = 160;
constexpr float kValues = 96;
constexpr float kButtons = 278;
constexpr float kGap = 8;
constexpr float kHeight = 43;  // of the contents

/// Name above the mode, on the mode's colour.
void title(const ViewContext& ctx, JointIndex joint, const JointStatus& s, ImVec2 at, ImVec2 to) {
  const ModeStyle style = style_of(s.look, ctx.panel.palette);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, to, colour(style.fill), s.compliant ? ctx.px(9) : 0.0F,
                      ImDrawFlags_RoundCornersLeft);
  if (s.compliant) hatch(draw, at, to, hatch_ink(style), ctx.px(9));
  const float width = to.x - at.x - ctx.px(12);
  ImGui::PushFont(ctx.fonts.bold);
  const float top = at.y + std::floor(0.5F * (to.y - at.y - ctx.px(kHeight)));
  text_at(draw, {at.x + ctx.px(8), top + ctx.px(4)}, style.text, joint_name(ctx, joint), width);
  ImGui::PopFont();
  ImGui::PushFont(ctx.fonts.small);
  text_at(draw, {at.x + ctx.px(8), top + ctx.px(25)}, style.text, s.title, width);
  ImGui::PopFont();
}

/// Position above error and torque, aligned at the right.
void values(const ViewContext& ctx, JointIndex joint, const JointStatus& s, ImVec2 at) {
  const JointSnapshot& now = ctx.panel.snapshot().joints[joint];
  const bool slide = ctx.panel.config().joints[joint].slide;
  const float end = at.x + ctx.px(kValues);
  const auto right = [&](float y, const std::string& text, Rgb ink) {
    measured(ctx, s, {end - width_of(text), at.y + ctx.px(y)}, ink, text);
  };
  right(4, show(now.state.q, JointQuantity::kPosition, slide), ctx.theme().accent);
  ImGui::PushFont(ctx.fonts.small);
  right(26, show(now.state.tau, JointQuantity::kTorque, slide), ctx.theme().text);
  if (s.has_reference) {
    text_at(ImGui::GetWindowDrawList(), {at.x, at.y + ctx.px(26)}, ctx.theme().soft,
            "e " + show_number(s.error, JointQuantity::kPosition, slide));
  }
  ImGui::PopFont();
}

/// The reference by hand, or the range where the mode takes none; below it what there is to say.
void reference(const ViewContext& ctx, JointIndex joint, const JointStatus& s, ImVec2 at,
               float width) {
  if (ctx.panel.sliders.of(joint).empty()) {
    draw_bar(ctx, {at.x, at.y + ctx.px(9)}, {at.x + width, at.y + ctx.px(17)}, s.position);
  } else {
    first_reference_slider(ctx, joint, {at.x, at.y + ctx.px(2)}, width);
  }
  const ImVec2 below{at.x, at.y + ctx.px(27)};
  ImGui::PushFont(ctx.fonts.small);
  if (s.faulted) {
    text_at(ImGui::GetWindowDrawList(), below, ctx.theme().error, s.fault_line, width);
  } else {
    draw_badges(ctx, s, below, width);
  }
  ImGui::PopFont();
}

}  // namespace

void draw_row(const ViewContext& ctx, JointIndex joint, ImVec2 from, ImVec2 size) {
  const JointStatus s = ctx.panel.watch.status(joint);
  const ImVec2 to{from.x + size.x, from.y + size.y};
  // Its contents are in the middle of a row that has grown.
  const ImVec2 at{from.x, from.y + std::floor(0.5F * (size.y - ctx.px(kHeight)))};
  const float gap = ctx.px(kGap);
  box_area(ctx, joint, from, size);
  draw_frame(ctx, joint, s, from, to, 0);
  const float title_end = at.x + ctx.px(kTitle);
  title(ctx, joint, s, from, {title_end, to.y});
  values(ctx, joint, s, {title_end + gap, at.y});
  const float left = title_end + ctx.px(kValues) + 3.0F * gap;
  const float buttons_at = to.x - ctx.px(kButtons);
  reference(ctx, joint, s, {left, at.y}, std::max(ctx.px(90), buttons_at - gap - left));
  joint_buttons(ctx, joint, {buttons_at, at.y + ctx.px(10)}, s.faulted);
}

}  // namespace jointrig::gui
