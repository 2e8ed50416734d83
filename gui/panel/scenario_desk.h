#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gui/panel/panel.h"
#include "gui/panel/scenario_play.h"

namespace jointrig::gui {

/// A scenario that can be chosen.
struct ScenarioEntry {
  std::string name;
  std::string file;
  std::string about;
  std::string tags;
  std::vector<ScenarioStep> steps;
};

/// Chooses a scenario, sets breakpoints, runs it, pauses it, and lets a person go on by hand.
///
/// A run wants the robot of its scenario, at its start: the program opens it anew and hands in what
/// plays (play). Boards run on, with their motors as they are. A scenario that runs moves joints
/// without a hand on them, so it begins and goes on only in ARMED, which lasts as long as it runs;
/// STOP, OFF and the end of ARMED break it off.
///
/// One thread: the window's.
class ScenarioDesk final : public Autopilot {
 public:
  explicit ScenarioDesk(MotorPanel& panel) : panel_(&panel) { panel.add(*this); }

  // The list.

  std::vector<ScenarioEntry> entries;
  std::string filter;
  std::string list_error;  ///< files that can't be read, in words
  bool wants_list = true;  ///< the program fills `entries` and takes this back
  /// Entries whose name, file or tags have all words of the filter.
  [[nodiscard]] std::vector<std::size_t> shown() const;
  void choose(std::size_t entry);
  /// The list, what is chosen and its breakpoints, of a desk on another robot; before play().
  void take_list(const ScenarioDesk& before);
  [[nodiscard]] const ScenarioEntry* chosen() const;
  [[nodiscard]] std::size_t chosen_index() const noexcept { return chosen_; }

  // Before and while it runs.

  [[nodiscard]] const std::vector<ScenarioStep>& steps() const;
  [[nodiscard]] StepState state(std::size_t step) const;
  [[nodiscard]] bool has_break(std::size_t step) const;
  void toggle_break(std::size_t step);
  [[nodiscard]] const std::vector<bool>& breaks() const noexcept { return breaks_; }

  [[nodiscard]] bool running() const { return play_ != nullptr && !play_->finished(); }
  [[nodiscard]] bool held() const { return running() && play_->held(); }
  /// That runs, or ran last, on this robot; null: none.
  [[nodiscard]] const ScenarioPlay* on_stage() const noexcept { return play_; }
  /// Of the one on stage, once it is over; else null.
  [[nodiscard]] const ScenarioOutcome* outcome() const;

  /// Why Run can't be pressed now; empty: it can.
  [[nodiscard]] std::string why_not_run() const;
  /// Runs it on the scenario's robot.
  void run();
  bool wants_run = false;  ///< the program carries it out and takes it back
  /// Holds before the next step; the simulation goes on until then.
  void hold();
  [[nodiscard]] std::string why_not_go_on() const;
  void go_on(bool one_step);
  /// The scenario ends here, without teardown; joints stay in their modes and go on to their goals,
  /// time goes on, and the panel has the robot.
  void take_over();
  void end(const std::string& why) override;

  /// What plays on this robot; outlives the desk, or null.
  void play(ScenarioPlay* play);
  /// Each frame, after the panel's.
  void begin_frame();

 private:
  void let_time_go_on();

  MotorPanel* panel_;
  ScenarioPlay* play_ = nullptr;
  std::size_t chosen_ = static_cast<std::size_t>(-1);
  std::vector<bool> breaks_;
};

}  // namespace jointrig::gui
