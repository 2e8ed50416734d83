#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/exchange/event_ring.h"
#include "control/exchange/robot_client.h"
#include "gui/panel/scenario_play.h"
#include "harness/runner/runner.h"

namespace jointrig::app {

/// Plays a scenario on the panel's robot. On a simulated one in the loop's own thread, cycle by
/// cycle as `jointrig run` does without --realtime (app/run/scenario_job.cpp), so that it gives the
/// same verdicts at the same cycles; only a breakpoint delays its step by the cycles of the hold.
/// On boards it runs in a thread that follows the loop (followed_stage.h), since a scenario may
/// allocate in a cycle when an expectation fails; on a robot elsewhere in one that follows its
/// connection (remote_follower.h).
///
///     player   on_cycle: Runner::on_cycle, then its progress → atomics
///     window   reads them, sets breakpoints and wishes; reads the result at the end
class ScenarioStage final : public gui::ScenarioPlay, private harness::StepGate {
 public:
  /// Binds the scenario to the robot. Throws FileError, or std::runtime_error.
  /// @param setup  its gate is this stage; what it refers to outlives the stage, but `plans_beside`
  ScenarioStage(harness::Scenario scenario, const harness::RunSetup& setup);

  // Functions for the playing thread.

  /// Call in each round, also while the simulation is paused: ends the scenario if that was
  /// requested.
  void heed();
  /// Call after each cycle. Returns true if the simulation must pause, because a step is held.
  bool on_cycle(const Snapshot& snapshot, std::span<const Event> events);
  /// The same for the loop's own thread, whose events the stage takes by itself.
  bool on_cycle(const Snapshot& snapshot, EventRing::Reader& events);
  /// For a following thread: Runner::note_missed.
  void note_missed(std::uint64_t cycles, std::uint64_t events) noexcept {
    runner_.note_missed(cycles, events);
  }
  /// Call after the loop's end.
  void close(const std::string& why, harness::Outcome outcome = harness::Outcome::kSafetyStop);

  // Functions for the window's thread.

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::vector<gui::ScenarioStep>& steps() const override { return steps_; }
  [[nodiscard]] gui::StepState state(std::size_t step) const override;
  [[nodiscard]] double began(std::size_t step) const override;
  [[nodiscard]] std::size_t current() const override {
    return current_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool held() const override { return held_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool finished() const override { return finished_.load(std::memory_order_acquire); }
  [[nodiscard]] const gui::ScenarioOutcome& outcome() const override { return outcome_; }
  void set_break(std::size_t step, bool on) override;
  void hold() override { hold_next_.store(true, std::memory_order_relaxed); }
  void go_on(bool one_step) override;
  void break_off(const std::string& why, bool stop) override;

  /// Result of the run, valid when finished.
  [[nodiscard]] const harness::Result& result() const noexcept { return runner_.result(); }

 private:
  struct StepNow {
    std::atomic<gui::StepState> state{gui::StepState::kWaiting};
    std::atomic<double> began{harness::kNoTime};
    std::atomic<bool> breaks{false};
  };
  enum class BreakOff : std::uint8_t { kNone, kStop, kLeave };

  bool may_begin(std::size_t step) noexcept override;
  void publish();
  void finish();

  std::string name_;
  const RobotConfig* config_;
  harness::Runner runner_;
  RobotClient client_;  ///< for the playing thread: stops the joints
  std::vector<Event> events_;
  std::vector<gui::ScenarioStep> steps_;
  std::vector<StepNow> now_;
  gui::ScenarioOutcome outcome_;
  std::vector<std::size_t> running_;  ///< steps that began and have not ended
  std::size_t holding_ = 0;           ///< the first step that holds in this cycle
  std::atomic<std::size_t> current_{0};
  std::atomic<bool> held_{false};
  std::atomic<std::size_t> held_step_{0};
  std::atomic<bool> hold_next_{false};
  std::atomic<std::size_t> released_;  ///< the step that may begin
  std::string why_broken_off_;         ///< set before break_off_
  std::atomic<BreakOff> break_off_{BreakOff::kNone};
  std::atomic<bool> finished_{false};
};

/// Steps of a scenario for the panel's list, in the order of the runner's verdicts.
std::vector<gui::ScenarioStep> steps_of(const harness::Scenario& scenario);

}  // namespace jointrig::app
