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

/// Jᵀ w
ArmVector through(const ArmJacobian& jacobian, const Vector6& wrench) noexcept {
  return jacobian.transpose().lazyProduct(wrench);
}

}  // namespace

void ArmControl::pull_tool(const ArmSetup& setup, const ArmMotion& motion, const ArmForces& forces,
                           ArmTorques& tau, ArmSnapshot& out) noexcept {
  if (interaction_.active()) {
    interact(interaction_, setup, motion, forces, tau, out);
    return;
  }
  const ArmConfig& config = setup.config;
  const Eigen::Matrix3d axes = motion.axes_of(config.frame);
  const bool is_shaped = inertia_[0] > 0.0;
  Matrix6 damping = damping_;
  if (damping_ratio_ > 0.0) {
    damping =
        is_shaped
            ? shaped_damping(stiffness_, inertia_, damping_ratio_)
            : turned(motion.felt.damping(turned(stiffness_, axes), damping_ratio_, damping_modes_),
                     axes.transpose());
  }
  ImpedanceOutput pull = cartesian_impedance(stiffness_, damping, as_vector(config.error_max), axes,
                                             motion.tool, target_);
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
  const bool is_clipped =
      add_posture(posture_gains_, setup.config.projector, posture_, motion.q, motion.v,
                  motion.tool.jacobian, motion.mass_solved, motion.felt, of_posture);
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

void ArmControl::add_joint_terms(const ArmSetup& setup, const ArmMotion& motion,
                                 const RobotModel& model, ArmTerms terms,
                                 ArmTorques& tau) noexcept {
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
      row(ArmTerm::kLimits)[i] =
          limit_torque(motion.q[k], motion.v[k], setup.soft_min[i], setup.soft_max[i],
                       config.limit_margin, config.limit_stiffness, setup.limit_damping[k]);
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
