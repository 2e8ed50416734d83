#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Part of the Cartesian tab: stiffness, damping, terms, posture and payload of the arm on the
/// screen.
void draw_cartesian_gains(const ViewContext& ctx);

}  // namespace jointrig::gui
