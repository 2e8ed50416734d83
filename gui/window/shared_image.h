#pragma once

#include <memory>
#include <vector>

#include "gui/window/raster.h"

struct GLFWwindow;

namespace jointrig::gui {

/// Pixels of a window of X11 in memory that the X server reads as well (MIT-SHM): showing them
/// costs a copy, and only of what changed. The thread that made it uses it; the window outlives it.
class SharedImage {
 public:
  /// Null where that can't be: another window system, another machine's screen, or pixels other
  /// than 0x00RRGGBB.
  static std::unique_ptr<SharedImage> open(GLFWwindow* window);
  ~SharedImage();
  SharedImage(const SharedImage&) = delete;
  SharedImage& operator=(const SharedImage&) = delete;

  /// As large as the window is now; what was in it is gone. False: there is no such memory, and
  /// the image is of no use any more.
  bool resize(int width, int height);
  [[nodiscard]] Pixels pixels() const noexcept;
  /// Returns once they are on the screen.
  void show(const std::vector<PixelBox>& parts);

 private:
  struct Connection;
  explicit SharedImage(std::unique_ptr<Connection> connection);
  void release();

  std::unique_ptr<Connection> connection_;
};

}  // namespace jointrig::gui
