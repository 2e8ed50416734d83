#pragma once

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws reset, keyframes, and the recording lights: part of the top bar.
void draw_recording_line(const ViewContext& ctx);

}  // namespace jointrig::gui
