#pragma once
/// All that watches a run: its assertions and metrics.

#include <memory>
#include <vector>

#include "harness/runner/judges.h"
#include "harness/runner/run_record.h"

namespace jointrig::harness {

class JudgeList {
 public:
  /// An assertion that only lacks the truth of a simulated world is skipped, not wrong.
  void bind(const Scenario& scenario, TimeNs period, const Binder& binder, Problems& problems);

  /// One cycle. False: nothing is open any more that a few more cycles would decide.
  bool watch(const JudgeScene& scene, RunRecord& record);

  /// Their last word, once; then what failed counts for the run.
  /// @param complete  false where the steps were broken off
  void conclude(const JudgeScene& scene, bool complete, RunRecord& record);
  /// The same where the run was ended from outside: the reason for that is the reason.
  void break_off(const JudgeScene& scene);

  void finish(Result& result);

 private:
  std::vector<std::unique_ptr<Judge>> judges_;
  std::vector<Verdict> skipped_;
  bool concluded_ = false;
};

}  // namespace jointrig::harness
