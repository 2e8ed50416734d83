#include "harness/runner/runner.h"

#include <algorithm>
#include <cmath>

#include "harness/log/event_text.h"

namespace jointrig {
namespace {

constexpr TimeNs kTeardownLimit = 60'000'000'000;  // a choice: a minute on the robot's clock
constexpr std::uint64_t kWallCheckMask = 63;       // the wall clock is read every 64 cycles

// Which of two outcomes is worse.
int badness(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSafetyStop:
      return 6;
    case Outcome::kCouldNotRun:
      return 5;
    case Outcome::kNotDeterministic:
      return 4;
    case Outcome::kTimeout:
      return 3;
    case Outcome::kFailed:
      return 2;
    default:
      return 0;
  }
}

}  // namespace

Runner::PhaseSteps* Runner::steps_of_phase() noexcept {
  switch (phase_) {
    case Phase::kSetup:
      return &setup_steps_;
    case Phase::kSteps:
      return &steps_;
    case Phase::kTeardown:
      return &teardown_;
    default:
      return nullptr;
  }
}

void Runner::on_cycle(const Snapshot& snapshot, std::span<const Event> events) {
  if (finished()) return;
  scene_.snapshot = &snapshot;
  scene_.events = events;
  if (first_cycle_) {
    began_ = now();
    wall_began_ = std::chrono::steady_clock::now();
    first_cycle_ = false;
    modes_now_.resize(snapshot.joints.size());
    for (std::size_t i = 0; i < modes_now_.size(); ++i) {
      modes_now_[i] = {snapshot.joints[i].mode, snapshot.joints[i].interaction};
    }
    note_limits(snapshot, limits_before_);
  }
  note_limits(snapshot, limits_now_);
  ++result_.cycles;
  signals_.update(snapshot);
  link_.hear(events);
  keep(events);
  check_missed();
  actions_.update(now());
  watch_faults(events);
  check_stray();
  advance();
  if (!finished()) streams_.update(now(), link_);
  judge(events);
  traces_->push(to_seconds(now()));
  if (std::exchange(new_failure_, false)) traces_->mark_failure();
  check_timeouts();
  scene_.snapshot = &snapshot;
  if (finished()) finish();
}

void Runner::note_limits(const Snapshot& snapshot, PerJoint<LimitCycles>& limits) {
  limits.resize(snapshot.joints.size());
  for (std::size_t i = 0; i < limits.size(); ++i) limits[i] = snapshot.joints[i].limit_cycles;
}

void Runner::note_missed(std::uint64_t cycles, std::uint64_t events) noexcept {
  result_.cycles_missed = cycles;
  result_.events_missed = events;
}

void Runner::check_missed() {
  if (has_missed() && phase_ != Phase::kTeardown) end_steps(false);
}

void Runner::keep(std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind == EventKind::kAccepted) continue;  // a thousand a second while streaming
    if (event_log_.size() < event_log_.capacity()) {
      event_log_.push_back(event);
    } else {
      ++result_.events_left_out;
    }
  }
}

void Runner::note_failure(const std::string& name, const std::string& expected,
                          const std::string& got) {
  if (result_.first_failure) return;
  result_.first_failure = Failure{to_seconds(now()), name, expected, got};
  new_failure_ = true;
}

void Runner::worsen(Outcome outcome, const std::string& reason) {
  if (badness(outcome) <= badness(result_.outcome)) return;
  result_.outcome = outcome;
  result_.reason = reason;
}

void Runner::watch_faults(std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind != EventKind::kFault) continue;
    const bool allowed =
        std::any_of(faults_allowed_.begin(), faults_allowed_.end(),
                    [&](const EventPattern& pattern) { return pattern.matches(event); });
    if (allowed || fault_verdict_.failed()) continue;
    fault_verdict_.status = VerdictStatus::kFailed;
    fault_verdict_.at = to_seconds(now());
    fault_verdict_.expected = fault_verdict_.name;
    fault_verdict_.got = sentence(event, *setup_.config);
    note_failure(fault_verdict_.name, fault_verdict_.expected, fault_verdict_.got);
    worsen(Outcome::kSafetyStop, "unexpected fault: " + fault_verdict_.got);
    if (phase_ != Phase::kTeardown) end_steps(false);
  }
}

void Runner::check_stray() {
  const auto stray = link_.take_stray();
  if (!stray) return;
  Verdict& verdict = result_.verdicts[stream_verdicts_[stray->owner]];
  verdict.status = VerdictStatus::kFailed;
  verdict.expected = "samples accepted";
  verdict.got = sentence(stray->event, *setup_.config, kSender);
  verdict.at = to_seconds(now());
  streams_.end(stray->owner);
  note_failure(verdict.name, verdict.expected, verdict.got);
  worsen(phase_ == Phase::kSetup ? Outcome::kCouldNotRun : Outcome::kFailed,
         verdict.name + ": expected " + verdict.expected + ", got " + verdict.got);
  if (phase_ != Phase::kTeardown) end_steps(false);
}

void Runner::set_marks(const std::optional<std::size_t>& mark,
                       const std::optional<std::size_t>& of_any_round) {
  const auto set = [this](std::size_t one) {
    marks_[one].last = now();
    ++marks_[one].count;
    signals_.set_mark(one);
  };
  if (!mark) return;
  set(*mark);
  if (of_any_round != mark) set(*of_any_round);
  if (mark_log_.size() < mark_log_.capacity()) mark_log_.emplace_back(*mark, now());
}

