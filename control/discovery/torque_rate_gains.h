#pragma once

#include "control/core/robot_config.h"

namespace jointrig {

/// Natural frequency [Hz] up to which the stiff law stays stable when its torque is limited in
/// rate, after a jolt that leaves it half of v_max away from its reference.
///
/// A loop whose torque changes slower than its law wants lags and becomes unstable, like a pilot
/// with slow rudders. At a velocity error v the law wants 2 I ω v at once and reduces it in about
/// 1/ω: that is within the rate r while 2 I ω² v < c r. Integrating the loop over inertias from
/// 0.05 to 2 and rates from 500 to 4350 N·m/s gives c from 2.2 to 2.6 at the edge; here c = 1.5, so
/// that the true inertia may be half as much again.
double rate_limited_bandwidth_hz(double inertia, double torque_rate_max, double v_max) noexcept;

/// Lowers default gains (default_gains.h) to that bandwidth if they lie above it; returns true if
/// so.
bool heed_torque_rate(JointConfig& joint) noexcept;

}  // namespace jointrig
