// Steps that move to goals or poses.

#include <vector>

#include "control/exchange/robot_client.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/move_run.h"

namespace jointrig::harness {
namespace {

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
  const MoveRun::Pace pace{step.speed, step.duration.value_or(0.0), step.within, step.durations};
  return std::make_unique<MoveRun>(std::move(targets), pace, step.wait, step.timeout, binder);
}

}  // namespace jointrig::harness