StepProgress Runner::advance(PhaseSteps& phase) {
  while (phase.next < phase.runs.size()) {
    const std::size_t i = phase.next;
    Verdict& verdict = result_.verdicts[phase.first_verdict + i];
    if (!phase.began) {
      const bool waits = setup_.gate != nullptr && !setup_.gate->may_begin(phase.first_verdict + i);
      if (waits) return StepProgress::kRunning;
      phase.began = true;
      verdict.since = to_seconds(now());
      set_marks(phase.marks[i].start, phase.marks[i].start_of_any_round);
      phase.runs[i]->begin(scene_);
    }
    const StepProgress progress = phase.runs[i]->poll(scene_);
    if (progress != StepProgress::kDone) return progress;
    verdict.status = VerdictStatus::kPassed;
    verdict.got.clear();
    verdict.at = to_seconds(now());
    set_marks(phase.marks[i].end, phase.marks[i].end_of_any_round);
    ++phase.next;
    phase.began = false;
  }
  return StepProgress::kDone;
}

void Runner::fail_step(PhaseSteps& phase, VerdictStatus status) {
  Verdict& verdict = result_.verdicts[phase.first_verdict + phase.next];
  const StepRun& run = *phase.runs[phase.next];
  verdict.status = status;
  verdict.at = to_seconds(now());
  verdict.expected = run.expected();
  verdict.got = run.got();
  note_failure(verdict.name, verdict.expected, verdict.got);
  worsen(status == VerdictStatus::kError ? Outcome::kCouldNotRun : Outcome::kFailed,
         verdict.name + ": expected " + verdict.expected + ", got " + verdict.got);
}

void Runner::advance() {
  if (phase_ == Phase::kSetup) {
    const StepProgress progress = advance(setup_steps_);
    if (progress == StepProgress::kRunning) return;
    if (progress == StepProgress::kFailed) {
      fail_step(setup_steps_, VerdictStatus::kError);
      end_steps(false);
    } else {
      phase_ = Phase::kSteps;
    }
  }
  if (phase_ == Phase::kSteps) {
    const StepProgress progress = advance(steps_);
    if (progress == StepProgress::kRunning) return;
    if (progress == StepProgress::kFailed) {
      fail_step(steps_, VerdictStatus::kFailed);
      end_steps(false);
    } else {
      phase_ = Phase::kPending;  // judge() ends it, with this cycle seen by the assertions
      return;
    }
  }
  if (phase_ == Phase::kTeardown) {
    const StepProgress progress = advance(teardown_);
    if (progress == StepProgress::kRunning && now() - teardown_began_ <= kTeardownLimit) return;
    if (progress == StepProgress::kFailed) fail_step(teardown_, VerdictStatus::kFailed);
    if (progress == StepProgress::kRunning) {
      worsen(Outcome::kTimeout, "the teardown took longer than a minute");
    }
    phase_ = Phase::kFinished;
  }
}

void Runner::judge(std::span<const Event> events) {
  if (phase_ != Phase::kSteps && phase_ != Phase::kPending) return;
  const JudgeScene scene{now(), events, marks_};
  bool pending = false;
  for (const auto& judge : judges_) {
    const bool had_failed = judge->failed();
    judge->watch(scene);
    pending = pending || judge->is_pending();
    if (had_failed || !judge->failed()) continue;
    const Verdict& verdict = judge->verdict();
    note_failure(verdict.name, verdict.expected, verdict.got);
  }
  if (phase_ == Phase::kPending && !pending) end_steps(true);
}

// The steps are over, or were broken off: the judges' last word, then the teardown.
void Runner::end_steps(bool complete) {
  completed_ = complete;
  streams_.end_all();
  const JudgeScene scene{now(), {}, marks_};
  if (!std::exchange(concluded_, true)) {
    for (const auto& judge : judges_) {
      const bool had_failed = judge->failed();
      judge->conclude(scene, complete);
      const Verdict& verdict = judge->verdict();
      if (!had_failed && judge->failed()) {
        note_failure(verdict.name, verdict.expected, verdict.got);
      }
      if (!judge->failed()) continue;
      worsen(Outcome::kFailed,
             verdict.name + ": expected " + verdict.expected + ", got " + verdict.got);
    }
  }
  start_teardown();
}

void Runner::start_teardown() {
  phase_ = Phase::kTeardown;
  teardown_began_ = now();
  if (teardown_.runs.empty()) phase_ = Phase::kFinished;
}

void Runner::check_timeouts() {
  if (phase_ == Phase::kTeardown || phase_ == Phase::kFinished) return;
  std::string reason;
  if (now() - began_ > to_ns(scenario_.timeout_sim)) {
    reason = "not over after " + seconds_text(scenario_.timeout_sim) + " of simulated time";
  } else if ((result_.cycles & kWallCheckMask) == 0) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - wall_began_;
    if (passed.count() > scenario_.timeout_wall) {
      reason = "not over after " + seconds_text(scenario_.timeout_wall) + " of the wall clock";
    }
  }
  if (reason.empty()) return;
  if (PhaseSteps* phase = steps_of_phase(); phase != nullptr && phase->next < phase->runs.size()) {
    Verdict& verdict = result_.verdicts[phase->first_verdict + phase->next];
    verdict.status = VerdictStatus::kFailed;
    verdict.at = to_seconds(now());
    verdict.expected = "the scenario over in time";
    verdict.got = reason;
    reason += ", in step " + verdict.name;
  }
  note_failure("timeout", "the scenario over in time", reason);
  worsen(Outcome::kTimeout, reason);
  end_steps(false);
}

void Runner::break_off(Outcome outcome, const std::string& reason) {
  if (finished()) return;
  const Snapshot empty;
  if (scene_.snapshot == nullptr) scene_.snapshot = &empty;
  worsen(outcome, reason);
  if (!std::exchange(concluded_, true)) {
    for (const auto& judge : judges_) judge->conclude({now(), {}, marks_}, false);
  }
  phase_ = Phase::kFinished;
  finish();
}

}  // namespace jointrig
