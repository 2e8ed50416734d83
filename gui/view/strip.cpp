#include "gui/view/strip.h"

#include <algorithm>
#include <cmath>

#include "gui/panel/next_step.h"
#include "gui/view/swing_band.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr Rgb kStopInk{255, 255, 255};
constexpr float kBandPart = 0.7F;  // of the width, leaves the rest to the notice
constexpr float kStripHeight = 27.0F;

/// A filled strip with text; the whole text is its tip.
void band(const ViewContext& ctx, ImVec2 from, ImVec2 to, Rgb fill, Rgb ink,
          const std::string& head, const std::string& rest, float room) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->PushClipRect(from, to);  // to the window's edge, which its padding leaves out
  draw->AddRectFilled(from, to, colour(fill));
  draw->PopClipRect();
  const float y = std::floor(0.5F * (from.y + to.y - ImGui::GetFontSize()));
  float x = from.x + ctx.px(10);
  ImGui::PushFont(ctx.fonts.bold);
  text_at(draw, {x, y}, ink, head, room - ctx.px(10));
  x += width_of(head) + ctx.px(14);
  ImGui::PopFont();
  fitted_text(ctx, {x, from.y}, {from.x + room, to.y}, ink, rest);
  ImGui::SetCursorScreenPos(from);
  ImGui::InvisibleButton("strip", {room, to.y - from.y});
  ctx.note("strip");
  tip(head + "\n" + rest);
}

void question_band(const ViewContext& ctx, const JointActs::Question& question, ImVec2 from,
                   ImVec2 to) {
  JointActs& acts = ctx.panel.acts;
  const Theme& theme = ctx.theme();
  const float off = ctx.px(96);
  const float keep = ctx.px(112);
  const float room = to.x - from.x - off - keep - ctx.px(18);
  const int left = static_cast<int>(std::ceil(acts.question_left()));
  // The countdown first: what follows may be cut off in a narrow window.
  band(ctx, from, to, theme.warning, theme.window,
       "Let go under load?  " + std::to_string(left) + " s",
       question.text + " Idle once more, or:", room);
  const ImVec2 at{from.x + room + ctx.px(6), from.y + ctx.px(2)};
  const ImVec2 size{0, to.y - from.y - ctx.px(4)};
  ImGui::SetCursorScreenPos(at);
  if (coloured_button(ctx, "Motor off", theme.window, theme.text, {off, size.y})) acts.answer(true);
  ctx.note("question/yes");
  ImGui::SetCursorScreenPos({at.x + off + ctx.px(6), at.y});
  if (coloured_button(ctx, "Keep holding", theme.window, theme.text, {keep, size.y})) {
    acts.answer(false);
  }
  ctx.note("question/no");
}

void stop_band(const ViewContext& ctx, ImVec2 from, ImVec2 to) {
  StopLatch& latch = ctx.panel.stop_latch;
  const float button = ctx.px(70);
  const float room = to.x - from.x - button - ctx.px(12);
  const std::string since = latch.since();
  band(ctx, from, to, ctx.theme().stop, kStopInk, latch.when(),
       latch.holds() + ".   " + latch.how_to_go_on() + "." +
           (since.empty() ? "" : "   " + since + "."),
       room);
  ImGui::SetCursorScreenPos({from.x + room + ctx.px(6), from.y + ctx.px(2)});
  if (coloured_button(ctx, "Noted", kStopInk, {120, 0, 0}, {button, to.y - from.y - ctx.px(4)})) {
    latch.dismiss();
  }
  ctx.note("stop/noted");
  tip("Takes this line away. So does the next motion that is asked for here.");
}

void swing_band(const ViewContext& ctx, const SwingWatch::Report& report, ImVec2 from, ImVec2 to) {
  const ParameterChange& change = ctx.panel.parameters.history().back();
  const ParameterDesk& desk = ctx.desks.parameters;
  const std::string before = desk.shown(change.joint, change.parameter, change.before);
  const std::string label = "Undo: back to " + before;
  const float button = button_width(label) + ctx.px(16);  // in bold
  const float room = to.x - from.x - button - ctx.px(12);
  band(ctx, from, to, ctx.theme().warning, ctx.theme().window, swing_text(ctx, report),
       "since its " + std::string(to_string(change.parameter)) + " went from " + before + " to " +
           desk.shown(change.joint, change.parameter, change.after),
       room);
  ImGui::SetCursorScreenPos({from.x + room + ctx.px(6), from.y + ctx.px(2)});
  if (coloured_button(ctx, label.c_str(), ctx.theme().window, ctx.theme().text,
                      {button, to.y - from.y - ctx.px(4)}, desk.why_not())) {
    ctx.desks.parameters.undo();
  }
  ctx.note("swing/undo");
}

}  // namespace

float strip_height(const ViewContext& ctx) { return ctx.px(kStripHeight); }

void draw_strip(const ViewContext& ctx, float top, float width) {
  const auto& question = ctx.panel.acts.question();
  const SwingWatch::Report* swing = swing_after_change(ctx);
  const bool latched = ctx.panel.stop_latch.latched();
  const bool has_band = question || swing != nullptr || latched;
  std::string notice = ctx.panel.notice();
  if (notice.empty()) notice = ctx.panel.lasting_notice();
  const bool is_news = !notice.empty();
  if (!is_news && !has_band) notice = next_step(ctx.panel);
  const float end = !has_band ? 0.0F : is_news ? std::floor(kBandPart * width) : width;
  const ImVec2 from{0.0F, top};
  const ImVec2 to{end, top + strip_height(ctx)};
  if (question) {
    question_band(ctx, *question, from, to);
  } else if (latched) {
    stop_band(ctx, from, to);
  } else if (swing != nullptr) {
    swing_band(ctx, *swing, from, to);
  }
  if (notice.empty()) return;
  const ImVec2 left{end + ctx.px(10), from.y};
  const ImVec2 right{width - ctx.px(6), to.y};
  fitted_text(ctx, left, right, is_news ? ctx.theme().warning : ctx.theme().soft, notice);
  ImGui::SetCursorScreenPos(left);
  ImGui::Dummy({std::min(width_of(notice), right.x - left.x), right.y - left.y});
  ctx.note("notice");
  tip(notice);
}

}  // namespace jointrig::gui
