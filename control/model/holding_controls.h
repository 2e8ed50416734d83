#pragma once
/// Controls of the remaining actuators at the start.

#include <vector>

#include "control/model/mjcf.h"

namespace jointrig {

/// Sets the controls of all actuators that act on anything but a joint (a tendon, a site), so that
/// they hold the pose of `data` as well as they can where no board holds it. U are the degrees of
/// freedom that are neither `held` nor of free bodies; the controls are the least-squares solution
/// of least norm,
///
///     min |Aᵤᵀ f - rᵤ|,   r = bias - springs - gravity compensation,   u = (f - b) / g
///
/// within the ranges of forces and controls; A are the moment arms, g and b gain and bias at rest.
/// A filter's activation equals its control. Muscles and other actuators that are not linear in
/// their control stay unchanged.
///
/// @param held (nv) true if held by a board, or by an equality with a joint that has one
void hold_by_controls(const mjModel& model, mjData& data, const std::vector<bool>& held);

}  // namespace jointrig
