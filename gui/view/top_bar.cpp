#include "gui/view/top_bar.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gui/view/recording_line.h"
#include "gui/view/served_line.h"
#include "gui/view/speed_slider.h"
#include "gui/view/stop_corner.h"
#include "gui/view/strip.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr Rgb kBlack{0, 0, 0};
constexpr float kLongestName = 250.0F;  // px at scale 1
constexpr float kHealthGap = 12.0F;     // likewise

std::string with_unit(double us) {
  return us < 1000.0 ? fmt::format("{:.0f} µs", us) : fmt::format("{:.1f} ms", us / 1e3);
}

void banner(const ViewContext& ctx) {
  const PanelRobot& robot = ctx.panel.robot();
  const char* const what = robot.real ? "REAL  " : robot.on_buses ? "VIRTUAL BOARDS  " : "SIM  ";
  const std::string text = (robot.is_elsewhere ? "REMOTE " : "") + (what + robot.config->name);
  // A long name is cut off: what stands beside it keeps its room.
  ImGui::PushFont(ctx.fonts.bold);
  const float width = std::min(width_of(text), ctx.px(kLongestName));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  text_at(ImGui::GetWindowDrawList(), {at.x, at.y + ImGui::GetStyle().FramePadding.y},
          ctx.panel.robot().real ? kBlack : ctx.theme().text, text, width);
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  ImGui::PopFont();
  ctx.note("banner");
  tip(text + "\nbackend " + robot.backend);
  ImGui::SameLine(0, ctx.px(18));
}

void access_buttons(const ViewContext& ctx) {
  MotorPanel& panel = ctx.panel;
  const Theme& theme = ctx.theme();
  for (const Access access : kAllAccess) {
    const bool chosen = panel.access() == access;
    std::string label(to_string(access));
    if (chosen && access == Access::kArmed) {
      label += fmt::format(" {:.0f} s", std::ceil(panel.client.armed_left()));
    }
    const Rgb lit = access == Access::kArmed ? theme.asked : theme.accent;
    if (coloured_button(ctx, (label + "###" + std::string(to_string(access))).c_str(),
                        chosen ? lit : theme.raised, chosen ? theme.window : theme.text,
                        {ctx.px(access == Access::kArmed ? 112.0F : 96.0F), ctx.px(30)})) {
      panel.set_access(access);
    }
    ctx.note("access/" + std::string(to_string(access)));
    tip(access == Access::kObserve   ? "Look only. STOP and OFF work all the same."
        : access == Access::kControl ? "Modes, interaction, motors on and off; nothing that moves."
                                     : "Motion, too. Ends by itself a minute after the last one.");
    ImGui::SameLine(0, ctx.px(2));
  }
  ImGui::SameLine(0, ctx.px(18));
}

void group_buttons(const ViewContext& ctx) {
  struct Button {
    PanelAct act;
    const char* name;
    const char* of_part;
    Access least;
  };
  constexpr Button kButtons[]{
      {PanelAct::kRun, "RunAll", "Run part", Access::kControl},
      {PanelAct::kIdle, "IdleAll", "Idle part", Access::kControl},
      {PanelAct::kHome, "HomeAll", "Home part", Access::kArmed},
      {PanelAct::kCalibrate, "CalibAll", "Calib part", Access::kArmed},
      {PanelAct::kForceIdle, "Force-idle all", "Force-idle part", Access::kControl}};
  MotorPanel& panel = ctx.panel;
  const JointSet group = panel.group();
  for (const Button& b : kButtons) {
    const std::string why = panel.access() >= b.least   ? ""
                            : b.least == Access::kArmed ? "not ARMED"
                                                        : "OBSERVE only: take CONTROL first";
    ImGui::AlignTextToFramePadding();
    const std::string label =
        std::string(panel.part < 0 ? b.name : b.of_part) + "###" + std::string(b.name);
    if (hold_button(ctx, label.c_str(), panel.acts.forecast(b.act, group), why)) {
      panel.acts.act(b.act, group);
    }
    ctx.note(std::string("group/") + b.name);
    ImGui::SameLine(0, ctx.px(4));
  }
  ImGui::SameLine(0, ctx.px(14));
}

