#pragma once
/// Widgets that ImGui lacks.

#include "gui/view/context.h"

namespace jointrig::gui {

/// A button with a colour. If not enabled it is drawn dim, and `why_not` is its tip.
bool coloured_button(const ViewContext& ctx, const char* label, Rgb fill, Rgb text, ImVec2 size,
                     const std::string& why_not = {});
/// A plain button whose tip gives the reason why it can't be pressed.
bool guarded_button(const char* label, const std::string& why_not, const std::string& tip = {});
/// A button that must be held for HoldGuard::kHoldFor and fills up meanwhile. Returns true in the
/// frame in which it fires.
bool hold_button(const ViewContext& ctx, const char* label, const std::string& tip,
                 const std::string& why_not = {});
/// A tip for the last item, also if that is disabled.
void tip(const std::string& text);
/// InputText on a std::string. Returns true on Enter if `on_enter`, else on each change.
bool text_field(const char* label, const char* hint, std::string& text, float width,
                bool on_enter = false);
/// The same for a number, which a click selects whole. Returns true on each change.
bool number_field(const char* label, std::string& text, float width);
/// A bar between two areas that can be dragged. `part` is the share of `total`.
void splitter(const char* name, bool vertical, float length, float total, float& part, float least,
              float most);
/// Leaves the next item, of this width, on the line of the last one if it fits there.
void same_line_if_fits(const ViewContext& ctx, float width, float gap_at_scale_1 = 8.0F);
/// Width of a button with this label.
float button_width(const std::string& label);
/// Text clipped to a width, in a colour.
void text_at(ImDrawList* draw, ImVec2 at, Rgb rgb, const std::string& text, float width = 0.0F);
/// The lines of a text, none wider than `width` [px], broken between words. If `most` lines don't
/// hold it, the last one ends in "…".
std::vector<std::string> wrapped_lines(const ImFont& font, const std::string& text, float width,
                                       std::size_t most);
/// Text on one line in the middle of an area; if it is too long for that, small on as many lines as
/// the area's height has room for.
void fitted_text(const ViewContext& ctx, ImVec2 from, ImVec2 to, Rgb rgb, const std::string& text);
/// Width of a text in the font that is set.
float width_of(const std::string& text);
/// Diagonal hatching inside a rectangle.
void hatch(ImDrawList* draw, ImVec2 from, ImVec2 to, ImU32 ink, float spacing);

}  // namespace jointrig::gui
