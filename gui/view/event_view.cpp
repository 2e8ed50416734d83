#include "gui/view/event_view.h"

#include <fmt/core.h>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

std::string line_text(const EventLine& line) {
  return fmt::format("{:10.3f} s  ", to_seconds(line.time_ns)) + line.text +
         (line.repeats > 1 ? "  (" + std::to_string(line.repeats) + " times)" : "");
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
  text_field("##events", "filter", state.event_filter, ctx.px(200));
  ImGui::SameLine();
  if (ImGui::Button("Copy")) {
    std::string all;
    for (const EventLine* line : shown) all += line_text(*line) + "\n";
    ImGui::SetClipboardText(all.c_str());
  }
  ctx.note("events/copy");
}

void jump_to(const ViewContext& ctx, const EventLine& line) {
  constexpr double kAround = 0.5;  // s
  const double at = ctx.history.history_time(line.time_ns);
  ctx.plots.time.show({at - kAround, at + kAround});
  if (line.joint != kNoJoint) ctx.panel.selected = line.joint;
}

}  // namespace

void draw_events(const ViewContext& ctx, ImVec2 size) {
  const Theme& theme = ctx.theme();
  ImGui::BeginChild("events", size);
  const auto shown = ctx.panel.watch.events.shown(ctx.state.least, ctx.state.event_filter);
  controls(ctx, shown);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(theme.box));
  ImGui::BeginChild("lines", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const EventLine& line = *shown[static_cast<std::size_t>(i)];
      const Rgb ink = line.severity == EventSeverity::kError     ? theme.error
                      : line.severity == EventSeverity::kWarning ? theme.warning
                                                                 : theme.text;
      ImGui::PushID(i);
      ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
      if (ImGui::Selectable(line_text(line).c_str())) jump_to(ctx, line);
      ImGui::PopStyleColor();
      ImGui::PopID();
    }
  }
  // Stays at the newest line, unless a person has scrolled up.
  if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1.0F) ImGui::SetScrollHereY(1.0F);
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

}  // namespace jointrig::gui
