#include "app/gui/gui_app.h"

namespace jointrig {

GuiApp::GuiApp(const GuiRobot& robot, int width, int height)
    : session_(std::make_unique<GuiSession>(robot, width, height)) {}

bool GuiApp::frame() {
  if (!session_->frame()) return false;
  if (const std::optional<GuiRobot> next = session_->take_next()) {
    try {
      auto opened = std::make_unique<GuiSession>(session_->screen(), *next);
      opened->take_over(*session_);
      opened->start();
      session_ = std::move(opened);
    } catch (const std::exception& error) {
      session_->panel().tell(error.what());
    }
  }
  return true;
}

}  // namespace jointrig
