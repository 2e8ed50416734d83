#include "harness/runner/step_sequence.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/runner/judges.h"

namespace jointrig::harness {

void StepSequence::bind(const std::vector<Step>& steps, const StepBinding& with) {
  steps_ = &steps;
  for (const Step& step : steps) {
    const std::size_t streams = with.stream_verdicts.size();
    verdicts_.push_back(with.result.verdicts.size());
    Verdict verdict;
    verdict.kind = VerdictKind::kStep;
    verdict.phase = name_;
    verdict.name = step.label;
    verdict.place = place_text(step.spot);
    verdict.got = "not reached";
    with.result.verdicts.push_back(std::move(verdict));  // before those of the steps within it
    with.problems.collect([&] { runs_.push_back(make_step_run(step, name_, with)); });
    marks_.push_back(with.marks.of(step.name));
    if (std::holds_alternative<StreamStep>(step.what)) {
      with.stream_verdicts.resize(streams + 1, verdicts_.back());
    }
  }
}

StepProgress StepSequence::advance(StepScene& scene) {
  RunMarks& marks = *scene.marks;
  while (next_ < runs_.size()) {
    Verdict& verdict = scene.result->verdicts[verdicts_[next_]];
    if (!began_) {
      if (scene.gate != nullptr && !scene.gate->may_begin(verdicts_[next_])) {
        return StepProgress::kRunning;
      }
      began_ = true;
      verdict.since = to_seconds(scene.now());
      verdict.at = kNoTime;  // of its visit before
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

void StepSequence::begin_anew() noexcept {
  next_ = 0;
  began_ = false;
}

void StepSequence::leave(StepScene& scene) {
  if (next_ == runs_.size() || !began_) return;
  runs_[next_]->leave(scene);
  Verdict& verdict = scene.result->verdicts[verdicts_[next_]];
  verdict.status = VerdictStatus::kPassed;
  verdict.got = "left early";  // short enough to need no memory
  verdict.at = to_seconds(scene.now());
}

void StepSequence::note_broken_off(TimeNs now, Result& result) const {
  if (next_ == runs_.size() || !began_) return;
  Verdict& verdict = result.verdicts[verdicts_[next_]];
  verdict.got = "broken off";
  verdict.at = to_seconds(now);
  note_broken_off_within(now, result);
}

const Verdict& StepSequence::judge_failed(VerdictStatus status, TimeNs now, Result& result) const {
  Verdict& verdict = result.verdicts[verdicts_[next_]];
  verdict.status = status;
  verdict.at = to_seconds(now);
  verdict.expected = runs_[next_]->expected();
  verdict.got = runs_[next_]->got();
  return verdict;
}

void StepSequence::fail(VerdictStatus status, Outcome outcome, TimeNs now,
                        RunRecord& record) const {
  const Verdict& verdict = judge_failed(status, now, record.result());
  record.note_failure(now, verdict);
  record.worsen(outcome, verdict);
}

Verdict* StepSequence::current(Result& result) const noexcept {
  return next_ < runs_.size() ? &result.verdicts[verdicts_[next_]] : nullptr;
}

std::string StepSequence::progress() const {
  const std::size_t number = std::min(next_ + 1, runs_.size());
  std::string text = fmt::format("{} {}/{}", name_, number, runs_.size());
  if (next_ < runs_.size()) text += " " + (*steps_)[next_].label;
  return text;
}

}  // namespace jointrig::harness
