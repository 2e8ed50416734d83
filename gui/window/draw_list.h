#pragma once
/// Recognises rectangles in ImGui's draw lists, which can be drawn without triangles. Any thread.

#include <imgui.h>

namespace jointrig::gui {

inline constexpr unsigned kRectangle = 6;  ///< indices of two triangles

[[nodiscard]] inline bool same(ImVec2 a, ImVec2 b) noexcept { return a.x == b.x && a.y == b.y; }

[[nodiscard]] inline bool is_opaque(ImU32 colour) noexcept {
  return (colour & IM_COL32_A_MASK) == IM_COL32_A_MASK;
}

/// True for a rectangle as ImDrawList::PrimRect and PrimRectUV write it: corners from the top left
/// one clockwise.
[[nodiscard]] inline bool is_rectangle(const ImDrawIdx* i, const ImDrawVert* vertices) noexcept {
  if (i[3] != i[0] || i[4] != i[2]) return false;
  const ImDrawVert& a = vertices[i[0]];
  const ImDrawVert& b = vertices[i[1]];
  const ImDrawVert& c = vertices[i[2]];
  const ImDrawVert& d = vertices[i[5]];
  return a.col == b.col && a.col == c.col && a.col == d.col && a.pos.y == b.pos.y &&
         b.pos.x == c.pos.x && c.pos.y == d.pos.y && d.pos.x == a.pos.x && a.pos.x < c.pos.x &&
         a.pos.y < c.pos.y && a.uv.y == b.uv.y && b.uv.x == c.uv.x && c.uv.y == d.uv.y &&
         d.uv.x == a.uv.x;
}

}  // namespace jointrig::gui
