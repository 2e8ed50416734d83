#include "gui/window/raster.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jointrig::gui {
namespace {

constexpr int kSubpixelBits = 8;  // as in OpenGL implementations
constexpr int kSubpixels = 1 << kSubpixelBits;

struct Colour {
  std::uint32_t rgb = 0;  ///< as in Pixels
  std::uint32_t alpha = 0;
};

Colour of_imgui(ImU32 colour) noexcept {
  const std::uint32_t red = (colour >> IM_COL32_R_SHIFT) & 0xFF;
  const std::uint32_t green = (colour >> IM_COL32_G_SHIFT) & 0xFF;
  const std::uint32_t blue = (colour >> IM_COL32_B_SHIFT) & 0xFF;
  return {red << 16 | green << 8 | blue, (colour >> IM_COL32_A_SHIFT) & 0xFF};
}

/// @param alpha  0..255
std::uint32_t blended(std::uint32_t below, std::uint32_t above, std::uint32_t alpha) noexcept {
  const std::uint32_t part = alpha + (alpha >> 7);  // of 256
  const std::uint32_t rest = 256 - part;
  const std::uint32_t ends = ((above & 0xFF00FF) * part + (below & 0xFF00FF) * rest) >> 8;
  const std::uint32_t green = ((above & 0xFF00) * part + (below & 0xFF00) * rest) >> 8;
  return (ends & 0xFF00FF) | (green & 0xFF00);
}

void put(std::uint32_t& pixel, std::uint32_t rgb, std::uint32_t alpha) noexcept {
  if (alpha == 0) return;
  pixel = alpha == 255 ? rgb : blended(pixel, rgb, alpha);
}

std::uint32_t times(std::uint32_t a, std::uint32_t b) noexcept { return (a * b + 127) / 255; }

/// A texel tinted by a colour.
Colour tinted(const Texels& texels, int x, int y, const Colour& tint) noexcept {
  const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(y) * texels.width + x;
  if (texels.alpha_only) return {tint.rgb, times(texels.data[at], tint.alpha)};
  const std::uint8_t* rgba = texels.data + 4 * at;
  const std::uint32_t red = times(rgba[0], (tint.rgb >> 16) & 0xFF);
  const std::uint32_t green = times(rgba[1], (tint.rgb >> 8) & 0xFF);
  const std::uint32_t blue = times(rgba[2], tint.rgb & 0xFF);
  return {red << 16 | green << 8 | blue, times(rgba[3], tint.alpha)};
}

int texel_at(float part, int count) noexcept {
  return std::clamp(static_cast<int>(part * static_cast<float>(count)), 0, count - 1);
}

int fixed(float x) noexcept { return static_cast<int>(std::lround(x * kSubpixels)); }

/// The side from `from` to `to`; the inside is right of it on the screen.
struct Side {
  Side(const ImDrawVert& from, const ImDrawVert& to) noexcept
      : x(fixed(from.pos.x)),
        y(fixed(from.pos.y)),
        dx(fixed(to.pos.x) - x),
        dy(fixed(to.pos.y) - y) {}
  /// Twice the area between the side and a point, in subpixels.
  [[nodiscard]] std::int64_t at(std::int64_t px, std::int64_t py) const noexcept {
    return dx * (py - y) - dy * (px - x);
  }
  /// True if points on the side belong to the inside.
  [[nodiscard]] bool owns_its_points() const noexcept { return dy < 0 || (dy == 0 && dx > 0); }
  std::int64_t x, y, dx, dy;
};

/// Interpolates a number that is given at the corners.
struct Slope {
  Slope(float a, float b, float c) noexcept : start(a), by_b(b - a), by_c(c - a) {}
  [[nodiscard]] float at(float part_b, float part_c) const noexcept {
    return start + part_b * by_b + part_c * by_c;
  }
  float start, by_b, by_c;
};

float channel(ImU32 colour, int shift) noexcept {
  return static_cast<float>((colour >> shift) & 0xFF);
}

/// Pixels of a row, from its begin.
struct RowSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;

  /// Removes pixels where start + x * step < 0. Divides only if needed.
  void keep_inside(std::int64_t start, std::int64_t step) noexcept {
    if (to <= from) return;
    const bool starts_inside = start >= 0;
    const bool ends_inside = start + step * (to - 1) >= 0;
    if (starts_inside && ends_inside) return;
    if (!starts_inside && !ends_inside) {
      to = from;
    } else if (starts_inside) {
      to = start / -step + 1;
    } else {
      from = std::max(from, (-start + step - 1) / step);
    }
  }
};

void fill_row(std::uint32_t* from, std::uint32_t* to, const Colour& ink) noexcept {
  if (ink.alpha == 255) return std::fill(from, to, ink.rgb);
  if (ink.alpha == 0) return;
  for (; from < to; ++from) *from = blended(*from, ink.rgb, ink.alpha);
}

/// Values of a triangle that all its pixels share.
class Shade {
 public:
  Shade(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const Texels& texels)
      : texels_(&texels),
        plain_(of_imgui(a.col)),
        one_colour_(a.col == b.col && a.col == c.col),
        one_texel_(a.uv.x == b.uv.x && a.uv.y == b.uv.y && a.uv.x == c.uv.x && a.uv.y == c.uv.y),
        u_(a.uv.x, b.uv.x, c.uv.x),
        v_(a.uv.y, b.uv.y, c.uv.y),
        red_(slope(a, b, c, IM_COL32_R_SHIFT)),
        green_(slope(a, b, c, IM_COL32_G_SHIFT)),
        blue_(slope(a, b, c, IM_COL32_B_SHIFT)),
        alpha_(slope(a, b, c, IM_COL32_A_SHIFT)) {}

