#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws part tabs, filter, poses, box size, and the boxes of the joints.
void draw_joint_area(const ViewContext& ctx, ImVec2 size);

}  // namespace jointrig::gui
