#pragma once
/// Size and columns of the boxes of joints: arithmetic only.

#include <cstddef>
#include <span>

#include "gui/view/context.h"

namespace jointrig::gui {

/// How the boxes of a page lie [px].
struct BoxGrid {
  BoxSize size = BoxSize::kChip;  ///< never kAuto
  ImVec2 box;
  float gap = 0.0F;  ///< between two boxes

  /// Boxes beside each other in a page.
  [[nodiscard]] std::size_t columns(float width) const noexcept;
};

/// Boxes of a chosen size. They are as wide as fills the page, and as high, too, as long as all of
/// them fit.
/// @param room  the page [px]
/// @param scale  of the monitor
BoxGrid grid_of(BoxSize size, std::size_t joints, ImVec2 room, float scale);

/// The richest boxes of which all fit: in full, else rows, else chips.
BoxGrid fitting_grid(std::size_t joints, ImVec2 room, float scale);

/// Makes chips under headings as high as fills the page, as long as all of them fit.
/// @param groups   how many chips stand under each heading
/// @param heading  its height [px]
void fill_below_headings(BoxGrid& chips, std::span<const std::size_t> groups, float heading,
                         ImVec2 room, float scale);

/// Height from which a chip has a second line of values [px].
inline constexpr float kTallChip = 70.0F;

}  // namespace jointrig::gui
