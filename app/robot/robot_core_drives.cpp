// Velocities of tools in a robot's core: followed by the loop, or by samples of each cycle where a
// filter or a range of the program acts on them, which the loop doesn't know.

#include "app/robot/robot_core.h"
#include "control/planning/arm_tasks.h"
#include "control/stack/driven_rotations.h"

namespace jointrig {

bool RobotCore::needs_samples(const DriveTool& command) const {
  if (!is_in_loop(command.arm)) return true;
  const JointSet joints = joints_of(config().arms[command.arm]);
  if (filters.act_on_commands(joints) || (limits.narrowed() & joints).any()) return true;
  return command.together && drives.any_together_here();
}

void RobotCore::drive(const DriveTool& command, std::optional<double> ttl) {
  ArmDrives::Asked asked{command, {}};
  if (ttl) asked.until = now().time_ns + to_ns(*ttl);
  if (needs_samples(command)) {
    drive_here(asked);
    return;
  }
  const ArmConfig& arm = config().arms[command.arm];
  if (!drives.is_in_loop(command.arm)) {
    const JointSet joints = joints_of(arm);
    release(joints);
    expect_nothing(joints);
    enter(joints, ControlMode::kPosition);
  }
  drives.drive(asked, arm.joints);
}

Eigen::Matrix3d RobotCore::world_of(const TreeFrame& frame) {
  FrameKinematics kinematics(tree(), {FramePair{frame, {}}}, {});
  kinematics.set_base(placement_of(ToolPose{now().base.position, now().base.orientation}));
  kinematics.update(present(FilterOn::kCommandedPosition));
  return kinematics.pose(0).rotation;
}

/// By samples, from where the joints are commanded to be, at their speeds.
void RobotCore::drive_here(const ArmDrives::Asked& asked) {
  const ArmConfig& arm = config().arms[asked.command.arm];
  const IkTask task = tool_task(tree(), arm);
  const ArmDrives::Place place{limits.robot(), world_of(task.frames.reference)};
  if (drives.change(asked, place)) return;
  auto drive = std::make_unique<CartesianDrive>(*place.limits, tree(), task, arm.joints,
                                                DriveOptions::of(arm));
  drive->set_base(placement_of(ToolPose{now().base.position, now().base.orientation}));
  drive->set_offset(placement_of(offset_of(asked.command.arm)));
  std::vector<double> v;
  for (const JointIndex joint : arm.joints) {
    v.push_back(present(FilterOn::kCommandedVelocity, joint));
  }
  drive->start(present(FilterOn::kCommandedPosition), v);
  const JointSet joints = joints_of(arm);
  release(joints);
  expect_nothing(joints);
  enter(joints, ControlMode::kPositionDirect);
  drives.follow(asked, place, std::move(drive), arm.joints);
}

void RobotCore::check_rotations(const DriveTool& command) {
  Refusal r;
  if (is_in_loop(command.arm)) {
    r = rig_->stack().why_not_held(command);
  } else {
    const ArmConfig& arm = config().arms[command.arm];
    r = jointrig::why_not_held(
        CartesianDrive(config(), tree(), tool_task(tree(), arm), arm.joints, DriveOptions::of(arm)),
        command);
  }
  if (r) refuse(CommandKind::kDriveTool, r, {}, {}, command.arm);
}

/// A filter or a range that has come while the loop drives a tool acts from this cycle on. Tools
/// that go together are taken together.
void RobotCore::take_drives_from_loop() {
  for (bool is_any = true; is_any;) {
    is_any = false;
    for (const ArmDrives::Asked& asked : drives.in_loop(now())) {
      const bool is_still = drives.is_in_loop(asked.command.arm);
      if (!is_still || !needs_samples(asked.command)) continue;
      drive_here(asked);
      is_any = true;
    }
  }
}

}  // namespace jointrig
