#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Reset, keyframes, and the lights of what is recorded: part of the top bar.
void draw_recording_line(const ViewContext& ctx);

}  // namespace jointrig::gui
