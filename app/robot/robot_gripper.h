#pragma once
/// A gripper of a robot.
///
///     RobotGripper hand = robot.gripper("hand");
///     hand.open();
///     robot.wait();
///     hand.grasp(20.0);
///     robot.wait();
///     if (hand.is_grasped()) lift();
///
/// Robot::wait() waits for grippers, too; state() has the result of a command. Commands, states and
/// forces are those of control/core/gripper.h (docs/grippers.md). Refusals are as in robot.h.

#include "app/robot/robot.h"
#include "control/core/gripper.h"

namespace jointrig {

class RobotGripper : public RobotPart {
 public:
  RobotGripper(RobotCore& core, GripperIndex gripper);

  /// @param speed  greatest speed of the width [m/s]; 0: half of what the joints allow
  void open(double speed = 0.0);
  void close(double speed = 0.0);
  /// @param width  [m]
  void move(double width, double speed = 0.0);
  /// @param share  of its way: 0 closed, 1 open
  void move_share(double share, double speed = 0.0);

  /// Widths that count as an object: between width − inner and width + outer; a width of 0:
  /// anything.
  struct Object {
    double width = 0.0;    ///< [m]
    double inner = 0.005;  ///< [m]
    double outer = 0.005;  ///< [m]
  };
  /// Closes until it meets an object, then presses on it.
  /// @param force  at the fingertips [N]; 0: the gripper's own
  void grasp(double force = 0.0, double speed = 0.0, const Object& object = any_object());
  [[nodiscard]] static Object any_object() { return {}; }

  [[nodiscard]] double width() const;  ///< [m]; 0 where robot.yaml doesn't tell it
  [[nodiscard]] double share() const;
  /// With which the fingertips press [N].
  [[nodiscard]] double force() const;
  [[nodiscard]] GripperState state() const;
  [[nodiscard]] bool is_grasped() const { return state() == GripperState::kGrasped; }

 private:
  [[nodiscard]] const GripperSnapshot& now() const;

  GripperIndex gripper_;
};

}  // namespace jointrig
