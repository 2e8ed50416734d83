#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace jointrig::gui {

/// Pixels in rows from the top: red, green, blue.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

/// The part of it inside the box; coordinates from the top left corner.
Picture part_of(const Picture& picture, int left, int top, int width, int height);

/// Throws std::runtime_error with a sentence.
void write_png(const std::filesystem::path& path, const Picture& picture);

}  // namespace jointrig::gui
