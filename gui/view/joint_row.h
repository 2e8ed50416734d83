#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// A joint as one line of a table: name and mode, values, the reference by hand with slider and
/// field, what there is to say, buttons with Home.
void draw_row(const ViewContext& ctx, JointIndex joint, ImVec2 from, ImVec2 size);

}  // namespace jointrig::gui
