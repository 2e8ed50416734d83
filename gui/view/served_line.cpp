#include "gui/view/served_line.h"

#include <fmt/core.h>

#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

std::string holder_text(const PanelLease& lease) {
  if (!lease.now().lost.empty()) return "no connection";
  if (lease.is_locked()) return lease.now().holder + " holds the robot";
  return lease.now().is_ours ? "the panel holds the robot" : "nobody holds the robot";
}

std::string count_text(const Served& served, const ServedNow& now) {
  if (served.is_elsewhere()) return "at " + served.address();
  std::string text;
  if (!served.address().empty()) {
    text =
        fmt::format("{} · {} client{}", served.address(), now.clients, now.clients == 1 ? "" : "s");
  }
  if (served.viewer_address().empty()) return text;
  return fmt::format("{}{}{} viewer{}", text, text.empty() ? "" : " · ", now.viewers,
                     now.viewers == 1 ? "" : "s");
}

std::string address_tip(const Served& served) {
  if (served.is_elsewhere()) {
    return "The robot of another program, jointrig serve or jointrig gui --serve. Not here: its "
           "physics, pulls and injected faults, reset, logs, sessions, Cartesian, Whole-body, "
           "Motion, Scenario. A 3D view is drawn by this machine's model of that name, without the "
           "scene. Parameters are those with which the robot was opened, and this panel's changes.";
  }
  std::string text = "Served: the state goes to all of them, commands come from one at a time.";
  if (!served.address().empty()) {
    text += "\nPrograms: jointrig.connect(\"" + served.address() + "\") in Python";
  }
  if (!served.viewer_address().empty()) text += "\nViewers: open " + served.viewer_address();
  return text;
}

/// On a ground of its own while another program holds the robot: this panel can't move it.
void holder(const ViewContext& ctx, const PanelLease& lease) {
  const Theme& theme = ctx.theme();
  const std::string text = holder_text(lease);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float pad = lease.is_locked() ? ctx.px(4) : 0.0F;
  if (lease.is_locked()) {
    ImGui::GetWindowDrawList()->AddRectFilled(
        from, {from.x + width_of(text) + 2.0F * pad, from.y + ImGui::GetFrameHeight()},
        colour(theme.warning));
  }
  ImGui::SetCursorScreenPos({from.x + pad, from.y});
  ImGui::PushStyleColor(ImGuiCol_Text, colour(lease.is_locked() ? theme.window : theme.text));
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
  ctx.note("served/holder");
  tip("Holder of the lease, who may command: more than OBSERVE takes the robot here, OBSERVE "
      "gives it back.");
  ImGui::SameLine(0, ctx.px(6) + pad);
}

void take_over_button(const ViewContext& ctx, const PanelLease& lease) {
  if (!lease.is_locked()) return;
  if (hold_button(ctx, "Take over",
                  "Every joint stops, and " + lease.now().holder + " may no longer command.")) {
    ctx.panel.take_over();
  }
  ctx.note("served/take over");
  ImGui::SameLine(0, ctx.px(6));
}

}  // namespace

void draw_served_line(const ViewContext& ctx) {
  const PanelLease& lease = ctx.panel.client.lease;
  const Served* const served = lease.served();
  if (served == nullptr) return;
  holder(ctx, lease);
  take_over_button(ctx, lease);
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", count_text(*served, lease.now()).c_str());
  ctx.note("served/address");
  tip(address_tip(*served));
  ImGui::SameLine(0, ctx.px(14));
}

}  // namespace jointrig::gui
