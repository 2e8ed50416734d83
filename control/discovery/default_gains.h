#pragma once
/// Default gains of a joint, from the inertia that its motor feels, a bandwidth and a damping
/// ratio.

#include "control/core/robot_config.h"

namespace jointrig {

/// Choices that all default gains follow.
inline constexpr double kStiffHz = 10.0;
inline constexpr double kCompliantHz = 2.0;
/// The integral zero lies at this fraction of the bandwidth, or lower: ki = kp ω / 10.
inline constexpr double kIntegralFraction = 0.1;
/// Longest time from a sample to the action on it at which kStiffHz applies; beyond it the
/// bandwidth is inversely proportional to the time.
inline constexpr double kFastLoop = 0.002;

/// Natural frequency of the stiff law [Hz] for a loop of this period and this many cycles from a
/// command to its action.
///
/// The stiff law on an inertia I gives, with s in units of ω, the open loop
///
///     L(s) = (2 s² + s + k) / s³,   k = kIntegralFraction
///
/// which crosses 1 at 2.04 ω with 76° of phase margin (Routh: stable for k < 2, here twenty times
/// less). Each ms of delay takes 7.3° of it at 10 Hz. At 1 kHz one period of delay, half a period
/// of hold and a 200 Hz velocity estimate leave 56°, and a gain margin of 4.7: the loop is stable
/// as long as the true inertia is above a fifth of I.
double stiff_bandwidth_hz(double period, int delay_cycles) noexcept;

/// Load of a joint on its motor.
struct JointLoad {
  double inertia = 0.0;       ///< I for which the gains are computed [kg·m² or kg]
  double inertia_high = 0.0;  ///< largest of all poses; at least `inertia`
  double viscous = 0.0;       ///< b [N·m·s/rad or N·s/m]
};

/// Gains that place both poles of I s² + b s on the negative real axis, one of them at -ω for any
/// damping of the joint: (s + ω)(I s + I ω + b).
///
///     kp = I ω² + b ω,  kd = 2 I ω                              ω = 2π stiff_hz
///     ki = kp ω times the smaller of 1/10 and I / (2 inertia_high)
///     stiffness = I ω_c² + b ω_c,  damping = 2 I ω_c            ω_c = 2π kCompliantHz, at most ω/2
///
/// On a true inertia J the integral needs J < kp kd / ki (Routh); the second bound on ki keeps J at
/// a quarter of that in the heaviest pose.
JointGains default_gains(const JointLoad& load, double stiff_hz) noexcept;

}  // namespace jointrig
