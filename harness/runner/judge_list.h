#pragma once
/// Judges of a run: its assertions and metrics.

#include <memory>
#include <vector>

#include "harness/runner/judges.h"
#include "harness/runner/run_record.h"

namespace jointrig::harness {

class JudgeList {
 public:
  /// An assertion that lacks the truth of a simulated world alone is skipped, not wrong.
  void bind(const Scenario& scenario, TimeNs period, const Binder& binder, Problems& problems);

  /// Watches one cycle. Returns false if no more cycles can decide anything.
  bool watch(const JudgeScene& scene, RunRecord& record);

  /// Ends all judges, once; failures then count for the run.
  /// @param complete  false if the steps were aborted
  void conclude(const JudgeScene& scene, bool complete, RunRecord& record);
  /// Ends all judges of a run that was ended from outside, with its reason.
  void break_off(const JudgeScene& scene);

  void finish(Result& result);

 private:
  std::vector<std::unique_ptr<Judge>> judges_;
  std::vector<Verdict> skipped_;
  bool concluded_ = false;
};

}  // namespace jointrig::harness
