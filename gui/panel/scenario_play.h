#pragma once
/// Interface of a scenario on the open robot, for the window. The program implements it with the
/// runner of `jointrig run`.

#include <cstddef>
#include <string>
#include <vector>

#include "control/core/enumeration.h"

namespace jointrig::gui {

///     waiting    not yet its turn
///     held       its turn: it waits for a person's Continue
///     running    begun
///     the rest   as the runner's verdicts
#define JOINTRIG_STEP_STATES(X) \
  X(kWaiting, "waiting")        \
  X(kHeld, "held")              \
  X(kRunning, "running")        \
  X(kPassed, "passed")          \
  X(kFailed, "failed")          \
  X(kSkipped, "not reached")
JOINTRIG_ENUM(StepState, JOINTRIG_STEP_STATES)

struct ScenarioStep {
  std::string phase;  ///< setup, steps or teardown
  std::string label;
  std::string place;  ///< file and line
};

/// Result of a step, assertion or metric at the scenario's end.
struct VerdictLine {
  std::string kind;
  std::string name;
  std::string status;  ///< passed, warned, failed, error, skipped
  std::string expected;
  std::string got;
  bool failed = false;
};

struct ScenarioOutcome {
  std::string word;    ///< passed, failed, ...
  std::string reason;  ///< a sentence if it didn't pass
  bool passed = false;
  std::vector<VerdictLine> verdicts;  ///< steps first, in their order
};

/// For the window's thread; never waits for the loop.
class ScenarioPlay {
 public:
  ScenarioPlay() = default;
  ScenarioPlay(const ScenarioPlay&) = delete;
  ScenarioPlay& operator=(const ScenarioPlay&) = delete;
  virtual ~ScenarioPlay() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::vector<ScenarioStep>& steps() const = 0;
  [[nodiscard]] virtual StepState state(std::size_t step) const = 0;
  /// Robot time at which it began [s]; NaN before.
  [[nodiscard]] virtual double began(std::size_t step) const = 0;
  /// The step that runs or is next.
  [[nodiscard]] virtual std::size_t current() const = 0;
  [[nodiscard]] virtual bool held() const = 0;
  [[nodiscard]] virtual bool finished() const = 0;
  /// Outcome, valid when finished.
  [[nodiscard]] virtual const ScenarioOutcome& outcome() const = 0;

  /// Holds before this step, and pauses a simulation there.
  virtual void set_break(std::size_t step, bool on) = 0;
  /// Holds before the next step.
  virtual void hold() = 0;
  /// Continues the scenario; with `one_step` only until the next step.
  virtual void go_on(bool one_step) = 0;
  /// Ends it without its teardown.
  /// @param stop  every joint brakes and holds; else the joints continue
  virtual void break_off(const std::string& why, bool stop) = 0;
};

}  // namespace jointrig::gui
