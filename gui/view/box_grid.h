#pragma once
/// Size and columns of the boxes of joints: arithmetic only.

#include <cstddef>

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

/// Boxes of a chosen size. They are as wide as fills the page; those in full as high, too, as long
/// as all of them fit.
/// @param room  the page [px]
/// @param scale  of the monitor
BoxGrid grid_of(BoxSize size, std::size_t joints, ImVec2 room, float scale);

/// The richest boxes of which all fit: in full, else rows, else chips.
BoxGrid fitting_grid(std::size_t joints, ImVec2 room, float scale);

}  // namespace jointrig::gui
