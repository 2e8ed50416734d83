#include "gui/panel/mode_style.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jointrig::gui {
namespace {

constexpr Rgb kBlack{0, 0, 0};
constexpr Rgb kWhite{255, 255, 255};

struct Look {
  Rgb icub;
  Rgb okabe_ito;
  std::string_view title;
  std::string_view letter;
};

// In the order of JointMode.
constexpr std::array<Look, kAllJointMode.size()> kLooks{{
    {{249, 236, 141}, {240, 228, 66}, "IDLE", "I"},
    {{149, 221, 186}, {0, 158, 115}, "POSITION", "P"},
    {{119, 206, 111}, {86, 180, 233}, "POSITION DIRECT", "D"},
    {{150, 190, 255}, {0, 114, 178}, "VELOCITY", "V"},
    {{150, 205, 220}, {230, 159, 0}, "MIXED", "M"},
    {{219, 166, 171}, {204, 121, 167}, "TORQUE", "T"},
    {{250, 250, 250}, {250, 250, 250}, "OPENLOOP", "O"},
    {{200, 170, 235}, {170, 140, 215}, "CARTESIAN", "K"},
    {{255, 50, 50}, {213, 94, 0}, "HARDWARE FAULT", "!"},
    {{220, 220, 220}, {200, 200, 200}, "CALIBRATING", "C"},
    {{205, 205, 205}, {185, 185, 185}, "CALIBRATED", "c"},
    {{190, 190, 190}, {160, 160, 160}, "NOT CONFIGURED", "x"},
    {{220, 220, 220}, {200, 200, 200}, "NOT CALIBRATED", "="},
}};

double linear(std::uint8_t channel) noexcept {
  const double c = channel / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(Rgb c) noexcept {
  return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

/// Black or white, by the larger contrast, which is at least √21 = 4.58.
Rgb text_on(Rgb fill) noexcept {
  return contrast(fill, kBlack) > contrast(fill, kWhite) ? kBlack : kWhite;
}

/// The same hue, as light as white text allows.
Rgb darkened(Rgb colour) noexcept {
  for (int percent = 99; percent > 0; --percent) {
    const auto scaled = [percent](std::uint8_t c) {
      return static_cast<std::uint8_t>(c * percent / 100);
    };
    const Rgb darker{scaled(colour.r), scaled(colour.g), scaled(colour.b)};
    if (contrast(darker, kWhite) >= kLeastContrast) return darker;
  }
  return kBlack;
}

ModeStyle make_style(const Look& look, Palette palette) noexcept {
  const Rgb fill = palette == Palette::kOkabeIto    ? look.okabe_ito
                   : palette == Palette::kIcubLight ? look.icub
                                                    : darkened(look.icub);
  const Rgb text = palette == Palette::kIcubDark ? kWhite : text_on(fill);
  return {fill, text, look.title, look.letter};
}

/// Computed once: a frame needs it about a hundred times.
using Styles = std::array<std::array<ModeStyle, kAllJointMode.size()>, kAllPalette.size()>;
Styles all_styles() noexcept {
  Styles styles;
  for (const Palette palette : kAllPalette) {
    for (std::size_t mode = 0; mode < kLooks.size(); ++mode) {
      styles[static_cast<std::size_t>(palette)][mode] = make_style(kLooks[mode], palette);
    }
  }
  return styles;
}

}  // namespace

double contrast(Rgb a, Rgb b) noexcept {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

ModeStyle style_of(JointMode mode, Palette palette) noexcept {
  static const Styles styles = all_styles();
  return styles[static_cast<std::size_t>(palette)][static_cast<std::size_t>(mode)];
}

bool shows_interaction(JointMode mode) noexcept {
  const auto index = static_cast<std::size_t>(mode);
  return index < kAllControlMode.size() && has_interaction(kAllControlMode[index]);
}

std::string title_of(JointMode mode, InteractionMode interaction) {
  std::string title(style_of(mode, Palette::kIcubDark).title);
  if (shows_interaction(mode)) title += " · " + std::string(to_string(interaction));
  return title;
}

}  // namespace jointrig::gui
