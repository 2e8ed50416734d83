#pragma once

#include <imgui.h>

#include <cstdint>
#include <deque>

namespace jointrig::gui {

/// Takes large opaque rectangles out of what ImGui draws and has them cleared in their turn: the
/// same pixels in the same order. Where a processor plays the graphics card, ImGui's shader costs
/// some 7 ns a pixel, whatever it draws, and clearing costs a thirtieth of that (llvmpipe, measured
/// with a rectangle of 1920×1080).
class OpaqueFills {
 public:
  static constexpr float kLeastPixels =
      2000.0F;  ///< choice: below, a change of state costs as much

  /// What is to be cleared, in pixels of the framebuffer from its bottom left corner.
  struct Fill {
    int left = 0;
    int bottom = 0;
    int width = 0;
    int height = 0;
    ImU32 colour = 0;
  };
  /// Clears one of them: of whoever has OpenGL.
  using Clear = void (*)(const Fill& fill);

  explicit OpaqueFills(Clear clear) : clear_(clear) {}

  /// Rewrites the commands; what was rewritten before may not be drawn any more.
  void take_out(ImDrawData& drawn);

 private:
  struct Job {
    Fill fill;
    Clear clear = nullptr;
  };
  void take_out(const ImDrawData& drawn, ImDrawList& list);
  static void run(const ImDrawList* list, const ImDrawCmd* command);

  Clear clear_;
  std::deque<Job> jobs_;  ///< where they are when commands point to them
  ImVector<ImDrawCmd> commands_;
};

}  // namespace jointrig::gui
