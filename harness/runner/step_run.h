#pragma once
/// A running step: begin() in its first cycle, then poll() in that cycle and each later one, until
/// it returns an end.

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
class StreamList;

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

  [[nodiscard]] TimeNs now() const noexcept { return snapshot->time_ns; }
};

enum class StepProgress : std::uint8_t { kRunning, kDone, kFailed };

/// Built before the run. begin and poll allocate nothing while a step succeeds; a failure is put
/// into words once.
class StepRun {
 public:
  StepRun() = default;
  StepRun(const StepRun&) = delete;
  StepRun& operator=(const StepRun&) = delete;
  virtual ~StepRun() = default;

  virtual void begin(StepScene& scene) = 0;
  virtual StepProgress poll(StepScene& scene) = 0;

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
std::unique_ptr<StepRun> make_step_run(const Step& step, const Binder& binder, ActionList& actions,
                                       StreamList& streams, StepNeeds& needs);

/// "2.5 s", for messages.
std::string seconds_text(double seconds);

}  // namespace jointrig::harness
