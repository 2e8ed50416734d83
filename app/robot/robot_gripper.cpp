// Grippers of a robot.

#include "app/robot/robot_gripper.h"

#include "app/robot/robot_core.h"

namespace jointrig {
namespace {

void ask(RobotCore& core, const JointSet& joints, const Request& request) {
  core.check_open();
  core.release(joints);
  core.expect_nothing(joints);
  core.enter(joints, ControlMode::kPosition);
  core.post(request, joints);
}

}  // namespace

RobotGripper::RobotGripper(RobotCore& core, GripperIndex gripper)
    : RobotPart(core, core.config().grippers[gripper].name,
                joints_of(core.config().grippers[gripper])),
      gripper_(gripper) {}

void RobotGripper::open(double speed) { ask(core(), joints(), OpenGripper{gripper_, speed}); }
void RobotGripper::close(double speed) { ask(core(), joints(), CloseGripper{gripper_, speed}); }
void RobotGripper::move(double width, double speed) {
  ask(core(), joints(), MoveGripper{gripper_, width, OpeningScale::kWidth, speed});
}
void RobotGripper::move_share(double share, double speed) {
  ask(core(), joints(), MoveGripper{gripper_, share, OpeningScale::kShare, speed});
}
void RobotGripper::grasp(double force, double speed, const Object& object) {
  ask(core(), joints(), Grasp{gripper_, force, speed, object.width, object.inner, object.outer});
}

const GripperSnapshot& RobotGripper::now() const { return core().now().grippers[gripper_]; }
double RobotGripper::width() const { return now().width; }
double RobotGripper::share() const { return now().share; }
double RobotGripper::force() const { return now().force; }
GripperState RobotGripper::state() const { return now().state; }

}  // namespace jointrig
