#pragma once
/// Gains of a joint from the inertia its motor feels: a bandwidth and a damping ratio, no magic
/// numbers.

#include "control/core/robot_config.h"

namespace jointrig {

/// Choices that all default gains follow.
inline constexpr double kStiffHz = 10.0;
inline constexpr double kStiffDamping = 1.0;
inline constexpr double kCompliantHz = 2.0;
inline constexpr double kCompliantDamping = 1.0;
/// The integral zero lies at this fraction of the bandwidth: ki = kp ω / 10.
inline constexpr double kIntegralFraction = 0.1;
/// Longest time from a sample to the action on it for which kStiffHz is kept; beyond it the
/// bandwidth falls as one over the time.
inline constexpr double kFastLoop = 0.002;

/// Natural frequency of the stiff law [Hz] for a loop of this period and this many cycles from a
/// command to its action.
///
/// The stiff law on an inertia I gives, with s in units of ω, the open loop
///
///     L(s) = (2ζ s² + s + k) / s³,   ζ = 1, k = kIntegralFraction
///
/// which crosses 1 at 2.04 ω with 76° of phase margin (Routh: stable for k < 2ζ, here twenty times
/// less). Each ms of delay takes 7.3° of it at 10 Hz. At 1 kHz one period of delay, half a period
/// of hold and a 200 Hz velocity estimate leave 56°, and a gain margin of 4.7: the loop is stable
/// as long as the true inertia is above a fifth of the model's.
double stiff_bandwidth_hz(double period, int delay_cycles) noexcept;

/// Natural frequency [Hz] up to which the stiff law stays stable when its torque is limited in rate,
/// after a jolt that leaves it half of v_max away from its reference.
///
/// A loop that wants its torque to change faster than it may lags behind itself and swings up (the
/// same that a pilot does with slow rudders). Caught at a velocity error v the law wants 2 I ω v at
/// once and takes it back in about 1/ω: that is within the rate r while 2 I ω² v < c r. Integrating
/// the loop over inertias from 0.05 to 2 and rates from 500 to 4350 N·m/s gives c from 2.2 to 2.6 at
/// the edge; here c = 1.5, so that the true inertia may be half as much again.
double rate_limited_bandwidth_hz(double inertia, double torque_rate_max, double v_max) noexcept;

/// Gains for a motor that feels `inertia`:
///
///     kp = I ω²,  kd = 2ζ I ω,  ki = kp ω / 10          ω = 2π stiff_hz
///     stiffness = I ω_c²,  damping = 2ζ_c I ω_c         ω_c = 2π kCompliantHz, at most ω / 2
JointGains default_gains(double inertia, double stiff_hz) noexcept;

}  // namespace jointrig
