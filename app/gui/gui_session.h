#pragma once
/// The motor panel on a running robot: loop thread, record, panel, window. Also what the tests of
/// the window drive.

#include <filesystem>
#include <optional>
#include <string>

#include "app/gui/live_loop.h"
#include "gui/panel/panel.h"
#include "gui/plot/plot_set.h"
#include "gui/scene3d/renderer.h"
#include "gui/view/main_view.h"
#include "gui/window/window.h"

namespace jointrig {

class GuiSession {
 public:
  static constexpr double kHistorySeconds = 60.0;

  /// The window comes first: where there is none, nothing is started. Throws WindowError and what
  /// LiveLoop throws.
  GuiSession(const RobotConfig& config, BackendKind backend, int width, int height);

  /// One frame; false: the window was closed.
  bool frame();

  /// Writes what the window showed last. Throws std::runtime_error.
  void screenshot(const std::filesystem::path& path) const;
  void close() noexcept { window_.close(); }

  [[nodiscard]] MotorPanel& panel() noexcept { return panel_; }
  [[nodiscard]] PlotSet& plots() noexcept { return plots_; }
  [[nodiscard]] ViewState& state() noexcept { return state_; }
  [[nodiscard]] LiveLoop& loop() noexcept { return loop_; }
  [[nodiscard]] const History& history() const noexcept { return history_; }
  /// Where things are in the window; kept up only after keep_items().
  [[nodiscard]] const ItemMap& items() const noexcept { return items_; }
  void keep_items() noexcept { keeps_items_ = true; }
  /// Frames that were drawn: those that look as the one before aren't.
  [[nodiscard]] std::uint64_t drawn() const noexcept { return drawn_; }
  /// Frames at the full rate for a while, as if somebody had touched something.
  void wake() noexcept;
  /// Null where this machine's OpenGL can't draw it.
  [[nodiscard]] Scene3d* scene() noexcept { return renderer_ ? &scene_ : nullptr; }

 private:
  void look_at_robot();
  void look_at_loop();
  void do_wishes();
  void export_plots();
  [[nodiscard]] Pace pace() const;

  GuiWindow window_;
  Fonts fonts_;
  LiveLoop loop_;
  RobotClient client_;
  EventRing::Reader events_;
  MotorPanel panel_;
  History history_;
  Scene3d scene_;
  std::optional<SceneRenderer> renderer_;
  PlotSet plots_;
  ViewState state_;
  Snapshot snapshot_;
  ItemMap items_;
  bool keeps_items_ = false;
  LoopHealth health_;
  double health_at_ = -1.0;
  double last_input_ = 0.0;
  std::uint64_t drawn_ = 0;
};

}  // namespace jointrig