  /// True if all its pixels are equal.
  [[nodiscard]] bool is_flat() const noexcept { return one_colour_ && one_texel_; }
  [[nodiscard]] Colour at(float part_b, float part_c) const noexcept {
    const Colour ink = one_colour_ ? plain_ : mixed(part_b, part_c);
    // Within one texel there is nothing to interpolate, and rounding can't leave it.
    const float u = one_texel_ ? u_.start : u_.at(part_b, part_c);
    const float v = one_texel_ ? v_.start : v_.at(part_b, part_c);
    return tinted(*texels_, texel_at(u, texels_->width), texel_at(v, texels_->height), ink);
  }

 private:
  static Slope slope(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, int shift) {
    return {channel(a.col, shift), channel(b.col, shift), channel(c.col, shift)};
  }
  [[nodiscard]] Colour mixed(float part_b, float part_c) const noexcept {
    const auto byte = [&](const Slope& slope) {
      return static_cast<std::uint32_t>(std::clamp(slope.at(part_b, part_c) + 0.5F, 0.0F, 255.0F));
    };
    return {byte(red_) << 16 | byte(green_) << 8 | byte(blue_), byte(alpha_)};
  }

  const Texels* texels_;
  Colour plain_;
  bool one_colour_, one_texel_;
  Slope u_, v_, red_, green_, blue_, alpha_;
};

/// Box of a triangle's possible pixels.
PixelBox around(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) noexcept {
  const auto [left, right] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
  const auto [top, bottom] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
  return {static_cast<int>(std::floor(left)), static_cast<int>(std::floor(top)),
          static_cast<int>(std::ceil(right)) + 1, static_cast<int>(std::ceil(bottom)) + 1};
}

std::uint32_t* row_of(const Pixels& pixels, int y) noexcept {
  return pixels.data + static_cast<std::ptrdiff_t>(y) * pixels.stride;
}

}  // namespace

PixelBox overlap(const PixelBox& a, const PixelBox& b) noexcept {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

void draw_fill(const Pixels& pixels, const PixelBox& box, ImU32 colour) noexcept {
  const Colour ink = of_imgui(colour);
  if (ink.alpha == 0) return;
  for (int y = box.top; y < box.bottom; ++y) {
    std::uint32_t* row = row_of(pixels, y);
    fill_row(row + box.left, row + box.right, ink);
  }
}

void draw_sprite(const Pixels& pixels, const PixelBox& box, const ImDrawVert& from,
                 const ImDrawVert& to, const Texels& texels) noexcept {
  const Colour tint = of_imgui(from.col);
  const float per_x = (to.uv.x - from.uv.x) / (to.pos.x - from.pos.x);
  const float per_y = (to.uv.y - from.uv.y) / (to.pos.y - from.pos.y);
  const auto centre = [](int pixel) { return static_cast<float>(pixel) + 0.5F; };
  for (int y = box.top; y < box.bottom; ++y) {
    const int v = texel_at(from.uv.y + (centre(y) - from.pos.y) * per_y, texels.height);
    std::uint32_t* row = row_of(pixels, y);
    for (int x = box.left; x < box.right; ++x) {
      const int u = texel_at(from.uv.x + (centre(x) - from.pos.x) * per_x, texels.width);
      const Colour ink = tinted(texels, u, v, tint);
      put(row[x], ink.rgb, ink.alpha);
    }
  }
}

void draw_triangle(const Pixels& pixels, const PixelBox& box, const ImDrawVert& a,
                   const ImDrawVert& b, const ImDrawVert& c, const Texels& texels) noexcept {
  const PixelBox within = overlap(box, around(a, b, c));
  if (within.empty()) return;
  const std::int64_t area = Side(a, b).at(fixed(c.pos.x), fixed(c.pos.y));
  if (area == 0) return;
  if (area < 0) return draw_triangle(pixels, box, a, c, b, texels);
  const Side sides[3]{{a, b}, {b, c}, {c, a}};
  std::int64_t row_start[3];
  for (int i = 0; i < 3; ++i) {
    row_start[i] = sides[i].at(std::int64_t{within.left} * kSubpixels + kSubpixels / 2,
                               std::int64_t{within.top} * kSubpixels + kSubpixels / 2) -
                   (sides[i].owns_its_points() ? 0 : 1);
    // The whole box may lie beyond one side.
    const std::int64_t across = -sides[i].dy * kSubpixels * (within.right - within.left - 1);
    const std::int64_t down = sides[i].dx * kSubpixels * (within.bottom - within.top - 1);
    if (row_start[i] + std::max<std::int64_t>(across, 0) + std::max<std::int64_t>(down, 0) < 0) {
      return;
    }
  }
  const Shade shade(a, b, c, texels);
  const float per_area = 1.0F / static_cast<float>(area);
  const Colour flat = shade.at(0.0F, 0.0F);
  for (int y = within.top; y < within.bottom; ++y) {
    RowSpan span{0, within.right - within.left};
    for (int i = 0; i < 3; ++i) span.keep_inside(row_start[i], -sides[i].dy * kSubpixels);
    std::uint32_t* row = row_of(pixels, y) + within.left;
    if (shade.is_flat()) {
      fill_row(row + span.from, row + std::max(span.from, span.to), flat);
    } else {
      for (std::int64_t x = span.from; x < span.to; ++x) {
        const auto part = [&](int i) {
          return static_cast<float>(row_start[i] - x * sides[i].dy * kSubpixels) * per_area;
        };
        const Colour ink = shade.at(part(2), part(0));
        put(row[x], ink.rgb, ink.alpha);
      }
    }
    for (int i = 0; i < 3; ++i) row_start[i] += sides[i].dx * kSubpixels;
  }
}

}  // namespace jointrig::gui
