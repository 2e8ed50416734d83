#pragma once

#include <functional>
#include <optional>

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws the planned way of each tool over the 3D view: a line with a dot for each waypoint, the
/// part that is refused for a collision in red, and the place that the robot is at. While the
/// Motion tab is open, or a motion is followed.
/// @param on_screen  place of a point of the world; absent: behind the camera
void draw_motion_path(const ViewContext& ctx,
                      const std::function<std::optional<ImVec2>(const Point3&)>& on_screen);

/// The robot where bodies meet on the refused path, all joints [rad or m]; null: nothing to show.
const std::vector<double>* refused_pose(const ViewContext& ctx);

}  // namespace jointrig::gui
