#include "gui/window/window.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "gui/window/fingerprint.h"

namespace jointrig::gui {
namespace {

std::string last_error;  // GLFW reports errors by a callback without a user pointer

void on_error(int /*code*/, const char* what) { last_error = what; }

std::optional<Key> key_of(int code) {
  if (code >= GLFW_KEY_1 && code <= GLFW_KEY_9) {
    return static_cast<Key>(static_cast<int>(Key::k1) + code - GLFW_KEY_1);
  }
  switch (code) {
    case GLFW_KEY_SPACE:
      return Key::kSpace;
    case GLFW_KEY_TAB:
      return Key::kTab;
    case GLFW_KEY_RIGHT:
      return Key::kRight;
    case GLFW_KEY_MINUS:
      return Key::kMinus;
    case GLFW_KEY_EQUAL:
      return Key::kEqual;
    case GLFW_KEY_BACKSPACE:
      return Key::kBackspace;
    case GLFW_KEY_E:
      return Key::kE;
    case GLFW_KEY_M:
      return Key::kM;
    case GLFW_KEY_T:
      return Key::kT;
    case GLFW_KEY_F6:
      return Key::kF6;
    case GLFW_KEY_F7:
      return Key::kF7;
    case GLFW_KEY_F8:
      return Key::kF8;
    case GLFW_KEY_F10:
      return Key::kF10;
    case GLFW_KEY_ESCAPE:
      return Key::kEscape;
    case GLFW_KEY_L:
      return Key::kL;
    case GLFW_KEY_S:
      return Key::kS;
    case GLFW_KEY_Z:
      return Key::kZ;
    case GLFW_KEY_F5:
      return Key::kF5;
    case GLFW_KEY_A:
      return Key::kA;
    case GLFW_KEY_C:
      return Key::kC;
    case GLFW_KEY_F:
      return Key::kF;
    case GLFW_KEY_P:
      return Key::kP;
    case GLFW_KEY_F1:
      return Key::kF1;
    case GLFW_KEY_F11:
      return Key::kF11;
    case GLFW_KEY_F12:
      return Key::kF12;
    default:
      return std::nullopt;
  }
}

void clear(const OpaqueFills::Fill& fill) {
  const ImVec4 colour = ImGui::ColorConvertU32ToFloat4(fill.colour);
  glEnable(GL_SCISSOR_TEST);
  glScissor(fill.left, fill.bottom, fill.width, fill.height);
  glClearColor(colour.x, colour.y, colour.z, colour.w);
  glClear(GL_COLOR_BUFFER_BIT);
}

bool is_computed_in_software() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name != nullptr &&
         (std::strstr(name, "llvmpipe") != nullptr || std::strstr(name, "softpipe") != nullptr);
}

/// The graphics card has a copy, and TiledPicture uses the other one, with a byte per pixel.
void free_fonts_of_four_bytes() {
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  if (fonts.TexPixelsRGBA32 == nullptr || fonts.TexPixelsAlpha8 == nullptr) return;
  ImGui::MemFree(fonts.TexPixelsRGBA32);
  fonts.TexPixelsRGBA32 = nullptr;
}

/// Glyphs lie on whole pixels, so the nearest texel is right; with OpenGL on a processor this saves
/// a third of their time.
void sample_nearest_where_slow() {
  if (!is_computed_in_software()) return;
  const auto texture = reinterpret_cast<std::intptr_t>(ImGui::GetIO().Fonts->TexID);
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, 0);
}

[[noreturn]] void refuse() {
  std::string why = last_error.empty() ? "GLFW gives no reason" : last_error;
  glfwTerminate();
  throw WindowError("no window can be opened (" + why +
                    "): is there a display? Over ssh use `ssh -X`, without a screen Xvfb; "
                    "`jointrig run` needs none");
}

}  // namespace

/// GLFW's callbacks, called before ImGui's, which then pass them on.
struct GuiWindow::Events {
  static GuiWindow& of(GLFWwindow* window) {
    return *static_cast<GuiWindow*>(glfwGetWindowUserPointer(window));
  }
  static void key(GLFWwindow* window, int code, int /*scancode*/, int action, int mods) {
    GuiWindow& self = of(window);
    self.input_came_ = true;
    if (code == GLFW_KEY_A) self.keys_.a_is_down = action != GLFW_RELEASE;
    if (action == GLFW_PRESS && code >= 0) self.tapped_.push_back(code);
    const std::optional<Key> key = key_of(code);
    if (action != GLFW_PRESS || !key) return;
    self.keys_.pressed.push_back({*key, (mods & GLFW_MOD_CONTROL) != 0,
                                  (mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_ALT) != 0});
  }
  /// The pointer may be elsewhere by the time of the next frame: the press keeps its place.
  static void button(GLFWwindow* window, int button, int action, int) {
    GuiWindow& self = of(window);
    self.input_came_ = true;
    if (action == GLFW_PRESS) self.keys_.presses.push_back({self.pointer_, button});
  }
  static void scroll(GLFWwindow* window, double, double) { of(window).input_came_ = true; }
  static void cursor(GLFWwindow* window, double x, double y) {
    of(window).input_came_ = true;
    of(window).pointer_ = {static_cast<float>(x), static_cast<float>(y)};
  }
  static void scaled(GLFWwindow* window, float scale, float) {
    of(window).monitor_scale_ = scale;
    of(window).rescale();
  }
  static void refresh(GLFWwindow* window) { of(window).must_draw_ = true; }
  static void focus(GLFWwindow* window, int focused) {
    // The release of a key in another window isn't reported here.
    if (focused == GLFW_FALSE) of(window).keys_.a_is_down = false;
  }
};

