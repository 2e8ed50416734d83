#pragma once
/// The largest gain with which a joint's loop is stable with margin.

#include "control/core/joint_parameter.h"
#include "control/joint/joint_control.h"

namespace jointrig {

/// Closes the joint's loop with all delays and lags that the configuration states
/// (laws/sampled_loop.h) on the inertia that it feels, and on kInertiaMargin times more and less,
/// and seeks the largest value of one gain with which no motion grows. All other gains are those of
/// `setup`; other joints count as held, so a chain of loops that swing together is not seen here
/// (loop_margin.h looks at that when the robot starts).
///
/// @param parameter  a gain of a law: kp, ki, kd close the PID; bandwidth and damping_ratio
///                   computed torque; stiffness and damping the compliant law
/// @param most       largest value to look at
/// @param delay_cycles  from a sample to its torque [cycles of the bus]
/// @returns the value, to 2 %; `most` where all are stable, 0 where none is. Infinity for a limit,
///          and for a joint whose board closes the loop by itself
///
/// Takes some ms. Not for the cycle; any thread.
double gain_margin(const JointSetup& setup, JointParameter parameter, double most,
                   int delay_cycles);

}  // namespace jointrig
