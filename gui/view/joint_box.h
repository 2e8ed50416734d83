#pragma once
/// A joint on the screen in three sizes.

#include "gui/view/context.h"

namespace jointrig::gui {

/// Size of a box on a page of this width: boxes share a line, and grow so that it is filled.
ImVec2 box_size(const ViewContext& ctx, BoxSize size, float page);
/// Between boxes.
float box_gap(const ViewContext& ctx, BoxSize size);

/// Name, mode letter, error bar: fifty on one screen.
void draw_chip(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size);
/// One line of a table.
void draw_row(const ViewContext& ctx, JointIndex joint, ImVec2 at, float width);
/// All of it.
void draw_full(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size);

}  // namespace jointrig::gui
