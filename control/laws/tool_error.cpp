#include "control/laws/tool_error.h"

#include <cmath>
#include <numbers>

namespace jointrig {
namespace {

/// Tolerance of half a turn, by the precision of a quaternion [rad]: a choice.
constexpr double kAtHalfTurn = 1e-9;

/// True if its first component other than 0 is negative.
bool begins_below_zero(const Eigen::Vector3d& axis) noexcept {
  for (const double component : {axis.x(), axis.y(), axis.z()}) {
    if (std::abs(component) > kAtHalfTurn) return component < 0.0;
  }
  return false;
}

}  // namespace

Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& rotation) noexcept {
  // Uses the quaternion, which is precise where the trace is not: near 0 and near π.
  const Eigen::Quaterniond q(rotation);
  const Eigen::Vector3d axis = q.vec();
  const double sine = axis.norm();  // sine of half the angle
  const double angle = 2.0 * std::atan2(sine, std::abs(q.w()));
  const bool is_half_turn = angle > std::numbers::pi - kAtHalfTurn;
  const bool turns_back = is_half_turn ? begins_below_zero(axis) : q.w() < 0.0;
  const double length = sine < 1e-12 ? 2.0 : angle / sine;
  return (turns_back ? -length : length) * axis;
}

Eigen::Matrix3d rotation_of(const Eigen::Vector3d& vector) noexcept {
  const double angle = vector.norm();
  if (angle < 1e-12) {
    Eigen::Matrix3d small = Eigen::Matrix3d::Identity();
    small(0, 1) = -vector.z();
    small(1, 0) = vector.z();
    small(0, 2) = vector.y();
    small(2, 0) = -vector.y();
    small(1, 2) = -vector.x();
    small(2, 1) = vector.x();
    return small;
  }
  return Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix();
}

Vector6 tool_error(const Placement& target, const Placement& tool) noexcept {
  Vector6 error;
  error.head<3>() = target.position - tool.position;
  error.tail<3>() = rotation_vector(target.rotation * tool.rotation.transpose());
  return error;
}

}  // namespace jointrig
