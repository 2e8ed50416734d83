#pragma once
/// STOP and OFF in the top left corner of the window: their place depends on nothing but the scale,
/// and they act on the press of a mouse button itself.
///
/// ImGui gives a press to one item: an open list, a menu or a field takes it, and the button
/// below never hears of it. So these two are no items of ImGui. act_on_stop() looks at the presses
/// before anything else does, takes those on STOP and OFF away from ImGui, and ends every gesture:
/// menus and lists close, a slider in the hand is dropped, held buttons are released.

#include "gui/view/keys.h"

namespace jointrig::gui {

/// Rectangles in the window [px]: left, top, right, bottom. STOP fills the corner, so that a
/// pointer thrown there hits it.
struct StopCorner {
  ImVec4 stop;
  ImVec4 off;
};

/// The same for every robot and window; only proportional to the scale.
StopCorner stop_corner(float scale) noexcept;

/// Call first in a frame, right after ImGui::NewFrame. Any mouse button on STOP stops; OFF wants
/// the left one.
void act_on_stop(const ViewContext& ctx, const KeyInput& input);

/// Draws both above everything else, menus and tips included. Call inside the main window.
void draw_stop_corner(const ViewContext& ctx);

/// STOP and OFF with the end of every gesture: for keys.
void stop_now(const ViewContext& ctx);
void off_now(const ViewContext& ctx);

/// Closes every menu and list, and drops whatever the mouse or the keyboard holds.
void end_gestures();

}  // namespace jointrig::gui
