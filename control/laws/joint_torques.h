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

/// Pushes a joint back from its limits, never towards them:
///
///     tau = k (low + m − q) − d min(v, 0)    where q < low + m, never below 0; likewise from above
///
/// @param low, high limits of the joint [rad or m]
/// @param margin  m > 0, zone in which the push grows [rad or m]
/// @param k, d [N·m/rad or N/m], [N·m·s/rad or N·s/m]
double limit_torque(double q, double v, double low, double high, double margin, double k,
                    double d) noexcept;

}  // namespace jointrig
