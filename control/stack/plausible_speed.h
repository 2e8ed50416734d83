#pragma once

#include <algorithm>

#include "control/joint/joint_control.h"

namespace jointrig {

/// Speed of a joint as the others count with it: as read, within ± kOverSpeed v_max. A reading
/// beyond that is a fault of its joint, and may be false: a broken encoder, or a frame in the name
/// of another board. [rad/s or m/s]
///
/// For the cycle.
inline double plausible_speed(const JointSetup& setup, const JointControl& control) noexcept {
  const double fastest = kOverSpeed * setup.config.limits.v_max;
  return std::clamp(control.state().v, -fastest, fastest);
}

}  // namespace jointrig