/// Time and health of the loop, piece by piece: what has no room on one line goes to the next.
std::vector<std::string> health_words(const ViewContext& ctx) {
  const MotorPanel& panel = ctx.panel;
  const bool is_elsewhere = panel.robot().is_elsewhere;
  if (panel.watch.is_stale() && is_elsewhere) {
    return {fmt::format("NOTHING NEW FOR {:.1f} s: these values are old", panel.watch.age())};
  }
  if (panel.watch.is_stale()) return {"THE LOOP IS SILENT: these values are old"};
  const LoopHealth& loop = panel.frame().loop;
  if (is_elsewhere) {
    return {fmt::format("t {:.2f} s", to_seconds(panel.snapshot().time_ns)),
            fmt::format("RTF {:.2f}", panel.watch.real_time_factor()),
            fmt::format("{:.0f} states/s", loop.states), fmt::format("overruns {}", loop.overruns)};
  }
  return {fmt::format("t {:.2f} s", to_seconds(panel.snapshot().time_ns)),
          fmt::format("RTF {:.2f}", panel.watch.real_time_factor()),
          fmt::format("loop p99 {}", with_unit(loop.p99_us)),
          fmt::format("max {}", with_unit(loop.max_us)), fmt::format("overruns {}", loop.overruns)};
}

/// Width of all pieces from this one on.
float health_width(const ViewContext& ctx, const std::vector<std::string>& words,
                   std::size_t from) {
  float width = 0.0F;
  for (; from < words.size(); ++from) width += width_of(words[from]) + ctx.px(kHealthGap);
  return width - ctx.px(kHealthGap);
}

/// @param from  the first piece to draw
/// @param end  of the line [px]
/// @param is_last  no line follows: its pieces are smaller where they need more room
/// @returns the first piece that had no room
std::size_t health(const ViewContext& ctx, Rgb ink, std::size_t from, float end,
                   bool is_last = false) {
  const std::vector<std::string> words = health_words(ctx);
  const float room = end - ImGui::GetCursorScreenPos().x;
  const bool is_small = is_last && from < words.size() && health_width(ctx, words, from) > room;
  if (is_small) ImGui::PushFont(ctx.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(ink));
  for (; from < words.size(); ++from) {
    if (ImGui::GetCursorScreenPos().x + width_of(words[from]) > end) break;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words[from].c_str());
    if (from == 0) ctx.note("health");
    if (from + 1 == words.size()) ctx.note("health/last");
    ImGui::SameLine(0, ctx.px(kHealthGap));
  }
  ImGui::PopStyleColor();
  if (is_small) ImGui::PopFont();
  return from;
}

void bus_line(const ViewContext& ctx) {
  if (!ctx.panel.robot().on_buses) return;
  const BusState bus = ctx.panel.watch.bus();
  const std::string text =
      bus.off          ? "✗ bus off"
      : bus.silent > 0 ? fmt::format("✗ bus: {} of {} boards silent", bus.silent, bus.boards)
                       : fmt::format("✓ bus: {} boards", bus.boards);
  const bool well = !bus.off && bus.silent == 0;
  ImGui::PushStyleColor(ImGuiCol_Text, colour(well ? ctx.theme().good : ctx.theme().error));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ctx.note("bus");
  tip("Boards that answer on their buses; Events lists the problems.");
  ImGui::SameLine(0, ctx.px(14));
}

