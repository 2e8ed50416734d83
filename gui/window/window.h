#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gui/view/keys.h"
#include "gui/window/opaque_fills.h"
#include "gui/window/png.h"
#include "gui/window/shared_image.h"
#include "gui/window/tiled_picture.h"

struct GLFWwindow;

namespace jointrig::gui {

/// Error: no window can be opened here. The message gives the reason and the remedy.
class WindowError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Period of drawing [s per frame]. Input ends the wait.
struct Pace {
  double shortest = 1.0 / 60.0;  ///< never more often
  double longest = 1.0 / 60.0;   ///< never less often
};

/// The painter of ImGui's drawing data.
enum class Painter : std::uint8_t {
  kFastest,  ///< OpenGL on a graphics card; else TiledPicture if X can show it
  kOpenGl,
};

/// A window with OpenGL and Dear ImGui in it. One at a time, in one thread.
///
///     while (window.begin_frame(pace)) { draw; window.end_frame(); }
class GuiWindow {
 public:
  /// Throws WindowError.
  GuiWindow(const std::string& title, int width, int height, Painter painter = Painter::kFastest);
  ~GuiWindow();
  GuiWindow(const GuiWindow&) = delete;
  GuiWindow& operator=(const GuiWindow&) = delete;

  /// Waits for its time or for input, and begins a frame of ImGui. Returns false if the window was
  /// closed.
  bool begin_frame(const Pace& pace);
  /// Draws and shows ImGui's data; nothing if the data equals that of the present picture.
  /// @param textures_changed  a texture that ImGui shows has changed
  /// @returns true if it was drawn
  bool end_frame(bool textures_changed);

  /// Scale of text and boxes: the monitor's times the magnification, within bounds.
  [[nodiscard]] float scale() const noexcept { return scale_; }
  static constexpr float kSmallest = 0.75F;
  static constexpr float kLargest = 4.0F;
  /// Sets the magnification from the next frame on, on every monitor.
  void magnify(float factor);
  [[nodiscard]] float magnification() const noexcept { return magnification_; }
  /// Loads fonts of a new scale into ImGui's empty atlas.
  std::function<void(float)> on_scale;
  [[nodiscard]] bool focused() const noexcept;
  /// Mouse or key input since the frame before.
  [[nodiscard]] bool had_input() const noexcept { return frame_had_input_; }
  [[nodiscard]] const KeyInput& keys() const noexcept { return frame_keys_; }
  [[nodiscard]] std::pair<int, int> size() const noexcept;
  void set_title(const std::string& title);
  void toggle_full_screen();
  void close() noexcept;

  /// The picture shown last. Call between end_frame and begin_frame.
  [[nodiscard]] Picture picture() const;
  /// The same picture, drawn by OpenGL.
  [[nodiscard]] Picture picture_by_opengl() const;
  /// True if the processor draws without OpenGL.
  [[nodiscard]] bool draws_itself() const noexcept { return image_ != nullptr; }
  /// Time from the end of the wait to the picture on the screen, in the last frame [s].
  [[nodiscard]] double work() const noexcept { return work_; }

 private:
  struct Events;  ///< callbacks of GLFW
  void wait(const Pace& pace);
  void draw() const;
  bool draw_by_opengl(bool textures_changed);
  bool draw_itself();
  [[nodiscard]] Texels texels_of(ImTextureID texture);
  void begin_imgui();
  void make_fonts_anew();
  void rescale();
  [[nodiscard]] int jog() const noexcept;

  GLFWwindow* window_ = nullptr;
  float monitor_scale_ = 1.0F;
  float magnification_ = 1.0F;
  float scale_ = 1.0F;
  bool rescaled_ = false;  ///< the scale changed, the fonts not yet
  std::uint64_t fonts_revision_ = 0;
  double last_frame_ = 0.0;
  bool input_came_ = false;
  std::uint64_t shown_ = 0;  ///< fingerprint of the present picture
  OpaqueFills fills_;
  std::unique_ptr<SharedImage> image_;  ///< null: OpenGL draws
  TiledPicture tiles_;
  /// Content of an OpenGL texture at its last query.
  struct ReadTexture {
    std::vector<std::uint8_t> rgba;
    Texels texels;
  };
  std::map<ImTextureID, ReadTexture> textures_;
  std::uint64_t revision_ = 1;  ///< of textures
  double work_ = 0.0;
  bool has_fonts_ = false;  ///< on the graphics card
  bool must_draw_ = true;   ///< the screen has lost the picture
  bool frame_had_input_ = false;
  ImVec2 pointer_{-1.0F, -1.0F};  ///< place of the mouse, by its last event
  KeyInput keys_;
  std::vector<int> tapped_;  ///< keys pressed since the frame before, by GLFW's codes
  KeyInput frame_keys_;
  int before_full_screen_[4]{};
};

}  // namespace jointrig::gui
