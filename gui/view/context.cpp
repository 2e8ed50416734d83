#include "gui/view/context.h"

#include <cmath>
#include <cstdint>
#include <filesystem>

namespace jointrig::gui {
namespace {

constexpr float kTextSize = 15.0F;
constexpr float kSmallSize = 12.5F;
constexpr float kLargeSize = 24.0F;

/// Latin, some Greek, punctuation with the bullet, arrows, glyphs of button labels.
constexpr ImWchar kGlyphs[]{0x0020, 0x00FF, 0x0370, 0x03FF, 0x2010, 0x2030, 0x2190, 0x21FF, 0x2200,
                            0x2265, 0x25A0, 0x25FF, 0x2600, 0x26FF, 0x2700, 0x27BF, 0};

constexpr ImWchar kCapitals[]{0x0041, 0x005A, 0};

/// Loads files of one folder after the other.
class Loader {
 public:
  explicit Loader(const std::filesystem::path& own)
      : folders_{own, "/usr/share/fonts/truetype/dejavu"} {}

  ImFont* load(const char* name, float size, const ImWchar* glyphs = kGlyphs) const {
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    for (const std::filesystem::path& folder : folders_) {
      const std::string path = folder / name;
      if (!std::filesystem::exists(path)) continue;
      return fonts.AddFontFromFileTTF(path.c_str(), size, nullptr, glyphs);
    }
    ImFontConfig config;
    config.SizePixels = size;
    return fonts.AddFontDefault(&config);
  }

 private:
  std::filesystem::path folders_[2];
};

}  // namespace

Fonts load_fonts(float scale, const std::filesystem::path& own) {
  const Loader from(own);
  Fonts fonts;
  fonts.scale = scale;
  fonts.plain = from.load("DejaVuSans.ttf", kTextSize * scale);
  fonts.bold = from.load("DejaVuSans-Bold.ttf", kTextSize * scale);
  fonts.small = from.load("DejaVuSans.ttf", kSmallSize * scale);
  fonts.large = from.load("DejaVuSans-Bold.ttf", kLargeSize * scale, kCapitals);
  return fonts;
}

void ViewContext::note(const std::string& name) const {
  if (items == nullptr) return;
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  (*items)[name] = {from.x, from.y, to.x, to.y};
}

Rgb mixed(Rgb a, Rgb b, double part) noexcept {
  const auto between = [part](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + part * (y - x)));
  };
  return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b)};
}

ImVec4 colour4(Rgb rgb, float alpha) noexcept {
  return {static_cast<float>(rgb.r) / 255.0F, static_cast<float>(rgb.g) / 255.0F,
          static_cast<float>(rgb.b) / 255.0F, alpha};
}

ImU32 colour(Rgb rgb, float alpha) noexcept {
  return ImGui::ColorConvertFloat4ToU32(colour4(rgb, alpha));
}

void apply_theme(const Theme& theme, float scale) {
  ImGuiStyle style;
  theme.dark ? ImGui::StyleColorsDark(&style) : ImGui::StyleColorsLight(&style);
  style.WindowPadding = {8, 6};
  style.FramePadding = {7, 3};
  style.ItemSpacing = {6, 5};
  style.FrameRounding = 3;
  style.ChildRounding = 0;  // large: a rectangle is cheaper (gui/window/opaque_fills.h)
  style.PopupRounding = 4;
  style.GrabMinSize = 10;
  style.ScrollbarSize = 12;
  style.WindowBorderSize = 0;
  style.ScaleAllSizes(scale);
  const auto set = [&style](int which, Rgb rgb, float alpha = 1.0F) {
    style.Colors[which] = colour4(rgb, alpha);
  };
  set(ImGuiCol_WindowBg, theme.window);
  set(ImGuiCol_ChildBg, theme.window, 0.0F);
  set(ImGuiCol_PopupBg, theme.box);
  set(ImGuiCol_Text, theme.text);
  set(ImGuiCol_TextDisabled, theme.soft);
  set(ImGuiCol_Border, theme.line);
  set(ImGuiCol_FrameBg, theme.raised);
  set(ImGuiCol_FrameBgHovered, theme.hovered);
  set(ImGuiCol_FrameBgActive, theme.hovered);
  set(ImGuiCol_Button, theme.raised);
  set(ImGuiCol_ButtonHovered, theme.hovered);
  set(ImGuiCol_ButtonActive, theme.line);
  set(ImGuiCol_Tab, theme.raised);
  set(ImGuiCol_TabHovered, theme.hovered);
  set(ImGuiCol_TabActive, theme.hovered);
  set(ImGuiCol_Header, theme.raised);
  set(ImGuiCol_HeaderHovered, theme.hovered);
  set(ImGuiCol_HeaderActive, theme.hovered);
  set(ImGuiCol_CheckMark, theme.accent);
  // A slider's text is drawn over it.
  set(ImGuiCol_SliderGrab, mixed(theme.raised, theme.accent, 0.45));
  set(ImGuiCol_SliderGrabActive, mixed(theme.raised, theme.accent, 0.6));
  set(ImGuiCol_Separator, theme.line);
  ImGui::GetStyle() = style;
}

}  // namespace jointrig::gui
