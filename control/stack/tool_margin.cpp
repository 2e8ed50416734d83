#include "control/stack/tool_margin.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <limits>
#include <optional>

#include "control/laws/cartesian_impedance.h"
#include "control/laws/cholesky.h"
#include "control/laws/posture.h"
#include "control/laws/tool_inertia.h"
#include "control/stack/margin_poses.h"

namespace jointrig {
namespace {

constexpr double kUsualRatio = 0.7;  // that a loop bears best
constexpr double kLessStiff = 0.64;  // factor on the stiffness while a stable one is sought
constexpr int kMostTimesLess = 15;   // 1/800 of the stiffness

/// The part of an arm's configuration that makes its loop.
struct ToolGoal {
  Six stiffness{};
  double ratio = 0.0;
};

/// An arm in a pose, in the world.
struct PosedTool {
  ArmJacobian jacobian;
  ArmJacobian mass_solved;  // (M⁻¹ Jᵀ)ᵀ
  ArmMatrix inertia;
  ArmVector joint_felt;  // 1/(M⁻¹)ᵢᵢ
  ToolInertia felt;
  Eigen::Matrix3d axes;  // of the stiffness
};

PosedTool posed(const ArmSetup& arm, const RobotState& state, RobotModel& model) {
  model.update(state);
  const auto all = static_cast<Eigen::Index>(state.joints.size());
  FrameJacobian jacobian(6, all);
  model.jacobian(arm.tool, jacobian);
  Eigen::MatrixXd inertia(all, all);
  model.mass_matrix(inertia);
  const std::vector<JointIndex>& joints = arm.config.joints;
  const auto n = static_cast<Eigen::Index>(joints.size());
  PosedTool at;
  at.jacobian.resize(6, n);
  at.inertia.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const JointIndex row = joints[static_cast<std::size_t>(i)];
    at.jacobian.col(i) = jacobian.col(row);
    for (Eigen::Index k = 0; k < n; ++k) {
      at.inertia(i, k) = inertia(row, joints[static_cast<std::size_t>(k)]);
    }
  }
  const ArmRoot root(at.inertia);
  at.mass_solved = at.jacobian;
  root.solve_rows(at.mass_solved);
  at.joint_felt = root.inverse_diagonal().cwiseInverse();
  at.felt.update(at.jacobian, at.mass_solved);
  at.axes = model.pose(arm.base).rotation;
  if (arm.config.frame == ToolFrame::kWorld) at.axes.setIdentity();
  if (arm.config.frame == ToolFrame::kTool) at.axes = model.pose(arm.tool).rotation;
  return at;
}

/// Spring and damper of the tool, as the cycle computes them, with the posture, as gains between
/// the joints.
CoupledGains gains_of(const ArmSetup& arm, const PosedTool& at, const ToolGoal& goal) {
  Matrix6 stiffness =
      turned(Matrix6(Eigen::Map<const Vector6>(goal.stiffness.data()).asDiagonal()), at.axes);
  Matrix6 share;
  at.felt.cut(stiffness, arm.bounds.stiffness, share);
  Matrix6 damping = at.felt.damping(stiffness, goal.ratio);
  at.felt.cut(damping, arm.bounds.damping, share);
  CoupledGains gains{at.jacobian.transpose() * stiffness * at.jacobian,
                     at.jacobian.transpose() * damping * at.jacobian};

  PostureGains posture = within(arm.bounds, at.joint_felt, arm.posture);
  posture.torque_max = std::numeric_limits<double>::infinity();
  const ArmVector none = ArmVector::Zero(at.joint_felt.size());
  for (Eigen::Index i = 0; i < none.size(); ++i) {
    ArmVector one = none;
    one[i] = 1.0;
    ArmVector of_place = none;
    ArmVector of_speed = none;
    add_posture(posture, arm.config.projector, none, one, none, at.jacobian, at.mass_solved,
                at.felt, of_place);
    add_posture(posture, arm.config.projector, none, none, one, at.jacobian, at.mass_solved,
                at.felt, of_speed);
    gains.stiffness.col(i) -= of_place;
    gains.damping.col(i) -= of_speed;
  }
  return gains;
}

struct ToolLoop {
  const ArmSetup& arm;
  std::vector<LoopJoint> joints;
  std::vector<PosedTool> poses;
};

/// The first motion that grows, in any pose.
std::optional<LoopGrowth> growing(const ToolLoop& loop, const ToolGoal& goal, double share) {
  for (const PosedTool& at : loop.poses) {
    const CoupledGains gains = gains_of(loop.arm, at, goal);
    const LoopGrowth growth = loop_growth(loop.joints, at.inertia, share, loop.arm.dt, &gains);
    if (growth.rate > kGrows) return growth;
  }
  return std::nullopt;
}

bool is_stable(const ToolLoop& loop, const ToolGoal& goal) {
  return !growing(loop, goal, 1.0) && !growing(loop, goal, 1.0 / kInertiaMargin) &&
         !growing(loop, goal, kInertiaMargin);
}

/// The usual damping ratio, then less and less stiffness; nothing if that doesn't help.
std::optional<ToolGoal> stable_goal(const ToolLoop& loop, ToolGoal goal) {
  goal.ratio = kUsualRatio;
  for (int i = 0; i <= kMostTimesLess; ++i) {
    if (is_stable(loop, goal)) return goal;
    for (double& k : goal.stiffness) k *= kLessStiff;
  }
  return std::nullopt;
}

std::string line_for(const ArmConfig& arm, const ToolGoal& goal) {
  std::string keys;
  if (goal.stiffness != arm.stiffness) {
    keys = fmt::format("stiffness: [{:.3g}]", fmt::join(goal.stiffness, ", "));
  }
  if (goal.ratio != arm.damping_ratio) {
    keys += fmt::format("{}damping_ratio: {:g}", keys.empty() ? "" : ", ", goal.ratio);
  }
  return fmt::format("arms: {{{}: {{{}}}}}", arm.name, keys);
}

std::string warning_of(const ToolLoop& loop, const RobotConfig& robot) {
  const ArmConfig& arm = loop.arm.config;
  const ToolGoal asked{arm.stiffness, arm.damping_ratio};
  std::string change = "as it is";
  std::optional<LoopGrowth> worst = growing(loop, asked, 1.0);
  if (!worst) {
    change = fmt::format("with {:g} times less inertia", kInertiaMargin);
    worst = growing(loop, asked, 1.0 / kInertiaMargin);
  }
  if (!worst) {
    change = fmt::format("with {:g} times the inertia", kInertiaMargin);
    worst = growing(loop, asked, kInertiaMargin);
  }
  if (!worst) return {};
  const std::optional<ToolGoal> stable = stable_goal(loop, asked);
  return fmt::format(
      "arm {}: its loop (cartesian) swings up at {:.2g} Hz {}, most in joint {}, in one of {} "
      "poses; {}",
      arm.name, worst->frequency_hz, change, robot.joints[arm.joints[worst->joint]].name,
      loop.poses.size(),
      stable ? "it holds with: " + line_for(arm, *stable)
             : "no stiffness down to a thousandth holds: fewer delay_cycles, or faster loops");
}

}  // namespace

std::vector<std::string> tool_loop_warnings(const RobotConfig& robot,
                                            std::span<const ArmSetup> arms,
                                            std::span<const JointSetup> joints, RobotModel& model) {
  std::vector<std::string> warnings;
  const std::vector<RobotState> states = poses_of_margin(robot);
  for (const ArmSetup& arm : arms) {
    ToolLoop loop{arm, {}, {}};
    for (const JointIndex joint : arm.config.joints) {
      loop.joints.push_back(lags_of(joints[joint], robot.delay_cycles));
    }
    for (const RobotState& state : states) loop.poses.push_back(posed(arm, state, model));
    if (std::string warning = warning_of(loop, robot); !warning.empty()) {
      warnings.push_back(std::move(warning));
    }
  }
  return warnings;
}

}  // namespace jointrig
