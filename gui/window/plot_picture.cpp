#include "gui/window/plot_picture.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "gui/view/plot_view.h"
#include "gui/window/tiled_picture.h"

namespace jointrig::gui {
namespace {

/// ImGui for one picture, beside that of the window.
class OwnImGui {
 public:
  OwnImGui() : before_(ImGui::GetCurrentContext()), own_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(own_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  }
  ~OwnImGui() {
    ImGui::DestroyContext(own_);
    ImGui::SetCurrentContext(before_);
  }
  OwnImGui(const OwnImGui&) = delete;
  OwnImGui& operator=(const OwnImGui&) = delete;

 private:
  ImGuiContext* before_;
  ImGuiContext* own_;
};

void lay_out(const ViewContext& ctx) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(size);
  ImGui::PushFont(ctx.fonts.plain);
  ImGui::Begin("picture", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
  draw_plot_cells(ctx, ImGui::GetContentRegionAvail());
  ImGui::End();
  ImGui::PopFont();
  ImGui::Render();
}

Picture drawn(int width, int height) {
  std::vector<std::uint32_t> memory(static_cast<std::size_t>(width) *
                                    static_cast<std::size_t>(height));
  TiledPicture tiles;
  tiles.use({memory.data(), width, height, width});
  tiles.draw(*ImGui::GetDrawData(), [](ImTextureID) {
    const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    return Texels{fonts.TexPixelsAlpha8, fonts.TexWidth, fonts.TexHeight, true, 0};
  });
  Picture picture{width, height, {}};
  picture.rgb.reserve(3 * memory.size());
  for (const std::uint32_t pixel : memory) {
    for (const int shift : {16, 8, 0}) {
      picture.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
    }
  }
  return picture;
}

}  // namespace

Picture plot_picture(const ViewContext& ctx, float width, float height, float factor,
                     const std::filesystem::path& fonts) {
  const OwnImGui own;
  const ImVec2 size{std::ceil(width * factor), std::ceil(height * factor)};
  ImGui::GetIO().DisplaySize = size;
  const Fonts large = load_fonts(ctx.fonts.scale * factor, fonts);
  unsigned char* texels = nullptr;
  int columns = 0;
  int rows = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&texels, &columns, &rows);
  apply_theme(ctx.theme(), large.scale);
  ViewState state;  // columns of pixels are others than the window's
  const ViewContext page{ctx.panel, ctx.plots, ctx.history, state, large, ctx.desks};
  lay_out(page);
  lay_out(page);  // now the widths of labels are known
  return drawn(static_cast<int>(size.x), static_cast<int>(size.y));
}

}  // namespace jointrig::gui
