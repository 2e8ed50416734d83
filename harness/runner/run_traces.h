#pragma once
/// Signals of a run for the plots of its report: which ones, their samples and the bounds to draw.

#include <memory>
#include <span>
#include <vector>

#include "harness/runner/expression.h"
#include "harness/runner/scenario.h"
#include "harness/runner/step_run.h"
#include "harness/runner/trace_recorder.h"

namespace jointrig::harness {

class RunTraces {
 public:
  /// What the scenario wants plotted, what it speaks of, and the state of the joints that it
  /// commands. After all else is bound. Throws FileError.
  void choose(const Scenario& scenario, const StepNeeds& needs, SignalTable& signals);

  /// Once a cycle, after the signals are read.
  void push(TimeNs now) noexcept { recorder_->push(to_seconds(now)); }
  /// What was pushed last is the first failure: every sample near it is kept.
  void mark_failure() noexcept { recorder_->mark_failure(); }

  /// @param bounds  that conditions set on signals
  void finish(std::span<const SignalBound> bounds, const RobotConfig& config, Result& result) const;

 private:
  std::vector<const Signal*> signals_;
  std::unique_ptr<TraceRecorder> recorder_;
};

}  // namespace jointrig::harness
