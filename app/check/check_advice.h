#pragma once
/// Advice where a kind of the check has failed, as far as that is known: from the robot's numbers,
/// or since it was tried out and passed.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/check/check_kind.h"
#include "app/check/checked_joint.h"
#include "control/core/types.h"
#include "control/discovery/discovery.h"
#include "harness/runner/result.h"

namespace jointrig::app {

/// Checks one joint again, by the same kind, with lines of robot.yaml laid over the robot's own
/// (`joints: {elbow: {bandwidth: 15 Hz}}`). Returns true if it passes.
using TryOut = std::function<bool(JointIndex joint, const std::string& lines)>;

/// One or two sentences for each of the worst joints, that begin with `try` (a line for
/// robot.yaml), `tried`, `weak` (its numbers rule out what the kind asks for) or `note`; empty if
/// nothing is known.
/// @param joints  checked_joints() of `found`
std::vector<std::string> advice(const harness::Result& result, const Discovery& found,
                                std::span<const CheckedJoint> joints, const TryOut& passes);

}  // namespace jointrig::app
