#pragma once
/// Torques that an arm's joints get in addition to the impedance of its tool, each a term of its
/// own.

#include "control/laws/arm_math.h"

namespace jointrig {

/// Compensates a joint's friction in the direction of its motion:
///
///     tau = s(v) (F_c + F_s exp(−(v / v_s)²)) + b v,   s(v) = tanh(v / v_0)
///
///     F_c  Coulomb [N·m or N], F_s breakaway friction above it, v_s the Stribeck speed,
///     b    viscous [N·m·s/rad or N·s/m], v_0 the speed at which the sign is 0.76
///
/// The smooth sign is 0 at rest: a standing joint still sticks, and noise of its velocity isn't
/// amplified. (Olsson et al. 1998, "Friction models and friction compensation".)
double friction_torque(const FrictionConfig& friction, double v) noexcept;

/// Spring and damper at a joint's limits.
struct LimitSpring {
  double margin = 0.0;      ///< m > 0, zone in which the push grows [rad or m]
  double stiffness = 0.0;   ///< k [N·m/rad or N/m]
  double damping = 0.0;     ///< d [N·m·s/rad or N·s/m]
  double torque_max = 0.0;  ///< τ: cap of the push [N·m or N]
};

/// Pushes a joint back from its limits, never towards them:
///
///     tau = k o − d v min(o/m, 1)     o = low + m − q > 0, within 0 to τ; likewise from above
///
/// The damper grows with the depth o, so that the push begins without a step, and acts on the way
/// back, too: a joint that is pushed into its stop comes to rest there instead of bouncing. (After
/// Hunt and Crossley 1975, "Coefficient of restitution interpreted as damping in vibroimpact".)
///
/// @param low, high limits of the joint [rad or m]
double limit_torque(double q, double v, double low, double high,
                    const LimitSpring& spring) noexcept;

/// The part of a torque that pulls a joint into a limit and is to be taken away, however strong it
/// is: from none at the edge of the zone to all at the limit, where the brakes of the last word
/// would meet it and chatter.
///
/// @param margin  of the zone [rad or m]
double into_limit(double pull, double q, double low, double high, double margin) noexcept;

}  // namespace jointrig
