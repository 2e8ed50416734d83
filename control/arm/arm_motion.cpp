#include "control/arm/arm_motion.h"

#include "control/laws/cholesky.h"

namespace jointrig {
namespace {

/// X_BT from X_WB and X_WT.
Placement seen_from(const FramePose& base, const FramePose& tool) noexcept {
  return {base.rotation.transpose() * (tool.position - base.position),
          base.rotation.transpose() * tool.rotation};
}

}  // namespace

ArmWorkspace::ArmWorkspace(std::size_t joint_count)
    : jacobian(6, static_cast<Eigen::Index>(joint_count)),
      inertia(static_cast<Eigen::Index>(joint_count), static_cast<Eigen::Index>(joint_count)) {}

Eigen::Matrix3d ArmMotion::axes_of(ToolFrame frame) const noexcept {
  if (frame == ToolFrame::kWorld) return base.rotation.transpose();
  if (frame == ToolFrame::kTool) return tool.pose.rotation;
  return Eigen::Matrix3d::Identity();
}

ArmMotion observe_arm(const ArmSetup& setup, RobotModel& model,
                      std::span<const JointControl> joints, ArmWorkspace& workspace) noexcept {
  const auto n = static_cast<Eigen::Index>(setup.config.joints.size());
  ArmMotion motion;
  motion.q.resize(n);
  motion.v.resize(n);
  motion.tool.jacobian.resize(6, n);
  motion.base = model.pose(setup.base);
  const Eigen::Matrix3d to_base = motion.base.rotation.transpose();
  model.jacobian(setup.tool, workspace.jacobian);
  for (Eigen::Index i = 0; i < n; ++i) {
    const JointIndex joint = setup.config.joints[static_cast<std::size_t>(i)];
    motion.q[i] = joints[joint].state().q;
    motion.v[i] = joints[joint].state().v;
    motion.tool.jacobian.col(i).head<3>() = to_base * workspace.jacobian.col(joint).head<3>();
    motion.tool.jacobian.col(i).tail<3>() = to_base * workspace.jacobian.col(joint).tail<3>();
  }
  motion.tool.pose = seen_from(motion.base, model.pose(setup.tool));
  motion.tool.twist.noalias() = motion.tool.jacobian.lazyProduct(motion.v);
  return motion;
}

void move_tool(const Placement& offset, ArmMotion& motion) noexcept {
  ToolState& tool = motion.tool;
  const Eigen::Vector3d lever = tool.pose.rotation * offset.position;
  for (Eigen::Index i = 0; i < tool.jacobian.cols(); ++i) {
    const Eigen::Vector3d turn = tool.jacobian.col(i).tail<3>();
    tool.jacobian.col(i).head<3>() += turn.cross(lever);
  }
  tool.pose = product(tool.pose, offset);
  tool.twist.noalias() = tool.jacobian.lazyProduct(motion.v);
}

Placement product(const Placement& first, const Placement& second) noexcept {
  return {first.position + first.rotation * second.position, first.rotation * second.rotation};
}

Placement between(const Placement& first, const Placement& second) noexcept {
  return {first.rotation.transpose() * (second.position - first.position),
          first.rotation.transpose() * second.rotation};
}

void weigh_arm(const ArmSetup& setup, const ArmWorkspace& workspace, ArmMotion& motion) noexcept {
  const std::vector<JointIndex>& joints = setup.config.joints;
  const auto n = static_cast<Eigen::Index>(joints.size());
  motion.inertia.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < n; ++k) {
      motion.inertia(i, k) = workspace.inertia(joints[static_cast<std::size_t>(i)],
                                               joints[static_cast<std::size_t>(k)]);
    }
  }
  const ArmJacobian& jacobian = motion.tool.jacobian;
  motion.mass_solved = jacobian;
  const ArmRoot root(motion.inertia);
  root.solve_rows(motion.mass_solved);
  motion.joint_felt = root.inverse_diagonal().cwiseInverse();
  motion.felt.update(jacobian, motion.mass_solved);
}

ToolPose as_plain(const Placement& pose) noexcept {
  const Eigen::Vector3d& p = pose.position;
  const Eigen::Quaterniond q(pose.rotation);
  // Each number by itself: GCC compiled a negation in place (coeffs() = -coeffs()) wrongly at -O3.
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  return {{p.x(), p.y(), p.z()}, {sign * q.w(), sign * q.x(), sign * q.y(), sign * q.z()}};
}

Six as_plain(const Vector6& six) noexcept {
  Six plain;
  Eigen::Map<Vector6>(plain.data()) = six;
  return plain;
}

Vector6 as_vector(const Six& six) noexcept { return Eigen::Map<const Vector6>(six.data()); }

Placement as_pose(const std::array<double, 3>& position,
                  const std::array<double, 4>& orientation) noexcept {
  Placement pose;
  pose.position = Eigen::Vector3d(position[0], position[1], position[2]);
  pose.rotation = Eigen::Quaterniond(orientation[0], orientation[1], orientation[2], orientation[3])
                      .normalized()
                      .toRotationMatrix();
  return pose;
}

}  // namespace jointrig
