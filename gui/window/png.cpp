#include "gui/window/png.h"

#include <png.h>

#include <stdexcept>

namespace jointrig {

void write_png(const std::filesystem::path& path, const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  const int done = png_image_write_to_file(&image, path.c_str(), /*convert_to_8_bit=*/0,
                                           picture.rgb.data(), /*row_stride=*/0, nullptr);
  if (done == 0) {
    throw std::runtime_error("can't write " + path.string() + ": " + image.message);
  }
}

}  // namespace jointrig
