#include "control/laws/tool_inertia.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace jointrig {

void ToolInertia::update(const ArmJacobian& jacobian, const ArmJacobian& mass_solved) noexcept {
  mobility_.noalias() = jacobian.lazyProduct(mass_solved.transpose());
  mobility_ = (0.5 * (mobility_ + mobility_.transpose())).eval();
  if (!is_floor_given_) floor_ = std::min(kFloor, kShareOfTrace * mobility_.trace());
  // trace(Λ) = |L⁻¹|²
  is_regular_ = roots_.take(mobility_) && roots_.inverse.squaredNorm() * floor_ <= 1.0;
  if (is_regular_) return;
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(mobility_);
  vectors_ = solver.eigenvectors();
  values_ = solver.eigenvalues();
}

double ToolInertia::least_mobility() const noexcept {
  if (!is_regular_) return values_[0];
  return Eigen::SelfAdjointEigenSolver<Matrix6>(mobility_, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

Matrix6 ToolInertia::inertia() const noexcept {
  if (is_regular_) return roots_.whole_inverse();
  return vectors_ * values_.cwiseMax(floor_).cwiseInverse().asDiagonal() * vectors_.transpose();
}

Matrix6 ToolInertia::consistent_inverse() const noexcept {
  if (is_regular_) return inertia();
  Vector6 inverse;
  for (int i = 0; i < 6; ++i) {
    const double a = values_[i] > 0.0 ? values_[i] : 0.0;
    inverse[i] = a >= floor_ ? 1.0 / a : a / (floor_ * floor_);
  }
  return vectors_ * inverse.asDiagonal() * vectors_.transpose();
}

/// A = L Lᵀ, with the floor in it, and L⁻¹.
void ToolInertia::roots(Matrix6& l, Matrix6& l_inverse) const noexcept {
  l = roots_.l;
  l_inverse = roots_.inverse;
  if (is_regular_) return;
  const Vector6 root = values_.cwiseMax(floor_).cwiseSqrt();
  l = vectors_ * root.asDiagonal();
  l_inverse = root.cwiseInverse().asDiagonal() * vectors_.transpose();
}

Matrix6 ToolInertia::damping(const Matrix6& stiffness, double ratio) const noexcept {
  DampingModes none;
  return damping(stiffness, ratio, none);
}

namespace {

/// The root of diag(d) + E; false if E is too large for that.
bool root_nearly_diagonal(const Matrix6& b, Matrix6& root) noexcept {
  constexpr double kMost = ToolInertia::kNearlyDiagonal * ToolInertia::kNearlyDiagonal;
  for (int i = 0; i < 6; ++i) {
    if (!(b(i, i) > 0.0)) return false;
    root(i, i) = std::sqrt(b(i, i));
    for (int k = 0; k < i; ++k) {
      if (b(i, k) * b(i, k) > kMost * b(i, i) * b(k, k)) return false;
      root(i, k) = root(k, i) = b(i, k) / (root(i, i) + root(k, k));
    }
  }
  return true;
}

}  // namespace

Matrix6 ToolInertia::damping(const Matrix6& stiffness, double ratio,
                             DampingModes& modes) const noexcept {
  // With A = L Lᵀ the damping is 2 ζ L⁻ᵀ S L⁻¹, S the root of Lᵀ K L.
  Matrix6 l;
  Matrix6 l_inverse;
  roots(l, l_inverse);
  if (modes.known) {
    const Matrix6 along = l * modes.directions;
    Matrix6 root;
    if (root_nearly_diagonal(along.transpose() * stiffness * along, root)) {
      const Matrix6 back = modes.directions.transpose() * l_inverse;
      return 2.0 * ratio * (back.transpose() * root * back);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(l.transpose() * stiffness * l);
  modes = {solver.eigenvectors(), true};
  const Matrix6 q_inverse = modes.directions.transpose() * l_inverse;
  const Vector6 frequencies = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return 2.0 * ratio * (q_inverse.transpose() * frequencies.asDiagonal() * q_inverse);
}

bool ToolInertia::cut(Matrix6& gain, double most, Matrix6& share) const noexcept {
  // trace(A G), the sum of all λ
  if (is_regular_ && mobility_.cwiseProduct(gain).sum() <= most) return false;
  Matrix6 l;
  Matrix6 l_inverse;
  roots(l, l_inverse);
  const Matrix6 along = l.transpose() * gain * l;
  if (along.trace() <= most) return false;
  SixRoots rest;
  if (rest.take(most * Matrix6::Identity() - along)) return false;
  const Eigen::SelfAdjointEigenSolver<Matrix6> solver(along);
  const Vector6 kept = solver.eigenvalues().unaryExpr([most](double value) {
    const double room = most / value;
    return value > most ? std::max(room * room, 0.5 * room) : 1.0;
  });
  share = l_inverse.transpose() * solver.eigenvectors() * kept.asDiagonal() *
          solver.eigenvectors().transpose() * l.transpose();
  const Matrix6 less = share * gain;
  gain = 0.5 * (less + less.transpose());
  return true;
}

}  // namespace jointrig
