#include "gui/view/event_view.h"

#include <fmt/core.h>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

std::string line_text(const EventLine& line) {
  return fmt::format("{:10.3f} s  ", to_seconds(line.time_ns)) + words_of(line);
}

void family_choice(const ViewContext& ctx) {
  std::optional<EventFamily>& family = ctx.state.event_family;
  constexpr const char* kEvery = "every kind";
  const std::string now = family ? std::string(to_string(*family)) : kEvery;
  ImGui::SetNextItemWidth(ctx.px(120));
  if (ImGui::BeginCombo("##family", now.c_str())) {
    if (ImGui::Selectable(kEvery, !family)) family.reset();
    for (const EventFamily one : kAllEventFamily) {
      if (ImGui::Selectable(std::string(to_string(one)).c_str(), family == one)) family = one;
      ctx.note("events/family/" + std::string(to_string(one)));
    }
    ImGui::EndCombo();
  }
  ctx.note("events/family");
  ImGui::SameLine();
}

void controls(const ViewContext& ctx, const std::vector<const EventLine*>& shown) {
  ViewState& state = ctx.state;
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("Events");
  ImGui::SameLine();
  for (const EventSeverity severity : kAllEventSeverity) {
    if (ImGui::RadioButton(std::string(to_string(severity)).c_str(), state.least == severity)) {
      state.least = severity;
    }
    ctx.note("events/" + std::string(to_string(severity)));
    ImGui::SameLine();
  }
  family_choice(ctx);
  text_field("##events", "filter", state.event_filter, ctx.px(160));
  ImGui::SameLine();
  if (ImGui::Button("Copy")) {
    std::string all;
    for (const EventLine* line : shown) all += line_text(*line) + "\n";
    ImGui::SetClipboardText(all.c_str());
  }
  ctx.note("events/copy");
}

/// Shown while a person has scrolled away from the newest.
void newest_button(const ViewContext& ctx) {
  if (ctx.state.events_follow) return;
  ImGui::SameLine();
  if (ImGui::Button("Newest ▾")) ctx.state.events_follow = true;
  ctx.note("events/newest");
  tip("The list stays where it was scrolled to; this follows the newest again.");
}

void jump_to(const ViewContext& ctx, const EventLine& line) {
  constexpr double kAround = 0.5;  // s
  const double at = ctx.history.history_time(line.time_ns);
  ctx.plots.time.show({at - kAround, at + kAround});
  if (line.joint != kNoJoint) ctx.panel.selected = line.joint;
}

Rgb ink_of(const Theme& theme, EventSeverity severity) {
  if (severity == EventSeverity::kError) return theme.error;
  return severity == EventSeverity::kWarning ? theme.warning : theme.text;
}

void draw_line(const ViewContext& ctx, int number, const EventLine& line) {
  ImGui::PushID(number);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink_of(ctx.theme(), line.severity)));
  if (ImGui::Selectable(line_text(line).c_str())) jump_to(ctx, line);
  ImGui::PopStyleColor();
  tip(joints_of(line));
  ImGui::PopID();
}

/// Follows the newest line until a person scrolls up, and again once the end is in sight.
void follow(const ViewContext& ctx) {
  ViewState& state = ctx.state;
  const float scroll = ImGui::GetScrollY();
  const float end = ImGui::GetScrollMaxY();
  const bool went_up = scroll < state.events_scroll - 1.0F && end >= state.events_end;
  if (scroll >= end - 1.0F) {
    state.events_follow = true;
  } else if (went_up) {
    state.events_follow = false;
  }
  state.events_scroll = scroll;
  state.events_end = end;
  if (state.events_follow) ImGui::SetScrollHereY(1.0F);
}

}  // namespace

void draw_events(const ViewContext& ctx, ImVec2 size) {
  ImGui::BeginChild("events", size);
  const auto shown =
      ctx.panel.watch.events.shown(ctx.state.least, ctx.state.event_filter, ctx.state.event_family);
  controls(ctx, shown);
  newest_button(ctx);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(ctx.theme().box));
  ImGui::BeginChild("lines", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      draw_line(ctx, i, *shown[static_cast<std::size_t>(i)]);
    }
  }
  follow(ctx);
  ImGui::EndChild();
  ctx.note("events/lines");
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

}  // namespace jointrig::gui
