#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// The speed override, which acts on every motion of every client.
/// @param item  its name in the item map
void draw_speed_slider(const ViewContext& ctx, float width, const char* item);

}  // namespace jointrig::gui
