#include "control/laws/guide_brake.h"

#include <algorithm>
#include <cmath>

#include "control/laws/cholesky.h"

namespace jointrig {

void GuideBrake::fit(const ArmMatrix& inertia, double loop_time) noexcept {
  const Eigen::Index n = friction.size();
  const double fastest = kBearable / loop_time;
  ArmMatrix mobility = ArmMatrix::Identity(n, n);
  ArmRoot(inertia).solve_rows(mobility);
  for (Eigen::Index i = 0; i < n; ++i) {
    slope[i] = std::min(friction[i] / kCreep, fastest / mobility(i, i));
  }
  // The rows of √s M⁻¹ √s, which has the eigenvalues of M⁻¹ diag(s).
  double largest = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    double row = 0.0;
    for (Eigen::Index k = 0; k < n; ++k) {
      row += std::abs(mobility(i, k)) * std::sqrt(slope[i] * slope[k]);
    }
    largest = std::max(largest, row);
  }
  if (largest > fastest) slope *= fastest / largest;
}

double GuideBrake::secant(Eigen::Index joint, double v) const noexcept {
  if (!(friction[joint] > 0.0)) return 0.0;
  const double x = slope[joint] * v / friction[joint];
  return slope[joint] / std::sqrt(1.0 + x * x);
}

ArmVector GuideBrake::torque(const ArmMatrix& inertia, const ArmVector& v) const noexcept {
  ArmVector tau = ArmVector::Zero(v.size());
  if (rate > 0.0) tau.noalias() -= rate * inertia.lazyProduct(v);
  for (Eigen::Index i = 0; i < v.size(); ++i) tau[i] -= (damping + secant(i, v[i])) * v[i];
  return tau;
}

}  // namespace jointrig
