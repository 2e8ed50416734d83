#pragma once
/// Runs one scenario: sends its commands, carries out its actions on the world, and judges.
///
/// Called once a cycle with the snapshot and events that the stack published. Headless it shares
/// the loop's thread,
///
///     Runner runner(scenario, setup);
///     std::vector<Event> events;
///     while (!runner.finished() && loop.step()) {
///       events.clear();
///       for (Event event; reader.next(event);) events.push_back(event);
///       runner.on_cycle(stack.snapshot(), events);
///     }
///
/// so that two runs are the same to the bit. A command sent while judging cycle k is taken in cycle
/// k + 1, whose events carry the answer. In real time it follows the loop on another thread
/// (app/run/realtime_run.h): answers come a cycle or a few later, and a runner that falls too far
/// behind misses cycles.
///
///     cycle   read signals, read answers, begin and end actions, steps, streams, assertions,
///             metrics, traces
///     run     setup, steps, more cycles until every `within` is decided, `at_end`, teardown
///
/// Assertions and metrics watch from the first cycle of the steps to the last before the teardown.
/// The teardown runs after every run; only its own steps and faults are judged there.

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "control/exchange/plan_pool.h"
#include "harness/runner/action_list.h"
#include "harness/runner/fault_watch.h"
#include "harness/runner/judge_list.h"
#include "harness/runner/plan_desk.h"
#include "harness/runner/requirements.h"
#include "harness/runner/run_history.h"
#include "harness/runner/run_marks.h"
#include "harness/runner/run_record.h"
#include "harness/runner/run_traces.h"
#include "harness/runner/scenario.h"
#include "harness/runner/step_sequence.h"
#include "harness/runner/stream_list.h"

namespace jointrig::harness {

/// References that a run needs. All of them outlive the runner but `plans_beside`, which ends
/// before it.
struct RunSetup {
  const RobotConfig* config = nullptr;
  const std::vector<JointCapabilities>* boards = nullptr;
  CommandInbox* inbox = nullptr;
  JointPlanPool* plans = nullptr;  ///< null: trajectories are refused
  World* world = nullptr;          ///< nullptr: no truth, no faults, no disturbances
  std::string backend = "sim";
  std::size_t force_torque_sensors = 0;
  bool is_elsewhere = false;  ///< the loop is another program's, and takes no plans from here
  PlansElsewhere* plans_elsewhere = nullptr;  ///< makes them there; null: trajectories are skipped
  PlansBeside* plans_beside = nullptr;        ///< null: plans are made between two cycles
  StepGate* gate = nullptr;                   ///< null: steps begin as soon as they can
};

class Runner {
 public:
  /// Binds the scenario to the robot. Throws FileError with all problems. A scenario that must be
  /// skipped is finished at once.
  Runner(Scenario scenario, const RunSetup& setup);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Runs one cycle; allocates only to put a failure into words. No effect once finished.
  void on_cycle(const Snapshot& snapshot, std::span<const Event> events);

  /// Reports the total of cycles and events that did not reach the runner. With the first one the
  /// steps are aborted: assertions and metrics stay as they are, the teardown runs, and the run
  /// counts as not judged, unless a safety stop is worse.
  void note_missed(std::uint64_t cycles, std::uint64_t events) noexcept {
    record_.note_missed(cycles, events);
  }

  [[nodiscard]] bool finished() const noexcept { return phase_ == Phase::kFinished; }

  /// Ends the run from outside: the backend closed, the user interrupted. No teardown.
  void break_off(Outcome outcome, const std::string& reason);

  /// Complete once finished.
  [[nodiscard]] const Result& result() const noexcept { return record_.result(); }
  [[nodiscard]] Result& result() noexcept { return record_.result(); }
  [[nodiscard]] const Scenario& scenario() const noexcept { return scenario_; }
  /// Signals of the truth that the scenario uses, for the log.
  [[nodiscard]] std::vector<std::string> truth_names() const { return signals_.truth_names(); }

  /// Present activity, for a progress line: `steps 3/12 move r_elbow to 60 deg`.
  [[nodiscard]] std::string progress() const;

 private:
  enum class Phase : std::uint8_t { kSetup, kSteps, kPending, kTeardown, kFinished };

  void fill_in_about();
  [[nodiscard]] bool skips(const JointSet* commanded);
  void bind();

  void begin(const Snapshot& snapshot);
  void check_missed();
  void check_stray();
  void advance();
  void advance_setup();
  void advance_steps();
  void advance_teardown();
  void judge();
  void check_timeouts();
  [[nodiscard]] std::string timeout_reason() const;

  void end_steps(bool complete);
  void finish();
  [[nodiscard]] const StepSequence* steps_of_phase() const noexcept;
  [[nodiscard]] JudgeScene judge_scene(std::span<const Event> events) const {
    return {now(), events, marks_.times()};
  }
  [[nodiscard]] TimeNs now() const noexcept { return scene_.now(); }

  Scenario scenario_;
  RunSetup setup_;
  RunRecord record_;
  SignalTable signals_;
  CommandLink link_;
  ActionList actions_;
  StreamList streams_;
  PlanDesk plans_;
  StepScene scene_;

  Phase phase_ = Phase::kSetup;
  RunMarks marks_;
  StepSequence setup_steps_{"setup"};
  StepSequence steps_{"steps"};
  StepSequence teardown_{"teardown"};
  std::vector<std::size_t> stream_verdicts_;  // index of each stream's verdict
  JudgeList judges_;
  FaultWatch faults_;
  RunHistory history_;
  RunTraces traces_;
  std::vector<SignalBound> bounds_;

  TimeNs began_ = 0;
  TimeNs teardown_began_ = 0;
  std::chrono::steady_clock::time_point wall_began_;
};

}  // namespace jointrig::harness
