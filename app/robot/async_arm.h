#pragma once
/// An arm of a robot that steps itself: the calls are those of RobotArm (robot_arm.h), from any
/// thread.
///
///     AsyncArm arm = robot.arm("arm");
///     ToolPose pose = arm.commanded_tool_pose();
///     pose.position[2] -= 0.1;
///     arm.move_linear(pose, 0.5);  // returns at once; its plan is made meanwhile
///     robot.wait();
///
/// A path that can't be followed is found after the call, which has returned: wait() throws it.

#include "app/robot/async_robot.h"
#include "app/robot/robot_arm.h"

namespace jointrig {

class AsyncArm : public AsyncPart {
 public:
  using Feasible = RobotArm::Feasible;

  AsyncArm(std::shared_ptr<RobotThread> thread, const RobotArm& arm)
      : AsyncPart(std::move(thread), static_cast<const RobotPart&>(arm)), arm_(arm) {}

  [[nodiscard]] ToolPose sensed_tool_pose(ToolFrame frame = ToolFrame::kWorld) const {
    return reads([&] { return arm_.sensed_tool_pose(frame); });
  }
  [[nodiscard]] ToolPose commanded_tool_pose(ToolFrame frame = ToolFrame::kWorld) const {
    return reads([&] { return arm_.commanded_tool_pose(frame); });
  }
  [[nodiscard]] ToolPose tool_coordinates() const {
    return reads([&] { return arm_.tool_coordinates(); });
  }
  [[nodiscard]] double progress() const {
    return reads([&] { return arm_.progress(); });
  }

  void set_tool_coordinates(const ToolPose& in_flange) {
    does([&] { arm_.set_tool_coordinates(in_flange); });
  }
  void set_gravity_compensation(bool on, const KnownPayload& load = {}) {
    does([&] { arm_.set_gravity_compensation(on, load); });
  }
  void set_cartesian_position(const ToolPose& pose, ToolFrame frame = ToolFrame::kWorld,
                              FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.set_cartesian_position(pose, frame, free); });
  }
  void set_cartesian_velocity(const Six& twist, std::optional<double> ttl = std::nullopt,
                              ToolFrame frame = ToolFrame::kWorld,
                              FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.set_cartesian_velocity(twist, ttl, frame, free); });
  }
  void set_cartesian_force(const Six& wrench, std::optional<double> ttl = std::nullopt,
                           ToolFrame frame = ToolFrame::kWorld) {
    does([&] { arm_.set_cartesian_force(wrench, ttl, frame); });
  }
  void move_cartesian(const ToolPose& pose, double speed = 0.5, ToolFrame frame = ToolFrame::kWorld,
                      FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.move_cartesian(pose, speed, frame, free); });
  }
  void move_linear(const ToolPose& pose, double speed = 1.0, ToolFrame frame = ToolFrame::kWorld,
                   FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.move_linear(pose, speed, frame, free); });
  }
  /// @param is_feasible  called later, in the robot's thread: not this object, nor what has gone
  void move_linear_if(const ToolPose& pose, const Feasible& is_feasible, double speed = 1.0,
                      ToolFrame frame = ToolFrame::kWorld,
                      FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.move_linear_if(pose, is_feasible, speed, frame, free); });
  }
  void move_linear_with(const InteractionSettings& interaction, const ToolPose& pose,
                        double speed = 1.0, ToolFrame frame = ToolFrame::kWorld,
                        FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.move_linear_with(interaction, pose, speed, frame, free); });
  }
  void follow_tool(const std::vector<ArmWaypoint>& waypoints, const ToolPathOptions& options = {}) {
    does([&] { arm_.follow_tool(waypoints, options); });
  }
  void append_move_cartesian(const ToolPose& pose, double speed = 0.5,
                             ToolFrame frame = ToolFrame::kWorld,
                             FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.append_move_cartesian(pose, speed, frame, free); });
  }
  void append_move_linear(const ToolPose& pose, double speed = 1.0,
                          ToolFrame frame = ToolFrame::kWorld,
                          FreeRotation free = FreeRotation::kNone) {
    does([&] { arm_.append_move_linear(pose, speed, frame, free); });
  }
  void append_follow_tool(const std::vector<ArmWaypoint>& waypoints,
                          const ToolPathOptions& options = {}) {
    does([&] { arm_.append_follow_tool(waypoints, options); });
  }
  void follow_with(const InteractionSettings& interaction,
                   const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options = {}) {
    does([&] { arm_.follow_with(interaction, waypoints, options); });
  }

 private:
  RobotArm arm_;  ///< its calls are for the robot's thread
};

}  // namespace jointrig
