#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace jointrig {

/// The wrench on a tool that explains the external torques of its arm's joints, tau = Jᵀ w, by
/// damped least squares:
///
///     w = (J Jᵀ + λ² I)⁻¹ J tau
///
/// Directions in which the arm is singular by less than λ fade out: what pushes along them turns no
/// joint, and is not told. Right as long as nothing touches the arm elsewhere. [N, N·m]
///
/// @param jacobian  (6, n) of the tool, linear rows first
template <typename Jacobian, typename Torques>
Eigen::Matrix<double, 6, 1> hand_wrench(const Jacobian& jacobian, const Torques& tau) noexcept {
  constexpr double kLambda = 0.05;  // a choice: a twentieth of a metre of lever
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  Matrix6 gram = kLambda * kLambda * Matrix6::Identity();
  gram.noalias() += jacobian.lazyProduct(jacobian.transpose());
  Eigen::Matrix<double, 6, 1> pushed;
  pushed.noalias() = jacobian.lazyProduct(tau);
  return gram.ldlt().solve(pushed);
}

}  // namespace jointrig
