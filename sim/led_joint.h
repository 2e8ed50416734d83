#pragma once
/// A joint of the physics that another backend drives: it follows that backend's samples, and what
/// hangs on it is felt by the joints that the physics has, with its weight and its inertia.
///
///     a = w² (q_led - q) + 2 w (v_led - v)        critically damped
///     tau = A a,   A = kRigidity I                armature, motor torque
///
///     q, v          position and velocity in the physics
///     q_led, v_led  newest sample; between two, q_led goes on with v_led
///     I             inertia that the joint moves in the start pose, its own included
///
/// With an armature far above all that can act on it, the joint's acceleration is a, whatever
/// weighs on it; the other joints then feel exactly what a motor that does so would make them feel.
/// Under a lasting acceleration a it lags by a / w². Its limits, friction, damping and springs in
/// the model are left out: its own drive has overcome them already.

#include <algorithm>
#include <cstddef>

namespace jointrig::sim {

struct LedJoint {
  /// A per I. Choice: a load of I times g then bends its motion by g / kRigidity, 0.1 mm/s², which
  /// the follower holds to 4 nm; 1e16, all that a double tells apart, is far.
  static constexpr double kRigidity = 1e5;
  /// w [rad/s], less where h is long. Choice: 25 Hz; steps of an encoder aren't felt as blows.
  static constexpr double kFollow = 160.0;

  std::size_t joint = 0;  ///< index in RobotConfig::joints
  double inertia = 0.0;   ///< A [kg·m² or kg]

  /// @param h  physics step [s]; a w above 1/h would swing up
  [[nodiscard]] double torque(double q_led, double v_led, double q, double v,
                              double h) const noexcept {
    const double w = std::min(kFollow, 0.25 / h);
    return inertia * (w * w * (q_led - q) + 2.0 * w * (v_led - v));
  }
};

/// Newest sample of a led joint.
struct LedSample {
  double q = 0.0;  ///< [rad or m]
  double v = 0.0;  ///< [rad/s or m/s]
};

}  // namespace jointrig::sim
