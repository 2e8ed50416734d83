// For a build without the libraries of a window.

#include <cstdio>

#include "app/gui/gui_verb.h"

namespace jointrig::app {

int gui_verb(const GuiOptions& /*options*/) {
  std::fputs(
      "jointrig gui: this build has no window, because Dear ImGui, GLFW, OpenGL, libXext or "
      "libpng was missing when it was made: install libimgui-dev, libglfw3-dev, libgl-dev, "
      "libxext-dev and libpng-dev, then configure and build again\n",
      stderr);
  return 2;
}

}  // namespace jointrig::app
