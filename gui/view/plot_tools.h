#pragma once
/// What stands beside the plots: sets of them, the trigger, the table of step responses.

#include "gui/view/context.h"

namespace jointrig::gui {

/// A button with a list of plot sets, and a field to keep what is shown as one.
void draw_plot_sets(const ViewContext& ctx);
/// A button that says what the trigger does, and its settings.
void draw_trigger(const ViewContext& ctx);
/// Rise, overshoot, settling and steady error of every line between the cursors.
void draw_step_table(const ViewContext& ctx);

}  // namespace jointrig::gui
