#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Page of a robot on feet: its balance, messages to its body and their answers, contact forces,
/// tasks with errors and weights.
void draw_body_tab(const ViewContext& ctx);

}  // namespace jointrig::gui
