#pragma once
/// The steps of one phase of a run (setup, steps, teardown), one after the other.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/run_marks.h"
#include "harness/runner/run_record.h"
#include "harness/runner/step_run.h"

namespace jointrig::harness {

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

/// What steps are bound with.
struct StepBinding {
  const Binder& binder;
  ActionList& actions;
  StreamList& streams;
  const RunMarks& marks;
  Result& result;                             ///< each step adds its verdict
  std::vector<std::size_t>& stream_verdicts;  ///< and a stream's step its place among them
  Problems& problems;
  StepNeeds& needs;
};

class StepSequence {
 public:
  explicit StepSequence(std::string_view name) : name_(name) {}

  void bind(const std::vector<Step>& steps, const StepBinding& with);

  /// Begins and polls what is due in this cycle. kFailed: fail() says which step.
  /// @param gate  may be null
  StepProgress advance(StepScene& scene, StepGate* gate, RunMarks& marks, Result& result);
  /// The step that runs has failed: its verdict, and what the run comes to.
  void fail(VerdictStatus status, Outcome outcome, TimeNs now, RunRecord& record) const;

  /// Verdict of the step that runs or is to begin; null after the last.
  [[nodiscard]] Verdict* current(Result& result) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return runs_.size(); }
  [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
  /// `steps 3/12 move r_elbow to 60 deg`
  [[nodiscard]] std::string progress() const;

 private:
  std::string_view name_;
  const std::vector<Step>* steps_ = nullptr;
  std::vector<std::unique_ptr<StepRun>> runs_;
  std::vector<StepMarks> marks_;
  std::size_t first_verdict_ = 0;
  std::size_t next_ = 0;
  bool began_ = false;
};

}  // namespace jointrig::harness
