#pragma once
/// What actuators that stay as they are do at the start.

#include <vector>

#include "control/model/mjcf.h"

namespace jointrig {

/// Sets the controls of all actuators that act on anything but a joint (a tendon, a site) such that
/// the pose of `data` is held as far as they can, where no board will hold it: with U the degrees
/// of freedom that are neither `held` nor free bodies', the least squares of least norm
///
///     min |Aᵤᵀ f - rᵤ|,   r = bias - springs - gravity compensation,   u = (f - b) / g
///
/// within the ranges of forces and controls; A are the moment arms, g and b gain and bias at rest.
/// A filter's activation is at its control. Left alone are muscles and whatever else isn't a
/// straight line in its control.
///
/// @param held  (nv) carried otherwise: by a board, or by an equality with a joint that has one
void hold_by_controls(const mjModel& model, mjData& data, const std::vector<bool>& held);

}  // namespace jointrig
