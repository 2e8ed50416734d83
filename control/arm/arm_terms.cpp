// Terms of the torque of an arm's joints.

#include <algorithm>

#include "control/arm/arm_control.h"
#include "control/laws/cartesian_impedance.h"
#include "control/laws/joint_torques.h"

namespace jointrig {
namespace {

void put(const ArmVector& of_term, ArmTerm term, ArmTorques& tau) noexcept {
  auto& row = tau[static_cast<std::size_t>(term)];
  for (Eigen::Index i = 0; i < of_term.size(); ++i) row[static_cast<std::size_t>(i)] = of_term[i];
}

/// Width of the zone at each of a joint's limits: at most a quarter of its range [rad or m].
double limit_zone(const ArmSetup& setup, std::size_t joint) noexcept {
  const double range = setup.soft_max[joint] - setup.soft_min[joint];
  return std::min(setup.config.limit_margin, 0.25 * range);
}

/// Jᵀ w
ArmVector through(const ArmJacobian& jacobian, const Vector6& wrench) noexcept {
  return jacobian.transpose().lazyProduct(wrench);
}

}  // namespace

/// Stiffness and damping for the tool's own inertia, along the axes of the arm's frame.
ArmControl::ToolGainsNow ArmControl::own_gains(const ArmSetup& setup,
                                               const ArmMotion& motion) noexcept {
  const Eigen::Matrix3d axes = motion.axes_of(setup.config.frame);
  ToolGainsNow now{stiffness_, damping_};
  Matrix6 share;
  Matrix6 stiffness = turned(stiffness_, axes);
  if (motion.felt.cut(stiffness, setup.bounds.stiffness, share)) {
    now.stiffness = turned(stiffness, axes.transpose());
    now.are_cut = true;
  }
  const bool by_ratio = damping_ratio_ > 0.0;
  Matrix6 damping = by_ratio ? motion.felt.damping(stiffness, damping_ratio_, damping_modes_)
                             : turned(damping_, axes);
  const bool is_cut = motion.felt.cut(damping, setup.bounds.damping, share);
  if (by_ratio || is_cut) now.damping = turned(damping, axes.transpose());
  now.are_cut = now.are_cut || is_cut;
  return now;
}

/// The same for a tool with the inertia asked for.
ArmControl::ToolGainsNow ArmControl::shaped_gains(const LoopBounds& bounds) const noexcept {
  const ToolInertia shape = shaped_inertia(inertia_);
  ToolGainsNow now{stiffness_, damping_};
  Matrix6 share;
  now.are_cut = shape.cut(now.stiffness, bounds.stiffness, share);
  if (damping_ratio_ > 0.0) now.damping = shape.damping(now.stiffness, damping_ratio_);
  now.are_cut = shape.cut(now.damping, bounds.damping, share) || now.are_cut;
  return now;
}

void ArmControl::pull_tool(const ArmSetup& setup, const ArmMotion& motion, const ArmForces& forces,
                           ArmTorques& tau, ArmSnapshot& out) noexcept {
  if (interaction_.active()) {
    interact(interaction_, setup, motion, forces, tau, out);
    return;
  }
  const ArmConfig& config = setup.config;
  const Eigen::Matrix3d axes = motion.axes_of(config.frame);
  const bool is_shaped = inertia_[0] > 0.0;
  const ToolGainsNow gains = is_shaped ? shaped_gains(setup.bounds) : own_gains(setup, motion);
  out.limits.set(ArmLimit::kGain, gains.are_cut);
  ImpedanceOutput pull = cartesian_impedance(
      gains.stiffness, gains.damping, as_vector(config.error_max), axes, motion.tool, target_);
  if (is_shaped) {
    pull.spring = shaped(motion.felt, inertia_, axes, pull.spring);
    pull.damper = shaped(motion.felt, inertia_, axes, pull.damper);
  }
  out.limits.set(ArmLimit::kError, pull.is_clipped);
  out.error = as_plain(pull.error);
  out.wrench = as_plain(Vector6(pull.spring + pull.damper));
  put(through(motion.tool.jacobian, pull.spring), ArmTerm::kSpring, tau);
  put(through(motion.tool.jacobian, pull.damper), ArmTerm::kDamping, tau);
}

void ArmControl::interact(ArmInteraction& interaction, const ArmSetup& setup,
                          const ArmMotion& motion, const ArmForces& forces, ArmTorques& tau,
                          ArmSnapshot& out) noexcept {
  const ArmInteraction::Pull pull = interaction.pull(setup, motion, target_, forces);
  const InteractionOutput& wrench = pull.wrench;
  for (const ArmLimit limit : kAllArmLimit) {
    if (wrench.limits.has(limit)) out.limits.set(limit);
  }
  out.error = as_plain(wrench.error);
  out.wrench = as_plain(Vector6(wrench.spring + wrench.damper + wrench.force));
  put(through(pull.jacobian, wrench.spring), ArmTerm::kSpring, tau);
  put(through(pull.jacobian, wrench.damper), ArmTerm::kDamping, tau);
  put(through(pull.jacobian, wrench.force), ArmTerm::kForce, tau);
}

void ArmControl::pull_posture(const ArmSetup& setup, const ArmMotion& motion, ArmTorques& tau,
                              ArmSnapshot& out) noexcept {
  if (!terms_.has(ArmTerm::kPosture)) return;
  ArmVector of_posture = ArmVector::Zero(motion.q.size());
  const bool is_clipped = add_posture(
      within(setup.bounds, motion.joint_felt, posture_gains_), setup.config.projector, posture_,
      motion.q, motion.v, motion.tool.jacobian, motion.mass_solved, motion.felt, of_posture);
  out.limits.set(ArmLimit::kPostureTorque, is_clipped);
  put(of_posture, ArmTerm::kPosture, tau);
}

/// Gravity, the guide's brake, and springs on the axes that aren't free.
void ArmControl::guide(const ArmSetup& setup, const ArmMotion& motion, const RobotModel& model,
                       const ArmForces& forces, ArmTorques& tau, ArmSnapshot& out) noexcept {
  if (free_axes_ != kAllAxes) interact(constraint_, setup, motion, forces, tau, out);
  const ArmVector braking = guide_.brake(setup, motion);
  auto& damping = tau[static_cast<std::size_t>(ArmTerm::kDamping)];
  for (Eigen::Index i = 0; i < braking.size(); ++i) {
    damping[static_cast<std::size_t>(i)] += braking[i];
  }
  ArmTerms terms;
  terms.set(ArmTerm::kGravity);
  terms.set(ArmTerm::kLimits, terms_.has(ArmTerm::kLimits));
  add_joint_terms(setup, motion, model, terms, tau);
}

/// An arm that starts beside a limit isn't pushed off it: the zone is as wide as its way to the
/// limit then, and grows with that way.
void ArmControl::widen_limit_zones(const ArmSetup& setup, const ArmMotion& motion) noexcept {
  // Share of the whole zone, a choice: the push of the thinnest lets a free arm glide by 1° at
  // most.
  constexpr double kThinnest = 0.02;
  for (std::size_t i = 0; i < setup.config.joints.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const double most = limit_zone(setup, i);
    const double room = std::min(motion.q[k] - setup.soft_min[i], setup.soft_max[i] - motion.q[k]);
    limit_margins_[k] = std::clamp(std::max(limit_margins_[k], room), kThinnest * most, most);
  }
}

void ArmControl::add_joint_terms(const ArmSetup& setup, const ArmMotion& motion,
                                 const RobotModel& model, ArmTerms terms,
                                 ArmTorques& tau) const noexcept {
  const ArmConfig& config = setup.config;
  const auto row = [&](ArmTerm term) -> auto& { return tau[static_cast<std::size_t>(term)]; };
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const JointIndex joint = config.joints[i];
    if (terms.has(ArmTerm::kGravity) && !setup.board_has_gravity[i]) {
      row(ArmTerm::kGravity)[i] = model.gravity(joint);
    }
    if (terms.has(ArmTerm::kCoriolis)) row(ArmTerm::kCoriolis)[i] = model.coriolis(joint);
    if (terms.has(ArmTerm::kFriction)) {
      row(ArmTerm::kFriction)[i] = friction_torque(config.friction[i], motion.v[k]);
    }
    if (terms.has(ArmTerm::kLimits)) {
      const double half = 0.5 * motion.joint_felt[k];  // the rest is for spring and damper
      const LimitSpring spring{
          limit_margins_[k], std::min(config.limit_stiffness, setup.bounds.stiffness * half),
          std::min(setup.limit_damping[k], setup.bounds.damping * half), setup.limit_torque[k]};
      const double pull = row(ArmTerm::kSpring)[i] + row(ArmTerm::kDamping)[i] +
                          row(ArmTerm::kPosture)[i] + row(ArmTerm::kForce)[i];
      row(ArmTerm::kLimits)[i] =
          limit_torque(motion.q[k], motion.v[k], setup.soft_min[i], setup.soft_max[i], spring) -
          into_limit(pull, motion.q[k], setup.soft_min[i], setup.soft_max[i], limit_zone(setup, i));
    }
  }
}

ArmVector ArmControl::carry_load(const ArmSetup& setup, const RobotModel& model,
                                 ArmTorques& tau) noexcept {
  ArmVector carries(static_cast<Eigen::Index>(setup.config.joints.size()));
  for (std::size_t i = 0; i < setup.config.joints.size(); ++i) {
    carries[static_cast<Eigen::Index>(i)] = model.carried_gravity(setup.config.joints[i]);
  }
  put(carries, ArmTerm::kPayload, tau);
  return carries;
}

}  // namespace jointrig
