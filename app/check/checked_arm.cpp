#include "app/check/checked_arm.h"

#include <fmt/core.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/check/settling.h"
#include "app/check/straight_way.h"
#include "control/discovery/tool_place.h"
#include "control/laws/cartesian_impedance.h"
#include "control/laws/tool_inertia.h"
#include "control/model/robot_model.h"
#include "control/model/start_pose.h"
#include "control/planning/path_collision.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/signals.h"

namespace jointrig::app {
namespace {

constexpr double kImmobile =
    0.1;  // of the floor, added to the mobility: bounded beside a singularity
constexpr double kOffLine = 0.02;     // part of its way that a tool may go astray at a singularity
constexpr double kTorqueShare = 0.5;  // of what its weight leaves a motor, for the push
constexpr std::size_t kPoses = 128;   // that are looked at
constexpr double kFurthest = 90.0 * std::numbers::pi / 180.0;  // [rad] from the start
constexpr double kReachShare = 0.98;  // of the arm's length: a tool further out is stretched

double torque_left(const CheckedJoint& joint, double weight) {
  return std::max(0.0, kHoldShare * joint.tau_max() - std::abs(weight));
}

/// An arm in a pose.
struct PosedArm {
  std::vector<double> q;          // by joint of the arm
  std::vector<double> weight;     // torque of the motors that hold it
  FrameJacobian jacobian;         // of its joints, in the world
  Eigen::MatrixXd inertia;        // M of its joints
  Eigen::MatrixXd mass_solved;    // M⁻¹ Jᵀ
  Eigen::Matrix3d base_axes;      // columns: the base's in the world
  Eigen::Matrix3d spring_axes;    // columns: the stiffness's
  Eigen::Vector3d from_shoulder;  // to the tool, in the world
  double reach = 0.0;             // of the tool from the shoulder: that of targets
};

/// The part of a sequence without a pattern (van der Corput's), within (-1, 1).
double scattered(std::size_t number, std::size_t base) {
  double value = 0.0;
  for (double digit = 1.0; number > 0; number /= base) {
    digit /= static_cast<double>(base);
    value += digit * static_cast<double>(number % base);
  }
  return 2.0 * value - 1.0;
}

/// The start, and poses further and further away from it.
std::vector<double> pose_number(std::size_t number, const ArmConfig& arm,
                                const std::vector<CheckedJoint>& joints) {
  constexpr std::array<std::size_t, 8> kBases{2, 3, 5, 7, 11, 13, 17, 19};
  const double furthest = kFurthest * static_cast<double>(number) / kPoses;
  std::vector<double> q;
  for (std::size_t i = 0; i < arm.joints.size(); ++i) {
    const CheckedJoint& joint = joints[arm.joints[i]];
    const JointLimits& limits = joint.config->limits;
    const double away =
        joint.config->slide ? 0.0 : furthest * scattered(number, kBases[i % kBases.size()]);
    const double edge = limits.soft_margin + zone_of(arm, limits);
    const bool is_start = number == 0;
    q.push_back(is_start ? joint.q()
                         : std::clamp(joint.q() + away, limits.q_min + edge, limits.q_max - edge));
  }
  return q;
}

PosedArm posed(RobotModel& model, const Discovery& found, const ArmConfig& arm,
               std::vector<double> q) {
  RobotState state = state_at_start(found.config);
  for (std::size_t i = 0; i < q.size(); ++i) state.joints[arm.joints[i]].q = q[i];
  model.update(state);
  const auto all = static_cast<Eigen::Index>(found.config.joints.size());
  FrameJacobian jacobian(6, all);
  const FrameId tool = model.find_frame(arm.tool);
  model.jacobian(tool, jacobian);
  Eigen::MatrixXd inertia(all, all);
  model.mass_matrix(inertia);
  const auto count = static_cast<Eigen::Index>(arm.joints.size());
  PosedArm at;
  at.q = std::move(q);
  at.jacobian.resize(6, count);
  at.inertia.resize(count, count);
  Eigen::Vector3d last = model.anchor(arm.joints.front());
  for (Eigen::Index i = 0; i < count; ++i) {
    const JointIndex joint = arm.joints[static_cast<std::size_t>(i)];
    at.weight.push_back(model.gravity(joint));
    at.reach += (model.anchor(joint) - last).norm();
    last = model.anchor(joint);
    at.jacobian.col(i) = jacobian.col(joint);
    for (Eigen::Index j = 0; j < count; ++j) {
      at.inertia(i, j) = inertia(joint, arm.joints[static_cast<std::size_t>(j)]);
    }
  }
  at.mass_solved = at.inertia.ldlt().solve(at.jacobian.transpose());
  at.reach += (model.pose(tool).position - last).norm();
  at.from_shoulder = model.pose(tool).position - model.anchor(arm.joints.front());
  const FrameId base =
      arm.base.empty() ? model.mount_of(arm.joints.front()) : model.find_frame(arm.base);
  at.base_axes = model.pose(base).rotation;
  at.spring_axes = at.base_axes;
  if (arm.frame == ToolFrame::kWorld) at.spring_axes.setIdentity();
  if (arm.frame == ToolFrame::kTool) at.spring_axes = model.pose(tool).rotation;
  return at;
}

/// Joints' way per way of the tool along d, its orientation kept, by M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹.
/// @return  empty where the joints can't do so
Eigen::VectorXd joint_ways(const PosedArm& at, const Eigen::Vector3d& along) {
  Eigen::Matrix<double, 6, 1> twist = Eigen::Matrix<double, 6, 1>::Zero();
  twist.head<3>() = along;
  Eigen::Matrix<double, 6, 6> mobility = at.jacobian * at.mass_solved;
  ToolInertia felt;
  felt.update(at.jacobian, at.mass_solved.transpose());
  mobility.diagonal().array() += kImmobile * felt.floor();
  const Eigen::VectorXd ways = at.mass_solved * mobility.partialPivLu().solve(twist);
  const Eigen::Matrix<double, 6, 1> reached = at.jacobian * ways;
  return (reached - twist).norm() <= kOffLine ? ways : Eigen::VectorXd();
}

/// True if the tool stays within reach, and no joint that turns on its way is, or comes, into the
/// zone beside its limits: the term `limits` would push there beside the springs that are judged.
bool has_room(const ArmConfig& arm, const PosedArm& at, const Eigen::Vector3d& along,
              const Eigen::VectorXd& ways, const std::vector<CheckedJoint>& joints) {
  constexpr double kAll = kToolWay + kToolDeflection;
  constexpr double kStill = 1e-3;  // [rad or m]
  if ((at.from_shoulder + kAll * along).norm() > kReachShare * at.reach) return false;
  for (std::size_t i = 0; i < arm.joints.size(); ++i) {
    const JointLimits& limits = joints[arm.joints[i]].config->limits;
    const double edge = limits.soft_margin + zone_of(arm, limits);
    const double way = kAll * ways[static_cast<Eigen::Index>(i)];
    if (std::abs(way) < kStill) continue;
    const auto [low, high] = std::minmax({at.q[i], at.q[i] + way});
    if (low < limits.q_min + edge || high > limits.q_max - edge) return false;
  }
  return true;
}

/// True if no bodies come too near to each other while the arm goes straight from a pose.
bool is_way_free(const Discovery& found, const ArmConfig& arm, const std::vector<double>& from,
                 const std::vector<double>& way, PathCollision& collision) {
  RobotState state = state_at_start(found.config);
  for (std::size_t i = 0; i < from.size(); ++i) state.joints[arm.joints[i]].q = from[i];
  return !collision.first_on(straight_way(arm.joints, from, way), state);
}

/// From its start to the pose.
bool is_pose_free(const Discovery& found, const ArmConfig& arm, const PosedArm& at,
                  PathCollision& collision) {
  const RobotState start = state_at_start(found.config);
  std::vector<double> from;
  std::vector<double> way;
  for (std::size_t i = 0; i < at.q.size(); ++i) {
    from.push_back(start.joints[arm.joints[i]].q);
    way.push_back(at.q[i] - from.back());
  }
  return is_way_free(found, arm, from, way, collision);
}

/// Where the tool goes along its axis and is pushed: what keeps the arm off bodies would push there
/// beside the springs that are judged.
bool is_tool_way_free(const Discovery& found, const ArmConfig& arm, const PosedArm& at,
                      const Eigen::VectorXd& ways, PathCollision& collision) {
  constexpr double kAll = kToolWay + kToolDeflection;
  const Eigen::VectorXd way = kAll * ways;
  return is_way_free(found, arm, at.q, {way.begin(), way.end()}, collision);
}

/// True if no direction of the tool fades out of its control (control/laws/tool_inertia.h): beside
/// a singularity the posture's springs reach the tool, as they should, and its springs are not what
/// is judged. An arm of fewer than six joints has such a direction everywhere.
bool is_regular(const PosedArm& at) {
  constexpr double kClear = 2.0;  // times the bound: its target is some way off
  if (at.jacobian.cols() < 6) return true;
  ToolInertia felt;
  felt.update(at.jacobian, at.mass_solved.transpose());
  return felt.least_mobility() > kClear * felt.floor();
}

/// Force along d that deflects the tool as far as it may, or as its motors can hold.
double push_of(const CheckedArm& arm, const PosedArm& at, const std::vector<CheckedJoint>& joints) {
  double push = std::min(kToolDeflection, 0.5 * arm.config->error_max[0]) / arm.compliance;
  const Eigen::VectorXd torques = at.jacobian.topRows<3>().transpose() * arm.in_world;
  for (std::size_t i = 0; i < arm.config->joints.size(); ++i) {
    const double per_force = std::abs(torques[static_cast<Eigen::Index>(i)]);
    const double most = kTorqueShare * torque_left(joints[arm.config->joints[i]], at.weight[i]);
    if (per_force * push > most) push = most / per_force;
  }
  return push;
}

/// Chooses the axis in a pose; false if there is none.
bool choose_axis(const Discovery& found, const PosedArm& at,
                 const std::vector<CheckedJoint>& joints, PathCollision& collision,
                 CheckedArm& checked) {
  const ArmConfig& arm = *checked.config;
  for (std::size_t i = 0; i < arm.joints.size(); ++i) {
    const CheckedJoint& joint = joints[arm.joints[i]];
    if (torque_left(joint, at.weight[i]) < 0.1 * joint.tau_max()) return false;
  }
  double lightest = 0.0;
  for (int i = 0; i < 6; ++i) {
    const Eigen::Vector3d in_base = Eigen::Vector3d::Unit(i / 2) * (i % 2 == 0 ? 1.0 : -1.0);
    const Eigen::Vector3d in_world = at.base_axes * in_base;
    const Eigen::VectorXd ways = joint_ways(at, in_world);
    if (ways.size() == 0 || !has_room(arm, at, in_world, ways, joints)) continue;
    const Eigen::Vector3d moved =
        at.jacobian.topRows<3>() * (at.mass_solved.leftCols<3>() * in_world);
    const double mobility = in_world.dot(moved);
    if (mobility <= lightest * (1.0 + 1e-9)) continue;
    if (!is_tool_way_free(found, arm, at, ways, collision)) continue;
    lightest = mobility;
    checked.in_base = in_base;
    checked.in_world = in_world;
    checked.friction = 0.0;
    for (std::size_t k = 0; k < arm.joints.size(); ++k) {
      checked.friction += joints[arm.joints[k]].config->gains.friction *
                          std::abs(ways[static_cast<Eigen::Index>(k)]);
    }
  }
  return lightest > 0.0;
}

/// Time of the tool on its springs and dampers, with the joints' viscous friction.
double settling_of(const CheckedArm& checked, const PosedArm& at,
                   const std::vector<CheckedJoint>& joints) {
  constexpr double kMost = 5.0;  // [s]: a choice
  const ArmConfig& arm = *checked.config;
  const auto count = static_cast<Eigen::Index>(arm.joints.size());
  ArmVector viscous(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    viscous[i] = joints[arm.joints[static_cast<std::size_t>(i)]].config->gains.viscous;
  }
  const Matrix6 stiffness =
      turned(Matrix6(Eigen::Map<const Vector6>(arm.stiffness.data()).asDiagonal()), at.spring_axes);
  const ArmJacobian jacobian = at.jacobian;
  const ArmJacobian mass_solved = at.mass_solved.transpose();
  ToolInertia felt;
  felt.update(jacobian, mass_solved);
  const Matrix6 damping = felt.damping(stiffness, arm.damping_ratio);
  const LinearMotion motion{
      at.inertia, jacobian.transpose() * damping * jacobian + Eigen::MatrixXd(viscous.asDiagonal()),
      jacobian.transpose() * stiffness * jacobian};
  const Eigen::RowVectorXd along = checked.in_world.transpose() * jacobian.topRows<3>();
  return settling_time(motion, kToolWay * joint_ways(at, checked.in_world), along, 0.5 * kToolClose,
                       kMost);
}

/// dᵀ K⁻¹ d
double compliance_of(const ArmConfig& arm, const Eigen::Vector3d& in_spring) {
  double compliance = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double share = in_spring[i] * in_spring[i];
    if (share > 1e-12) compliance += share / arm.stiffness[static_cast<std::size_t>(i)];
  }
  return compliance;
}

}  // namespace

