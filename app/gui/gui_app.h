#pragma once

#include <filesystem>
#include <memory>

#include "app/gui/gui_session.h"
#include "app/gui/layout_file.h"

namespace jointrig::app {

/// A window, and one robot after another in it.
class GuiApp {
 public:
  static constexpr int kWidth = 1920;  ///< where neither the caller nor the layout says
  static constexpr int kHeight = 1080;

  /// Throws what GuiSession throws.
  /// @param width   0: as in the layout
  /// @param layout  file that the layout comes from and goes to; empty: none
  GuiApp(const GuiRobot& robot, int width, int height, std::filesystem::path layout = {});
  ~GuiApp();
  GuiApp(const GuiApp&) = delete;
  GuiApp& operator=(const GuiApp&) = delete;

  /// One frame; false: the window was closed. What was asked for with the frame before has
  /// happened: another robot is open, or the notice says why not.
  bool frame();

  [[nodiscard]] GuiSession& session() noexcept { return *session_; }

 private:
  void keep_layout();

  std::filesystem::path layout_file_;
  gui::Layout kept_;  ///< as the file has it
  std::unique_ptr<GuiSession> session_;
};

}  // namespace jointrig::app
