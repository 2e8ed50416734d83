#pragma once

#include <optional>
#include <string>

#include "gui/panel/motion_table.h"
#include "gui/view/context.h"

namespace jointrig::gui {

/// Fields for all that a list of waypoints says beside them.
void draw_motion_options(const ViewContext& ctx, MotionTable& table);
/// Likewise for the selected waypoint: what it says in place of the list.
void draw_own_options(const ViewContext& ctx, MotionTable& table);

/// "40.0 %"; "–" for no value.
std::string shown_or_dash(const std::optional<double>& value, JointQuantity quantity, bool slide);

}  // namespace jointrig::gui
