#pragma once
/// Traces for the plots of a report: selection, samples and bounds.

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
  /// Chooses the signals that the scenario plots or names, and the state of the joints that it
  /// commands. Call after all else is bound. Throws FileError.
  void choose(const Scenario& scenario, const StepNeeds& needs, SignalTable& signals);

  /// Call once a cycle, after the signals are read.
  void push(TimeNs now) noexcept { recorder_->push(to_seconds(now)); }
  /// Marks the last sample as the first failure: every sample near it is kept.
  void mark_failure() noexcept { recorder_->mark_failure(); }

  /// @param bounds  bounds that conditions set on signals
  void finish(std::span<const SignalBound> bounds, const RobotConfig& config, Result& result) const;

 private:
  std::vector<const Signal*> signals_;
  std::unique_ptr<TraceRecorder> recorder_;
};

}  // namespace jointrig::harness
