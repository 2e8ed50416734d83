#include "control/laws/posture.h"

namespace jointrig {
namespace {

/// Least eigenvalue of J Jᵀ, the square of the tool's motion per joint motion: a choice, 3 cm or
/// 0.03 rad for 1 rad.
constexpr double kLeastReach = 1e-3;

}  // namespace

PostureGains within(const LoopBounds& bounds, const ArmVector& felt, PostureGains gains) noexcept {
  gains.stiffness = gains.stiffness.cwiseMin(0.5 * bounds.stiffness * felt);
  gains.damping = gains.damping.cwiseMin(0.5 * bounds.damping * felt);
  return gains;
}

bool add_posture(const PostureGains& gains, Projector projector, const ArmVector& q_target,
                 const ArmVector& q, const ArmVector& v, const ArmJacobian& jacobian,
                 const ArmJacobian& mass_solved, const ToolInertia& inertia,
                 ArmVector& tau) noexcept {
  const ArmVector whole =
      gains.stiffness.cwiseProduct(q_target - q) - gains.damping.cwiseProduct(v);
  const ArmVector pull = whole.cwiseMin(gains.torque_max).cwiseMax(-gains.torque_max);
  const bool is_clipped = pull != whole;

  Vector6 held = Vector6::Zero();  // wrench by which the projector cancels the effect on the tool
  if (projector == Projector::kDynamicallyConsistent) {
    const Vector6 acceleration = mass_solved.lazyProduct(pull);
    held = inertia.consistent_inverse() * acceleration;
  } else if (projector == Projector::kKinematic) {
    ToolInertia unit(kLeastReach);
    unit.update(jacobian, jacobian);
    const Vector6 through = jacobian.lazyProduct(pull);
    held = unit.consistent_inverse() * through;
  }
  tau.noalias() += pull;
  tau.noalias() -= jacobian.transpose().lazyProduct(held);
  return is_clipped;
}

}  // namespace jointrig
