#include "gui/view/law_area.h"

#include "gui/view/plot_tools.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void law_head(const ViewContext& ctx, LawDesk& desk, LawIndex law) {
  const Theme& theme = ctx.theme();
  const std::string& name = desk.laws()[law].name;
  const LawState state = desk.state(law);
  ImGui::PushFont(ctx.fonts.bold);
  ImGui::TextUnformatted(("Law " + name).c_str());
  ImGui::PopFont();
  ImGui::SameLine();
  const bool is_on = is_switched_on(state);
  if (guarded_button(is_on ? "Switch off" : "Switch on", desk.why_not())) desk.toggle(law);
  ctx.note("law/" + name + "/switch");
  ImGui::SameLine();
  const Rgb ink = state == LawState::kFailed ? theme.error
                  : state == LawState::kRuns ? theme.good
                                             : theme.soft;
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
  ImGui::TextUnformatted(desk.state_text(law).c_str());
  ImGui::PopStyleColor();
}

void law_values(const ViewContext& ctx, LawDesk& desk, LawIndex law) {
  const LawConfig& config = desk.laws()[law];
  if (!ImGui::BeginTable("law values", 2, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("", 0, ctx.px(170));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  for (std::size_t i = 0; i < config.parameters.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(config.parameters[i].name.c_str());
    ImGui::TableNextColumn();
    std::string text = desk.parameter_text(law, i);
    if (text_field("##value", "", text, -1.0F, true)) desk.type(law, i, text);
    if (const std::string why = desk.why_not(law, i); !why.empty()) tip(why);
    ctx.note("law/" + config.name + "/" + config.parameters[i].name);
    ImGui::PopID();
  }
  // The whole-body controller's are on a page of its own.
  for (std::size_t i = 0; i < config.signals.size() && !config.is_whole_body; ++i) {
    ImGui::TableNextColumn();
    const std::string& signal = config.signals[i].name;
    ImGui::TextDisabled("%s", signal.c_str());
    ctx.note("law/" + config.name + "/signal/" + signal);
    plot_at_double_click(ctx, {"law." + config.name + "." + signal});
    const std::string& meaning = config.signals[i].meaning;
    tip(meaning + (meaning.empty() ? "" : "\n") + "A double click plots it.");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(desk.signal_text(law, i).c_str());
  }
  ImGui::EndTable();
}

}  // namespace

void draw_laws(const ViewContext& ctx) {
  LawDesk& desk = ctx.desks.laws;
  for (std::size_t i = 0; i < desk.laws().size(); ++i) {
    const auto law = static_cast<LawIndex>(i);
    ImGui::Spacing();
    ImGui::PushID(static_cast<int>(i));
    law_head(ctx, desk, law);
    law_values(ctx, desk, law);
    ImGui::PopID();
  }
}

}  // namespace jointrig::gui
