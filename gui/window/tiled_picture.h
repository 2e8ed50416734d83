#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "gui/window/raster.h"

namespace jointrig::gui {

/// A picture that the processor draws, only where it changes.
///
/// It is divided into tiles. In each frame ImGui's shapes are sorted into the tiles that they
/// touch, in order, and each tile gets a fingerprint of the shapes that no opaque shape hides.
/// Tiles with a changed fingerprint are drawn again: the pixels are the same as if all tiles were
/// drawn.
///
/// Compared with OpenGL on a processor (llvmpipe) this takes a fraction of the time: a pixel of
/// ImGui's shader costs 7 ns there and a triangle half a microsecond, however small.
class TiledPicture {
 public:
  static constexpr int kTile = 64;  ///< pixels: 16 KiB, which stay in a core's first cache
  /// Returns the content of ImGui's texture; without data it isn't drawn.
  using Lookup = std::function<Texels(ImTextureID)>;

  /// Sets the pixels; all of them are drawn next time.
  void use(const Pixels& pixels);
  /// Draws all tiles next time.
  void forget() noexcept;

  /// Draws; a pixel of the display is one of the picture. Callbacks in the drawing data are
  /// ignored.
  /// @returns the redrawn parts: runs of tiles, none twice
  const std::vector<PixelBox>& draw(const ImDrawData& drawn, const Lookup& lookup);

 private:
  enum class Shape : std::uint8_t { kFill, kSprite, kTriangle };
  /// A rectangle from a to c, or a triangle.
  struct Piece {
    Shape shape = Shape::kFill;
    PixelBox box;
    std::uint32_t texels = 0;  ///< index into texels_
    const ImDrawVert* a = nullptr;
    const ImDrawVert* b = nullptr;
    const ImDrawVert* c = nullptr;
  };
  struct Tile {
    std::vector<std::uint32_t> pieces;
    std::uint64_t fingerprint = 0;
    std::uint64_t drawn = 0;  ///< fingerprint of the present pixels
  };

  void sort(const ImDrawData& drawn, const Lookup& lookup);
  void sort(const ImDrawList& list, const ImDrawCmd& command, const PixelBox& clip,
            std::uint32_t texels);
  void add(const Piece& piece);
  void draw(const PixelBox& area, const Tile& tile) const;
  /// True if nothing below it is visible.
  [[nodiscard]] static bool hides(const Piece& piece, const PixelBox& area) noexcept;
  [[nodiscard]] std::uint64_t fingerprint(const Piece& piece) const noexcept;
  [[nodiscard]] Tile& tile_at(int column, int row) noexcept;
  [[nodiscard]] PixelBox area_of(int column, int row) const noexcept;

  Pixels pixels_;
  int columns_ = 0;
  int rows_ = 0;
  std::vector<Tile> tiles_;
  std::vector<Piece> pieces_;
  std::vector<Texels> texels_;
  std::vector<PixelBox> changed_;
};

}  // namespace jointrig::gui
