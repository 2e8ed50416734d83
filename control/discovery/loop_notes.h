#pragma once
/// Findings on the kinematic loops of a model: those that jointrig heeds, and those that it
/// doesn't.

#include "control/discovery/remark.h"
#include "control/discovery/survey.h"

namespace jointrig {

/// Call after measure().
void explain_loops(const Survey& survey, Remarks& remarks);

}  // namespace jointrig
