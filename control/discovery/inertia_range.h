#pragma once
/// Inertia that a motor feels over the poses of a robot: its range of inertia, and the most of
/// weight.

#include <vector>

#include "control/discovery/survey.h"

namespace jointrig {

/// [kg·m² or kg]
struct InertiaRange {
  double start = 0.0;   ///< in the start pose
  double low = 0.0;     ///< smallest of the poses
  double median = 0.0;  ///< median of the poses
  double high = 0.0;    ///< largest of the poses
  /// Largest torque that holds the joint at rest in one of the poses, either way [N·m or N]
  double weight = 0.0;
};

/// Returns the range for each controlled joint, from the start pose and kPosesLookedAt random
/// poses, uniform over the ranges of the controlled joints (without a range half a turn, or 0.5 m,
/// to both sides of the start), the same at every call. The inertia that equality constraints add
/// is assumed to grow in proportion.
std::vector<InertiaRange> inertia_ranges(const Survey& survey, const RobotConfig& robot);

inline constexpr int kPosesLookedAt = 200;  ///< a choice: some ms for an arm

/// The inertia for which gains are computed, so that they are stable in every pose: the start's, or
/// the median if the start's is far above it (an arm that starts stretched out), but at most
/// kAboveLow times the smallest. At that bound 42° of 56° phase margin remain; at a fifth of the
/// inertia none does.
double inertia_for_gains(const InertiaRange& range) noexcept;

inline constexpr double kAboveLow = 2.0;

}  // namespace jointrig
