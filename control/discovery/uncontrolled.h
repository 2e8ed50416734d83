#pragma once
/// Findings on the joints and actuators that the controller does not control, with reasons.

#include "control/discovery/remark.h"
#include "control/discovery/survey.h"

namespace jointrig {

/// Adds a finding for each joint that isn't controlled.
void explain_uncontrolled_joints(const Survey& survey, Remarks& remarks);

/// Adds a finding for each actuator that stays, and for each unusual one that is replaced.
void explain_actuators(const Survey& survey, Remarks& remarks);

}  // namespace jointrig
