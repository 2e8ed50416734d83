#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "gui/panel/scenario_play.h"
#include "harness/runner/runner.h"

namespace jointrig::app {

/// Plays a scenario on a rig. On a simulated robot in the loop's own thread, cycle by cycle as
/// `jointrig run` does without --realtime (app/run/scenario_job.cpp), so that it comes to the same
/// verdicts to the cycle; only a breakpoint makes a difference, of the cycle that its step begins
/// later. On boards in a thread that follows the loop (followed_stage.h), since a scenario may
/// allocate in a cycle, when something fails.
///
///     player   on_cycle: Runner::on_cycle, then where it is now → atomics
///     window   reads them, sets breakpoints and wishes; the result once it is finished
class ScenarioStage final : public gui::ScenarioPlay, private harness::StepGate {
 public:
  /// Binds the scenario to the rig. Throws FileError, or std::runtime_error.
  /// @param rig    outlives the stage, and so does `world`
  /// @param world  null: no truth, faults and disturbances
  ScenarioStage(harness::Scenario scenario, Rig& rig, harness::World* world);

  // The thread that plays it.

  /// Each time it comes round, also while the simulation is paused: ends the scenario where that
  /// was asked for.
  void heed();
  /// After each cycle. True: the simulation has to pause, because a step is held.
  bool on_cycle(const Snapshot& snapshot, std::span<const Event> events);
  /// The same in the loop's own thread.
  bool on_cycle();
  /// Of a thread that follows: Runner::note_missed.
  void note_missed(std::uint64_t cycles, std::uint64_t events) noexcept {
    runner_.note_missed(cycles, events);
  }
  /// The loop has ended.
  void close(const std::string& why);

  // The window's thread.

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

  /// All that the run came to; once finished.
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
  Rig* rig_;
  harness::Runner runner_;
  EventRing::Reader reader_;
  RobotClient client_;  ///< of the thread that plays it: stops the joints
  std::vector<Event> events_;
  std::vector<gui::ScenarioStep> steps_;
  std::vector<StepNow> now_;
  gui::ScenarioOutcome outcome_;
  std::size_t published_ = 0;  ///< steps whose state is final
  bool wants_pause_ = false;
  std::atomic<std::size_t> current_{0};
  std::atomic<bool> held_{false};
  std::atomic<bool> hold_next_{false};
  std::atomic<std::size_t> released_;  ///< the step that was let go
  std::string why_broken_off_;         ///< set before break_off_
  std::atomic<BreakOff> break_off_{BreakOff::kNone};
  std::atomic<bool> finished_{false};
};

/// Steps of a scenario as the panel lists them, in the order of the runner's verdicts.
std::vector<gui::ScenarioStep> steps_of(const harness::Scenario& scenario);

}  // namespace jointrig::app
