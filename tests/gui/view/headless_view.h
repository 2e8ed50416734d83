#pragma once
/// The whole view without a window: ImGui with a display of numbers, and hands that a test moves.

#include <imgui.h>

#include "gui/view/main_view.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::testing {

class HeadlessView {
 public:
  explicit HeadlessView(RigWithPanel& rig, double seconds = 5.0, float scale = 1.0F)
      : rig_(&rig), history(rig.panel.config(), seconds) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1920 * scale, 1080 * scale};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    for (int i = 0; i < ImGuiKey_COUNT; ++i) io.KeyMap[i] = 300 + i;
    fonts_ = gui::load_fonts(scale);
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~HeadlessView() { ImGui::DestroyContext(); }
  HeadlessView(const HeadlessView&) = delete;
  HeadlessView& operator=(const HeadlessView&) = delete;

  /// One frame: 16 cycles of the loop, their results, and the drawing.
  void frame(bool had_input = false) {
    for (int i = 0; i < 16; ++i) {
      rig_->cycle();
      history.push(rig_->rig.stack.snapshot());
    }
    rig_->now += 0.016;
    draw(had_input);
  }
  void draw(bool had_input) {
    rig_->show(had_input);
    ImGui::GetIO().DeltaTime = 0.016F;
    ImGui::NewFrame();
    const gui::ViewContext ctx{rig_->panel, plots,       history, state,
                               fonts_,      rig_->desks, &items,  scene};
    gui::draw_main_view(ctx, keys);
    ImGui::Render();
    keys.pressed.clear();
  }
  void look(int frames) {
    for (int i = 0; i < frames; ++i) frame();
  }
  void point_at(const std::string& item) {
    ASSERT_EQ(items.count(item), 1U) << item << " is not on the screen";
    const ImVec4 at = items.at(item);
    ImGui::GetIO().MousePos = {0.5F * (at.x + at.z), 0.5F * (at.y + at.w)};
    frame(true);
  }
  void drag(const std::string& from, const std::string& to) {
    point_at(from);
    ImGui::GetIO().MouseDown[0] = true;
    frame(true);
    point_at(to);
    frame(true);
    ImGui::GetIO().MouseDown[0] = false;
    frame(true);
    frame();
  }
  void click(const std::string& item, int button = 0) {
    point_at(item);
    ImGui::GetIO().MouseDown[button] = true;
    frame(true);
    ImGui::GetIO().MouseDown[button] = false;
    frame(true);
    frame();
  }

 private:
  RigWithPanel* rig_;
  gui::Fonts fonts_;

 public:
  gui::History history;
  gui::PlotSet plots;
  gui::ViewState state;
  gui::ItemMap items;
  gui::Scene3d* scene = nullptr;
  gui::KeyInput keys;
};

}  // namespace jointrig::testing
