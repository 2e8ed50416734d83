// Steps that bring tools to poses by inverse kinematics.

#include <cmath>

#include "harness/runner/command_steps.h"
#include "harness/runner/measure.h"
#include "harness/runner/move_run.h"
#include "harness/runner/reach_goal.h"

namespace jointrig::harness {
namespace {

class ReachRun final : public MoveRun {
 public:
  static Pace pace_of(const ReachStep& step) {
    Pace pace;
    if (step.speed) pace.speed = EachValue{*step.speed, {}};
    pace.duration = step.duration.value_or(0.0);
    return pace;
  }
  ReachRun(const ReachStep& step, BoundReach reach, const Binder& binder)
      : MoveRun(goals_for(reach), pace_of(step), step.wait, step.timeout, binder),
        reach_(std::move(reach)) {
    if (step.within) within_ = binder.value(*step.within, 0, "m");
  }

  void begin(StepScene& scene) override {
    const IkResult& result = reach_.solve(scene);
    is_solved_ = result.outcome == IkOutcome::kSolved;
    if (!is_solved_) return;
    for (std::size_t k = 0; k < reach_.joints().size(); ++k) {
      set_goal(k, result.q[reach_.joints()[k]]);
    }
    MoveRun::begin(scene);
  }

  StepProgress poll(StepScene& scene) override {
    if (is_solved_) return MoveRun::poll(scene);
    return fail("joint positions for " + reach_.tools(), reach_.sentence(*scene.config));
  }

 private:
  static std::vector<BoundTarget> goals_for(const BoundReach& reach) {
    std::vector<BoundTarget> targets;
    for (const JointIndex joint : reach.joints()) targets.push_back({joint, BoundValue(0.0)});
    return targets;
  }

  bool arrived(const StepScene& scene) override {
    if (!MoveRun::arrived(scene)) return false;
    return !within_ || reach_.distance(scene) <= within_->value();
  }

  StepProgress fail_late(const StepScene& scene) override {
    if (!within_ || !MoveRun::arrived(scene)) return MoveRun::fail_late(scene);
    return fail(reach_.tools() + " within " + shown_unit("mm").text(within_->value()) +
                    " of the goal" + in_timeout(),
                shown_unit("mm").text(reach_.distance(scene)) + " off");
  }

  BoundReach reach_;
  std::optional<BoundValue> within_;
  bool is_solved_ = false;
};

class ExpectUnreachableRun final : public StepRun {
 public:
  ExpectUnreachableRun(const ExpectUnreachableStep& step, const Binder& binder)
      : step_(step), reach_(step.goal, binder) {
    if (step.joint) joint_ = binder.joint(*step.joint);
  }

  void begin(StepScene& scene) override { reach_.solve(scene); }

  StepProgress poll(StepScene& scene) override {
    const IkResult& result = reach_.result();
    const bool is_joint = joint_ == kNoJoint || result.beyond.joint == joint_;
    const bool is_reason = result.outcome == step_.reason;
    if (is_reason && is_joint && !step_.says) return StepProgress::kDone;
    const std::string got = reach_.sentence(*scene.config);
    const bool is_said = !step_.says || got.find(step_.says->text) != std::string::npos;
    if (is_reason && is_joint && is_said) return StepProgress::kDone;
    std::string expected = "unreachable, " + std::string(to_string(step_.reason));
    if (step_.joint) expected += ", of " + step_.joint->text;
    if (step_.says) expected += ", saying \"" + step_.says->text + "\"";
    return fail(expected, std::string(to_string(result.outcome)) + ": " + got);
  }

 private:
  ExpectUnreachableStep step_;
  BoundReach reach_;
  JointIndex joint_ = kNoJoint;
};

}  // namespace

std::unique_ptr<StepRun> make_command_step(const ReachStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  BoundReach reach(step.goal, binder);
  for (const JointIndex joint : reach.joints()) needs.commanded.set(joint);
  return std::make_unique<ReachRun>(step, std::move(reach), binder);
}

std::unique_ptr<StepRun> make_command_step(const ExpectUnreachableStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<ExpectUnreachableRun>(step, binder);
}

}  // namespace jointrig::harness
