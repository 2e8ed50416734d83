#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// A menu that opens at a right click on the last item: modes, interaction, plots and, in
/// simulation, faults to inject. A change of mode takes two clicks: the menu, and the item.
void joint_menu(const ViewContext& ctx, JointIndex joint);
/// Opens the same menu from a button.
void joint_menu_button(const ViewContext& ctx, JointIndex joint);

}  // namespace jointrig::gui
