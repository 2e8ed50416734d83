#include "gui/view/scene_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "gui/scene3d/ghost.h"
#include "gui/view/balance_view.h"
#include "gui/view/motion_path.h"
#include "gui/view/widgets.h"

namespace jointrig::gui {
namespace {

constexpr double kZoomPerNotch = 0.12;

/// Place of the picture on the screen, and of the mouse on the picture.
struct Canvas {
  ImVec2 from;
  ImVec2 size;
  [[nodiscard]] double right(ImVec2 at) const {
    return static_cast<double>((at.x - from.x) / size.x);
  }
  [[nodiscard]] double down(ImVec2 at) const {
    return static_cast<double>((at.y - from.y) / size.y);
  }
};

void toggle(const ViewContext& ctx, const char* label, bool& on, const char* text) {
  ImGui::Checkbox(label, &on);
  ctx.note(std::string("scene/") + label);
  tip(text);
}

/// The next checkbox stays on the line if it fits.
void beside(const ViewContext& ctx, const char* label) {
  same_line_if_fits(
      ctx, ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + width_of(label));
}

/// Not for a robot elsewhere, whose physics nobody here can pull at.
void pull_slider(const ViewContext& ctx) {
  if (ctx.panel.robot().is_elsewhere) return;
  Scene3d& scene = *ctx.scene;
  same_line_if_fits(ctx, ctx.px(130));
  auto stiffness = static_cast<float>(scene.hand().stiffness);
  ImGui::SetNextItemWidth(ctx.px(130));
  if (ImGui::SliderFloat("##stiffness", &stiffness, static_cast<float>(PushHand::kSoftest),
                         static_cast<float>(PushHand::kStiffest), "pull %.0f N/m",
                         ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_Logarithmic)) {
    scene.hand().stiffness = static_cast<double>(stiffness);
  }
  ctx.note("scene/stiffness");
  const std::string why = scene.hand().why_not(ctx.panel);
  tip("Ctrl and drag a link: " +
      (why.empty()
           ? "a spring pulls at it, and the force stands beside the hand. To the robot that is "
             "a contact: a stiff part stops, a compliant one yields."
           : why));
}

void toolbar(const ViewContext& ctx) {
  Scene3d& scene = *ctx.scene;
  toggle(ctx, "ghost", scene.shows.ghost,
         "Shows the robot at its reference, and the goals of tools.");
  beside(ctx, "contacts");
  toggle(ctx, "contacts", scene.shows.contacts,
         "Forces of contacts, 1 cm per 2 N; a simulation knows them.");
  beside(ctx, "frames");
  toggle(ctx, "frames", scene.shows.frames,
         "Tool frames: the robot's sites. x red, y green, z blue.");
  beside(ctx, "shadows");
  toggle(ctx, "shadows", scene.shows.shadows, "They cost a second picture each time.");
  same_line_if_fits(ctx, button_width("Whole robot"));
  if (ImGui::Button("Whole robot")) scene.reset_camera();
  ctx.note("scene/reset");
  pull_slider(ctx);
  same_line_if_fits(ctx, button_width("Hide"));
  if (ImGui::Button("Hide")) ctx.state.scene_open = false;
  ctx.note("scene/hide");
}

void choose(const ViewContext& ctx, JointIndex joint) {
  if (joint == kNoJoint) return;
  MotorPanel& panel = ctx.panel;
  panel.selected = joint;
  ctx.state.reveal = joint;
  const std::vector<JointIndex> shown = panel.shown();
  if (std::find(shown.begin(), shown.end(), joint) != shown.end()) return;
  panel.part = -1;  // so that its box is visible
  panel.filter.clear();
}

void press(const ViewContext& ctx, const Canvas& canvas) {
  const ImGuiIO& io = ImGui::GetIO();
  ctx.state.scene_dragged = false;
  if (!io.KeyCtrl || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  const auto found = ctx.scene->pick(canvas.right(io.MousePos), canvas.down(io.MousePos));
  if (!found) return;
  ctx.scene->hand().grasp(ctx.panel, found->body, found->point, found->world);
  choose(ctx, found->joint);
}

void pull(const ViewContext& ctx, const Canvas& canvas) {
  Scene3d& scene = *ctx.scene;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const std::array<double, 3> at = scene.hand().held()->target;
  scene.hand().pull(ctx.panel, scene.point_at(canvas.right(mouse), canvas.down(mouse), at));
}

void drag(const ViewContext& ctx, const Canvas& canvas) {
  const ImGuiIO& io = ImGui::GetIO();
  Scene3d& scene = *ctx.scene;
  if (scene.hand().held()) return pull(ctx, canvas);
  if (io.MouseDelta.x == 0.0F && io.MouseDelta.y == 0.0F) return;
  const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (!left || ImGui::IsMouseDragging(ImGuiMouseButton_Left, ctx.px(3))) {
    ctx.state.scene_dragged = true;
  }
  if (!ctx.state.scene_dragged || (left && io.KeyCtrl)) return;
  const auto right = static_cast<double>(io.MouseDelta.x / canvas.size.y);
  const auto down = static_cast<double>(io.MouseDelta.y / canvas.size.y);
  left && !io.KeyShift ? scene.orbit(right, down) : scene.pan(right, down);
}

void mouse(const ViewContext& ctx, const Canvas& canvas) {
  const ImGuiIO& io = ImGui::GetIO();
  Scene3d& scene = *ctx.scene;
  if (ImGui::IsItemActivated()) {
    press(ctx, canvas);  // the mouse's motion before the press is no drag
  } else if (ImGui::IsItemActive()) {
    drag(ctx, canvas);
  }
  if (ImGui::IsItemDeactivated()) {
    const bool clicked = !ctx.state.scene_dragged && !scene.hand().held() && !io.KeyCtrl &&
                         ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    scene.hand().let_go();
    if (clicked) {
      const auto found = scene.pick(canvas.right(io.MousePos), canvas.down(io.MousePos));
      if (found) choose(ctx, found->joint);
    }
  }
  if (!ImGui::IsItemActive()) scene.hand().let_go();
  if (ImGui::IsItemHovered() && io.MouseWheel != 0.0F) {
    scene.zoom(kZoomPerNotch * static_cast<double>(io.MouseWheel));
  }
}

/// Position on the screen; absent: behind the camera.
std::optional<ImVec2> on_screen(const ViewContext& ctx, const Canvas& canvas,
                                const std::array<double, 3>& world) {
  const auto place = ctx.scene->place_of(world);
  if (!place) return std::nullopt;
  return ImVec2{canvas.from.x + static_cast<float>((*place)[0]) * canvas.size.x,
                canvas.from.y + static_cast<float>((*place)[1]) * canvas.size.y};
}

/// @param share  share of the axes' own colours; the rest is the ghost's
void draw_frames(const ViewContext& ctx, const Canvas& canvas,
                 const std::vector<Scene3d::ToolFrame>& frames, Rgb ink, double share) {
  constexpr Rgb kAxes[]{{235, 80, 80}, {90, 200, 90}, {95, 145, 250}};
  ImDrawList* draw = ImGui::GetWindowDrawList();
  for (const Scene3d::ToolFrame& frame : frames) {
    const auto origin = on_screen(ctx, canvas, frame.origin);
    if (!origin) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto tip = on_screen(ctx, canvas, frame.tips[axis]);
      if (tip) draw->AddLine(*origin, *tip, colour(mixed(ink, kAxes[axis], share)), ctx.px(2));
    }
    text_at(draw, {origin->x + ctx.px(6), origin->y + ctx.px(2)}, ink, frame.name);
  }
}

void tool_frames(const ViewContext& ctx, const Canvas& canvas) {
  draw_frames(ctx, canvas, ctx.scene->tool_frames(), ctx.theme().text, 1.0);
  draw_frames(ctx, canvas, ctx.scene->goal_frames(), ctx.theme().asked, 0.5);
}

void pull_text(const ViewContext& ctx, const Canvas& canvas) {
  const std::optional<Push>& push = ctx.scene->hand().held();
  if (!push) return;
  const auto at = on_screen(ctx, canvas, push->target);
  if (!at) return;
  const auto [x, y, z] = ctx.scene->robot().pull();
  text_at(ImGui::GetWindowDrawList(), {at->x + ctx.px(8), at->y}, ctx.theme().warning,
          fmt::format("{:.0f} N", std::hypot(x, y, z)));
}

void picture(const ViewContext& ctx, ImVec2 size) {
  Scene3d& scene = *ctx.scene;
  const Canvas canvas{ImGui::GetCursorScreenPos(), size};
  scene.set_size(static_cast<int>(size.x), static_cast<int>(size.y));
  ImGui::InvisibleButton("canvas", size,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  ctx.note("scene/canvas");
  mouse(ctx, canvas);
  const bool is_refused = refused_pose(ctx) != nullptr;
  scene.colours = {ctx.theme().accent, is_refused ? ctx.theme().error : ctx.theme().asked,
                   ctx.theme().warning};
  scene.chosen = ctx.panel.selected;
  scene.silent = {};
  for (std::size_t i = 0; i < ctx.panel.config().joints.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    if (ctx.panel.watch.is_silent(joint)) scene.silent.set(joint);
  }
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImVec2 to{canvas.from.x + size.x, canvas.from.y + size.y};
  draw->AddRectFilled(canvas.from, to, colour(ctx.theme().box));
  draw->PushClipRect(canvas.from, to, true);
  if (scene.texture != 0) {
    // OpenGL begins at the bottom.
    draw->AddImage(std::bit_cast<ImTextureID>(static_cast<std::uintptr_t>(scene.texture)),
                   canvas.from, to, {0, 1}, {1, 0});
  }
  ImGui::PushFont(ctx.fonts.small);
  draw_balance(ctx, [&](const Point3& at) { return on_screen(ctx, canvas, at); });
  draw_motion_path(ctx, [&](const Point3& at) { return on_screen(ctx, canvas, at); });
  tool_frames(ctx, canvas);
  pull_text(ctx, canvas);
  ImGui::PopFont();
  draw->PopClipRect();
}

void follow_robot(const ViewContext& ctx) {
  static thread_local std::vector<double> asked;
  ghost_of(ctx.panel, asked);
  const std::vector<double>* refused = refused_pose(ctx);
  ctx.scene->robot().show_ghost(refused != nullptr ? *refused : asked);
  asked_tools_of(ctx.panel, ctx.scene->asked_tools);
  ctx.scene->obstacles = ctx.panel.snapshot().obstacles;
}

}  // namespace

float draw_scene_pane(const ViewContext& ctx, float room) {
  if (ctx.scene == nullptr) return room;
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  if (!ctx.state.scene_open) {
    ctx.scene->hand().let_go();
    if (ImGui::Button("3D view ▾")) ctx.state.scene_open = true;
    ctx.note("scene/open");
    return room - ImGui::GetFrameHeight() - gap;
  }
  follow_robot(ctx);
  const float height = room * ctx.state.scene_part;
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginChild("scene", {0, height}, false, ImGuiWindowFlags_NoScrollWithMouse);
  toolbar(ctx);
  const ImVec2 left = ImGui::GetContentRegionAvail();
  picture(ctx, {std::max(16.0F, left.x), std::max(16.0F, left.y)});
  ImGui::EndChild();
  float below = 1.0F - ctx.state.scene_part;
  splitter("scene splitter", false, width, room, below, 0.15F, 0.88F);
  ctx.state.scene_part = 1.0F - below;
  return room - height - 3.0F * gap;
}

}  // namespace jointrig::gui
