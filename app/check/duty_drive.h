#pragma once
/// The duty that drives one joint for a moment in OPENLOOP.

#include <string>

#include "app/check/checked_joint.h"

namespace jointrig::app {

/// U duty = R i + kt v with kt i = weight + friction: the joint goes from rest towards the speed v,
/// with the lag I R/kt² of its motor.
struct DutyDrive {
  double duty = 0.0;
  double seconds = 0.0;
  double way = 0.0;     ///< of that motor alone, signed [rad or m]
  double speed = 0.0;   ///< that it has then [rad/s or m/s]
  std::string why_not;  ///< not empty: no duty drives it
};

/// @param longest  of it [s]
DutyDrive duty_drive(const CheckedJoint& joint, double longest);

}  // namespace jointrig::app
