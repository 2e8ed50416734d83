#pragma once
/// Style of a mode: one function from mode and palette to colours, title and letter, for all parts
/// of the screen.

#include <cstdint>
#include <string>
#include <string_view>

#include "control/core/enumeration.h"
#include "control/core/modes.h"

namespace jointrig::gui {

struct Rgb {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  bool operator==(const Rgb&) const = default;
};

/// Contrast of two colours, 1 to 21: (L_lighter + 0.05) / (L_darker + 0.05) with L the relative
/// luminance of sRGB (W3C, WCAG 2.1, success criterion 1.4.3, which requires 4.5 for text).
double contrast(Rgb a, Rgb b) noexcept;
inline constexpr double kLeastContrast = 4.5;

/// Palettes of the mode colours: those of the iCub's motor GUI, which its users know by heart; the
/// same darkened, so that white text is readable on a dark theme; or Okabe and Ito's for
/// colour-blind people (M. Okabe, K. Ito 2008, "Color Universal Design").
#define JOINTRIG_PALETTES(X)   \
  X(kIcubDark, "iCub, dark")   \
  X(kIcubLight, "iCub, light") \
  X(kOkabeIto, "colour-blind safe")
JOINTRIG_ENUM(Palette, JOINTRIG_PALETTES)

struct ModeStyle {
  Rgb fill;                 ///< of the title bar
  Rgb text;                 ///< on it
  std::string_view title;   ///< "POSITION DIRECT"
  std::string_view letter;  ///< for a chip; a different one for each mode
};

ModeStyle style_of(JointMode mode, Palette palette) noexcept;

/// True if the interaction mode shapes the law: elsewhere it is stored and not shown as acting.
bool shows_interaction(JointMode mode) noexcept;

/// Mode and, if it acts, the interaction: "POSITION · compliant".
std::string title_of(JointMode mode, InteractionMode interaction);

}  // namespace jointrig::gui
