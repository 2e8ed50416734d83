#include "control/laws/drift.h"

#include <algorithm>
#include <cmath>

#include "control/laws/cholesky.h"

namespace jointrig {

ArmVector predict_drift(const ArmMatrix& inertia, const ArmVector& imbalance,
                        const std::vector<FrictionConfig>& friction, const GuideBrake& brake,
                        double seconds) noexcept {
  constexpr int kSteps = 100;  // a choice: 20 ms each of 2 s, short against any damping of use
  const double step = seconds / kSteps;
  const Eigen::Index n = imbalance.size();
  ArmVector push(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double held = friction[static_cast<std::size_t>(i)].coulomb;
    push[i] = std::copysign(std::max(std::abs(imbalance[i]) - held, 0.0), imbalance[i]);
  }
  ArmVector v = ArmVector::Zero(n);
  ArmVector way = ArmVector::Zero(n);
  for (int k = 0; k < kSteps; ++k) {
    ArmMatrix implicit = (1.0 + step * brake.rate) * inertia;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double viscous = friction[static_cast<std::size_t>(i)].viscous;
      implicit(i, i) += step * (brake.damping + viscous + brake.secant(i, v[i]));
    }
    ArmVector next = inertia.lazyProduct(v);
    next += step * push;
    ArmRoot(implicit).solve(next);
    way += 0.5 * step * (v + next);
    v = next;
  }
  return way;
}

}  // namespace jointrig
