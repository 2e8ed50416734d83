#pragma once
/// Torque against a joint's own friction, beside the feedback of a servo (servo_law.h).

#include <algorithm>
#include <cmath>

namespace jointrig {

/// Inputs of a friction aid.
struct FrictionAid {
  double coulomb = 0.0;  ///< f: the joint's friction by the model [N·m or N]
  double smooth_speed =
      1.0;                 ///< v_s > 0: speed at which the sign of a motion is 0.76 [rad/s or m/s]
  double stiffness = 0.0;  ///< k: of the spring at rest, aid_stiffness() [N·m/rad or N/m]
};

/// v_s as a share of a joint's largest speed: a choice. A reference that comes to rest takes the
/// torque away as the friction goes. MuJoCo's friction is a steep damping at low speed, some
/// 1000 1/s times the inertia: with 0.02 light joints overshoot, with 0.1 slow ones lag.
inline constexpr double kAidSmooth = 0.05;
/// Share of f that the spring may use: a choice. A joint with at least this friction can't be moved
/// by the spring alone.
inline constexpr double kAidShare = 0.7;

/// k of a servo of ω on the inertia I that the motor feels: three times the servo's own stiffness.
/// With both, and no friction at all, the loop is still stable under its delay: ω_n = 2ω, ζ = 0.5
/// less what the delay takes, 0.3 by kLoopShare.
inline double aid_stiffness(double w, double inertia) noexcept { return 3.0 * w * w * inertia; }

/// The friction that is to be overcome, by the motion asked for and, to bring a joint back that
/// stands beside its reference, by a spring of small force:
///
///     tau = f clamp(tanh(v_ref / v_s) + clamp(k e / f, ± 0.7), ± 1)
///
/// It follows the reference, not the joint's speed: a friction that isn't there moves the joint off
/// by a little, and can't make it swing. Without the spring a joint that was pushed creeps home:
/// friction takes most of the servo's torque, and an integral that grows until the joint moves
/// overshoots.
///
/// @param e  q_ref − q [rad or m]
inline double aid_torque(const FrictionAid& aid, double v_ref, double e) noexcept {
  if (!(aid.coulomb > 0.0)) return 0.0;
  const double spring = std::clamp(aid.stiffness * e / aid.coulomb, -kAidShare, kAidShare);
  return aid.coulomb * std::clamp(std::tanh(v_ref / aid.smooth_speed) + spring, -1.0, 1.0);
}

}  // namespace jointrig
