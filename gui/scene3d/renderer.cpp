#include "gui/scene3d/renderer.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <cstring>

namespace jointrig::gui {
namespace {

bool computed_in_software() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name == nullptr || std::strstr(name, "llvmpipe") != nullptr ||
         std::strstr(name, "softpipe") != nullptr;
}

/// Resets state that MuJoCo's renderer doesn't set, since it assumes a context of its own.
void forget_shaders() {
  glUseProgram(0);
  glBindVertexArray(0);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
  glDisable(GL_SCISSOR_TEST);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

}  // namespace

bool SceneRenderer::possible() noexcept {
  GLint profile = 0;
  glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
  return (profile & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) != 0;
}

SceneRenderer::SceneRenderer(Scene3d& scene) : scene_(&scene), context_(new mjrContext) {
  // Four samples per pixel cost twice as much with OpenGL on a processor.
  mjModel& model = scene.robot().model();
  model.vis.quality.offsamples = computed_in_software() ? 0 : 4;
  model.vis.global.offwidth = 640;
  model.vis.global.offheight = 480;
  forget_shaders();
  mjr_defaultContext(context_.get());
  mjr_makeContext(&model, context_.get(), mjFONTSCALE_100);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

SceneRenderer::~SceneRenderer() {
  scene_->texture = 0;
  if (texture_ != 0) glDeleteTextures(1, &texture_);
  glDeleteFramebuffers(1, &framebuffer_);
  mjr_freeContext(context_.get());
}

void SceneRenderer::make_texture(int width, int height) {
  if (texture_ == 0) glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
  mjr_resizeOffscreen(width, height, context_.get());
  width_ = width;
  height_ = height;
  scene_->texture = texture_;
}

bool SceneRenderer::draw() {
  const std::uint64_t wanted = scene_->revision();
  if (wanted == drawn_) return false;
  drawn_ = wanted;
  forget_shaders();
  const int width = scene_->width();
  const int height = scene_->height();
  if (width != width_ || height != height_) make_texture(width, height);
  mjr_setBuffer(mjFB_OFFSCREEN, context_.get());
  mjr_render({0, 0, width, height}, &scene_->build(), context_.get());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, context_->offFBO);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_);
  glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return true;
}

}  // namespace jointrig::gui
