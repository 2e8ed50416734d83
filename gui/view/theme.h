#pragma once
/// Colours and sizes of the window, except mode colours.

#include <array>

#include "gui/panel/mode_style.h"

namespace jointrig::gui {

struct Theme {
  bool dark = true;
  Rgb window;   ///< background of the window
  Rgb box;      ///< background of a joint, a plot, a list
  Rgb raised;   ///< buttons
  Rgb hovered;  ///< buttons under the mouse
  Rgb line;     ///< borders and grids: no text
  Rgb text;     ///< on window, box, raised
  Rgb soft;     ///< less important text on window and box
  Rgb accent;   ///< selected items; the measured value
  Rgb asked;    ///< references and ghosts
  Rgb good;     ///< at target, text
  Rgb warning;  ///< text
  Rgb error;    ///< text, and the border of a fault
  Rgb stop;     ///< the STOP button; white text on it
  Rgb real;     ///< the bar of a real robot; black text on it
};

const Theme& theme_of(Palette palette) noexcept;

/// Share of `asked` in the background of an active row; its text has the colour `text`.
inline constexpr float kLit = 0.25F;

/// Line colours of a plot, easy to distinguish on the theme's box.
inline constexpr std::size_t kLineColours = 8;
const std::array<Rgb, kLineColours>& line_colours(const Theme& theme) noexcept;

}  // namespace jointrig::gui
