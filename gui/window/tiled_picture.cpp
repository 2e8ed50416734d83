#include "gui/window/tiled_picture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "gui/window/draw_list.h"

namespace jointrig::gui {
namespace {

constexpr std::uint64_t kNothing = 0;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) noexcept {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;  // 2^64 / golden ratio
  return std::rotl((hash ^ word) * kFactor, 29);
}

template <typename T>
std::uint64_t mixed_bytes(std::uint64_t hash, const T& value) noexcept {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
  std::memcpy(words, &value, sizeof value);
  for (const std::uint32_t word : words) hash = mixed(hash, word);
  return hash;
}

/// The first pixel whose centre isn't before an edge.
int pixel_from(float edge) noexcept { return static_cast<int>(std::ceil(edge - 0.5F)); }

PixelBox box_of(float left, float top, float right, float bottom) noexcept {
  return {pixel_from(left), pixel_from(top), pixel_from(right), pixel_from(bottom)};
}

/// All pixels that a triangle can touch.
PixelBox touched_by(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) noexcept {
  const auto [left, right] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
  const auto [top, bottom] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
  return {static_cast<int>(std::floor(left)), static_cast<int>(std::floor(top)),
          static_cast<int>(std::ceil(right)), static_cast<int>(std::ceil(bottom))};
}

}  // namespace

void TiledPicture::use(const Pixels& pixels) {
  pixels_ = pixels;
  columns_ = (pixels.width + kTile - 1) / kTile;
  rows_ = (pixels.height + kTile - 1) / kTile;
  tiles_.clear();
  tiles_.resize(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
}

void TiledPicture::forget() noexcept {
  for (Tile& tile : tiles_) tile.drawn = kNothing;
}

TiledPicture::Tile& TiledPicture::tile_at(int column, int row) noexcept {
  const auto before = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_);
  return tiles_[before + static_cast<std::size_t>(column)];
}

PixelBox TiledPicture::area_of(int column, int row) const noexcept {
  return {column * kTile, row * kTile, std::min(pixels_.width, (column + 1) * kTile),
          std::min(pixels_.height, (row + 1) * kTile)};
}

const std::vector<PixelBox>& TiledPicture::draw(const ImDrawData& drawn, const Lookup& lookup) {
  sort(drawn, lookup);
  changed_.clear();
  for (int row = 0; row < rows_; ++row) {
    bool goes_on = false;  // the tile to the left was drawn, too
    for (int column = 0; column < columns_; ++column) {
      Tile& tile = tile_at(column, row);
      const bool same_as_before = tile.fingerprint == tile.drawn;
      if (!same_as_before) {
        const PixelBox area = area_of(column, row);
        draw(area, tile);
        tile.drawn = tile.fingerprint;
        if (goes_on) {
          changed_.back().right = area.right;
        } else {
          changed_.push_back(area);
        }
      }
      goes_on = !same_as_before;
    }
  }
  return changed_;
}

void TiledPicture::sort(const ImDrawData& drawn, const Lookup& lookup) {
  constexpr std::uint64_t kEmpty = 1;  // no tile is kNothing
  for (Tile& tile : tiles_) {
    tile.pieces.clear();
    tile.fingerprint = kEmpty;
  }
  pieces_.clear();
  texels_.clear();
  const PixelBox all{0, 0, pixels_.width, pixels_.height};
  ImTextureID texture = nullptr;
  for (int i = 0; i < drawn.CmdListsCount; ++i) {
    const ImDrawList& list = *drawn.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr || command.ElemCount == 0) continue;
      if (texels_.empty() || command.GetTexID() != texture) {
        texture = command.GetTexID();
        texels_.push_back(lookup(texture));
      }
      if (texels_.back().data == nullptr) continue;
      const ImVec4& clip = command.ClipRect;
      // Clips as ImGui's OpenGL backend.
      const PixelBox seen{static_cast<int>(clip.x), static_cast<int>(clip.y),
                          static_cast<int>(clip.z), static_cast<int>(clip.w)};
      sort(list, command, overlap(all, seen), static_cast<std::uint32_t>(texels_.size() - 1));
    }
  }
}

void TiledPicture::sort(const ImDrawList& list, const ImDrawCmd& command, const PixelBox& clip,
                        std::uint32_t texels) {
  if (clip.empty()) return;
  const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
  const ImDrawIdx* i = list.IdxBuffer.Data + command.IdxOffset;
  const ImDrawIdx* const end = i + command.ElemCount;
  const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
  while (i + 3 <= end) {
    Piece piece;
    piece.texels = texels;
    piece.a = vertices + i[0];
    piece.b = vertices + i[1];
    piece.c = vertices + i[2];
    if (i + kRectangle <= end && is_rectangle(i, vertices)) {
      const bool plain =
          texels_[texels].alpha_only && same(piece.a->uv, white) && same(piece.c->uv, white);
      piece.shape = plain ? Shape::kFill : Shape::kSprite;
      piece.box =
          overlap(clip, box_of(piece.a->pos.x, piece.a->pos.y, piece.c->pos.x, piece.c->pos.y));
      i += kRectangle;
    } else {
      piece.shape = Shape::kTriangle;
      piece.box = overlap(clip, touched_by(*piece.a, *piece.b, *piece.c));
      i += 3;
    }
    if (!piece.box.empty()) add(piece);
  }
}

std::uint64_t TiledPicture::fingerprint(const Piece& piece) const noexcept {
  std::uint64_t hash = mixed(static_cast<std::uint64_t>(piece.shape), piece.a->col);
  hash = mixed_bytes(hash, piece.box);
  if (piece.shape == Shape::kFill) return hash;
  hash = mixed(hash, texels_[piece.texels].revision);
  hash = mixed_bytes(mixed_bytes(hash, *piece.a), *piece.c);
  return piece.shape == Shape::kSprite ? hash : mixed_bytes(hash, *piece.b);
}

bool TiledPicture::hides(const Piece& piece, const PixelBox& area) noexcept {
  return piece.shape == Shape::kFill && is_opaque(piece.a->col) && piece.box.covers(area);
}

void TiledPicture::add(const Piece& piece) {
  const auto number = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back(piece);
  const std::uint64_t print = fingerprint(piece);
  for (int row = piece.box.top / kTile; row <= (piece.box.bottom - 1) / kTile; ++row) {
    for (int column = piece.box.left / kTile; column <= (piece.box.right - 1) / kTile; ++column) {
      Tile& tile = tile_at(column, row);
      const bool hides_all = hides(piece, area_of(column, row));
      if (hides_all) tile.pieces.clear();
      tile.pieces.push_back(number);
      // The edges of a shape that hides all others don't matter.
      tile.fingerprint = hides_all ? piece.a->col : mixed(tile.fingerprint, print) | 1U;
    }
  }
}

void TiledPicture::draw(const PixelBox& area, const Tile& tile) const {
  const bool hidden = !tile.pieces.empty() && hides(pieces_[tile.pieces.front()], area);
  if (!hidden) draw_fill(pixels_, area, IM_COL32_BLACK);
  for (const std::uint32_t number : tile.pieces) {
    const Piece& piece = pieces_[number];
    const PixelBox box = overlap(piece.box, area);
    switch (piece.shape) {
      case Shape::kFill:
        draw_fill(pixels_, box, piece.a->col);
        break;
      case Shape::kSprite:
        draw_sprite(pixels_, box, *piece.a, *piece.c, texels_[piece.texels]);
        break;
      case Shape::kTriangle:
        draw_triangle(pixels_, box, *piece.a, *piece.b, *piece.c, texels_[piece.texels]);
        break;
    }
  }
}

}  // namespace jointrig::gui
