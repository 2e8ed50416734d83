#pragma once
/// How long a motion with springs and dampers takes to come to rest.

#include <Eigen/Core>

namespace jointrig::app {

/// M q'' + D q' + K q = 0
struct LinearMotion {
  Eigen::MatrixXd inertia;    ///< M (n, n), positive definite [kg·m² or kg]
  Eigen::MatrixXd damping;    ///< D (n, n) [N·m·s/rad or N·s/m]
  Eigen::MatrixXd stiffness;  ///< K (n, n) [N·m/rad or N/m]
};

/// Time from which on |w q| stays within `close`, for a motion that begins at rest; at most `most`,
/// beyond which it isn't looked at. By the trapezoidal rule, in steps of 1 ms.
/// @param start    q(0) (n) [rad or m]
/// @param watched  w (n)
/// @return [s]
double settling_time(const LinearMotion& motion, const Eigen::VectorXd& start,
                     const Eigen::RowVectorXd& watched, double close, double most);

}  // namespace jointrig::app
