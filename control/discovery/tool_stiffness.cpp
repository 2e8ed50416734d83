#include "control/discovery/tool_stiffness.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <numbers>

#include "control/model/robot_model.h"
#include "control/model/start_pose.h"

namespace jointrig {
namespace {

using Mobility = Eigen::Matrix<double, 6, 6>;

/// Columns: axes of an arm's stiffness in the world.
Eigen::Matrix3d stiffness_axes(const ArmConfig& arm, FrameId tool, const RobotModel& model) {
  if (arm.frame == ToolFrame::kWorld) return Eigen::Matrix3d::Identity();
  if (arm.frame == ToolFrame::kTool) return model.pose(tool).rotation;
  const FrameId base =
      arm.base.empty() ? model.mount_of(arm.joints.front()) : model.find_frame(arm.base);
  return model.pose(base).rotation;
}

/// J M⁻¹ Jᵀ of the arm's joints at the model's pose, the others held.
Mobility mobility_of(const ArmConfig& arm, FrameId tool, const Eigen::Matrix3d& axes,
                     RobotModel& model) {
  const auto all = static_cast<Eigen::Index>(model.joint_count());
  FrameJacobian whole_jacobian(6, all);
  model.jacobian(tool, whole_jacobian);
  Eigen::MatrixXd whole_inertia(all, all);
  model.mass_matrix(whole_inertia);
  const auto count = static_cast<Eigen::Index>(arm.joints.size());
  Eigen::MatrixXd jacobian(6, count);
  Eigen::MatrixXd inertia(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const JointIndex joint = arm.joints[static_cast<std::size_t>(i)];
    jacobian.col(i).head<3>() = axes.transpose() * whole_jacobian.col(joint).head<3>();
    jacobian.col(i).tail<3>() = axes.transpose() * whole_jacobian.col(joint).tail<3>();
    for (Eigen::Index k = 0; k < count; ++k) {
      inertia(i, k) = whole_inertia(joint, arm.joints[static_cast<std::size_t>(k)]);
    }
  }
  return jacobian * inertia.ldlt().solve(jacobian.transpose());
}

}  // namespace

Six stiffness_by_inertia(const Mobility& mobility, const Six& least, const Six& most) {
  constexpr double kW = 2.0 * std::numbers::pi * kToolHz;
  Six stiffness{};
  for (std::size_t i = 0; i < stiffness.size(); ++i) {
    const double a = mobility(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i));
    // Without a division where nothing moves: k is its most for every smaller a.
    const double wanted = a * most[i] > kW * kW ? kW * kW / a : most[i];
    stiffness[i] = std::min(std::max(wanted, least[i]), most[i]);
  }
  return stiffness;
}

void set_stiffness_by_inertia(const RobotConfig& robot, ArmConfig& arm) {
  RobotModel model(robot);
  FrameId tool;
  try {
    tool = model.find_frame(arm.tool);
    if (!arm.base.empty()) static_cast<void>(model.find_frame(arm.base));
  } catch (const ModelError&) {
    return;
  }
  if (arm.payload.mass > 0.0) {
    const std::array<RobotModel::CarriedBody, 1> load{{{tool, arm.payload, arm.payload}}};
    model.carry(load);
  }
  model.update(state_at_start(robot));
  const Eigen::Matrix3d axes = stiffness_axes(arm, tool, model);
  arm.stiffness =
      stiffness_by_inertia(mobility_of(arm, tool, axes, model), arm.stiffness, arm.stiffness_max);
}

}  // namespace jointrig
