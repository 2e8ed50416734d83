#pragma once

#include "gui/view/context.h"
#include "gui/view/keys.h"

namespace jointrig::gui {

/// Draws one frame of the whole window, between ImGui::NewFrame and ImGui::Render.
void draw_main_view(const ViewContext& ctx, const KeyInput& keys);

}  // namespace jointrig::gui
