#pragma once
/// Runs of steps that are made of lists of steps.

#include <memory>
#include <string_view>

#include "harness/runner/step_run.h"

namespace jointrig::harness {

/// Throws FileError.
std::unique_ptr<StepRun> make_composed_run(const ParallelStep& step, std::string_view phase,
                                           const StepBinding& with);
std::unique_ptr<StepRun> make_composed_run(const StateMachineStep& step, std::string_view phase,
                                           const StepBinding& with);

}  // namespace jointrig::harness
