#pragma once

#include <functional>
#include <optional>

#include "gui/view/context.h"

namespace jointrig::gui {

/// Position of a point of the world on the screen; absent: behind the camera.
using OnScreen = std::function<std::optional<ImVec2>(const Point3&)>;

/// Draws the scene's balance over its picture: the soles' hull, the centre of mass with its
/// projection, the capture point in the colour of an error where it is outside.
void draw_balance(const ViewContext& ctx, const OnScreen& on_screen);

}  // namespace jointrig::gui
