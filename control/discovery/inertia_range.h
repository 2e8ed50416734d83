#pragma once
/// How the inertia that a motor feels changes over the poses of a robot.

#include <vector>

#include "control/discovery/survey.h"

namespace jointrig {

/// [kg·m² or kg]
struct InertiaRange {
  double start = 0.0;   ///< in the start pose
  double low = 0.0;     ///< smallest met
  double median = 0.0;  ///< of the poses looked at
  double high = 0.0;    ///< largest met
};

/// By controlled joint. Looks at the start and at kPosesLookedAt poses drawn evenly over the ranges
/// of the controlled joints (half a turn, or 0.5 m, to both sides of the start where there is no
/// range), the same at every call. What equality constraints add is taken to grow alike.
std::vector<InertiaRange> inertia_ranges(const Survey& survey, const RobotConfig& robot);

inline constexpr int kPosesLookedAt = 200;  ///< a choice: some ms for an arm

/// The one inertia that gains are made for, so that they hold in every pose: the start's; the
/// median where that is far above (an arm that starts stretched out); at most kAboveLow times the
/// smallest, where 42° of phase margin are left of 56°. (At a fifth of it they are gone.)
double inertia_for_gains(const InertiaRange& range) noexcept;

inline constexpr double kAboveLow = 2.0;

}  // namespace jointrig
