#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws gains and limits of the selected joint, the changes of all joints, and the buttons that
/// write them to the file; below them laws of one's own.
void draw_parameter_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
