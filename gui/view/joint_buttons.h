#pragma once
/// Parts that boxes and rows of joints have in common.

#include <string>

#include "gui/view/context.h"

namespace jointrig::gui {

const std::string& joint_name(const ViewContext& ctx, JointIndex joint);
/// Behind all elements of a box: a click selects, the right button opens the menu, a drag takes the
/// joint to a plot.
void box_area(const ViewContext& ctx, JointIndex joint, ImVec2 at, ImVec2 size);
/// Run, Idle, Force-idle, Home, Cal, and the menu.
void joint_buttons(const ViewContext& ctx, JointIndex joint, ImVec2 at, bool faulted);
/// A value; of a silent board it is old, and struck out.
void measured(const ViewContext& ctx, const JointStatus& status, ImVec2 at, Rgb ink,
              const std::string& text);

}  // namespace jointrig::gui
