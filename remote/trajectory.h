#pragma once
/// A motion of joints through waypoints, as a client asks for it. It is planned beside the loop,
/// and a command follow_plan with the plan's ticket begins it.

#include <stdexcept>
#include <string>
#include <vector>

#include "control/core/joint_commands.h"
#include "control/core/robot_config.h"

namespace jointrig::remote {

namespace v1 {
class Trajectory;
}

/// Numbers are by rising index of the joints, in the units of their commands.
struct Waypoint {
  std::vector<double> q;
  double speed = 1.0;         ///< share of v_max
  double acceleration = 1.0;  ///< share of a_max
  double time = 0.0;          ///< from the start, where it has times [s]
  std::vector<double> v;      ///< with times; empty: the spline's
  std::vector<double> a;      ///< with v
};

struct Trajectory {
  struct Tolerance {
    double path = 0.0;  ///< 0: not watched
    double goal = 0.0;
  };
  JointSet joints;
  std::vector<Waypoint> waypoints;
  bool has_times = false;             ///< otherwise as fast as the limits allow
  std::vector<Tolerance> tolerances;  ///< one for each joint; empty: none is watched
  double settling_time = 1.0;         ///< [s]
  bool checks_collisions = true;
};

/// A plan that waits for its command.
struct PlannedMotion {
  FollowPlan command;
  std::string remark;  ///< what the numbers of a failure can't tell; empty: nothing
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

}  // namespace jointrig::remote
