#pragma once
/// Results as a run would give them, computed from closed forms: joints that follow minimum-jerk
/// moves with a lag, torques of a pendulum, noise of a fixed generator.

#include <string>
#include <vector>

#include "harness/runner/result.h"

namespace jointrig::testing {

struct MadeUp {
  int joints = 2;       ///< of them, the first two are asked something
  double length = 6.0;  ///< [s]
  bool fails = false;   ///< the first joint's encoder freezes, and an expectation with it
};

/// Names are `r_elbow`, `r_wrist`, `joint_2`, ...
harness::Result made_up_result(const MadeUp& wish);

/// `q` of the first joint at a time, computed separately [rad]: the reference of a test.
double made_up_position(double time);

}  // namespace jointrig::testing
