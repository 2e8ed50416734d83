#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Chooses a scenario, shows its steps lit as they pass, and its verdicts.
void draw_scenario_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
