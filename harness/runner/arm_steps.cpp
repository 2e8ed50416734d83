// Steps for arms.

#include <cmath>

#include "harness/runner/arm_command.h"
#include "harness/runner/command_run.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/measure.h"
#include "harness/runner/stream_list.h"

namespace jointrig::harness {
namespace {

class MoveToolRun final : public CommandRun {
 public:
  MoveToolRun(const MoveToolStep& step, ArmIndex arm, const Binder& binder)
      : CommandRun(step.wait, step.timeout),
        target_(CommandKind::kSetToolTarget, step.target, arm, binder) {
    if (step.within) within_ = binder.value(*step.within, 0, "m");
  }

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return target_.make(scene.now());
  }

  [[nodiscard]] static double distance(const ArmSnapshot& now) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double off = now.goal.position[i] - now.tool.position[i];
      sum += off * off;
    }
    return std::sqrt(sum);
  }

  bool arrived(const StepScene& scene) override {
    const ArmSnapshot& now = scene.snapshot->arms[target_.arm()];
    return now.runs && !now.moving && (!within_ || distance(now) <= within_->value());
  }

  StepProgress fail_late(const StepScene& scene) override {
    const ArmSnapshot& now = scene.snapshot->arms[target_.arm()];
    const std::string& name = scene.config->arms[target_.arm()].name;
    const std::string got = !now.runs ? "arm " + name + " doesn't run"
                            : now.moving
                                ? "its target is still on the way"
                                : "the tool is " + shown_unit("m").text(distance(now)) + " from it";
    return fail("the goal of arm " + name + in_timeout(), got);
  }

  BoundArmCommand target_;
  std::optional<BoundValue> within_;
};

class SetArmRun final : public AcceptedRun {
 public:
  SetArmRun(const SetArmStep& step, ArmIndex arm, const Binder& binder)
      : posture_(binder.targets(step.posture, kPositionUnits)) {
    for (const ArmSetting& setting : step.settings) settings_.emplace_back(setting, arm, binder);
    set_count(settings_.size() + (posture_.empty() ? 0 : 1));
  }

 private:
  Command command(std::size_t i, const StepScene& scene) const override {
    if (i < settings_.size()) return settings_[i].make(scene.now());
    SetPosture posture;
    for (const BoundTarget& target : posture_) {
      posture.joints.set(target.joint);
      posture.values.push_back({target.value.value()});
    }
    return make_command(posture, scene.now());
  }

  std::vector<BoundArmCommand> settings_;
  std::vector<BoundTarget> posture_;
};

}  // namespace

std::unique_ptr<StepRun> make_command_step(const MoveToolStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const ArmIndex arm = arm_named(step.target.arm, binder.config());
  needs.commanded |= joints_of(binder.config().arms[arm]);
  return std::make_unique<MoveToolRun>(step, arm, binder);
}

std::unique_ptr<StepRun> make_command_step(const SetArmStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const ArmIndex arm = arm_named(step.arm, binder.config());
  needs.commanded |= joints_of(binder.config().arms[arm]);
  return std::make_unique<SetArmRun>(step, arm, binder);
}

}  // namespace jointrig::harness
