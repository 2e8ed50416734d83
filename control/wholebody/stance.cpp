#include "control/wholebody/stance.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace jointrig {

Stance stance_of(const FloatingModel& model, std::span<const ContactSetup> soles) noexcept {
  Stance stance;
  Eigen::Vector3d ahead = Eigen::Vector3d::Zero();
  double corners = 0.0;
  for (const ContactSetup& sole : soles) {
    const Eigen::Matrix3d axes = model.rotation(sole.frame);
    ahead += axes.col(0);
    for (const Eigen::Vector3d& point : sole.points) {
      stance.origin += model.position(sole.frame) + axes * point;
      corners += 1.0;
    }
  }
  stance.origin /= std::max(corners, 1.0);
  ahead.z() = 0.0;
  if (ahead.norm() < 1e-6) return stance;
  ahead.normalize();
  stance.axes << ahead, Eigen::Vector3d::UnitZ().cross(ahead), Eigen::Vector3d::UnitZ();
  return stance;
}

}  // namespace jointrig
