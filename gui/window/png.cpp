#include "gui/window/png.h"

#include <png.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace jointrig::gui {

Picture part_of(const Picture& picture, int left, int top, int width, int height) {
  const int x0 = std::clamp(left, 0, picture.width);
  const int y0 = std::clamp(top, 0, picture.height);
  Picture part;
  part.width = std::clamp(left + width, x0, picture.width) - x0;
  part.height = std::clamp(top + height, y0, picture.height) - y0;
  for (int y = y0; y < y0 + part.height; ++y) {
    const auto row =
        picture.rgb.begin() + 3 * (static_cast<std::ptrdiff_t>(y) * picture.width + x0);
    part.rgb.insert(part.rgb.end(), row, row + 3 * static_cast<std::ptrdiff_t>(part.width));
  }
  return part;
}

std::string png_of(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  std::string bytes;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  bytes.resize(size);
  const int done = png_image_write_to_memory(&image, bytes.data(), &size, /*convert_to_8_bit=*/0,
                                             picture.rgb.data(), /*row_stride=*/0, nullptr);
  if (done == 0) throw std::runtime_error(std::string("no PNG: ") + image.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace jointrig::gui
