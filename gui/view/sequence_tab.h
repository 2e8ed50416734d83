#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// The table of poses, what is wrong with each, how it is played, its file.
void draw_sequence_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
