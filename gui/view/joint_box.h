#pragma once
/// A joint on the screen in three sizes.

#include "gui/view/context.h"

namespace jointrig::gui {

/// Size of a box on a page of this width: boxes share a line, and grow to fill it.
ImVec2 box_size(const ViewContext& ctx, BoxSize size, float page);
/// Gap between boxes.
float box_gap(const ViewContext& ctx, BoxSize size);

/// Draws name, mode letter, error bar: fifty fit on one screen.
void draw_chip(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size);
/// Draws one line of a table.
void draw_row(const ViewContext& ctx, JointIndex joint, ImVec2 at, float width);
/// Draws the full box.
void draw_full(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size);

}  // namespace jointrig::gui