GuiWindow::GuiWindow(const std::string& title, int width, int height, Painter painter)
    : fills_(clear) {
  glfwSetErrorCallback(on_error);
  if (glfwInit() == GLFW_FALSE) refuse();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 2);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  // MuJoCo's renderer needs a compatibility profile; without one there is no 3D view.
  for (const int profile : {GLFW_OPENGL_COMPAT_PROFILE, GLFW_OPENGL_CORE_PROFILE}) {
    glfwWindowHint(GLFW_OPENGL_PROFILE, profile);
    window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
    if (window_ != nullptr) break;
  }
  if (window_ == nullptr) refuse();
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, Events::key);
  glfwSetMouseButtonCallback(window_, Events::button);
  glfwSetScrollCallback(window_, Events::scroll);
  glfwSetCursorPosCallback(window_, Events::cursor);
  glfwSetWindowFocusCallback(window_, Events::focus);
  glfwSetWindowRefreshCallback(window_, Events::refresh);
  glfwSetWindowContentScaleCallback(window_, Events::scaled);
  float other = 1.0F;
  glfwGetWindowContentScale(window_, &monitor_scale_, &other);
  scale_ = std::clamp(monitor_scale_, kSmallest, kLargest);
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 150");
  if (painter == Painter::kFastest && is_computed_in_software())
    image_ = SharedImage::open(window_);
  if (image_) tiles_.use(image_->pixels());
}

GuiWindow::~GuiWindow() {
  image_.reset();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

void GuiWindow::wait(const Pace& pace) {
  glfwPollEvents();
  for (;;) {
    const double since = glfwGetTime() - last_frame_;
    const double until = input_came_ ? pace.shortest : std::max(pace.shortest, pace.longest);
    if (since >= until || glfwWindowShouldClose(window_) != GLFW_FALSE) break;
    glfwWaitEventsTimeout(until - since);
  }
  last_frame_ = glfwGetTime();
}

bool GuiWindow::begin_frame(const Pace& pace) {
  wait(pace);
  frame_had_input_ = std::exchange(input_came_, false);
  frame_keys_ = keys_;
  frame_keys_.jog = jog();
  keys_.pressed.clear();
  keys_.presses.clear();
  if (glfwWindowShouldClose(window_) != GLFW_FALSE) return false;
  begin_imgui();
  return true;
}

int GuiWindow::jog() const noexcept {
  const auto down = [this](int code) { return glfwGetKey(window_, code) == GLFW_PRESS; };
  if (!focused() || !(down(GLFW_KEY_LEFT_ALT) || down(GLFW_KEY_RIGHT_ALT))) return 0;
  return (down(GLFW_KEY_RIGHT) ? 1 : 0) - (down(GLFW_KEY_LEFT) ? 1 : 0);
}

void GuiWindow::magnify(float factor) {
  // Within the visible range, so that the opposite change acts at once.
  magnification_ = std::clamp(factor, kSmallest / monitor_scale_, kLargest / monitor_scale_);
  rescale();
}

void GuiWindow::rescale() {
  const float wanted = std::clamp(monitor_scale_ * magnification_, kSmallest, kLargest);
  if (wanted == scale_) return;
  scale_ = wanted;
  rescaled_ = true;
}

/// Makes the fonts for the present scale.
void GuiWindow::make_fonts_anew() {
  if (!on_scale) return;
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui::GetIO().Fonts->Clear();
  on_scale(scale_);
  ImGui_ImplOpenGL3_CreateFontsTexture();
  has_fonts_ = false;
  must_draw_ = true;
  ++fonts_revision_;
}

void GuiWindow::begin_imgui() {
  if (std::exchange(rescaled_, false)) make_fonts_anew();
  ImGui_ImplOpenGL3_NewFrame();
  if (!std::exchange(has_fonts_, true)) {
    sample_nearest_where_slow();
    free_fonts_of_four_bytes();
  }
  ImGui_ImplGlfw_NewFrame();
  // ImGui 1.86 reads only the present key states: a key pressed and released between two frames
  // would be lost.
  ImGuiIO& io = ImGui::GetIO();
  for (const int code : tapped_) io.KeysDown[code] = true;
  ImGui::NewFrame();
  for (const int code : tapped_) {
    io.KeysDown[code] = glfwGetKey(window_, code) == GLFW_PRESS;
  }
  tapped_.clear();
}

bool GuiWindow::end_frame(bool textures_changed) {
  ImGui::Render();
  if (textures_changed) ++revision_;
  const bool drawn = image_ ? draw_itself() : draw_by_opengl(textures_changed);
  work_ = glfwGetTime() - last_frame_;
  return drawn;
}

bool GuiWindow::draw_by_opengl(bool textures_changed) {
  const std::uint64_t picture = fingerprint(*ImGui::GetDrawData());
  if (picture == shown_ && !textures_changed && !std::exchange(must_draw_, false)) return false;
  shown_ = picture;
  fills_.take_out(*ImGui::GetDrawData());
  draw();
  glfwSwapBuffers(window_);
  return true;
}

bool GuiWindow::draw_itself() {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  const Pixels before = image_->pixels();
  if (width <= 0 || height <= 0) return false;  // minimised
  if (width != before.width || height != before.height) {
    if (!image_->resize(width, height)) {
      image_.reset();
      return draw_by_opengl(true);
    }
    tiles_.use(image_->pixels());
  }
  const std::vector<PixelBox>& changed =
      tiles_.draw(*ImGui::GetDrawData(), [this](ImTextureID id) { return texels_of(id); });
  if (std::exchange(must_draw_, false)) {
    image_->show({{0, 0, width, height}});
    return true;
  }
  if (changed.empty()) return false;
  image_->show(changed);
  return true;
}

Texels GuiWindow::texels_of(ImTextureID texture) {
  const ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  if (texture == fonts.TexID) {
    return {fonts.TexPixelsAlpha8, fonts.TexWidth, fonts.TexHeight, /*alpha_only=*/true,
            fonts_revision_};
  }
  ReadTexture& read = textures_[texture];
  if (read.texels.revision == revision_) return read.texels;
  glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(reinterpret_cast<std::intptr_t>(texture)));
  GLint width = 0;
  GLint height = 0;
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
  glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
  read.rgba.resize(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, read.rgba.data());
  glBindTexture(GL_TEXTURE_2D, 0);
  read.texels = {read.rgba.empty() ? nullptr : read.rgba.data(), width, height,
                 /*alpha_only=*/false, revision_};
  return read.texels;
}

