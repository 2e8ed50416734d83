#include "gui/view/plot_tools.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gui/view/plot_lines.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void keep(const ViewContext& ctx) {
  ViewState& state = ctx.state;
  PlotLayout layout = layout_of(ctx.plots, ctx.history, ctx.panel.selected, state.plot_set_name);
  std::erase_if(state.plot_sets, [&](const PlotLayout& l) { return l.name == layout.name; });
  state.plot_sets.push_back(std::move(layout));
  state.plot_sets_changed = true;
  state.plot_set_name.clear();
}

/// The plotted signals, each once.
std::vector<std::size_t> plotted(const PlotSet& plots) {
  std::vector<std::size_t> signals;
  for (const Plot& plot : plots.plots) {
    for (const PlotLine& line : plot.lines) {
      if (std::find(signals.begin(), signals.end(), line.signal) == signals.end()) {
        signals.push_back(line.signal);
      }
    }
  }
  return signals;
}

void signal_choice(const ViewContext& ctx) {
  TriggerSettings& settings = ctx.plots.trigger.settings;
  const std::vector<std::size_t> signals = plotted(ctx.plots);
  if (!signals.empty() &&
      std::find(signals.begin(), signals.end(), settings.signal) == signals.end()) {
    settings.signal = signals.front();
  }
  ImGui::SetNextItemWidth(ctx.px(260));
  const bool open = ImGui::BeginCombo("signal", ctx.history.name(settings.signal).c_str());
  if (!open) ctx.note("trigger/signal");
  if (!open) return;
  for (const std::size_t signal : signals) {
    if (ImGui::Selectable(ctx.history.name(signal).c_str(), signal == settings.signal)) {
      settings.signal = signal;
    }
    ctx.note("trigger/" + ctx.history.name(signal));
  }
  ImGui::EndCombo();
}

template <typename Choice, typename All>
void choices(const ViewContext& ctx, const All& all, Choice& chosen) {
  for (const Choice choice : all) {
    const std::string label(to_string(choice));
    if (ImGui::RadioButton(label.c_str(), chosen == choice)) chosen = choice;
    ctx.note("trigger/" + label);
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

void number(const ViewContext& ctx, const char* label, double& value, double step, double least,
            double most, const char* format) {
  ImGui::SetNextItemWidth(ctx.px(140));
  ImGui::InputDouble(label, &value, step, 10.0 * step, format);
  value = std::clamp(value, least, most);
  ctx.note(std::string("trigger/") + label);
}

void trigger_settings(const ViewContext& ctx) {
  Trigger& trigger = ctx.plots.trigger;
  TriggerSettings& settings = trigger.settings;
  choices(ctx, kAllTriggerKind, settings.kind);
  signal_choice(ctx);
  if (settings.kind == TriggerKind::kRising || settings.kind == TriggerKind::kFalling) {
    const std::string unit(ctx.history.unit(settings.signal));
    number(ctx, "level", settings.level, 1.0, -1e6, 1e6, ("%.4g " + unit).c_str());
  }
  number(ctx, "span", settings.span, 0.1, TimeAxis::kShortest, 30.0, "%.3f s");
  double percent = 100.0 * settings.before;
  number(ctx, "before", percent, 5.0, 0.0, 100.0, "%.0f %%");
  settings.before = percent / 100.0;
  choices(ctx, kAllTriggerRun, settings.run);
  if (ImGui::Button(trigger.armed() ? "Off###arm" : "Wait for it###arm")) {
    trigger.armed() ? trigger.disarm() : trigger.arm(ctx.history);
  }
  ctx.note("trigger/arm");
  tip("Checks every cycle, and also keeps the time before the trigger.");
}

std::string shown(double value, fmt::format_string<double&> format) {
  return std::isnan(value) ? "–" : fmt::format(format, value);
}

void step_row(const ViewContext& ctx, const PlotLine& line) {
  const auto found = read_step(ctx.history, line.signal, ctx.plots.cursors);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushStyleColor(ImGuiCol_Text, colour(line_colour(ctx, line)));
  ImGui::TextUnformatted(ctx.history.name(line.signal).c_str());
  ImGui::PopStyleColor();
  if (!found) {
    ImGui::TableNextColumn();
    ImGui::TextDisabled("no step");
    return;
  }
  const std::string unit = " " + std::string(ctx.history.unit(line.signal));
  for (const std::string& text :
       {shown(found->to - found->from, "{:.4g}") + unit, shown(1e3 * found->rise, "{:.1f} ms"),
        shown(100.0 * found->overshoot, "{:.1f} %"), shown(1e3 * found->settling, "{:.0f} ms"),
        shown(found->error, "{:.3g}") + unit}) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text.c_str());
  }
}

}  // namespace

