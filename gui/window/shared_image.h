#pragma once

#include <memory>
#include <vector>

#include "gui/window/raster.h"

struct GLFWwindow;

namespace jointrig::gui {

/// Pixels of an X11 window in memory shared with the X server (MIT-SHM): to show them costs one
/// copy of the changed parts. One thread; the window outlives it.
class SharedImage {
 public:
  /// Null if it is impossible: another window system, a remote screen, or pixels other than
  /// 0x00RRGGBB.
  static std::unique_ptr<SharedImage> open(GLFWwindow* window);
  ~SharedImage();
  SharedImage(const SharedImage&) = delete;
  SharedImage& operator=(const SharedImage&) = delete;

  /// Resizes to the window's present size; the contents are lost. Returns false if there is no such
  /// memory; the image is then unusable.
  bool resize(int width, int height);
  [[nodiscard]] Pixels pixels() const noexcept;
  /// Returns when the parts are on the screen.
  void show(const std::vector<PixelBox>& parts);

 private:
  struct Connection;
  explicit SharedImage(std::unique_ptr<Connection> connection);
  void release();

  std::unique_ptr<Connection> connection_;
};

}  // namespace jointrig::gui
