#include "harness/runner/composed_run.h"

#include <algorithm>
#include <optional>

#include "harness/runner/step_sequence.h"

namespace jointrig::harness {
namespace {

/// Each list goes on in each cycle; one that fails fails the step.
class ParallelRun final : public StepRun {
 public:
  ParallelRun(const ParallelStep& step, std::string_view phase, const StepBinding& with) {
    for (const std::vector<Step>& list : step.lists) lists_.emplace_back(phase).bind(list, with);
  }

  void begin(StepScene& /*scene*/) override {
    for (StepSequence& list : lists_) list.begin_anew();
  }

  StepProgress poll(StepScene& scene) override {
    bool all_done = true;
    for (StepSequence& list : lists_) {
      const StepProgress progress = list.advance(scene);
      if (progress == StepProgress::kFailed) return fail_as(list, scene);
      all_done = all_done && progress == StepProgress::kDone;
    }
    return all_done ? StepProgress::kDone : StepProgress::kRunning;
  }

  void note_broken_off(TimeNs now, Result& result) const override {
    for (const StepSequence& list : lists_) list.note_broken_off(now, result);
  }

  void leave(StepScene& scene) override {
    for (StepSequence& list : lists_) list.leave(scene);
  }

 private:
  StepProgress fail_as(const StepSequence& list, StepScene& scene) {
    note_broken_off(scene.now(), *scene.result);  // the others
    const Verdict& verdict = list.judge_failed(VerdictStatus::kFailed, scene.now(), *scene.result);
    return fail(verdict.name + ": " + verdict.expected, verdict.got);
  }

  std::vector<StepSequence> lists_;
};

/// A way out of a state.
class Exit {
 public:
  /// @param to  none: the machine's end
  Exit(const Transition& way, std::optional<std::size_t> to, const Binder& binder)
      : to_(to), hold_(to_ns(way.hold)) {
    if (way.when) when_ = binder.condition(*way.when);
    if (way.event) event_ = binder.event(*way.event);
    if (way.after) after_ = to_ns(*way.after);
  }

  void begin() noexcept { since_.reset(); }

  /// @param entered  time of the state's begin
  /// @param is_over  its steps are
  bool is_due(const StepScene& scene, TimeNs entered, bool is_over) noexcept {
    if (!when_.empty()) return holds_long_enough(scene.now());
    if (event_) {
      return std::any_of(scene.events.begin(), scene.events.end(),
                         [this](const Event& event) { return event_->matches(event); });
    }
    return after_ ? scene.now() - entered >= *after_ : is_over;
  }

  [[nodiscard]] std::optional<std::size_t> to() const noexcept { return to_; }

 private:
  bool holds_long_enough(TimeNs now) noexcept {
    const bool holds = std::all_of(when_.begin(), when_.end(), [](const BoundCondition& one) {
      return one.expression.check().holds;
    });
    if (!holds) {
      since_.reset();
      return false;
    }
    if (!since_) since_ = now;
    return now - *since_ >= hold_;
  }

  std::optional<std::size_t> to_;
  std::vector<BoundCondition> when_;
  std::optional<EventPattern> event_;
  std::optional<TimeNs> after_;
  TimeNs hold_;
  std::optional<TimeNs> since_;
};

/// In each cycle the state's steps go on, then the first way out that is due is taken; one at most,
/// so that a circle of states takes time.
class StateMachineRun final : public StepRun {
 public:
  StateMachineRun(const StateMachineStep& step, std::string_view phase, const StepBinding& with)
      : timeout_(to_ns(step.timeout)) {
    for (const MachineState& state : step.states) {
      State& bound = states_.emplace_back(state.name, with.marks.of(state.name), phase);
      bound.steps.bind(state.steps, with);
      for (const Transition& way : state.next) {
        with.problems.collect(
            [&] { bound.exits.emplace_back(way, number_of(way.to.text, step), with.binder); });
      }
    }
  }

  void begin(StepScene& scene) override {
    began_ = scene.now();
    enter(0, scene);
  }

  StepProgress poll(StepScene& scene) override {
    if (!go_on(scene)) return StepProgress::kFailed;
    State& state = states_[now_];
    if (scene.now() - began_ > timeout_) {
      note_broken_off(scene.now(), *scene.result);
      return fail(
          "the state machine over within " + seconds_text(to_seconds(timeout_)),
          "in state " + state.name + " for " + seconds_text(to_seconds(scene.now() - entered_)));
    }
    const auto exit = std::find_if(state.exits.begin(), state.exits.end(), [&](Exit& one) {
      return one.is_due(scene, entered_, is_over_);
    });
    if (exit != state.exits.end()) return take(*exit, scene);
    return state.exits.empty() && is_over_ ? end(scene) : StepProgress::kRunning;
  }

  void note_broken_off(TimeNs now, Result& result) const override {
    if (!is_over_) states_[now_].steps.note_broken_off(now, result);
  }

  void leave(StepScene& scene) override { states_[now_].steps.leave(scene); }

 private:
  struct State {
    State(std::string state_name, const StepMarks& of, std::string_view phase)
        : name(std::move(state_name)), marks(of), steps(phase) {}
    std::string name;
    StepMarks marks;
    StepSequence steps;
    std::vector<Exit> exits;
  };

  static std::optional<std::size_t> number_of(const std::string& name,
                                              const StateMachineStep& step) {
    for (std::size_t i = 0; i < step.states.size(); ++i) {
      if (step.states[i].name == name) return i;
    }
    return std::nullopt;
  }

  void enter(std::size_t state, StepScene& scene) {
    now_ = state;
    entered_ = scene.now();
    is_over_ = false;
    states_[now_].steps.begin_anew();
    for (Exit& exit : states_[now_].exits) exit.begin();
    scene.marks->set_start(states_[now_].marks, scene.now());
  }

  /// @return false: a step failed
  bool go_on(StepScene& scene) {
    if (is_over_) return true;
    StepSequence& steps = states_[now_].steps;
    const StepProgress progress = steps.advance(scene);
    is_over_ = progress == StepProgress::kDone;
    if (progress != StepProgress::kFailed) return true;
    const Verdict& verdict = steps.judge_failed(VerdictStatus::kFailed, scene.now(), *scene.result);
    fail(verdict.name + ": " + verdict.expected, verdict.got);
    return false;
  }

  StepProgress take(const Exit& exit, StepScene& scene) {
    State& state = states_[now_];
    if (!is_over_) state.steps.leave(scene);
    if (!exit.to()) return end(scene);
    scene.marks->set_end(state.marks, scene.now());
    enter(*exit.to(), scene);
    return go_on(scene) ? StepProgress::kRunning : StepProgress::kFailed;
  }

  StepProgress end(StepScene& scene) {
    scene.marks->set_end(states_[now_].marks, scene.now());
    return StepProgress::kDone;
  }

  TimeNs timeout_;
  std::vector<State> states_;
  std::size_t now_ = 0;
  TimeNs began_ = 0;
  TimeNs entered_ = 0;
  bool is_over_ = false;
};

}  // namespace

std::unique_ptr<StepRun> make_composed_run(const ParallelStep& step, std::string_view phase,
                                           const StepBinding& with) {
  return std::make_unique<ParallelRun>(step, phase, with);
}

std::unique_ptr<StepRun> make_composed_run(const StateMachineStep& step, std::string_view phase,
                                           const StepBinding& with) {
  return std::make_unique<StateMachineRun>(step, phase, with);
}

}  // namespace jointrig::harness
