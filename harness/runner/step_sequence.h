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

/// Decides whether steps may begin: for breakpoints.
class StepGate {
 public:
  StepGate() = default;
  StepGate(const StepGate&) = delete;
  StepGate& operator=(const StepGate&) = delete;
  virtual ~StepGate() = default;

  /// Called in each cycle in which a step is about to begin, by the judging thread. False: it
  /// waits, and so do the steps after it; assertions and metrics go on.
  /// @param step  its index in Result::verdicts
  virtual bool may_begin(std::size_t step) noexcept = 0;
};

class StepSequence {
 public:
  /// @param name  the phase
  explicit StepSequence(std::string_view name) : name_(name) {}

  void bind(const std::vector<Step>& steps, const StepBinding& with);

  /// Begins and polls the step that is due in this cycle. kFailed: fail() names the step.
  StepProgress advance(StepScene& scene);
  /// The first step is due again.
  void begin_anew() noexcept;
  /// Ends the running step before its time, as its verdict says.
  void leave(StepScene& scene);
  /// The same without effect: the run ends, and what ran says so.
  void note_broken_off(TimeNs now, Result& result) const;
  void note_broken_off_within(TimeNs now, Result& result) const {
    if (next_ < runs_.size() && began_) runs_[next_]->note_broken_off(now, result);
  }
  /// Records the failure of the running step: its verdict, and the run's outcome.
  void fail(VerdictStatus status, Outcome outcome, TimeNs now, RunRecord& record) const;
  /// The verdict alone. @return it
  const Verdict& judge_failed(VerdictStatus status, TimeNs now, Result& result) const;

  /// Verdict of the running or next step; null after the last.
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
  std::vector<std::size_t> verdicts_;  ///< index of each step's
  std::size_t next_ = 0;
  bool began_ = false;
};

}  // namespace jointrig::harness