void GuiWindow::draw() const {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool GuiWindow::focused() const noexcept {
  return glfwGetWindowAttrib(window_, GLFW_FOCUSED) != GLFW_FALSE &&
         glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_FALSE;
}

void GuiWindow::close() noexcept { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

std::pair<int, int> GuiWindow::size() const noexcept {
  std::pair<int, int> size;
  glfwGetWindowSize(window_, &size.first, &size.second);
  return size;
}

void GuiWindow::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

void GuiWindow::toggle_full_screen() {
  int* b = before_full_screen_;
  if (glfwGetWindowMonitor(window_) != nullptr) {
    glfwSetWindowMonitor(window_, nullptr, b[0], b[1], b[2], b[3], GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return;
  glfwGetWindowPos(window_, &b[0], &b[1]);
  glfwGetWindowSize(window_, &b[2], &b[3]);
  const GLFWvidmode* mode = glfwGetVideoMode(monitor);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

Picture GuiWindow::picture() const {
  if (!image_) return picture_by_opengl();
  const Pixels shown = image_->pixels();
  Picture picture{shown.width, shown.height, {}};
  picture.rgb.reserve(3 * static_cast<std::size_t>(shown.width) *
                      static_cast<std::size_t>(shown.height));
  for (int y = 0; y < shown.height; ++y) {
    const std::uint32_t* row = shown.data + static_cast<std::ptrdiff_t>(y) * shown.stride;
    for (int x = 0; x < shown.width; ++x) {
      for (const int shift : {16, 8, 0}) {
        picture.rgb.push_back(static_cast<std::uint8_t>(row[x] >> shift));
      }
    }
  }
  return picture;
}

Picture GuiWindow::picture_by_opengl() const {
  draw();  // draws again: the front buffer can't be read everywhere
  Picture picture;
  glfwGetFramebufferSize(window_, &picture.width, &picture.height);
  const auto row = static_cast<std::size_t>(picture.width) * 3;
  picture.rgb.resize(row * static_cast<std::size_t>(picture.height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_BACK);
  glReadPixels(0, 0, picture.width, picture.height, GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
  // OpenGL begins at the bottom.
  for (int y = 0; y < picture.height / 2; ++y) {
    const auto top = picture.rgb.begin() + static_cast<std::ptrdiff_t>(row) * y;
    const auto bottom =
        picture.rgb.begin() + static_cast<std::ptrdiff_t>(row) * (picture.height - 1 - y);
    std::swap_ranges(top, top + static_cast<std::ptrdiff_t>(row), bottom);
  }
  return picture;
}

}  // namespace jointrig::gui
