#include "control/laws/arm_math.h"

namespace jointrig {

Vector6 turned(const Eigen::Matrix3d& axes, const Vector6& six) noexcept {
  Vector6 result;
  result.head<3>() = axes * six.head<3>();
  result.tail<3>() = axes * six.tail<3>();
  return result;
}

}  // namespace jointrig
