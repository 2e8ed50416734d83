#pragma once

#include "control/core/types.h"
#include "control/motion/joint_plan.h"

namespace jointrig {

/// The joints that a plan leads. For the cycle, too.
inline JointSet set_of(const JointPlan& plan) noexcept {
  JointSet joints;
  for (const JointIndex joint : plan.joints()) joints.set(joint);
  return joints;
}

}  // namespace jointrig
