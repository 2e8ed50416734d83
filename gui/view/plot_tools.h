#pragma once
/// Tools beside the plots: sets of plots, the trigger, the table of step responses; and the way to
/// them from other pages.

#include <initializer_list>
#include <string>

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws a button with a list of plot sets, and a field to save the present plots as a set.
void draw_plot_sets(const ViewContext& ctx);
/// Draws a button with the trigger's state, and its settings.
void draw_trigger(const ViewContext& ctx);
/// Draws rise, overshoot, settling and steady error of every line between the cursors.
void draw_step_table(const ViewContext& ctx);
/// After an item: a double click on it shows these signals in a plot of their own.
void plot_at_double_click(const ViewContext& ctx, std::initializer_list<std::string> signals);

}  // namespace jointrig::gui
