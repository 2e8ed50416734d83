#pragma once
/// The check of a robot as scenarios: one for each kind, written for the robot's own joints.
///
/// A scenario commands the joints that are checked one group after the other (joint_groups.h) where
/// they could disturb each other, else all at once, from the start pose. The plant's truth is
/// judged, and what the boards report only where a connection has no other witness. Each
/// requirement is a metric of one joint with its limit.

#include <string>
#include <vector>

#include "app/check/check_kind.h"
#include "app/check/checked_joint.h"
#include "control/core/types.h"
#include "control/discovery/discovery.h"

namespace jointrig::app {

struct CheckPlan {
  CheckKind kind = CheckKind::kHold;
  std::string yaml;                  ///< the scenario; empty: not applicable
  std::string why_not;               ///< then the reason
  std::vector<std::string> notes;    ///< joints that it leaves out, and why
  std::vector<std::string> remarks;  ///< joints of which it asks less than of others, and why
  bool asks_groups = false;          ///< some of its joints are asked at the same time
};

/// Where a check runs.
struct CheckPlace {
  CheckWitness witness = CheckWitness::kTruth;
  /// Joints that a served robot, which goes to its start pose first, still has to calibrate. A
  /// simulated one begins anew each time, and each joint that needs it is calibrated.
  JointSet to_calibrate;
  bool one_by_one = false;  ///< no joint at the same time as another (CheckedJoint::group)
};

/// @param joints     checked_joints() of `found`
/// @param checked    joints to check; the others hold
/// @param robot      name or path, as the scenario is to name it
/// @param collision  of the robot
CheckPlan plan_check(CheckKind kind, const Discovery& found, std::vector<CheckedJoint> joints,
                     const JointSet& checked, const std::string& robot, PathCollision& collision,
                     const CheckPlace& place);

}  // namespace jointrig::app
