#pragma once

#include <memory>

#include "app/gui/gui_session.h"

namespace jointrig {

/// A window, and one robot after another in it.
class GuiApp {
 public:
  /// Throws what GuiSession throws.
  GuiApp(const GuiRobot& robot, int width, int height);

  /// One frame; false: the window was closed. What was asked for with the frame before has
  /// happened: another robot is open, or the notice says why not.
  bool frame();

  [[nodiscard]] GuiSession& session() noexcept { return *session_; }

 private:
  std::unique_ptr<GuiSession> session_;
};

}  // namespace jointrig
