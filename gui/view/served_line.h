#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Line of a served robot in the top bar: who holds its lease, the button that takes it over, the
/// address, and how many are connected. Nothing for a robot that isn't served.
void draw_served_line(const ViewContext& ctx);

}  // namespace jointrig::gui
