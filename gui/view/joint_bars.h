#pragma once
/// Elements of a joint's box.

#include "gui/view/context.h"

namespace jointrig::gui {

/// Draws a value between its limits: soft ends shaded, the measured value a solid mark, the
/// reference a hollow one.
void draw_bar(const ViewContext& ctx, ImVec2 from, ImVec2 to, const Bar& bar);
/// Draws the error from the middle outwards, full at a twentieth of the range.
void draw_error_bar(const ViewContext& ctx, ImVec2 from, ImVec2 to, const JointStatus& status);
/// Draws the tracking error of the last 5 s.
void draw_trace(const ViewContext& ctx, JointIndex joint, ImVec2 from, ImVec2 to);
/// Draws frame and title: mode by colour, compliant by hatching and round corners, fault by a thick
/// red border that blinks at 1 Hz, a silent board grey and crossed out.
void draw_frame(const ViewContext& ctx, JointIndex joint, const JointStatus& status, ImVec2 from,
                ImVec2 to, float title_height);
/// Draws badges in a row; returns its width.
float draw_badges(const ViewContext& ctx, const JointStatus& status, ImVec2 at, float width);
/// Colour for hatching that does not reduce the contrast of a title's text.
ImU32 hatch_ink(const ModeStyle& style);
/// Draws the remaining time of a stream's timeout, as a ring that empties.
void draw_timeout_ring(const ViewContext& ctx, ImVec2 centre, float radius, double part);

}  // namespace jointrig::gui
