#include "harness/runner/step_run.h"

#include <fmt/core.h>

#include "control/core/nearest_word.h"
#include "harness/runner/action_list.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/composed_run.h"
#include "harness/runner/stream_list.h"

namespace jointrig::harness {
namespace {

class StreamRun final : public StepRun {
 public:
  StreamRun(const StreamStep& step, std::size_t stream, std::optional<Expression> until)
      : stream_(stream),
        background_(!step.background.empty()),
        until_(std::move(until)),
        duration_(to_ns(step.duration.value_or(0.0))),
        timeout_(to_ns(step.timeout)) {}

  void begin(StepScene& scene) override {
    began_ = scene.now();
    scene.streams->begin(stream_, began_);
  }

  void leave(StepScene& scene) override {
    if (!background_) scene.streams->end(stream_);
  }

  StepProgress poll(StepScene& scene) override {
    if (background_) return StepProgress::kDone;
    const TimeNs passed = scene.now() - began_;
    const bool over = until_ ? until_->check().holds : passed >= duration_;
    if (!over && (!until_ || passed <= timeout_)) return StepProgress::kRunning;
    scene.streams->end(stream_);
    if (over) return StepProgress::kDone;
    const Check check = until_->check();
    return fail(until_->expected(check) + " within " + seconds_text(to_seconds(timeout_)),
                until_->got(check));
  }

 private:
  std::size_t stream_;
  bool background_;
  std::optional<Expression> until_;
  TimeNs duration_;
  TimeNs timeout_;
  TimeNs began_ = 0;
};

class StopStreamRun final : public StepRun {
 public:
  explicit StopStreamRun(std::string name) : name_(std::move(name)) {}
  void begin(StepScene& scene) override { scene.streams->end(name_); }
  StepProgress poll(StepScene& /*scene*/) override { return StepProgress::kDone; }

 private:
  std::string name_;
};

class WaitTimeRun final : public StepRun {
 public:
  explicit WaitTimeRun(double time) : time_(to_ns(time)) {}
  void begin(StepScene& scene) override { began_ = scene.now(); }
  StepProgress poll(StepScene& scene) override {
    return scene.now() - began_ >= time_ ? StepProgress::kDone : StepProgress::kRunning;
  }

 private:
  TimeNs time_;
  TimeNs began_ = 0;
};

// Ends when the condition was true for `hold` in every cycle; fails if it does not become true, or
// true again, in time.
class WaitUntilRun final : public StepRun {
 public:
  WaitUntilRun(const WaitStep& step, Expression until)
      : until_(std::move(until)), hold_(to_ns(step.hold)), timeout_(to_ns(step.timeout)) {}

  void begin(StepScene& scene) override {
    began_ = scene.now();
    holds_ = false;
  }

  StepProgress poll(StepScene& scene) override {
    const Check check = until_.check();
    if (!check.holds) {
      holds_ = false;
    } else if (!holds_) {
      holds_ = true;
      since_ = scene.now();
    }
    if (holds_ && scene.now() - since_ >= hold_) return StepProgress::kDone;
    if (scene.now() - began_ <= timeout_) return StepProgress::kRunning;
    const std::string limit = " within " + seconds_text(to_seconds(timeout_));
    if (!holds_) return fail(until_.expected(check) + limit, until_.got(check));
    return fail(until_.text() + " for " + seconds_text(to_seconds(hold_)) + limit,
                "held for " + seconds_text(to_seconds(scene.now() - since_)));
  }

 private:
  Expression until_;
  TimeNs hold_;
  TimeNs timeout_;
  TimeNs began_ = 0;
  TimeNs since_ = 0;
  bool holds_ = false;
};

class WaitEventRun final : public StepRun {
 public:
  WaitEventRun(const WaitStep& step, EventPattern pattern)
      : text_(step.event->text), pattern_(pattern), timeout_(to_ns(step.timeout)) {}

  void begin(StepScene& scene) override { began_ = scene.now(); }

  StepProgress poll(StepScene& scene) override {
    for (const Event& event : scene.events) {
      if (pattern_.matches(event)) return StepProgress::kDone;
    }
    if (scene.now() - began_ <= timeout_) return StepProgress::kRunning;
    return fail("event " + text_ + " within " + seconds_text(to_seconds(timeout_)), "none");
  }

 private:
  std::string text_;
  EventPattern pattern_;
  TimeNs timeout_;
  TimeNs began_ = 0;
};

class ActionRun final : public StepRun {
 public:
  explicit ActionRun(std::size_t action) : action_(action) {}
  void begin(StepScene& scene) override { scene.actions->begin(action_, scene.now()); }
  StepProgress poll(StepScene& /*scene*/) override { return StepProgress::kDone; }

