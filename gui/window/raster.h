#pragma once
/// What ImGui draws, on a processor: rectangles, glyphs and triangles into rows of pixels.
///
/// A pixel belongs to a shape whose inside has its centre; of two triangles that share an edge just
/// one (OpenGL's rule of the top left edge), so that what lets something through isn't seen twice.
/// Textures are sampled at the nearest texel. Nothing here is kept; any thread.

#include <imgui.h>

#include <cstdint>

namespace jointrig::gui {

/// 0x00RRGGBB, rows from the top.
struct Pixels {
  std::uint32_t* data = nullptr;
  int width = 0;
  int height = 0;
  int stride = 0;  ///< pixels from a row to the next
};

/// Left and top are inside, right and bottom are not.
struct PixelBox {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;

  [[nodiscard]] bool empty() const noexcept { return left >= right || top >= bottom; }
  [[nodiscard]] bool covers(const PixelBox& other) const noexcept {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
  }
  bool operator==(const PixelBox&) const = default;
};
PixelBox overlap(const PixelBox& a, const PixelBox& b) noexcept;

/// A texture as ImGui has it: of its font atlas the alpha alone, of others red, green, blue, alpha.
struct Texels {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  bool alpha_only = true;
  std::uint64_t revision = 0;  ///< another one: other texels
};

/// @param box     inside of `pixels`
/// @param colour  of ImGui: opaque ones cover, others are blended
void draw_fill(const Pixels& pixels, const PixelBox& box, ImU32 colour) noexcept;

/// A texture on a rectangle along the axes.
/// @param box   the part of it that is drawn, inside of `pixels`
/// @param from  its top left corner, with colour and texture
/// @param to    its bottom right one
void draw_sprite(const Pixels& pixels, const PixelBox& box, const ImDrawVert& from,
                 const ImDrawVert& to, const Texels& texels) noexcept;

/// Colours and places in the texture are interpolated between corners.
/// @param box  drawn inside of it alone; itself inside of `pixels`
void draw_triangle(const Pixels& pixels, const PixelBox& box, const ImDrawVert& a,
                   const ImDrawVert& b, const ImDrawVert& c, const Texels& texels) noexcept;

}  // namespace jointrig::gui
