#pragma once
/// The motor panel on a running robot: its loop here, or its connection to one that is served
/// elsewhere; record, panel, in a window. Each opened robot is a new session in the same window
/// (gui_app.h).

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gui_robot.h"
#include "app/gui/live_loop.h"
#include "app/gui/motion_planner.h"
#include "app/gui/remote_follower.h"
#include "app/gui/remote_loop.h"
#include "app/gui/remote_motion_planner.h"
#include "app/gui/robot_feed.h"
#include "app/gui/served_panel.h"
#include "app/rig/parameter_file.h"
#include "gui/panel/desks.h"
#include "gui/panel/panel.h"
#include "gui/plot/plot_set.h"
#include "gui/scene3d/renderer.h"
#include "gui/view/main_view.h"
#include "gui/window/window.h"
#include "harness/config/scene_path.h"

namespace jointrig::app {

/// Objects that outlive a robot. Throws WindowError.
struct GuiScreen {
  static constexpr float kSizeStep = 1.1F;  ///< factor of Ctrl+= and Ctrl+−
  GuiScreen(int width, int height, gui::Painter painter = gui::Painter::kFastest)
      : window("jointrig", width, height, painter), fonts(fonts_of(window.scale())) {
    window.on_scale = [this](float scale) { fonts = fonts_of(scale); };
  }
  GuiScreen(const GuiScreen&) = delete;
  GuiScreen& operator=(const GuiScreen&) = delete;
  gui::GuiWindow window;
  gui::Fonts fonts;

 private:
  /// A wheel carries its fonts.
  static gui::Fonts fonts_of(float scale) {
    return gui::load_fonts(scale, harness::installed_folder("fonts"));
  }
};

class GuiSession {
 public:
  static constexpr double kHistorySeconds = 60.0;

  /// Opens the window first: without a window nothing starts. Throws WindowError and the exceptions
  /// of LiveLoop.
  GuiSession(const GuiRobot& robot, int width, int height)
      : GuiSession(std::make_shared<GuiScreen>(width, height), robot) {
    start();
  }
  /// An exception leaves the screen unchanged. The robot stands still until start().
  GuiSession(std::shared_ptr<GuiScreen> screen, const GuiRobot& robot);
  /// On a robot that is served elsewhere. Parts that need its loop in this program are left out:
  /// physics, reset. `robot()` has its name alone.
  GuiSession(std::shared_ptr<GuiScreen> screen, std::unique_ptr<RemoteLoop> remote);
  ~GuiSession();
  GuiSession(const GuiSession&) = delete;
  GuiSession& operator=(const GuiSession&) = delete;

  /// Takes over the state of another session's view: sizes, palette, part, access, the edited
  /// sequence; with the same joints also the record, the plots and the camera.
  void take_over(GuiSession& before);
  void start();
  /// Gives the robot to clients and viewers; what the panel commands needs the lease from then on.
  /// Throws as Serving::start, without any effect.
  void serve(const ServingOptions& options);
  void stop_serving();
  /// Null: not served.
  [[nodiscard]] const gui::Served* served() const noexcept { return served_ ? &*served_ : nullptr; }
  /// The robot that a person wants to open in place of this one; returned once.
  std::optional<GuiRobot> take_next();
  [[nodiscard]] const GuiRobot& robot() const noexcept { return robot_; }
  [[nodiscard]] const std::shared_ptr<GuiScreen>& screen() const noexcept { return screen_; }

  /// Runs one frame; returns false if the window was closed.
  bool frame();

  /// Writes the picture shown last. Throws std::runtime_error.
  void screenshot(const std::filesystem::path& path) const;
  void close() noexcept { window_.close(); }

  [[nodiscard]] gui::MotorPanel& panel() noexcept { return panel_; }
  [[nodiscard]] gui::Desks& desks() noexcept { return desks_; }
  [[nodiscard]] gui::PlotSet& plots() noexcept { return plots_; }
  [[nodiscard]] gui::ViewState& state() noexcept { return state_; }
  /// Only of a robot of this program.
  [[nodiscard]] LiveLoop& loop() noexcept { return *live_; }
  [[nodiscard]] RobotFeed& feed() noexcept { return *feed_; }
  [[nodiscard]] const gui::History& history() const noexcept { return history_; }
  /// Places of items in the window; updated only after keep_items().
  [[nodiscard]] const gui::ItemMap& items() const noexcept { return items_; }
  void keep_items() noexcept { keeps_items_ = true; }
  /// Number of drawn frames: frames without a change are not drawn.
  [[nodiscard]] std::uint64_t drawn() const noexcept { return drawn_; }
  /// Draws at the full rate for a while, as after an input.
  void wake() noexcept;
  /// Null if this machine's OpenGL can't draw it.
  [[nodiscard]] gui::Scene3d* scene() noexcept { return renderer_ ? &*scene_ : nullptr; }

 private:
  /// For both kinds of robot. `feed` stays this session's.
  GuiSession(std::shared_ptr<GuiScreen> screen, GuiRobot robot, std::unique_ptr<LiveLoop> live,
             std::unique_ptr<RemoteLoop> remote);
  void use_loop();
  [[nodiscard]] std::optional<RobotConfig> draw_by_own_model();
  void record(const WorldAct& act);
  void tell_what_it_is();
  void look_at_robot();
  void draw_robot(bool is_fresh);
  void mark(const Event& event);
  void look_at_body();
  void look_at_loop();
  void do_wishes();
  template <typename Wish>
  std::string attempt(Wish&& wish);
  void tell_failure(const std::string& sentence);
  void start_log();
  [[nodiscard]] harness::RobotLogStatus log_status() const;
  harness::RobotLogStatus stop_log();
  void end_log();
  void take_plot_sets();
  void export_plots();
  void do_desk_wishes();
  void play_as_it_stands(const harness::Scenario& scenario);
  gui::ScenarioPlay* play_elsewhere(const harness::Scenario& scenario);
  void do_scenario_wish();
  void do_motion_wish();
  void do_parameter_wish();
  void do_remote_parameter_wish(gui::ParameterWish wish);
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
  std::unique_ptr<LiveLoop> live_;          ///< null: the robot is elsewhere
  std::unique_ptr<RemoteLoop> remote_;      ///< null: it is here
  std::optional<RemoteFollower> follower_;  ///< likewise
  RobotFeed* feed_;                         ///< the one that is there
  RobotClient client_;
  std::vector<std::string> notes_;  ///< on the robot
  std::optional<ServedPanel> served_;
  std::optional<MotionPlanner> motion_planner_;  ///< of a robot that is here
  std::optional<RemoteMotionPlanner> remote_planner_;
  gui::MotorPanel panel_;
  gui::Desks desks_;
  gui::History history_;
  std::optional<gui::Scene3d> scene_;       ///< none: this machine has no model of it
  std::optional<gui::StanceFrame> stance_;  ///< of a robot on feet
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
