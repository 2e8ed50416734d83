#pragma once
/// Runs one scenario: sends its commands, does what it does to the world, and judges.
///
/// Called once a cycle with what the stack has just published. Headless it shares the loop's
/// thread,
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
///     cycle   read signals, hear answers, begin and end what is due, steps, streams, assertions,
///             metrics, traces
///     run     setup, steps, then on until every `within` is decided, `at_end`, teardown
///
/// Assertions and metrics watch from the first cycle of the steps to the last before the teardown.
/// The teardown runs however the run went; nothing is judged there but its own steps and faults.

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/runner/action_list.h"
#include "harness/runner/judges.h"
#include "harness/runner/requirements.h"
#include "harness/runner/result.h"
#include "harness/runner/scenario.h"
#include "harness/runner/step_run.h"
#include "harness/runner/stream_list.h"
#include "harness/runner/trace_recorder.h"

namespace jointrig {

/// Lets steps begin: for breakpoints.
class StepGate {
 public:
  StepGate() = default;
  StepGate(const StepGate&) = delete;
  StepGate& operator=(const StepGate&) = delete;
  virtual ~StepGate() = default;

  /// Asked in each cycle in which a step is about to begin, by the thread that judges. False: it
  /// waits, and so do the steps after it; what watches the run watches on.
  /// @param step  its place among Result::verdicts
  virtual bool may_begin(std::size_t step) noexcept = 0;
};

/// What a run has to do with. All of it outlives the runner.
struct RunSetup {
  const RobotConfig* config = nullptr;
  const std::vector<JointCapabilities>* boards = nullptr;
  CommandInbox* inbox = nullptr;
  World* world = nullptr;  ///< nullptr: no truth, no faults, no disturbances
  std::string backend = "sim";
  std::size_t force_torque_sensors = 0;
  StepGate* gate = nullptr;  ///< null: steps begin as soon as they can
};

class Runner {
 public:
  /// Binds the scenario to the robot. Throws FileError with everything that doesn't fit. A scenario
  /// that has to be skipped is finished at once.
  Runner(Scenario scenario, const RunSetup& setup);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// One cycle; allocates only to put a failure into words. No effect once finished.
  void on_cycle(const Snapshot& snapshot, std::span<const Event> events);

  /// How much of the run doesn't reach the runner, in all. As soon as it is told of any, the steps
  /// are broken off: assertions and metrics stay as they were, the teardown runs, and the run could
  /// not be judged, whatever else it came to but a safety stop.
  void note_missed(std::uint64_t cycles, std::uint64_t events) noexcept;

  [[nodiscard]] bool finished() const noexcept { return phase_ == Phase::kFinished; }

  /// Ends the run from outside: the backend closed, the user interrupted. No teardown.
  void break_off(Outcome outcome, const std::string& reason);

  /// Complete once finished.
  [[nodiscard]] const Result& result() const noexcept { return result_; }
  [[nodiscard]] Result& result() noexcept { return result_; }
  [[nodiscard]] const Scenario& scenario() const noexcept { return scenario_; }
  /// Signals of the truth that the scenario speaks of, for the log.
  [[nodiscard]] std::vector<std::string> truth_names() const { return signals_.truth_names(); }

  /// What it is about now, for a progress line: `steps 3/12 move r_elbow to 60 deg`.
  [[nodiscard]] std::string progress() const;

 private:
  enum class Phase : std::uint8_t { kSetup, kSteps, kPending, kTeardown, kFinished };
  // Marks of one step: `settled[2]`, and `settled`, which every round sets.
  struct StepMarks {
    std::optional<std::size_t> start;
    std::optional<std::size_t> start_of_any_round;
    std::optional<std::size_t> end;
    std::optional<std::size_t> end_of_any_round;
  };
  struct PhaseSteps {
    const std::vector<Step>* steps = nullptr;
    std::vector<std::unique_ptr<StepRun>> runs;
    std::vector<StepMarks> marks;
    std::size_t first_verdict = 0;
    std::size_t next = 0;
    bool began = false;
  };

  void define_marks();
  void bind();
  void bind_steps(PhaseSteps& phase, const std::vector<Step>& steps, const std::string& name,
                  const Binder& binder, Problems& problems, StepNeeds& needs);
  void bind_judges(const Binder& binder, Problems& problems);
  void bind_faults(const Binder& binder, Problems& problems);
  void choose_traces(const StepNeeds& needs);
  void fill_in_about();

  void keep(std::span<const Event> events);
  void watch_faults(std::span<const Event> events);
  void advance();
  StepProgress advance(PhaseSteps& phase);
  void fail_step(PhaseSteps& phase, VerdictStatus status);
  void set_marks(const std::optional<std::size_t>& mark,
                 const std::optional<std::size_t>& of_any_round);
  void check_missed();
  void check_stray();
  void check_timeouts();
  void judge(std::span<const Event> events);
  void note_failure(const std::string& name, const std::string& expected, const std::string& got);

  void end_steps(bool complete);
  void start_teardown();
  void worsen(Outcome outcome, const std::string& reason);
  void finish();
  void finish_verdicts();
  void finish_missed();
  void finish_traces();
  void finish_modes();
  void finish_limits();
  static void note_limits(const Snapshot& snapshot, PerJoint<LimitCycles>& limits);
  [[nodiscard]] PhaseSteps* steps_of_phase() noexcept;
  [[nodiscard]] bool has_missed() const noexcept {
    return result_.cycles_missed + result_.events_missed > 0;
  }
  [[nodiscard]] TimeNs now() const noexcept { return scene_.snapshot->time_ns; }

  Scenario scenario_;
  RunSetup setup_;
  Result result_;
  SignalTable signals_;
  CommandLink link_;
  ActionList actions_;
  StreamList streams_;
  StepScene scene_;
  std::vector<SignalBound> bounds_;

  Phase phase_ = Phase::kSetup;
  PhaseSteps setup_steps_;
  PhaseSteps steps_;
  PhaseSteps teardown_;
  std::vector<std::size_t> stream_verdicts_;  // of each stream's step

  std::vector<std::unique_ptr<Judge>> judges_;
  std::vector<Verdict> skipped_;  // assertions that can't be judged here
  std::vector<EventPattern> faults_allowed_;
  Verdict fault_verdict_;

  std::vector<MarkTimes> marks_;
  std::vector<std::pair<std::size_t, TimeNs>> mark_log_;
  std::vector<Event> event_log_;
  struct ModeNow {
    JointMode mode = JointMode::kNotConfigured;
    InteractionMode interaction = InteractionMode::kStiff;
  };
  PerJoint<LimitCycles> limits_before_;  // the run, and up to its last cycle
  PerJoint<LimitCycles> limits_now_;
  PerJoint<ModeNow> modes_now_;
  std::vector<const Signal*> traced_;
  std::unique_ptr<TraceRecorder> traces_;

  bool first_cycle_ = true;
  bool completed_ = false;  // the steps came to their end
  bool concluded_ = false;  // judges have had their last word
  bool new_failure_ = false;
  TimeNs began_ = 0;
  TimeNs teardown_began_ = 0;
  std::chrono::steady_clock::time_point wall_began_;
};

}  // namespace jointrig
