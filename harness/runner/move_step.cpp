// Steps that move to goals or poses.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "control/exchange/robot_client.h"
#include "harness/runner/command_run.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/measure.h"

namespace jointrig::harness {
namespace {

// `1.047 rad (60 deg)`, `0.04 m`
std::string position_text(double q, const JointConfig& joint) {
  const std::string text = shown_unit(joint.slide ? "m" : "rad").text(q);
  return joint.slide ? text : text + " (" + shown_unit("deg").text(q) + ")";
}

class MoveRun final : public CommandRun {
 public:
  MoveRun(const MoveStep& step, std::vector<BoundTarget> targets, const Binder& binder)
      : CommandRun(step.wait, step.timeout),
        targets_(std::move(targets)),
        duration_(step.duration.value_or(0.0)),
        arrived_(targets_.size()),
        goals_(targets_.size()) {
    for (const BoundTarget& target : targets_) {
      joints_.set(target.joint);
      speeds_.push_back(step.speed ? binder.value(*step.speed, target.joint, kSpeedUnits)
                                   : BoundValue(0.0));
      within_.push_back(step.within ? binder.value(*step.within, target.joint, kPositionUnits)
                                    : BoundValue(std::numeric_limits<double>::infinity()));
    }
  }

  void begin(StepScene& scene) override {
    CommandRun::begin(scene);
    std::fill(arrived_.begin(), arrived_.end(), false);
  }

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    TimedMove timed{joints_, {}};
    Move move{joints_, {}};
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      goals_[i] = targets_[i].value.value();
      timed.values.push_back({goals_[i], duration_});
      move.values.push_back({goals_[i], speeds_[i].value()});
    }
    const bool is_timed = duration_ > 0.0;
    return make_command(is_timed ? Request(timed) : Request(move), scene.now());
  }

  bool arrived(const StepScene& scene) override {
    constexpr double kAtGoal = 1e-6;  // rad or m, a choice: far below any encoder
    for (const Event& event : scene.events) {
      if (event.kind != EventKind::kGoalReached) continue;
      for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (targets_[i].joint == event.joint) arrived_[i] = true;
      }
    }
    bool all = true;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const JointSnapshot& now = scene.snapshot->joints[targets_[i].joint];
      // A joint that was already at its goal may report nothing.
      const bool stands = !now.moving && std::abs(now.reference.q - goals_[i]) <= kAtGoal;
      all = all && (arrived_[i] || stands) && is_near(i, scene);
    }
    return all;
  }

  [[nodiscard]] bool is_near(std::size_t i, const StepScene& scene) const {
    const double q = scene.snapshot->joints[targets_[i].joint].state.q;
    return std::abs(q - goals_[i]) <= within_[i].value();
  }

  StepProgress fail_late(const StepScene& scene) override {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const JointSnapshot& now = scene.snapshot->joints[targets_[i].joint];
      const bool stands = !now.moving && arrived_[i];
      if (stands && is_near(i, scene)) continue;
      const JointConfig& joint = scene.config->joints[targets_[i].joint];
      const std::string& name = joint.name;
      const std::string goal = position_text(goals_[i], joint);
      if (!stands) {
        return fail(name + " at its goal " + goal + in_timeout(),
                    "its reference at " + position_text(now.reference.q, joint) + ", " +
                        (now.moving ? "still moving" : "standing"));
      }
      return fail(name + " measured within " + position_text(within_[i].value(), joint) + " of " +
                      goal + in_timeout(),
                  name + ".q = " + position_text(now.state.q, joint));
    }
    return fail("every joint at its goal" + in_timeout(), "a goal reached and left again");
  }

  std::vector<BoundTarget> targets_;
  double duration_;
  JointSet joints_;
  std::vector<BoundValue> speeds_;
  std::vector<BoundValue> within_;
  std::vector<bool> arrived_;
  mutable std::vector<double> goals_;  // as sent
};

std::vector<BoundTarget> pose_targets(const MoveStep& step, const Binder& binder) {
  std::vector<BoundTarget> targets;
  const RobotConfig& config = binder.config();
  const PoseConfig* pose = nullptr;
  try {
    pose = &pose_named(config, step.pose->text);
  } catch (const UnknownName& error) {
    throw FileError(step.pose->spot, error.what());
  }
  JointSet chosen = binder.joints(step.joints);
  if (step.joints.empty()) chosen.set();
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (!pose->q[i] || !chosen.test(i)) continue;
    targets.push_back({static_cast<JointIndex>(i), BoundValue(*pose->q[i])});
  }
  if (targets.empty()) {
    throw FileError(step.pose->spot, "pose \"" + step.pose->text + "\" names none of these joints");
  }
  return targets;
}

}  // namespace

std::unique_ptr<StepRun> make_command_step(const MoveStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  std::vector<BoundTarget> targets =
      step.pose ? pose_targets(step, binder) : binder.targets(step.targets, kPositionUnits);
  for (const BoundTarget& target : targets) needs.commanded.set(target.joint);
  return std::make_unique<MoveRun>(step, std::move(targets), binder);
}

}  // namespace jointrig::harness
