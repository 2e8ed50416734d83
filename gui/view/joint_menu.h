#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Opens at a click with the right button on the last item: modes, interaction, plots and, in
/// simulation, faults to inject. Two clicks to change a mode: the menu, and the item.
void joint_menu(const ViewContext& ctx, JointIndex joint);
/// The same menu from a button.
void joint_menu_button(const ViewContext& ctx, JointIndex joint);

/// Asks before a joint is let go of under load.
void idle_question(const ViewContext& ctx);

}  // namespace jointrig::gui
