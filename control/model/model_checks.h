#pragma once
/// What is wrong or doubtful about a model and the configuration made from it.

#include "control/model/discovery.h"
#include "control/model/finding.h"
#include "control/model/survey.h"

namespace jointrig {

/// Adds findings on the model as a whole: warnings of MuJoCo, time step, generated names, masses.
void check_model(const Survey& survey, const DiscoveryOptions& options, Findings& findings);

/// Adds findings on one controlled joint: weak, light, without range, coupled to another.
void check_joint(const Survey& survey, int joint, const JointConfig& config, Findings& findings);

}  // namespace jointrig
