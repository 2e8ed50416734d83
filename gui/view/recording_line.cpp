#include "gui/view/recording_line.h"

#include <fmt/core.h>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

void reset(const ViewContext& ctx, ResetDesk& desk) {
  if (ctx.panel.robot().simulation == nullptr) return;
  const std::string why = desk.why_not();
  if (hold_button(ctx, "Reset",
                  "Restarts the robot: time, controllers and queues begin together. Data "
                  "recorded for the plots stays.",
                  why)) {
    desk.ask("");
  }
  ctx.note("sim/reset");
  ImGui::SameLine(0, ctx.px(4));
  if (!desk.keyframes.empty()) {
    if (guarded_button("▾##keyframes", why, "From a keyframe of the model.")) {
      ImGui::OpenPopup("keyframes");
    }
    ctx.note("sim/keyframes");
    if (ImGui::BeginPopup("keyframes")) {
      for (const std::string& keyframe : desk.keyframes) {
        if (ImGui::MenuItem(keyframe.c_str())) desk.ask(keyframe);
        ctx.note("sim/keyframe/" + keyframe);
      }
      ImGui::EndPopup();
    }
  }
  ImGui::SameLine(0, ctx.px(14));
}

/// A button that is lit while on.
bool light(const ViewContext& ctx, const char* label, bool on) {
  ImGui::PushStyleColor(ImGuiCol_Text, colour(on ? ctx.theme().error : ctx.theme().text));
  const bool pressed = ImGui::Button(label);
  ImGui::PopStyleColor();
  return pressed;
}

void log_button(const ViewContext& ctx, RecordingDesk& desk) {
  const std::string log = desk.logging ? "● Log " + in_bytes(desk.log_bytes) : "○ Log";
  if (light(ctx, (log + "###log").c_str(), desk.logging)) desk.wants_log = true;
  ctx.note("record/log");
  tip(desk.logging ? "Every cycle, command and event goes to " + desk.log_file + ". Ctrl+L ends it."
                   : "Every cycle, command and event into a file (MCAP). Ctrl+L.");
  ImGui::SameLine(0, ctx.px(4));
}

void session_button(const ViewContext& ctx, RecordingDesk& desk) {
  const SessionRecorder& session = desk.session;
  const std::string steps = session.recording()
                                ? fmt::format("● Session {}", session.commands().size())
                            : desk.unsaved ? "! Save session again"
                                           : "○ Session";
  if (light(ctx, (steps + "###session").c_str(), session.recording())) desk.toggle_session();
  ctx.note("record/session");
  tip(session.is_full() ? "The recording is full: new commands are not recorded."
      : desk.unsaved    ? "Its file could not be written; it is still here."
                        : "Records the commands of this panel as a scenario.");
  ImGui::SameLine(0, ctx.px(14));
}

}  // namespace

/// A robot elsewhere is started again where it is.
void draw_recording_line(const ViewContext& ctx) {
  RecordingDesk& desk = ctx.desks.recording;
  if (!ctx.panel.robot().is_elsewhere) reset(ctx, ctx.desks.reset);
  log_button(ctx, desk);
  session_button(ctx, desk);
}

}  // namespace jointrig::gui
