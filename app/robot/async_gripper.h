#pragma once
/// A gripper of a robot that steps itself: the calls are those of RobotGripper (robot_gripper.h),
/// from any thread.

#include "app/robot/async_robot.h"
#include "app/robot/robot_gripper.h"

namespace jointrig {

class AsyncGripper : public AsyncPart {
 public:
  using Object = RobotGripper::Object;

  AsyncGripper(std::shared_ptr<RobotThread> thread, const RobotGripper& gripper)
      : AsyncPart(std::move(thread), static_cast<const RobotPart&>(gripper)), gripper_(gripper) {}

  void open(double speed = 0.0) {
    does([&] { gripper_.open(speed); });
  }
  void close(double speed = 0.0) {
    does([&] { gripper_.close(speed); });
  }
  void move(double width, double speed = 0.0) {
    does([&] { gripper_.move(width, speed); });
  }
  void move_share(double share, double speed = 0.0) {
    does([&] { gripper_.move_share(share, speed); });
  }
  void grasp(double force = 0.0, double speed = 0.0,
             const Object& object = RobotGripper::any_object()) {
    does([&] { gripper_.grasp(force, speed, object); });
  }

  [[nodiscard]] double width() const {
    return reads([&] { return gripper_.width(); });
  }
  [[nodiscard]] double share() const {
    return reads([&] { return gripper_.share(); });
  }
  [[nodiscard]] double force() const {
    return reads([&] { return gripper_.force(); });
  }
  [[nodiscard]] GripperState state() const {
    return reads([&] { return gripper_.state(); });
  }
  [[nodiscard]] bool is_grasped() const { return state() == GripperState::kGrasped; }

 private:
  RobotGripper gripper_;  ///< its calls are for the robot's thread
};

}  // namespace jointrig