double zone_of(const ArmConfig& arm, const JointLimits& limits) noexcept {
  return std::min(arm.limit_margin,
                  0.25 * (limits.q_max - limits.q_min - 2.0 * limits.soft_margin));
}

double depth_in_zone(const ArmConfig& arm, const JointConfig& joint) noexcept {
  const JointLimits& limits = joint.limits;
  const double room = std::min(joint.q_start - limits.q_min, limits.q_max - joint.q_start);
  return std::max(0.0, zone_of(arm, limits) - (room - limits.soft_margin));
}

std::string CheckedArm::way_since(const std::string& mark) const {
  constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};
  std::string sum;
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = in_world[static_cast<Eigen::Index>(i)];
    if (std::abs(share) < 1e-9) continue;
    const std::string signal = fmt::format("{}.{}", tool, kAxes[i]);
    sum += fmt::format("{}{} * ({} - at({}, {}))", sum.empty() ? "" : " + ",
                       harness::yaml_number(share), signal, signal, mark);
  }
  return "(" + sum + ")";
}

CheckedArm checked_arm(const Discovery& found, const ArmConfig& arm,
                       const std::vector<CheckedJoint>& joints, PathCollision& collision) {
  CheckedArm checked;
  checked.config = &arm;
  checked.name = harness::yaml_string(arm.name);
  const ToolPlace place = place_of_tool(found.config, arm.tool);
  const std::string kind = place.body == arm.tool ? "body." : "site.";
  checked.tool = kind + harness::quoted_where_odd(arm.tool);
  checked.body = harness::yaml_string(place.body);
  checked.point = {place.point[0], place.point[1], place.point[2]};
  if (place.body.empty()) {
    checked.why_not = "the body of its tool has no name";
    return checked;
  }
  RobotModel model(found.config);
  std::optional<CheckedArm> beside_a_singularity;  // where there is nothing better
  for (std::size_t number = 0; number < kPoses; ++number) {
    const PosedArm at = posed(model, found, arm, pose_number(number, arm, joints));
    if (!choose_axis(found, at, joints, collision, checked)) continue;
    const bool regular = is_regular(at);
    if (!regular && beside_a_singularity) continue;  // one of those is enough
    if (number > 0 && !is_pose_free(found, arm, at, collision)) continue;
    checked.q = number > 0 ? at.q : std::vector<double>();
    checked.compliance = compliance_of(arm, at.spring_axes.transpose() * checked.in_world);
    if (!std::isfinite(checked.compliance)) checked.why_not = "its stiffness is 0 along an axis";
    checked.push = push_of(checked, at, joints);
    checked.settling = settling_of(checked, at, joints);
    if (regular || !checked.why_not.empty()) return checked;
    beside_a_singularity = checked;
  }
  if (beside_a_singularity) return *beside_a_singularity;
  checked.why_not = fmt::format(
      "at its start and up to 90 deg around it its tool can't go {:.0f} mm along an axis of its "
      "base with its orientation kept: stretched out, beside limits or bodies, or too weak",
      1e3 * (kToolWay + kToolDeflection));
  return checked;
}

}  // namespace jointrig::app
