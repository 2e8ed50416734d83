#pragma once

#include <string>
#include <vector>

#include "harness/runner/result.h"

namespace jointrig::harness {

/// A scenario on the terminal: one line,
///
///     PASS  elbow_toggle                    12.0 s in 0.14 s (86x)
///     FAIL  lift[payload=2kg]                5.1 s in 0.08 s (64x)
///           failed always abs(each.q_err) < 2 deg  (lift.yaml:31:7)
///             expected always abs(r_elbow.q_err) < 2 deg
///             got      abs(r_elbow.q_err) = 2.007 deg, at 4.213 s
///                      worst abs(r_elbow.q_err) = 3.12 deg, at 4.5 s; in 800 of 5100 cycles
///
/// and below it, indented, failures and warnings with expected and got, and the notes for the
/// author. No colours: the caller knows the terminal.
///
/// @param verbose prints every verdict, with the margin of passed ones
std::vector<std::string> console_lines(const Result& result, bool verbose = false);

/// Lines for a scenario that was bound to its robot and not run: `ok    lift[payload=2kg]`, or its
/// problems.
std::vector<std::string> lines_of_check(const Result& result);

/// `12 passed, 1 failed, 1 skipped`
std::string summary_line(const std::vector<Outcome>& outcomes);

}  // namespace jointrig::harness
