#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the scenario tab: choice, steps with their progress, and verdicts.
void draw_scenario_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
