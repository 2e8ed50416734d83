#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gui/panel/panel.h"
#include "gui/panel/scenario_play.h"

namespace jointrig::gui {

/// A scenario in the list.
struct ScenarioEntry {
  std::string name;
  std::string file;
  std::string about;
  std::string tags;
  std::vector<ScenarioStep> steps;
};

/// Chooses a scenario, sets breakpoints, runs it, pauses it, and returns the robot to manual
/// control.
///
/// A run needs the robot of its scenario, in its start pose: the program opens it again and passes
/// the player (play). Boards keep running, with their motors as they are. A running scenario moves
/// joints by itself, so it begins and continues only while ARMED, which lasts as long as it runs;
/// STOP, OFF and the end of ARMED abort it.
///
/// One thread: the window's.
class ScenarioDesk final : public Autopilot {
 public:
  explicit ScenarioDesk(MotorPanel& panel) : panel_(&panel) { panel.add(*this); }

  // The list.

  std::vector<ScenarioEntry> entries;
  std::string filter;
  std::string list_error;  ///< unreadable files, in words
  bool wants_list = true;  ///< the program fills `entries` and clears it
  /// Entries that contain all words of the filter in name, file or tags.
  [[nodiscard]] std::vector<std::size_t> shown() const;
  void choose(std::size_t entry);
  /// Copies the list, the choice and its breakpoints from a desk of another robot; before play().
  void take_list(const ScenarioDesk& before);
  [[nodiscard]] const ScenarioEntry* chosen() const;
  [[nodiscard]] std::size_t chosen_index() const noexcept { return chosen_; }

  // Functions before and during a run.

  [[nodiscard]] const std::vector<ScenarioStep>& steps() const;
  [[nodiscard]] StepState state(std::size_t step) const;
  [[nodiscard]] bool has_break(std::size_t step) const;
  void toggle_break(std::size_t step);
  [[nodiscard]] const std::vector<bool>& breaks() const noexcept { return breaks_; }

  [[nodiscard]] bool running() const { return play_ != nullptr && !play_->finished(); }
  [[nodiscard]] bool held() const { return running() && play_->held(); }
  /// The present or last scenario on this robot; null: none.
  [[nodiscard]] const ScenarioPlay* on_stage() const noexcept { return play_; }
  /// Outcome of on_stage() after its end; else null.
  [[nodiscard]] const ScenarioOutcome* outcome() const;

  /// Reason why Run can't be pressed now; empty: it can.
  [[nodiscard]] std::string why_not_run() const;
  /// Runs the scenario on its robot.
  void run();
  bool wants_run = false;  ///< the program carries it out and clears it
  /// Holds before the next step; the simulation continues.
  void hold();
  [[nodiscard]] std::string why_not_go_on() const;
  void go_on(bool one_step);
  /// Ends the scenario without teardown: joints keep their modes and continue to their goals, time
  /// continues, and the panel controls the robot.
  void take_over();
  void end(const std::string& why) override;

  /// Sets the player of this robot; it outlives the desk, or is null.
  void play(ScenarioPlay* play);
  /// Call each frame, after the panel's.
  void begin_frame();

 private:
  void let_time_go_on();

  MotorPanel* panel_;
  ScenarioPlay* play_ = nullptr;
  std::size_t chosen_ = static_cast<std::size_t>(-1);
  std::vector<bool> breaks_;
};

}  // namespace jointrig::gui
