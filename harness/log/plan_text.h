#pragma once

#include <string>

#include "control/core/event.h"
#include "control/core/robot_config.h"
#include "control/motion/joint_plan.h"

namespace jointrig::harness {

/// Why a plan was refused.
/// @param slide  of the joint that the event names
std::string why_no_plan(const Event& event, bool slide);

/// Why a plan that has a failure would be refused, before it is handed over: reason, joint, and its
/// remark.
std::string why_refused(const JointPlan& plan, const RobotConfig& config);

/// Why a joint is no longer on what led it, a plan or the drive of its tool: `this joint is guided
/// by hand`. Events `plan_broken` and `drive_broken`.
std::string why_off_its_way(const Event& event);

/// State of a plan: events `plan` and `plan_broken`.
std::string plan_text(const Event& event, bool slide);

}  // namespace jointrig::harness
