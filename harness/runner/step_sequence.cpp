#include "harness/runner/step_sequence.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/runner/judges.h"

namespace jointrig::harness {

void StepSequence::bind(const std::vector<Step>& steps, const StepBinding& with) {
  steps_ = &steps;
  first_verdict_ = with.result.verdicts.size();
  for (const Step& step : steps) {
    const std::size_t streams = with.stream_verdicts.size();
    with.problems.collect([&] {
      runs_.push_back(make_step_run(step, with.binder, with.actions, with.streams, with.needs));
    });
    marks_.push_back(with.marks.of(step));
    if (std::holds_alternative<StreamStep>(step.what)) {
      with.stream_verdicts.resize(streams + 1, with.result.verdicts.size());
    }
    Verdict verdict;
    verdict.kind = VerdictKind::kStep;
    verdict.phase = name_;
    verdict.name = step.label;
    verdict.place = place_text(step.spot);
    verdict.got = "not reached";
    with.result.verdicts.push_back(std::move(verdict));
  }
}

StepProgress StepSequence::advance(StepScene& scene, StepGate* gate, RunMarks& marks,
                                   Result& result) {
  while (next_ < runs_.size()) {
    Verdict& verdict = result.verdicts[first_verdict_ + next_];
    if (!began_) {
      if (gate != nullptr && !gate->may_begin(first_verdict_ + next_)) {
        return StepProgress::kRunning;
      }
      began_ = true;
      verdict.since = to_seconds(scene.now());
      marks.set_start(marks_[next_], scene.now());
      runs_[next_]->begin(scene);
    }
    const StepProgress progress = runs_[next_]->poll(scene);
    if (progress != StepProgress::kDone) return progress;
    verdict.status = VerdictStatus::kPassed;
    verdict.got.clear();
    verdict.at = to_seconds(scene.now());
    marks.set_end(marks_[next_], scene.now());
    ++next_;
    began_ = false;
  }
  return StepProgress::kDone;
}

void StepSequence::fail(VerdictStatus status, Outcome outcome, TimeNs now,
                        RunRecord& record) const {
  Verdict& verdict = record.result().verdicts[first_verdict_ + next_];
  verdict.status = status;
  verdict.at = to_seconds(now);
  verdict.expected = runs_[next_]->expected();
  verdict.got = runs_[next_]->got();
  record.note_failure(now, verdict);
  record.worsen(outcome, verdict);
}

Verdict* StepSequence::current(Result& result) const noexcept {
  return next_ < runs_.size() ? &result.verdicts[first_verdict_ + next_] : nullptr;
}

std::string StepSequence::progress() const {
  const std::size_t number = std::min(next_ + 1, runs_.size());
  std::string text = fmt::format("{} {}/{}", name_, number, runs_.size());
  if (next_ < runs_.size()) text += " " + (*steps_)[next_].label;
  return text;
}

}  // namespace jointrig::harness
