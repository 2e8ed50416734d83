#pragma once
/// A kind of the check on the terminal, and what of its result is worst.

#include <string>
#include <vector>

#include "app/check/check_kind.h"
#include "harness/runner/result.h"

namespace jointrig::app {

/// One line, and below it what else failed:
///
///     PASS  hold      drift of elbow 0.012 deg, at most 0.2 deg
///     FAIL  move      overshoot of wrist 18 %, at most 5 %
///                     overshoot of elbow 7 %, at most 5 %
///     n/a   guide     no arm with a tool in the robot's file
std::vector<std::string> check_lines(CheckKind kind, const harness::Result& result);

/// Notes on single joints, "light elbow: why", at most two that begin with the same words; the
/// others as one line with their joints: "light wrist, finger likewise (-v says how)".
std::vector<std::string> shortened(const std::vector<std::string>& notes);

/// Joints whose metrics or boards failed, worst first.
std::vector<std::string> failing_joints(const harness::Result& result);

}  // namespace jointrig::app
