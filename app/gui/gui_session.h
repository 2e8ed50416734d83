#pragma once
/// The motor panel on a running robot: loop thread, record, panel, in a window. Another robot, or
/// the same from its start, is another session in the same window (gui_app.h).

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/gui/gui_robot.h"
#include "app/gui/live_loop.h"
#include "app/gui/parameter_file.h"
#include "gui/panel/desks.h"
#include "gui/panel/panel.h"
#include "gui/plot/plot_set.h"
#include "gui/scene3d/renderer.h"
#include "gui/view/main_view.h"
#include "gui/window/window.h"

namespace jointrig::app {

/// What outlives a robot. Throws WindowError.
struct GuiScreen {
  static constexpr float kSizeStep = 1.1F;  ///< of Ctrl+= and Ctrl+−
  GuiScreen(int width, int height, gui::Painter painter = gui::Painter::kFastest)
      : window("jointrig", width, height, painter), fonts(gui::load_fonts(window.scale())) {
    window.on_scale = [this](float scale) { fonts = gui::load_fonts(scale); };
  }
  GuiScreen(const GuiScreen&) = delete;
  GuiScreen& operator=(const GuiScreen&) = delete;
  gui::GuiWindow window;
  gui::Fonts fonts;
};

class GuiSession {
 public:
  static constexpr double kHistorySeconds = 60.0;

  /// The window comes first: where there is none, nothing is started. Throws WindowError and what
  /// LiveLoop throws.
  GuiSession(const GuiRobot& robot, int width, int height)
      : GuiSession(std::make_shared<GuiScreen>(width, height), robot) {
    start();
  }
  /// Where it throws nothing has happened to the screen. The robot stands still until start().
  GuiSession(std::shared_ptr<GuiScreen> screen, const GuiRobot& robot);

  /// Goes on as another session looked: sizes, palette, part, access, the sequence being edited;
  /// on the same joints also the record, the plots and the camera.
  void take_over(GuiSession& before);
  void start();
  /// The robot that somebody wants opened in place of this one; once.
  std::optional<GuiRobot> take_next();
  [[nodiscard]] const GuiRobot& robot() const noexcept { return robot_; }
  [[nodiscard]] const std::shared_ptr<GuiScreen>& screen() const noexcept { return screen_; }

  /// One frame; false: the window was closed.
  bool frame();

  /// Writes what the window showed last. Throws std::runtime_error.
  void screenshot(const std::filesystem::path& path) const;
  void close() noexcept { window_.close(); }

  [[nodiscard]] gui::MotorPanel& panel() noexcept { return panel_; }
  [[nodiscard]] gui::Desks& desks() noexcept { return desks_; }
  [[nodiscard]] gui::PlotSet& plots() noexcept { return plots_; }
  [[nodiscard]] gui::ViewState& state() noexcept { return state_; }
  [[nodiscard]] LiveLoop& loop() noexcept { return loop_; }
  [[nodiscard]] const gui::History& history() const noexcept { return history_; }
  /// Where things are in the window; kept up only after keep_items().
  [[nodiscard]] const gui::ItemMap& items() const noexcept { return items_; }
  void keep_items() noexcept { keeps_items_ = true; }
  /// Frames that were drawn: those that look as the one before aren't.
  [[nodiscard]] std::uint64_t drawn() const noexcept { return drawn_; }
  /// Frames at the full rate for a while, as if somebody had touched something.
  void wake() noexcept;
  /// Null where this machine's OpenGL can't draw it.
  [[nodiscard]] gui::Scene3d* scene() noexcept { return renderer_ ? &scene_ : nullptr; }

 private:
  void look_at_robot();
  void look_at_loop();
  void do_wishes();
  void take_plot_sets();
  void export_plots();
  void do_desk_wishes();
  void play_as_it_stands(const harness::Scenario& scenario);
  void do_parameter_wish();
  void do_recording_wishes();
  void do_reset_wish();
  void toggle_log();
  void list_scenarios();
  [[nodiscard]] gui::Pace pace() const;

  std::shared_ptr<GuiScreen> screen_;
  gui::GuiWindow& window_;
  gui::Fonts& fonts_;
  GuiRobot robot_;
  ParameterFile parameter_file_;
  std::vector<harness::Scenario> scenarios_;  ///< as listed in the panel
  std::optional<GuiRobot> next_;
  LiveLoop loop_;
  RobotClient client_;
  EventRing::Reader events_;
  gui::MotorPanel panel_;
  gui::Desks desks_;
  gui::History history_;
  gui::Scene3d scene_;
  std::optional<gui::SceneRenderer> renderer_;
  gui::PlotSet plots_;
  gui::ViewState state_;
  Snapshot snapshot_;
  gui::ItemMap items_;
  bool keeps_items_ = false;
  int markers_ = 0;
  gui::LoopHealth health_;
  double health_at_ = -1.0;
  double last_input_ = 0.0;
  std::uint64_t drawn_ = 0;
};

}  // namespace jointrig::app
