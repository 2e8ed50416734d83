#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Messages by one click, the form of any other, and the answers of the robot.
void draw_body_messages(const ViewContext& ctx);

}  // namespace jointrig::gui
