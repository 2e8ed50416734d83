#pragma once
/// A running step: begin() in its first cycle, then poll() in that cycle and each later one, until
/// it returns an end.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "control/core/capabilities.h"
#include "control/core/snapshot.h"
#include "harness/runner/binder.h"
#include "harness/runner/command_link.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

class ActionList;
class PlanDesk;
class Problems;
class RunMarks;
class StepGate;
class StreamList;
struct Result;
struct StepNeeds;

/// Input and output of steps in a cycle.
struct StepScene {
  const Snapshot* snapshot = nullptr;
  std::span<const Event> events;  ///< of this cycle
  const RobotConfig* config = nullptr;
  const std::vector<JointCapabilities>* boards = nullptr;
  CommandLink* link = nullptr;
  StreamList* streams = nullptr;
  ActionList* actions = nullptr;
  PlanDesk* plans = nullptr;
  RunMarks* marks = nullptr;
  Result* result = nullptr;
  StepGate* gate = nullptr;  ///< null: steps begin as soon as they can

  [[nodiscard]] TimeNs now() const noexcept { return snapshot->time_ns; }
};

enum class StepProgress : std::uint8_t { kRunning, kDone, kFailed };

/// References for binding steps.
struct StepBinding {
  const Binder& binder;
  ActionList& actions;
  StreamList& streams;
  const RunMarks& marks;
  Result& result;                             ///< each step adds its verdict
  std::vector<std::size_t>& stream_verdicts;  ///< a stream's step adds its index here
  Problems& problems;
  StepNeeds& needs;
  /// Checks of names that a later step may give, after all steps are bound. Throw FileError.
  std::vector<std::function<void()>>& later;
};

/// Built before the run. begin and poll allocate nothing while a step succeeds; a failure is put
/// into words once. A step within a state machine may begin again and again.
class StepRun {
 public:
  StepRun() = default;
  StepRun(const StepRun&) = delete;
  StepRun& operator=(const StepRun&) = delete;
  virtual ~StepRun() = default;

  virtual void begin(StepScene& scene) = 0;
  virtual StepProgress poll(StepScene& scene) = 0;
  /// Ends what lasts as long as the step, as a state is left in which it runs.
  virtual void leave(StepScene& /*scene*/) {}
  /// The run ends while the step runs: for verdicts of the steps within it.
  virtual void note_broken_off(TimeNs /*now*/, Result& /*result*/) const {}

  [[nodiscard]] const std::string& expected() const noexcept { return expected_; }
  [[nodiscard]] const std::string& got() const noexcept { return got_; }

 protected:
  StepProgress fail(std::string expected, std::string got) {
    expected_ = std::move(expected);
    got_ = std::move(got);
    return StepProgress::kFailed;
  }

 private:
  std::string expected_;
  std::string got_;
};

/// Abilities of the robot that a step needs, which binding declares for `requires` and plots.
struct StepNeeds {
  JointSet commanded;
};

/// Throws FileError.
/// @param phase  of the steps within it, for their verdicts
std::unique_ptr<StepRun> make_step_run(const Step& step, std::string_view phase,
                                       const StepBinding& with);

/// "2.5 s", for messages.
std::string seconds_text(double seconds);

}  // namespace jointrig::harness
