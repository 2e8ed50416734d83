#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Gains and limits of the selected joint, what was changed of all, and the way back into the file.
void draw_parameter_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
