#pragma once

#include <span>
#include <string>

#include "harness/runner/result.h"

namespace jointrig::harness {

/// JUnit XML as CI servers read it: a suite for each scenario, a case for each step, assertion and
/// metric. A failure is an error of the robot; an error is a reason why the scenario could not be
/// judged; a skipped case was not reached or lacks a requirement. If a run failed as a whole (could
/// not run, timeout, not deterministic) without a case for it, a case `run` reports it. Failures of
/// a scenario that failed as expected are skipped cases.
std::string to_junit(std::span<const Result> results);

}  // namespace jointrig::harness
