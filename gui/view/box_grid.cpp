#include "gui/view/box_grid.h"

#include <algorithm>
#include <cmath>

namespace jointrig::gui {
namespace {

// px at scale 1
const ImVec2 kChip{176, 56};
const ImVec2 kFull{296, 286};
constexpr float kFullLow = 240;  // in full with less of its trace, two sliders included
constexpr float kRowHeight = 43;
constexpr float kLeastRow = 640;  // narrower, its buttons would leave the page
constexpr float kChipGap = 8;
constexpr float kRowGap = 3;
// Largest growth of a box that has room: choices.
const ImVec2 kChipGrows{1.4F, 1.4F};
constexpr float kRowGrows = 1.3F;
const ImVec2 kFullGrows{2.2F, 1.6F};

std::size_t places(float length, float box, float gap) {
  constexpr float kRounding = 1e-3F;  // of boxes that share the length
  const float count = std::floor((length + gap) / (box + gap) + kRounding);
  return static_cast<std::size_t>(std::max(1.0F, count));
}

std::size_t lines_of(std::size_t joints, std::size_t columns) {
  return (std::max<std::size_t>(joints, 1) + columns - 1) / columns;
}

/// Length of one of `count` boxes that share a page, within its limits.
float share(float page, std::size_t count, float gap, float least, float most) {
  const float all = (page + gap) / static_cast<float>(count) - gap;
  return std::clamp(all, least, most);
}

/// Fewest columns with which all joints fit, so that each box is as wide as can be.
std::size_t columns_for(std::size_t joints, std::size_t columns, std::size_t lines) {
  for (std::size_t few = 1; few < columns; ++few) {
    if (lines_of(joints, few) <= lines) return few;
  }
  return columns;
}

BoxGrid tiles(BoxSize size, std::size_t joints, ImVec2 room, float scale) {
  const bool full = size == BoxSize::kFull;
  const ImVec2 own{scale * (full ? kFull.x : kChip.x), scale * (full ? kFull.y : kChip.y)};
  const ImVec2 grows = full ? kFullGrows : kChipGrows;
  const float gap = scale * kChipGap;
  const std::size_t most = places(room.x, own.x, gap);
  const bool all_fit = lines_of(joints, most) <= places(room.y, own.y, gap);
  const float low = full && !all_fit ? scale * kFullLow : own.y;
  const std::size_t lines = places(room.y, low, gap);
  const std::size_t columns = full ? columns_for(joints, most, lines) : most;
  BoxGrid grid{size, {}, gap};
  grid.box.x = share(room.x, columns, gap, own.x, grows.x * own.x);
  const std::size_t used = lines_of(joints, columns);
  grid.box.y = used <= lines ? share(room.y, used, gap, low, grows.y * own.y) : own.y;
  return grid;
}

}  // namespace

std::size_t BoxGrid::columns(float width) const noexcept { return places(width, box.x, gap); }

BoxGrid grid_of(BoxSize size, std::size_t joints, ImVec2 room, float scale) {
  if (size == BoxSize::kAuto) return fitting_grid(joints, room, scale);
  if (size != BoxSize::kRow) return tiles(size, joints, room, scale);
  const float gap = scale * kRowGap;
  const float least = scale * kRowHeight;
  const bool all_fit = joints <= places(room.y, least, gap);
  const float high =
      all_fit ? share(room.y, std::max<std::size_t>(joints, 1), gap, least, kRowGrows * least)
              : least;
  return {size, {std::max(room.x, scale * kLeastRow), high}, gap};
}

BoxGrid fitting_grid(std::size_t joints, ImVec2 room, float scale) {
  const BoxGrid full = tiles(BoxSize::kFull, joints, room, scale);
  const std::size_t columns = full.columns(room.x);
  if (lines_of(joints, columns) <= places(room.y, full.box.y, full.gap)) return full;
  const BoxGrid row = grid_of(BoxSize::kRow, joints, room, scale);
  const bool rows_fit = joints <= places(room.y, row.box.y, row.gap) && row.box.x <= room.x;
  return rows_fit ? row : tiles(BoxSize::kChip, joints, room, scale);
}

void fill_below_headings(BoxGrid& chips, std::span<const std::size_t> groups, float heading,
                         ImVec2 room, float scale) {
  std::size_t lines = 0;
  for (const std::size_t joints : groups) lines += lines_of(joints, chips.columns(room.x));
  const float page = room.y - heading * static_cast<float>(groups.size());
  const float least = scale * kChip.y;
  const float all = static_cast<float>(lines) * (least + chips.gap) - chips.gap;
  chips.box.y = all <= page ? share(page, lines, chips.gap, least, kChipGrows.y * least) : least;
}

}  // namespace jointrig::gui
