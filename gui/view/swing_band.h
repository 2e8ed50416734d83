#pragma once

#include <string>

#include "gui/view/context.h"

namespace jointrig::gui {

/// Looks for joints that swing by themselves. Each frame, before drawing.
void watch_swings(const ViewContext& ctx);

/// `panel_joint4 swings at 23 Hz, ±3.1 °/s`
std::string swing_text(const ViewContext& ctx, const SwingWatch::Report& report);

/// The joint of the newest change of a gain, if it swings; null: it doesn't, or its limit was
/// changed and not a gain.
const SwingWatch::Report* swing_after_change(const ViewContext& ctx);

}  // namespace jointrig::gui
