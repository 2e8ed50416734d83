#include "control/wholebody/feedback.h"

#include <Eigen/Geometry>

namespace jointrig {

Eigen::Vector3d turn_between(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to) noexcept {
  const Eigen::Matrix3d turn = to * from.transpose();
  Eigen::Quaterniond q(turn);
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  // Near no turn at all the vector part is half the rotation vector.
  if (sine < 1e-9) return 2.0 * q.vec();
  return 2.0 * std::atan2(sine, q.w()) / sine * q.vec();
}

SixNumbers towards(FloatingModel& model, const BodyFrame& frame, const FrameGoal& goal,
                   const FeedbackGains& linear, const FeedbackGains& angular) noexcept {
  const SixNumbers missing = goal.velocity - model.twist(frame);
  SixNumbers result = goal.acceleration;
  result.head<3>() += linear.stiffness * (goal.position - model.position(frame)) +
                      linear.damping * missing.head<3>();
  result.tail<3>() += angular.stiffness * turn_between(model.rotation(frame), goal.rotation) +
                      angular.damping * missing.tail<3>();
  return result;
}

SixNumbers momentum_towards(const FloatingModel& model, const Eigen::Vector3d& com,
                            const FeedbackGains& gains, double spin_damping) noexcept {
  SixNumbers rate = -spin_damping * model.momentum();
  rate.head<3>() =
      model.mass() * (gains.stiffness * (com - model.com()) - gains.damping * model.com_velocity());
  return rate;
}

void joints_towards(const FloatingModel& model, const ByJoint& positions,
                    const FeedbackGains& gains, ByJoint& acceleration) noexcept {
  const int n = model.joint_count();
  acceleration.resize(n);
  for (int i = 0; i < n; ++i) {
    acceleration[i] = gains.stiffness * (positions[i] - model.q()[static_cast<std::size_t>(i)]) -
                      gains.damping * model.velocity()[FloatingModel::kBase + i];
  }
}

}  // namespace jointrig
