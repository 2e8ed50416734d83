#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/gui/gui_session.h"
#include "app/gui/layout_file.h"

namespace jointrig::app {

/// The window, which shows one robot after another.
class GuiApp {
 public:
  static constexpr int kWidth = 1920;  ///< used if neither the caller nor the layout sets it
  static constexpr int kHeight = 1080;

  /// Throws as GuiSession, and as Serving::start.
  /// @param width  0: as in the layout
  /// @param layout  file of the layout; empty: none
  /// @param serving  gives each robot of this window to others; none: to nobody
  GuiApp(const GuiRobot& robot, int width, int height, std::filesystem::path layout = {},
         std::optional<ServingOptions> serving = {});
  /// On a robot that is served elsewhere.
  GuiApp(std::unique_ptr<RemoteLoop> remote, int width, int height,
         std::filesystem::path layout = {});
  ~GuiApp();
  GuiApp(const GuiApp&) = delete;
  GuiApp& operator=(const GuiApp&) = delete;

  /// Runs one frame; returns false if the window was closed. Requests of the frame before were
  /// carried out: another robot is open, or a notice gives the reason why not.
  bool frame();

  [[nodiscard]] GuiSession& session() noexcept { return *session_; }

 private:
  using Screen = std::shared_ptr<GuiScreen>;
  /// @param open  makes the first session
  GuiApp(std::filesystem::path layout, int width, int height, std::optional<ServingOptions> serving,
         const std::function<std::unique_ptr<GuiSession>(Screen)>& open);
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
