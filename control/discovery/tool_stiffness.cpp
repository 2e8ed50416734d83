#include "control/discovery/tool_stiffness.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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

/// An arm at the model's pose, the other joints held.
struct PosedTool {
  Eigen::MatrixXd jacobian;  // (6, joints), along the axes of the stiffness
  Mobility mobility;         // J M⁻¹ Jᵀ
};

PosedTool posed_tool(const ArmConfig& arm, FrameId tool, const Eigen::Matrix3d& axes,
                     RobotModel& model) {
  const auto all = static_cast<Eigen::Index>(model.joint_count());
  FrameJacobian whole_jacobian(6, all);
  model.jacobian(tool, whole_jacobian);
  Eigen::MatrixXd whole_inertia(all, all);
  model.mass_matrix(whole_inertia);
  const auto count = static_cast<Eigen::Index>(arm.joints.size());
  PosedTool at;
  at.jacobian.resize(6, count);
  Eigen::MatrixXd inertia(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const JointIndex joint = arm.joints[static_cast<std::size_t>(i)];
    at.jacobian.col(i).head<3>() = axes.transpose() * whole_jacobian.col(joint).head<3>();
    at.jacobian.col(i).tail<3>() = axes.transpose() * whole_jacobian.col(joint).tail<3>();
    for (Eigen::Index k = 0; k < count; ++k) {
      inertia(i, k) = whole_inertia(joint, arm.joints[static_cast<std::size_t>(k)]);
    }
  }
  at.mobility = at.jacobian * inertia.ldlt().solve(at.jacobian.transpose());
  return at;
}

/// Stiffness at which a deflection along an axis takes the whole torque of a joint: min τᵢ/|Jₖᵢ| e.
/// A spring that asks for more swings a weak wrist from one torque limit to the other.
Six stiffness_by_torque(const RobotConfig& robot, const ArmConfig& arm, const PosedTool& at) {
  constexpr double kWay = 0.02;   // [m] choices
  constexpr double kTurn = 0.05;  // [rad]
  Six most{};
  for (Eigen::Index k = 0; k < 6; ++k) {
    double torque = std::numeric_limits<double>::infinity();  // or force, of the tool
    for (std::size_t i = 0; i < arm.joints.size(); ++i) {
      const double lever = std::abs(at.jacobian(k, static_cast<Eigen::Index>(i)));
      const double tau = robot.joints[arm.joints[i]].limits.tau_max;
      if (lever > 0.0) torque = std::min(torque, tau / lever);
    }
    most[static_cast<std::size_t>(k)] = torque / (k < 3 ? kWay : kTurn);
  }
  return most;
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
  const PosedTool at = posed_tool(arm, tool, axes, model);
  const Six held = stiffness_by_torque(robot, arm, at);
  Six least = arm.stiffness;
  for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], held[i]);
  arm.stiffness = stiffness_by_inertia(at.mobility, least, arm.stiffness_max);
}

}  // namespace jointrig
