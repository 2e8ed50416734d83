#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// A card for each joint that has or had a fault since the panel opened: what, how much, when, what
/// usually causes it, and the steps of recovery with their progress.
void draw_fault_cards(const ViewContext& ctx);

}  // namespace jointrig::gui