void draw_plot_sets(const ViewContext& ctx) {
  if (ImGui::Button("Sets ▾")) ImGui::OpenPopup("plot sets");
  ctx.note("plot/sets");
  tip("Plots for a kind of work.");
  if (!ImGui::BeginPopup("plot sets")) return;
  for (const PlotLayout& layout : ctx.state.plot_sets) {
    if (ImGui::MenuItem(layout.name.c_str())) {
      ctx.state.plot_note.clear();
      for (const std::string& missing :
           show_layout(layout, ctx.history, ctx.panel.selected, ctx.plots)) {
        ctx.state.plot_note += (ctx.state.plot_note.empty() ? "not here: " : ", ") + missing;
      }
    }
    ctx.note("plot/sets/" + layout.name);
  }
  ImGui::Separator();
  text_field("##set", "keep as …", ctx.state.plot_set_name, ctx.px(180));
  ctx.note("plot/sets/name");
  ImGui::SameLine();
  const bool named = !ctx.state.plot_set_name.empty();
  if (guarded_button("Keep", named ? "" : "give it a name")) keep(ctx);
  ctx.note("plot/sets/keep");
  ImGui::EndPopup();
}

void draw_trigger(const ViewContext& ctx) {
  const Trigger& trigger = ctx.plots.trigger;
  const char* label = trigger.triggered() ? "Trigger: caught ▾###trigger"
                      : trigger.armed()   ? "Trigger: waits ▾###trigger"
                                          : "Trigger ▾###trigger";
  if (ImGui::Button(label)) ImGui::OpenPopup("trigger");
  ctx.note("plot/trigger");
  if (!ctx.state.plot_note.empty()) {
    ImGui::SameLine();
    ImGui::TextDisabled("%s", ctx.state.plot_note.c_str());
  }
  if (!ImGui::BeginPopup("trigger")) return;
  trigger_settings(ctx);
  ImGui::EndPopup();
}

void draw_step_table(const ViewContext& ctx) {
  // As of the cursors' table: a narrow window scrolls, and cuts none off.
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY |
                                     ImGuiTableFlags_ScrollX | ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable("steps", 6, kFlags, {0, ctx.px(96)})) return;
  ImGui::TableSetupScrollFreeze(1, 1);
  for (const char* heading :
       {"", "step", "rise 10-90 %", "overshoot", "settling 2 %", "steady error"}) {
    ImGui::TableSetupColumn(heading);
  }
  ImGui::TableHeadersRow();
  for (const Plot& plot : ctx.plots.plots) {
    for (const PlotLine& line : plot.lines) {
      if (ctx.history.reference_of(line.signal)) step_row(ctx, line);
    }
  }
  ImGui::EndTable();
  ctx.note("plot/step_table");
}

void plot_at_double_click(const ViewContext& ctx, std::initializer_list<std::string> signals) {
  if (!ImGui::IsItemHovered() || !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return;
  ctx.plots.add_plot();
  for (const std::string& name : signals) {
    const auto signal = ctx.history.signal_named(name);
    if (signal) ctx.plots.add(ctx.plots.plots.size() - 1, *signal);
  }
  ctx.state.side = SideTab::kPlots;
}

}  // namespace jointrig::gui
