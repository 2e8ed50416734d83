#pragma once
/// A joint on the screen as a chip, and in full; as a row: joint_row.h.

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws name, mode letter, error bar: fifty fit on one screen.
void draw_chip(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size);
/// Draws the full box.
void draw_full(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size);

}  // namespace jointrig::gui
