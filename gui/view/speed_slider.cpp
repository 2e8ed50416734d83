#include "gui/view/speed_slider.h"

#include "gui/view/widgets.h"

namespace jointrig::gui {

void draw_speed_slider(const ViewContext& ctx, float width, const char* item) {
  float percent = static_cast<float>(100.0 * ctx.panel.watch.speed_override());
  ImGui::SetNextItemWidth(width);
  if (ImGui::SliderFloat("##speed", &percent, 1.0F, 100.0F, "speed %.0f %%",
                         ImGuiSliderFlags_AlwaysClamp)) {
    ctx.panel.client.ask_speed_override(static_cast<double>(percent) / 100.0);
  }
  ctx.note(item);
  tip("Factor on the speed of every move, velocity, stream and trajectory of all clients.");
}

}  // namespace jointrig::gui
