#pragma once

#include <string>
#include <vector>

#include "scenarios/runner/result.h"

namespace jointrig {

/// A scenario on the terminal: one line,
///
///     PASS  elbow_toggle                    12.0 s in 0.14 s (86x)
///     FAIL  lift[payload=2kg]                5.1 s in 0.08 s (64x)
///           always abs(each.q_err) < 2 deg                            lift.yaml:31:7
///             expected always r_elbow: abs(each.q_err) < 2 deg
///             got      abs(each.q_err) = 3.12 deg, at 4.213 s
///
/// and below it, indented, what failed or warned, with expected against got; the notes for the
/// author. No colours: the caller knows the terminal.
///
/// @param verbose  every verdict, with the margin of those that passed
std::vector<std::string> console_lines(const Result& result, bool verbose = false);

/// `12 passed, 1 failed, 1 skipped`
std::string summary_line(const std::vector<Outcome>& outcomes);

}  // namespace jointrig
