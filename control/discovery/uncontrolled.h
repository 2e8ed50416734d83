#pragma once
/// Names what a robot's controller leaves alone, and why.

#include "control/discovery/remark.h"
#include "control/discovery/survey.h"

namespace jointrig {

/// Adds a finding for each joint that isn't controlled.
void explain_uncontrolled_joints(const Survey& survey, Remarks& remarks);

/// Adds a finding for each actuator that stays, and for odd ones that are replaced.
void explain_actuators(const Survey& survey, Remarks& remarks);

}  // namespace jointrig
