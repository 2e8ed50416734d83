#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws a card for each joint that has or had a fault since the panel opened: fault, value, age,
/// usual causes, and the steps of recovery with their progress.
void draw_fault_cards(const ViewContext& ctx);

}  // namespace jointrig::gui
