#pragma once
/// Draws ImGui's rectangles, glyphs and triangles on a processor, into rows of pixels.
///
/// A pixel belongs to a shape that contains its centre; of two triangles with a common edge it
/// belongs to one (OpenGL's top-left rule), so that transparent colours are blended once. Textures
/// are sampled at the nearest texel. No state; any thread.

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

/// A texture of ImGui: the alpha alone for its font atlas, red, green, blue, alpha for others.
struct Texels {
  const std::uint8_t* data = nullptr;
  int width = 0;
  int height = 0;
  bool alpha_only = true;
  std::uint64_t revision = 0;  ///< a different number: different texels
};

/// @param box  inside of `pixels`
/// @param colour  ImGui's: opaque colours cover, others are blended
void draw_fill(const Pixels& pixels, const PixelBox& box, ImU32 colour) noexcept;

/// Draws a texture on a rectangle along the axes.
/// @param box  the drawn part of it, inside of `pixels`
/// @param from  its top left corner, with colour and texture
/// @param to  its bottom right one
void draw_sprite(const Pixels& pixels, const PixelBox& box, const ImDrawVert& from,
                 const ImDrawVert& to, const Texels& texels) noexcept;

/// Draws a triangle; colours and texture coordinates are interpolated between corners.
/// @param box  clip, inside of `pixels`
void draw_triangle(const Pixels& pixels, const PixelBox& box, const ImDrawVert& a,
                   const ImDrawVert& b, const ImDrawVert& c, const Texels& texels) noexcept;

}  // namespace jointrig::gui
