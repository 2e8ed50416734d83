#pragma once
/// Wanted accelerations from errors: what turns poses and positions into tasks.
///
///     a = a_d + k (x_d - x) + d (v_d - v)
///
/// For orientation x_d - x is the rotation vector of R_d Rᵀ, in the world. With d = 2 √k the error
/// of a task that nothing hinders falls as that of a critically damped spring.

#include <Eigen/Core>
#include <cmath>

#include "control/model/floating_model.h"
#include "control/wholebody/commands.h"

namespace jointrig {

struct FeedbackGains {
  double stiffness = 0.0;  ///< k [1/s²]
  double damping = 0.0;    ///< d [1/s]

  static FeedbackGains critical(double stiffness) noexcept {
    return {stiffness, 2.0 * std::sqrt(stiffness)};
  }
};

/// Pose of a frame in the world, with its twist and acceleration.
struct FrameGoal {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  SixNumbers velocity = SixNumbers::Zero();      ///< [m/s, rad/s]
  SixNumbers acceleration = SixNumbers::Zero();  ///< [m/s², rad/s²]
};

/// Rotation vector that turns `from` to `to`, at most half a turn long [rad].
Eigen::Vector3d turn_between(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to) noexcept;

/// Acceleration of a frame towards its goal, linear and angular.
SixNumbers towards(FloatingModel& model, const BodyFrame& frame, const FrameGoal& goal,
                   const FeedbackGains& linear, const FeedbackGains& angular) noexcept;

/// Rate of the momentum that takes the centre of mass to a place and lets the angular momentum die
/// away: m (k (c_d - c) - d ċ) and -damping L.
/// @param spin_damping  [1/s]
SixNumbers momentum_towards(const FloatingModel& model, const Eigen::Vector3d& com,
                            const FeedbackGains& gains, double spin_damping) noexcept;

/// Accelerations of the joints towards positions, at rest there.
void joints_towards(const FloatingModel& model, const ByJoint& positions,
                    const FeedbackGains& gains, ByJoint& acceleration) noexcept;

}  // namespace jointrig
