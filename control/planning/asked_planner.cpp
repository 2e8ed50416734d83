#include "control/planning/asked_planner.h"

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "control/model/mjcf.h"
#include "control/planning/arm_trajectory.h"

namespace jointrig {
namespace {

/// Throws std::invalid_argument for an orientation that nothing holds.
void check_free(const AskedToolPath& path) {
  if (path.free_rotation != FreeRotation::kAll) return;
  for (std::size_t k = 0; k < path.waypoints.size(); ++k) {
    const ArmWaypoint& waypoint = path.waypoints[k];
    if (!waypoint.orientation && !waypoint.turn) continue;
    throw std::invalid_argument(fmt::format(
        "trajectory: waypoint {} has {}, and free_rotation: all holds no rotation; leave one out",
        k + 1, waypoint.orientation ? "an orientation" : "a turn"));
  }
}

}  // namespace

const KinematicTree& AskedPlanner::tree() {
  if (!tree_) tree_.emplace(*robot_);
  return *tree_;
}

void AskedPlanner::check(const AskedTrajectory& asked) {
  if (!asked.tool) return;
  check_free(*asked.tool);
  try {
    static_cast<void>(tree());
  } catch (const ModelError& error) {
    throw std::invalid_argument(std::string("trajectory: ") + error.what());
  }
}

std::optional<JointPlan> AskedPlanner::without_endpoint(const AskedTrajectory& asked) const {
  if (!asked.tool) return std::nullopt;
  std::string why = why_no_endpoint(*tree_, asked.tool->endpoint);
  if (why.empty()) return std::nullopt;
  return plan_without_endpoint(std::move(why));
}

JointPlan AskedPlanner::path_of(const AskedTrajectory& asked, const TrajectoryStart& start,
                                const Snapshot& now, PlanWatch* watch, const RobotConfig& robot) {
  if (!asked.tool) {
    return plan_asked(TrajectoryJoints::of(robot, asked.joints), start, asked);
  }
  if (std::optional<JointPlan> refused = without_endpoint(asked)) return std::move(*refused);
  ArmTrajectory trajectory(robot, *tree_, asked.tool->arm, asked.tool->frame, asked.tool->endpoint,
                           asked.tool->free_rotation);
  return trajectory.plan(now, asked.tool->waypoints, watch, start);
}

JointPlan AskedPlanner::checked(JointPlan plan, const AskedTrajectory& asked, const Snapshot& now,
                                PlanWatch* watch, const PlanTold& told) {
  if (!collisions_) collisions_ = std::make_unique<PathCollision>(*robot_);
  collisions_->know(now.obstacles);
  const TrajectoryJoints moved = TrajectoryJoints::of(*robot_, asked.joints);
  const auto meeting = collisions_->first_on(plan, state_for_plan(now, moved.index), watch);
  if (!meeting) return plan;
  if (told.meeting) told.meeting(*meeting);
  return PathCollision::refusal_of(*meeting);
}

JointPlan AskedPlanner::plan(const AskedTrajectory& asked, const TrajectoryStart& start,
                             const Snapshot& now, PlanWatch* watch, const PlanTold& told,
                             const RobotConfig* narrowed) {
  const bool checks = asked.checks_collisions && !robot_->model_path.empty();
  // A path takes about as long as its check.
  if (watch != nullptr && checks) watch->begin_part(0.0, 0.5);
  JointPlan plan = path_of(asked, start, now, watch, narrowed != nullptr ? *narrowed : *robot_);
  if (told.path && !plan.failure()) told.path(plan);
  if (checks && !plan.failure()) {
    if (watch != nullptr) watch->begin_part(0.5, 1.0);
    plan = checked(std::move(plan), asked, now, watch, told);
  }
  take_options(asked, plan);
  return plan;
}

}  // namespace jointrig
