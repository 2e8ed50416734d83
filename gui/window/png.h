#pragma once

#include <cstdint>
#include <string>
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

/// The bytes of a PNG file. Throws std::runtime_error with a sentence.
std::string png_of(const Picture& picture);

}  // namespace jointrig::gui
