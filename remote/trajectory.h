#pragma once
/// A motion of joints, or of a tool, through waypoints, as a client asks for it. It is planned
/// beside the loop, and a command follow_plan with the plan's ticket begins it.

#include <optional>
#include <stdexcept>
#include <string>

#include "control/core/asked_trajectory.h"
#include "control/core/joint_commands.h"
#include "control/core/plan_report.h"
#include "control/core/robot_config.h"

namespace jointrig::remote {

namespace v1 {
class PlanReport;
class Trajectory;
}  // namespace v1

using Waypoint = AskedWaypoint;
using Trajectory = AskedTrajectory;

/// A plan that waits for its command.
struct PlannedMotion {
  FollowPlan command;
  std::string remark;  ///< what the numbers of a failure can't tell; empty: nothing
  std::optional<PlanReport> report = {};  ///< where it was asked for; refused, there is no ticket
};

/// A plan that is being made. Its end cancels it.
class PlanCall {
 public:
  PlanCall() = default;
  PlanCall(const PlanCall&) = delete;
  PlanCall& operator=(const PlanCall&) = delete;
  virtual ~PlanCall() = default;
  /// The plan, once; absent while it is being made. Doesn't wait.
  virtual std::optional<PlannedMotion> take() = 0;
};

/// A plan that was cancelled while it was made, or superseded by a later one: nothing waits for a
/// command.
class PlanDropped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void write_trajectory(const Trajectory& trajectory, const RobotConfig& robot,
                      v1::Trajectory& message);
/// Numbers in the order of the message's joints are put in that of the robot. Throws
/// std::invalid_argument with a sentence; whether it can be moved is for the planner.
[[nodiscard]] Trajectory read_trajectory(const v1::Trajectory& message, const RobotConfig& robot);

void write_report(const PlanReport& report, const RobotConfig& robot, v1::PlanReport& message);
/// Joints that the robot hasn't, and places with other numbers of joints, are left out.
[[nodiscard]] PlanReport read_report(const v1::PlanReport& message, const RobotConfig& robot);

}  // namespace jointrig::remote
