#pragma once

#include <imgui.h>

#include <cstdint>
#include <deque>

namespace jointrig::gui {

/// Replaces large opaque rectangles in ImGui's drawing data by clears: the same pixels in the same
/// order. With OpenGL on a processor ImGui's shader costs about 7 ns per pixel, and a clear a
/// thirtieth of that (llvmpipe, measured with a rectangle of 1920×1080).
class OpaqueFills {
 public:
  static constexpr float kLeastPixels =
      2000.0F;  ///< choice: below it a change of state costs as much

  /// A rectangle to clear, in pixels of the framebuffer from its bottom left corner.
  struct Fill {
    int left = 0;
    int bottom = 0;
    int width = 0;
    int height = 0;
    ImU32 colour = 0;
  };
  /// Clears one of them, by OpenGL's owner.
  using Clear = void (*)(const Fill& fill);

  explicit OpaqueFills(Clear clear) : clear_(clear) {}

  /// Rewrites the commands; commands rewritten before must not be drawn any more.
  void take_out(ImDrawData& drawn);

 private:
  struct Job {
    Fill fill;
    Clear clear = nullptr;
  };
  void take_out(const ImDrawData& drawn, ImDrawList& list);
  static void run(const ImDrawList* list, const ImDrawCmd* command);

  Clear clear_;
  std::deque<Job> jobs_;  ///< addresses that commands refer to
  ImVector<ImDrawCmd> commands_;
};

}  // namespace jointrig::gui