void simulation_line(const ViewContext& ctx) {
  Simulation* sim = ctx.panel.robot().simulation;
  if (sim == nullptr) return;
  if (ImGui::Button(sim->paused() ? "▶ Go on###pause" : "❚❚ Pause###pause")) {
    sim->pause(!sim->paused());
  }
  ctx.note("sim/pause");
  ImGui::SameLine(0, ctx.px(4));
  if (guarded_button("Step", sim->paused() ? "" : "pause first", "One cycle; Shift+→ ten.")) {
    sim->step(1);
  }
  ctx.note("sim/step");
  ImGui::SameLine(0, ctx.px(4));
  float factor = static_cast<float>(sim->speed());
  ImGui::SetNextItemWidth(ctx.px(120));
  if (ImGui::SliderFloat("##rtf", &factor, 0.05F, 2.0F, "time × %.2f",
                         ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic)) {
    sim->set_speed(static_cast<double>(factor));
  }
  ctx.note("sim/speed");
  tip("Wanted speed of simulated time. RTF above is the real one.");
  ImGui::SameLine(0, ctx.px(14));
}

void palette_choice(const ViewContext& ctx) {
  ImGui::SetNextItemWidth(ctx.px(150));
  if (ImGui::BeginCombo("##palette", std::string(to_string(ctx.panel.palette)).c_str())) {
    for (const Palette palette : kAllPalette) {
      if (ImGui::Selectable(std::string(to_string(palette)).c_str(),
                            palette == ctx.panel.palette)) {
        ctx.panel.palette = palette;
      }
    }
    ImGui::EndCombo();
  }
  ctx.note("palette");
  ImGui::SameLine();
  if (ImGui::Button("Keys F1")) ctx.state.help = !ctx.state.help;
  ImGui::SameLine(0, ctx.px(14));
}

/// Protections that any client suppresses now.
void suppressed(const ViewContext& ctx) {
  const std::string alarm = ctx.desks.suppress.alarm();
  if (alarm.empty()) return;
  const Theme& theme = ctx.theme();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float pad = ctx.px(4);
  ImGui::PushFont(ctx.fonts.bold);
  const float width = width_of(alarm);
  ImGui::GetWindowDrawList()->AddRectFilled(
      from, {from.x + width + 2.0F * pad, from.y + ImGui::GetFrameHeight()}, colour(theme.warning));
  ImGui::SetCursorScreenPos({from.x + pad, from.y});
  ImGui::PushStyleColor(ImGuiCol_Text, colour(theme.window));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(alarm.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ctx.note("suppressed");
  ImGui::SameLine(0, ctx.px(14));
}

}  // namespace

float top_bar_height(const ViewContext& ctx) {
  return stop_corner(ctx.fonts.scale).stop.w + strip_height(ctx);
}

void draw_top_bar(const ViewContext& ctx, float width) {
  const Theme& theme = ctx.theme();
  const bool real = ctx.panel.robot().real;
  const StopCorner corner = stop_corner(ctx.fonts.scale);
  const ImVec2 from{corner.off.z + ctx.px(14), ImGui::GetCursorScreenPos().y};
  if (real) {
    ImGui::GetWindowDrawList()->AddRectFilled({corner.off.z, 0.0F}, {width, from.y + ctx.px(33)},
                                              colour(theme.real));
  }
  ImGui::SetCursorScreenPos(from);
  banner(ctx);
  access_buttons(ctx);
  group_buttons(ctx);
  draw_speed_slider(ctx, ctx.px(110), "speed");
  ImGui::SameLine(0, ctx.px(18));
  const float end = width - ctx.px(6);
  const Rgb ink = real ? kBlack : ctx.panel.watch.is_stale() ? theme.error : theme.text;
  const std::size_t left = health(ctx, ink, 0, end);
  ImGui::SetCursorScreenPos({from.x, from.y + ctx.px(42)});
  palette_choice(ctx);
  draw_served_line(ctx);
  bus_line(ctx);
  simulation_line(ctx);
  draw_recording_line(ctx);
  suppressed(ctx);
  health(ctx, ctx.panel.watch.is_stale() ? theme.error : theme.text, left, end,
         /*is_last=*/true);
  draw_strip(ctx, stop_corner(ctx.fonts.scale).stop.w, width);
}

}  // namespace jointrig::gui
