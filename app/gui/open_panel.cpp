#include "app/gui/open_panel.h"

#include "app/guarded.h"
#include "app/gui/panel_module.h"
#include "app/own_library.h"

namespace jointrig::app {
namespace {

constexpr OwnLibrary kPanel{
    kPanelLibrary,
    "this build has no window, because Dear ImGui, GLFW, OpenGL, libXext or libpng was missing "
    "when it was made: install libimgui-dev, libglfw3-dev, libgl-dev, libxext-dev and libpng-dev, "
    "then configure and build again",
    "can't load the panel ({}): install OpenGL and X11, libgl1 of Debian and Ubuntu, and where no "
    "wheel brought them libglfw3, libstb0 and libpng16-16 (libpng16-16t64 of Ubuntu)"};

}  // namespace

int open_panel(const GuiOptions& options) {
  return guarded("gui", [&] { return own_function<RunPanel>(kPanel, kPanelEntry)(options); });
}

}  // namespace jointrig::app
