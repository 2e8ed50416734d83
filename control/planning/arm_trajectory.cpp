#include "control/planning/arm_trajectory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/laws/tool_error.h"
#include "control/model/mjcf.h"
#include "control/planning/arm_tasks.h"

namespace jointrig {
namespace {

/// Error of a quaternion's length: a choice, room for numbers written with three digits.
constexpr double kNearUnit = 1e-3;

Eigen::Vector3d vector_of(const std::array<double, 3>& numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

std::vector<JointIndex> rising(std::vector<JointIndex> joints) {
  std::sort(joints.begin(), joints.end());
  return joints;
}

FramePair frames_of(const KinematicTree& tree, const ArmConfig& arm, ToolFrame frame,
                    const std::string& endpoint) {
  FramePair frames = tool_task(tree, arm, frame).frames;
  if (!endpoint.empty()) frames.frame = tree.find_frame(endpoint);
  return frames;
}

ToolTrajectoryOptions options_with(FreeRotation free) {
  ToolTrajectoryOptions options;
  options.free = free;
  return options;
}

}  // namespace

RobotState state_for_plan(const Snapshot& now, const std::vector<JointIndex>& moved) {
  RobotState state;
  state.joints.resize(now.joints.size());
  for (std::size_t i = 0; i < now.joints.size(); ++i) state.joints[i].q = now.joints[i].state.q;
  for (const JointIndex joint : moved) state.joints[joint].q = start_for_plan(now.joints[joint]);
  state.base = now.base;
  return state;
}

ArmTrajectory::ArmTrajectory(const RobotConfig& robot, const KinematicTree& tree, ArmIndex arm,
                             ToolFrame frame, const std::string& endpoint, FreeRotation free)
    : most_(ToolLimits::of(robot.arms[arm])),
      joints_(rising(robot.arms[arm].joints)),
      trajectory_(robot, tree, frames_of(tree, robot.arms[arm], frame, endpoint), joints_,
                  options_with(free)),
      arm_(arm),
      frame_(frame),
      has_endpoint_(!endpoint.empty()),
      floats_(tree.floats()) {}

std::string why_no_endpoint(const KinematicTree& tree, const std::string& endpoint) {
  if (endpoint.empty()) return {};
  try {
    static_cast<void>(tree.find_frame(endpoint));
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

JointPlan plan_without_endpoint(std::string sentence) {
  PlanFailure failure;
  failure.reason = RejectReason::kUnknownEndpoint;
  failure.waypoint = 1;
  JointPlan refused(failure);
  refused.remark = std::move(sentence);
  return refused;
}

Placement pose_after(const Placement& before, const ArmWaypoint& to, ToolFrame frame) {
  const bool is_own = frame == ToolFrame::kTool;
  Placement pose = before;
  if (to.position) pose.position = vector_of(*to.position);
  if (to.by) {
    const Eigen::Vector3d by = vector_of(*to.by);
    pose.position += is_own ? Eigen::Vector3d(before.rotation * by) : by;
  }
  if (to.orientation) {
    const std::array<double, 4>& w = *to.orientation;
    const double length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    pose.rotation = placement_of(ToolPose{{}, w}).rotation;
    if (!(std::abs(length - 1.0) <= kNearUnit)) pose.rotation.setConstant(std::nan(""));
  }
  if (to.turn) {
    const Eigen::Matrix3d turn = rotation_of(vector_of(*to.turn));
    pose.rotation = is_own ? before.rotation * turn : turn * before.rotation;
  }
  return pose;
}

JointPlan ArmTrajectory::plan(const Snapshot& now, const std::vector<ArmWaypoint>& waypoints,
                              PlanWatch* watch, const TrajectoryStart& start) {
  if (!has_endpoint_) trajectory_.set_offset(placement_of(now.arms[arm_].offset));
  if (floats_) {
    trajectory_.set_base(placement_of(ToolPose{now.base.position, now.base.orientation}));
  }
  std::vector<double> q;
  for (const auto& joint : state_for_plan(now, joints_).joints) q.push_back(joint.q);
  for (std::size_t j = 0; j < std::min(start.q.size(), joints_.size()); ++j) {
    q[joints_[j]] = start.q[j];
  }
  std::vector<ToolWaypoint> path;
  Placement pose = trajectory_.tool(q);
  for (const ArmWaypoint& to : waypoints) {
    pose = pose_after(pose, to, frame_);
    ToolWaypoint& point = path.emplace_back();
    point.pose = pose;
    point.corner_distance = to.corner_distance;
    point.limits = {to.linear_speed.value_or(most_.linear_speed),
                    to.linear_acceleration.value_or(most_.linear_acceleration),
                    to.rotational_speed.value_or(most_.rotational_speed),
                    to.rotational_acceleration.value_or(most_.rotational_acceleration)};
    point.speed_ratio = to.speed_ratio;
    point.acceleration_ratio = to.acceleration_ratio;
    point.posture = to.posture;
    point.tolerance = to.tolerance;
  }
  return trajectory_.plan(q, path, most_, watch, start.v);
}

}  // namespace jointrig
