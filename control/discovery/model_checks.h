#pragma once
/// Checks of a model and of the configuration made from it.

#include "control/discovery/discovery.h"
#include "control/discovery/remark.h"
#include "control/discovery/survey.h"

namespace jointrig {

/// Adds remarks on the model as a whole: warnings of MuJoCo, time step, generated names, masses.
void check_model(const Survey& survey, const DiscoveryOptions& options, Remarks& remarks);

/// Adds remarks on one controlled joint: weak, light, without range, coupled to another.
void check_joint(const Survey& survey, int joint, const JointConfig& config, Remarks& remarks);

}  // namespace jointrig
