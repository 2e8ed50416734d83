#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// The references of a joint by hand, a line each: slider with the measured value and the ghost on
/// it, a field to type in, and for the joint a Live switch. Dragging shows a ghost; the panel
/// decides what is sent and when. The mouse wheel scrolls the page.
void reference_sliders(const ViewContext& ctx, JointIndex joint, ImVec2 at, float width);

/// The first of them alone, on one line.
void first_reference_slider(const ViewContext& ctx, JointIndex joint, ImVec2 at, float width);

/// Height of a joint's reference_sliders.
float reference_sliders_height(const ViewContext& ctx, JointIndex joint);

}  // namespace jointrig::gui
