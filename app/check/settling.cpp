#include "app/check/settling.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace jointrig::app {

double settling_time(const LinearMotion& motion, const Eigen::VectorXd& start,
                     const Eigen::RowVectorXd& watched, double close, double most) {
  constexpr double kStep = 1e-3;  // [s]
  // (M + h/2 D + h²/4 K) v₊ = (M − h/2 D − h²/4 K) v − h K q,   q₊ = q + h/2 (v + v₊)
  const Eigen::MatrixXd held =
      0.5 * kStep * motion.damping + 0.25 * kStep * kStep * motion.stiffness;
  const Eigen::LDLT<Eigen::MatrixXd> ahead(motion.inertia + held);
  const Eigen::MatrixXd behind = motion.inertia - held;
  Eigen::VectorXd q = start;
  Eigen::VectorXd v = Eigen::VectorXd::Zero(start.size());
  double last_outside = 0.0;
  const auto steps = static_cast<long>(std::ceil(most / kStep));
  for (long i = 0; i < steps; ++i) {
    const double error = watched * q;
    if (!(std::abs(error) <= close)) last_outside = kStep * static_cast<double>(i + 1);
    const Eigen::VectorXd next = ahead.solve(behind * v - kStep * (motion.stiffness * q));
    q += 0.5 * kStep * (v + next);
    v = next;
  }
  return std::min(last_outside, most);
}

}  // namespace jointrig::app
