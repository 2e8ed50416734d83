#include "control/planning/arm_tasks.h"

namespace jointrig {

Placement placement_of(const ToolPose& pose) noexcept {
  Placement placement;
  placement.position = Eigen::Map<const Eigen::Vector3d>(pose.position.data());
  const std::array<double, 4>& q = pose.orientation;
  placement.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  return placement;
}

ToolPose tool_pose_of(const Placement& placement) noexcept {
  const Eigen::Quaterniond q(placement.rotation);
  const Eigen::Vector3d& p = placement.position;
  // Each number by itself: GCC compiled a negation in place (coeffs() = -coeffs()) wrongly at -O3.
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  return {{p.x(), p.y(), p.z()}, {sign * q.w(), sign * q.x(), sign * q.y(), sign * q.z()}};
}

IkTask tool_task(const KinematicTree& tree, const ArmConfig& arm, ToolFrame frame) {
  IkTask task;
  task.frames.frame = tree.find_frame(arm.tool);
  if (frame == ToolFrame::kWorld) return task;
  const bool is_named = !arm.base.empty();
  task.frames.reference = is_named ? tree.find_frame(arm.base) : tree.mount_of(arm.joints.front());
  return task;
}

std::vector<JointRange> soft_ranges(const RobotConfig& robot,
                                    const std::vector<JointIndex>& joints) {
  std::vector<JointRange> ranges;
  for (const JointIndex joint : joints) {
    const JointLimits& limits = robot.joints[joint].limits;
    ranges.push_back({limits.q_min + limits.soft_margin, limits.q_max - limits.soft_margin});
  }
  return ranges;
}

std::vector<double> start_positions(const RobotConfig& robot) {
  std::vector<double> q;
  for (const JointConfig& joint : robot.joints) q.push_back(joint.q_start);
  return q;
}

}  // namespace jointrig
