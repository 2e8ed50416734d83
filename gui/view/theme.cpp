#include "gui/view/theme.h"

namespace jointrig::gui {
namespace {

constexpr Theme kDark{
    .dark = true,
    .window = {22, 24, 28},
    .box = {32, 35, 41},
    .raised = {54, 59, 68},
    .hovered = {72, 79, 91},
    .line = {70, 76, 87},
    .text = {232, 235, 239},
    .soft = {158, 166, 178},
    .accent = {104, 179, 255},
    .asked = {255, 176, 84},
    .good = {118, 214, 140},
    .warning = {255, 200, 87},
    .error = {255, 120, 112},
    .stop = {200, 30, 36},
    .real = {255, 140, 0},
};

constexpr Theme kLight{
    .dark = false,
    .window = {232, 234, 237},
    .box = {252, 252, 253},
    .raised = {220, 224, 229},
    .hovered = {202, 209, 217},
    .line = {184, 190, 198},
    .text = {24, 27, 31},
    .soft = {86, 93, 103},
    .accent = {0, 92, 190},
    .asked = {158, 78, 0},
    .good = {18, 110, 46},
    .warning = {138, 84, 0},
    .error = {184, 20, 24},
    .stop = {200, 30, 36},
    .real = {255, 140, 0},
};

constexpr std::array<Rgb, kLineColours> kOnDark{{{104, 179, 255},
                                                 {255, 176, 84},
                                                 {118, 214, 140},
                                                 {240, 128, 190},
                                                 {240, 228, 90},
                                                 {140, 220, 230},
                                                 {200, 160, 255},
                                                 {255, 140, 120}}};
constexpr std::array<Rgb, kLineColours> kOnLight{{{0, 92, 190},
                                                  {158, 78, 0},
                                                  {18, 120, 50},
                                                  {170, 30, 110},
                                                  {120, 105, 0},
                                                  {0, 106, 118},
                                                  {104, 58, 190},
                                                  {190, 50, 30}}};

}  // namespace

const Theme& theme_of(Palette palette) noexcept {
  return palette == Palette::kIcubLight ? kLight : kDark;
}

const std::array<Rgb, kLineColours>& line_colours(const Theme& theme) noexcept {
  return theme.dark ? kOnDark : kOnLight;
}

}  // namespace jointrig::gui
