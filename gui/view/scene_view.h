#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the 3D view at the top of the side column, or a bar to open it; nothing without a view.
///
///     drag                orbits                 wheel          zooms
///     right drag          pans                   click          chooses the link's joint
///     Ctrl + drag         pulls at a link: only in simulation, only while ARMED
///
/// @param room  height of the column
/// @returns the remaining height
float draw_scene_pane(const ViewContext& ctx, float room);

}  // namespace jointrig::gui
