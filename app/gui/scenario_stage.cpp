#include "app/gui/scenario_stage.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace jointrig::app {
namespace {

constexpr std::size_t kNoStep = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kEventsExpected = 1024;  // in one cycle; more of them allocate

harness::RunSetup with_gate(harness::RunSetup setup, harness::StepGate& gate) {
  setup.gate = &gate;
  return setup;
}

/// A person may hold at a breakpoint for any time.
harness::Scenario without_wall_clock(harness::Scenario scenario) {
  scenario.timeout_wall = std::numeric_limits<double>::infinity();
  return scenario;
}

gui::StepState state_of(harness::VerdictStatus status) noexcept {
  switch (status) {
    case harness::VerdictStatus::kPassed:
    case harness::VerdictStatus::kWarned:
      return gui::StepState::kPassed;
    case harness::VerdictStatus::kFailed:
    case harness::VerdictStatus::kError:
      return gui::StepState::kFailed;
    case harness::VerdictStatus::kSkipped:
      break;
  }
  return gui::StepState::kSkipped;
}

}  // namespace

std::vector<gui::ScenarioStep> steps_of(const harness::Scenario& scenario) {
  std::vector<gui::ScenarioStep> steps;
  const auto add = [&steps](const char* phase, const std::vector<harness::Step>& list) {
    harness::for_each_step(list, [&](const harness::Step& step) {
      steps.push_back({phase, step.label, harness::place_text(step.spot)});
    });
  };
  add("setup", scenario.setup);
  add("steps", scenario.steps);
  add("teardown", scenario.teardown);
  return steps;
}

ScenarioStage::ScenarioStage(harness::Scenario scenario, const harness::RunSetup& setup)
    : name_(scenario.name),
      config_(setup.config),
      runner_(without_wall_clock(std::move(scenario)), with_gate(setup, *this)),
      client_(*setup.config, *setup.inbox, "scenario's end"),
      steps_(steps_of(runner_.scenario())),
      now_(steps_.size()),
      released_(kNoStep) {
  events_.reserve(kEventsExpected);
  running_.reserve(now_.size());
  if (runner_.finished()) finish();  // skipped
}

void ScenarioStage::heed() {
  const BreakOff asked = break_off_.load(std::memory_order_acquire);
  if (asked == BreakOff::kNone || finished_.load(std::memory_order_relaxed)) return;
  runner_.break_off(harness::Outcome::kCouldNotRun, why_broken_off_);
  // After all commands of the runner: it overrides the last of them.
  if (asked == BreakOff::kStop) client_.stop(joints_named(*config_, "all"));
  finish();
}

bool ScenarioStage::on_cycle(const Snapshot& snapshot, EventRing::Reader& events) {
  events_.clear();
  for (Event event; events.next(event);) events_.push_back(event);
  return on_cycle(snapshot, events_);
}

bool ScenarioStage::on_cycle(const Snapshot& snapshot, std::span<const Event> events) {
  heed();
  if (finished_.load(std::memory_order_relaxed)) return false;
  holding_ = kNoStep;
  runner_.on_cycle(snapshot, events);
  publish();
  const bool holds = holding_ != kNoStep;
  if (holds) held_step_.store(holding_, std::memory_order_relaxed);
  const bool wants_pause = !held_.exchange(holds, std::memory_order_relaxed) && holds;
  if (runner_.finished()) finish();
  return wants_pause;
}

void ScenarioStage::close(const std::string& why, harness::Outcome outcome) {
  if (finished_.load(std::memory_order_relaxed)) return;
  runner_.break_off(outcome, why);
  finish();
}

bool ScenarioStage::may_begin(std::size_t step) noexcept {
  current_.store(step, std::memory_order_relaxed);
  StepNow& now = now_[step];
  const bool is_released = released_.load(std::memory_order_relaxed) == step;
  const bool holds =
      now.breaks.load(std::memory_order_relaxed) || hold_next_.load(std::memory_order_relaxed);
  if (holds && !is_released) {
    if (holding_ == kNoStep) holding_ = step;
    now.state.store(gui::StepState::kHeld, std::memory_order_relaxed);
    return false;
  }
  std::size_t released = step;  // once: a state that is entered again holds again
  released_.compare_exchange_strong(released, kNoStep, std::memory_order_relaxed);
  now.state.store(gui::StepState::kRunning, std::memory_order_relaxed);
  running_.push_back(step);
  return true;
}

/// Steps that began, and those that ended: several may run side by side, and begin again.
void ScenarioStage::publish() {
  const auto has_ended = [this](std::size_t step) {
    const harness::Verdict& verdict = runner_.result().verdicts[step];
    now_[step].began.store(verdict.since, std::memory_order_relaxed);
    if (std::isnan(verdict.at)) return false;
    now_[step].state.store(state_of(verdict.status), std::memory_order_relaxed);
    return true;
  };
  std::erase_if(running_, has_ended);
}

void ScenarioStage::finish() {
  const harness::Result& result = runner_.result();
  outcome_.word = to_string(result.outcome);
  outcome_.reason = result.reason;
  outcome_.passed = result.outcome == harness::Outcome::kPassed;
  for (const harness::Verdict& verdict : result.verdicts) {
    outcome_.verdicts.push_back({std::string(to_string(verdict.kind)), verdict.name,
                                 std::string(to_string(verdict.status)), verdict.expected,
                                 verdict.got, verdict.failed()});
  }
  for (std::size_t i = 0; i < now_.size() && i < result.verdicts.size(); ++i) {
    now_[i].state.store(state_of(result.verdicts[i].status), std::memory_order_relaxed);
    now_[i].began.store(result.verdicts[i].since, std::memory_order_relaxed);
  }
  held_.store(false, std::memory_order_relaxed);
  finished_.store(true, std::memory_order_release);
}

gui::StepState ScenarioStage::state(std::size_t step) const {
  return step < now_.size() ? now_[step].state.load(std::memory_order_relaxed)
                            : gui::StepState::kWaiting;
}

double ScenarioStage::began(std::size_t step) const {
  return step < now_.size() ? now_[step].began.load(std::memory_order_relaxed) : harness::kNoTime;
}

void ScenarioStage::set_break(std::size_t step, bool on) {
  if (step < now_.size()) now_[step].breaks.store(on, std::memory_order_relaxed);
}

void ScenarioStage::go_on(bool one_step) {
  hold_next_.store(one_step, std::memory_order_relaxed);
  released_.store(held() ? held_step_.load(std::memory_order_relaxed) : current(),
                  std::memory_order_relaxed);
}

void ScenarioStage::break_off(const std::string& why, bool stop) {
  if (break_off_.load(std::memory_order_relaxed) != BreakOff::kNone) return;
  why_broken_off_ = why;
  break_off_.store(stop ? BreakOff::kStop : BreakOff::kLeave, std::memory_order_release);
}

}  // namespace jointrig::app
