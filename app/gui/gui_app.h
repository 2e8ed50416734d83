#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "app/gui/gui_session.h"
#include "app/gui/layout_file.h"

namespace jointrig::app {

/// The window, which shows one robot after another.
class GuiApp {
 public:
  using Screen = std::shared_ptr<GuiScreen>;
  static constexpr int kWidth = 1920;  ///< used if neither the caller nor the layout sets it
  static constexpr int kHeight = 1080;

  /// Throws as GuiSession, and as Serving::start.
  /// @param width  0: as in the layout
  /// @param layout  file of the layout; empty: none
  /// @param serving  gives each robot of this window to others; none: to nobody
  GuiApp(const GuiRobot& robot, int width, int height, const std::filesystem::path& layout = {},
         std::optional<ServingOptions> serving = {});
  /// In a window that is open (screen_for).
  GuiApp(const GuiRobot& robot, Screen screen, std::filesystem::path layout,
         std::optional<ServingOptions> serving = {});
  /// On a robot that is served elsewhere.
  GuiApp(std::unique_ptr<RemoteLoop> remote, Screen screen, std::filesystem::path layout = {});
  ~GuiApp();
  GuiApp(const GuiApp&) = delete;
  GuiApp& operator=(const GuiApp&) = delete;

  /// Runs one frame; returns false if the window was closed. Requests of the frame before were
  /// carried out: another robot is open, or a notice gives the reason why not.
  bool frame();

  [[nodiscard]] GuiSession& session() noexcept { return *session_; }

  /// A window of the size asked for, of the layout's, or the usual one. Throws WindowError.
  static Screen screen_for(int width, int height, const std::filesystem::path& layout);

 private:
  GuiApp(std::filesystem::path layout, std::optional<ServingOptions> serving,
         std::unique_ptr<GuiSession> session);
  void apply_layout();
  void keep_layout();
  void open(const GuiRobot& robot);
  void serve_again();

  std::filesystem::path layout_file_;
  gui::Layout kept_;                       ///< as in the file
  std::optional<ServingOptions> serving_;  ///< with the ports of the first robot
  std::unique_ptr<GuiSession> session_;
};

}  // namespace jointrig::app