 private:
  std::size_t action_;
};

class EndRun final : public StepRun {
 public:
  explicit EndRun(std::string name) : name_(std::move(name)) {}
  void begin(StepScene& scene) override { scene.actions->end(name_); }
  StepProgress poll(StepScene& /*scene*/) override { return StepProgress::kDone; }

 private:
  std::string name_;
};

class ExpectRun final : public StepRun {
 public:
  explicit ExpectRun(std::vector<BoundCondition> conditions) : conditions_(std::move(conditions)) {}
  void begin(StepScene& /*scene*/) override {}
  StepProgress poll(StepScene& /*scene*/) override {
    for (const BoundCondition& condition : conditions_) {
      const Check check = condition.expression.check();
      if (check.holds) continue;
      return fail(condition.expression.expected(check), condition.expression.got(check));
    }
    return StepProgress::kDone;
  }

 private:
  std::vector<BoundCondition> conditions_;
};

class MarkRun final : public StepRun {
 public:
  void begin(StepScene& /*scene*/) override {}
  StepProgress poll(StepScene& /*scene*/) override { return StepProgress::kDone; }
};

// Refuses an unknown name: an ended step or action must exist.
void check_known(const Text& name, std::string_view what, const std::vector<std::string>& known) {
  for (const std::string& one : known) {
    if (one == name.text) return;
  }
  throw FileError(name.spot, "no " + std::string(what) + " \"" + name.text + "\"" +
                                 did_you_mean(name.text, known));
}

struct Maker {
  const Step& step;
  std::string_view phase;
  const StepBinding& with;
  const Binder& binder = with.binder;
  ActionList& actions = with.actions;
  StreamList& streams = with.streams;
  StepNeeds& needs = with.needs;

  template <typename Command>
  std::unique_ptr<StepRun> operator()(const Command& command) const {
    return make_command_step(command, binder, needs);
  }
  std::unique_ptr<StepRun> operator()(const StreamStep& stream) const {
    const std::size_t number = streams.add(step, stream, binder);
    needs.commanded |= streams.joints(number);
    std::optional<Expression> until;
    if (stream.until) until = binder.expression(*stream.until);
    return std::make_unique<StreamRun>(stream, number, std::move(until));
  }
  std::unique_ptr<StepRun> operator()(const StopStreamStep& stop) const {
    with.later.emplace_back([&stop, &all = streams] {
      check_known(stop.name, "stream in the background", all.names());
    });
    return std::make_unique<StopStreamRun>(stop.name.text);
  }
  std::unique_ptr<StepRun> operator()(const WaitStep& wait) const {
    if (wait.until) return std::make_unique<WaitUntilRun>(wait, binder.expression(*wait.until));
    if (wait.event) return std::make_unique<WaitEventRun>(wait, binder.event(*wait.event));
    return std::make_unique<WaitTimeRun>(wait.time);
  }
  std::unique_ptr<StepRun> operator()(const ActionStep& action) const {
    return std::make_unique<ActionRun>(
        actions.add(without_round(step.name), action, ActionList::kNoTime, binder.config()));
  }
  std::unique_ptr<StepRun> operator()(const EndStep& end) const {
    with.later.emplace_back(
        [&end, &all = actions] { check_known(end.name, "fault or disturbance", all.names()); });
    return std::make_unique<EndRun>(end.name.text);
  }
  std::unique_ptr<StepRun> operator()(const ExpectStep& expect) const {
    std::vector<BoundCondition> all;
    for (const Condition& condition : expect.conditions) {
      for (BoundCondition& bound : binder.condition(condition)) all.push_back(std::move(bound));
    }
    return std::make_unique<ExpectRun>(std::move(all));
  }
  std::unique_ptr<StepRun> operator()(const MarkStep& /*mark*/) const {
    return std::make_unique<MarkRun>();
  }
  std::unique_ptr<StepRun> operator()(const ParallelStep& parallel) const {
    return make_composed_run(parallel, phase, with);
  }
  std::unique_ptr<StepRun> operator()(const StateMachineStep& machine) const {
    return make_composed_run(machine, phase, with);
  }
};

}  // namespace

std::string seconds_text(double seconds) { return fmt::format("{:.6g} s", seconds); }

std::unique_ptr<StepRun> make_step_run(const Step& step, std::string_view phase,
                                       const StepBinding& with) {
  return std::visit(Maker{step, phase, with}, step.what);
}

}  // namespace jointrig::harness
