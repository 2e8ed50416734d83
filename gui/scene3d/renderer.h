#pragma once

#include <cstdint>
#include <memory>

#include "gui/scene3d/scene3d.h"

namespace jointrig::gui {

/// Draws a Scene3d into a texture with MuJoCo's own renderer, which needs an OpenGL context with a
/// compatibility profile. Use it in the thread and the context that made it; the context outlives
/// it.
class SceneRenderer {
 public:
  /// True if the current context can draw it.
  [[nodiscard]] static bool possible() noexcept;

  explicit SceneRenderer(Scene3d& scene);
  ~SceneRenderer();
  SceneRenderer(const SceneRenderer&) = delete;
  SceneRenderer& operator=(const SceneRenderer&) = delete;

  /// Draws changes, and sets Scene3d::texture. Binds the previous framebuffer again.
  /// @returns true if it drew
  bool draw();

 private:
  void make_texture(int width, int height);

  Scene3d* scene_;
  std::unique_ptr<mjrContext> context_;
  unsigned texture_ = 0;
  unsigned framebuffer_ = 0;
  int width_ = 0;
  int height_ = 0;
  std::uint64_t drawn_ = 0;  ///< revision
};

}  // namespace jointrig::gui
