#include "gui/view/scenario_tab.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

Rgb ink_of(const Theme& theme, StepState state) {
  switch (state) {
    case StepState::kRunning:
    case StepState::kHeld:
      return theme.asked;
    case StepState::kPassed:
      return theme.good;
    case StepState::kFailed:
      return theme.error;
    default:
      return theme.soft;
  }
}

const char* sign_of(StepState state) {
  switch (state) {
    case StepState::kRunning:
      return "▶";
    case StepState::kHeld:
      return "◆";
    case StepState::kPassed:
      return "✔";
    case StepState::kFailed:
      return "✘";
    default:
      return "·";
  }
}

void ink_text(Rgb ink, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

void list(const ViewContext& ctx, ScenarioDesk& desk) {
  text_field("##scenarios", "name, folder, tag", desk.filter, ctx.px(200));
  ctx.note("scenario/filter");
  ImGui::SameLine();
  const ScenarioEntry* chosen = desk.chosen();
  ImGui::SetNextItemWidth(-1.0F);
  const char* label = chosen != nullptr ? chosen->name.c_str() : "choose a scenario";
  if (ImGui::BeginCombo("##scenario", label, ImGuiComboFlags_HeightLarge)) {
    for (const std::size_t i : desk.shown()) {
      const ScenarioEntry& entry = desk.entries[i];
      ImGui::PushID(static_cast<int>(i));
      if (ImGui::Selectable(entry.name.c_str(), chosen == &entry)) desk.choose(i);
      ctx.note("scenario/entry/" + entry.name);
      ImGui::SameLine();
      ImGui::TextDisabled("%s", entry.file.c_str());
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  ctx.note("scenario/list");
  if (!desk.list_error.empty()) ink_text(ctx.theme().error, desk.list_error);
  if (chosen != nullptr && !chosen->about.empty()) {
    ImGui::PushTextWrapPos();
    ImGui::TextDisabled("%s", chosen->about.c_str());
    ImGui::PopTextWrapPos();
  }
}

void buttons(const ViewContext& ctx, ScenarioDesk& desk) {
  if (guarded_button("▶ Run", desk.why_not_run(),
                     "Opens its robot at its start and runs it there, by the runner of jointrig "
                     "run.")) {
    desk.run();
  }
  ctx.note("scenario/run");
  ImGui::SameLine();
  const std::string idle = desk.running() ? "" : "no scenario is running";
  if (guarded_button("❚❚ Hold", idle, "Holds before the next step.")) desk.hold();
  ctx.note("scenario/hold");
  ImGui::SameLine();
  const std::string why = desk.why_not_go_on();
  if (guarded_button("Go on", why)) desk.go_on(false);
  ctx.note("scenario/go_on");
  same_line_if_fits(ctx, button_width("One step"));
  if (guarded_button("One step", why, "Continues, and holds before the next step.")) {
    desk.go_on(true);
  }
  ctx.note("scenario/one_step");
  same_line_if_fits(ctx, button_width("Go on by hand"));
  if (guarded_button("Go on by hand", idle,
                     "The scenario ends here, without its teardown; the robot is yours.")) {
    desk.take_over();
  }
  ctx.note("scenario/take_over");
  same_line_if_fits(ctx, button_width("■ End"));
  if (guarded_button("■ End", idle, "The scenario ends; every joint brakes and holds.")) {
    desk.end("ended by hand");
  }
  ctx.note("scenario/end");
}

/// A step that names 41 joints would hide those after it; its tip has it all.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 240;  // bytes: some four lines
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // of UTF-8
  return text.substr(0, end) + " …";
}

void step_row(const ViewContext& ctx, ScenarioDesk& desk, std::size_t i) {
  const Theme& theme = ctx.theme();
  const ScenarioStep& step = desk.steps()[i];
  const StepState state = desk.state(i);
  const bool lit = state == StepState::kRunning || state == StepState::kHeld;
  ImGui::PushID(static_cast<int>(i));
  ImGui::TableNextRow();
  if (lit) {
    ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, colour(theme.asked, kLit));
    if (desk.running()) ImGui::SetScrollHereY(0.5F);
  }
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(desk.has_break(i) ? theme.error : theme.line));
  if (ImGui::Selectable("●")) desk.toggle_break(i);
  ImGui::PopStyleColor();
  ctx.note(fmt::format("scenario/break/{}", i));
  tip("Breakpoint: holds before this step, and pauses the simulation.");
  ImGui::TableNextColumn();
  const Rgb ink = lit ? theme.text : ink_of(theme, state);
  ink_text(ink, sign_of(state));
  ImGui::TableNextColumn();
  ink_text(lit ? theme.text : theme.soft, step.phase == "steps" ? "" : step.phase);
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos();
  ink_text(state == StepState::kWaiting ? theme.text : ink, shortened(step.label));
  ImGui::PopTextWrapPos();
  tip(step.place + "\n" + step.label);
  ctx.note(fmt::format("scenario/step/{}", i));
  ImGui::TableNextColumn();
  const ScenarioPlay* play = desk.on_stage();
  const double began = play != nullptr && state != StepState::kWaiting ? play->began(i) : NAN;
  if (std::isfinite(began)) ImGui::Text("%.3f s", began);
  ImGui::PopID();
}

void steps(const ViewContext& ctx, ScenarioDesk& desk) {
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  const bool has_verdicts = desk.outcome() != nullptr;
  const float height = (has_verdicts ? 0.55F : 1.0F) * ImGui::GetContentRegionAvail().y;
  if (!ImGui::BeginTable("steps", 5, kFlags, {0, height})) return;
  ImGui::TableSetupColumn("", 0, ctx.px(16));
  ImGui::TableSetupColumn("", 0, ctx.px(16));
  ImGui::TableSetupColumn("", 0, ctx.px(62));
  ImGui::TableSetupColumn("step", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("began", 0, ctx.px(70));
  for (std::size_t i = 0; i < desk.steps().size(); ++i) step_row(ctx, desk, i);
  ImGui::EndTable();
}

void verdicts(const ViewContext& ctx, const ScenarioOutcome& outcome) {
  const Theme& theme = ctx.theme();
  ImGui::PushFont(ctx.fonts.bold);
  ink_text(outcome.passed ? theme.good : theme.error, outcome.word);
  ImGui::PopFont();
  ctx.note("scenario/outcome");
  ImGui::BeginChild("verdicts");
  ImGui::PushTextWrapPos();
  if (!outcome.reason.empty()) ImGui::TextUnformatted(outcome.reason.c_str());
  for (const VerdictLine& verdict : outcome.verdicts) {
    if (verdict.kind == "step" && !verdict.failed) continue;
    const bool good = verdict.status == "passed";
    ink_text(verdict.failed ? theme.error
             : good         ? theme.good
                            : theme.soft,
             verdict.status + "  " + verdict.kind + "  " + verdict.name);
    if (verdict.failed) {
      ImGui::TextDisabled("    expected %s, got %s", verdict.expected.c_str(), verdict.got.c_str());
    }
  }
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
}

}  // namespace

void draw_scenario_tab(const ViewContext& ctx) {
  ScenarioDesk& desk = ctx.desks.scenario;
  list(ctx, desk);
  buttons(ctx, desk);
  if (desk.held()) {
    ink_text(ctx.theme().asked,
             "held before the marked step; time stops while the simulation is paused");
  }
  ImGui::Spacing();
  steps(ctx, desk);
  if (const ScenarioOutcome* outcome = desk.outcome()) verdicts(ctx, *outcome);
}

}  // namespace jointrig::gui
