#pragma once

#include <span>
#include <string>

#include "harness/runner/result.h"

namespace jointrig::harness {

/// JUnit XML as CI servers read it: a suite for each scenario, a case for each step, assertion and
/// metric. What the robot did wrong is a failure; what kept the scenario from being judged is an
/// error; what was not reached or needs something missing is skipped. Where a run as a whole went
/// wrong (could not run, timeout, not deterministic) and no case says so, a case `run` does. A
/// scenario that failed as expected has its failures as skipped cases.
std::string to_junit(std::span<const Result> results);

}  // namespace jointrig::harness
