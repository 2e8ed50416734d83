#pragma once

#include "control/core/joint_parameter.h"
#include "control/core/types.h"

namespace jointrig {

/// A parameter that differs from its value before: at the start, or in the file.
struct ChangedParameter {
  JointIndex joint = 0;
  JointParameter parameter = JointParameter::kKp;
  double before = 0.0;  ///< in the unit of the parameter
  double now = 0.0;     ///< likewise
};

}  // namespace jointrig
