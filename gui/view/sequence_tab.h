#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the table of poses, the problem of each, the play buttons, and the file.
void draw_sequence_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
