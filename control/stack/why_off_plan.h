#pragma once

#include "control/core/plan.h"
#include "control/joint/joint_control.h"

namespace jointrig {

/// Why a joint is no longer on what led it: a plan, or the drive of its tool.
/// @param is_stopped  by collision avoidance, in this cycle
inline PlanChange why_off_plan(const JointControl& control, bool is_stopped) noexcept {
  if (control.machine().fault()) return PlanChange::kFault;
  const JointActivity now = control.activity();
  if (now == JointActivity::kContact || now == JointActivity::kSquish) return PlanChange::kContact;
  if (is_held(now)) return PlanChange::kFault;
  if (is_in_hand(now)) return PlanChange::kGuided;
  if (is_stopped) return PlanChange::kAvoidance;
  const bool is_off = control.machine().shown() == JointMode::kIdle;
  return is_off ? PlanChange::kDisabled : PlanChange::kLeft;
}

}  // namespace jointrig
