#include "harness/runner/runner.h"

#include "harness/log/event_text.h"

namespace jointrig::harness {
namespace {

constexpr TimeNs kTeardownLimit = 60'000'000'000;  // a choice: a minute on the robot's clock
constexpr std::uint64_t kWallCheckMask = 63;       // the wall clock is read every 64 cycles

}  // namespace

void Runner::on_cycle(const Snapshot& snapshot, std::span<const Event> events) {
  if (finished()) return;
  scene_.snapshot = &snapshot;
  scene_.events = events;
  if (record_.result().cycles++ == 0) begin(snapshot);

  // Input of the cycle.
  signals_.update(snapshot);
  link_.hear(events);
  history_.note(snapshot, events);
  check_missed();
  actions_.update(now());
  const bool is_faulty = faults_.watch(events, now(), *setup_.config, record_);
  if (is_faulty && phase_ != Phase::kTeardown) end_steps(false);
  check_stray();

  // Actions of the cycle.
  advance();
  if (!finished()) streams_.update(now(), link_);

  // Verdict of the cycle.
  judge();
  traces_.push(now());
  if (record_.take_new_failure()) traces_.mark_failure();
  check_timeouts();
  if (finished()) finish();
}

void Runner::begin(const Snapshot& snapshot) {
  began_ = snapshot.time_ns;
  wall_began_ = std::chrono::steady_clock::now();
}

void Runner::check_missed() {
  if (record_.has_missed() && phase_ != Phase::kTeardown) end_steps(false);
}

// Handles a refused sample of a stream.
void Runner::check_stray() {
  const auto stray = link_.take_stray();
  if (!stray) return;
  Verdict& verdict = result().verdicts[stream_verdicts_[stray->owner]];
  verdict.status = VerdictStatus::kFailed;
  verdict.expected = "samples accepted";
  verdict.got = sentence(stray->event, *setup_.config, kSender);
  verdict.at = to_seconds(now());
  streams_.end(stray->owner);
  record_.note_failure(now(), verdict);
  record_.worsen(phase_ == Phase::kSetup ? Outcome::kCouldNotRun : Outcome::kFailed, verdict);
  if (phase_ != Phase::kTeardown) end_steps(false);
}

// A phase that ends passes the cycle to the next one.
void Runner::advance() {
  if (phase_ == Phase::kSetup) advance_setup();
  if (phase_ == Phase::kSteps) advance_steps();
  if (phase_ == Phase::kTeardown) advance_teardown();
}

void Runner::advance_setup() {
  const StepProgress progress = setup_steps_.advance(scene_);
  if (progress == StepProgress::kDone) phase_ = Phase::kSteps;
  if (progress != StepProgress::kFailed) return;
  setup_steps_.fail(VerdictStatus::kError, Outcome::kCouldNotRun, now(), record_);
  end_steps(false);
}

void Runner::advance_steps() {
  const StepProgress progress = steps_.advance(scene_);
  // judge() ends it, after the assertions have read this cycle.
  if (progress == StepProgress::kDone) phase_ = Phase::kPending;
  if (progress != StepProgress::kFailed) return;
  steps_.fail(VerdictStatus::kFailed, Outcome::kFailed, now(), record_);
  end_steps(false);
}

void Runner::advance_teardown() {
  const StepProgress progress = teardown_.advance(scene_);
  if (progress == StepProgress::kRunning && now() - teardown_began_ <= kTeardownLimit) return;
  if (progress == StepProgress::kFailed) {
    teardown_.fail(VerdictStatus::kFailed, Outcome::kFailed, now(), record_);
  }
  if (progress == StepProgress::kRunning) {
    record_.worsen(Outcome::kTimeout, "the teardown took longer than a minute");
  }
  phase_ = Phase::kFinished;
}

void Runner::judge() {
  if (phase_ != Phase::kSteps && phase_ != Phase::kPending) return;
  const bool is_pending = judges_.watch(judge_scene(scene_.events), record_);
  if (phase_ == Phase::kPending && !is_pending) end_steps(true);
}

// The steps have ended or were aborted: the judges' final verdicts, then the teardown.
void Runner::end_steps(bool complete) {
  streams_.end_all();
  judges_.conclude(judge_scene({}), complete, record_);
  phase_ = teardown_.empty() ? Phase::kFinished : Phase::kTeardown;
  teardown_began_ = now();
}

std::string Runner::timeout_reason() const {
  if (now() - began_ > to_ns(scenario_.timeout_sim)) {
    return "not over after " + seconds_text(scenario_.timeout_sim) + " of simulated time";
  }
  if ((result().cycles & kWallCheckMask) != 0) return "";
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - wall_began_;
  if (passed.count() <= scenario_.timeout_wall) return "";
  return "not over after " + seconds_text(scenario_.timeout_wall) + " of the wall clock";
}

void Runner::check_timeouts() {
  if (phase_ == Phase::kTeardown || phase_ == Phase::kFinished) return;
  std::string reason = timeout_reason();
  if (reason.empty()) return;
  const StepSequence* phase = steps_of_phase();
  if (Verdict* verdict = phase != nullptr ? phase->current(result()) : nullptr) {
    verdict->status = VerdictStatus::kFailed;
    verdict->at = to_seconds(now());
    verdict->expected = "the scenario over in time";
    phase->note_broken_off_within(now(), result());
    verdict->got = reason;
    reason += ", in step " + verdict->name;
  }
  record_.note_failure(now(), "timeout", "the scenario over in time", reason);
  record_.worsen(Outcome::kTimeout, reason);
  end_steps(false);
}

void Runner::break_off(Outcome outcome, const std::string& reason) {
  if (finished()) return;
  const Snapshot empty{};
  if (scene_.snapshot == nullptr) scene_.snapshot = &empty;
  record_.worsen(outcome, reason);
  judges_.break_off(judge_scene({}));
  phase_ = Phase::kFinished;
  finish();
}

void Runner::finish() {
  actions_.end_all();
  Result& result = record_.result();
  judges_.finish(result);
  faults_.finish(result);
  record_.conclude_missed();
  result.sim_time = static_cast<double>(result.cycles) * to_seconds(setup_.config->period_ns);
  marks_.finish(result);
  history_.finish(*setup_.config, result);
  traces_.finish(bounds_, *setup_.config, result);
  record_.conclude_expected(scenario_.expected_failure);
}

const StepSequence* Runner::steps_of_phase() const noexcept {
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

std::string Runner::progress() const {
  if (const StepSequence* steps = steps_of_phase()) return steps->progress();
  if (phase_ == Phase::kPending) return "waiting for assertions";
  return std::string(to_string(result().outcome));
}

}  // namespace jointrig::harness
