#pragma once
/// Common parts of the checks of stability at the start: poses, lags, margins.

#include <vector>

#include "control/joint/joint_control.h"
#include "control/laws/sampled_loop.h"

namespace jointrig {

/// Smallest factor on the true inertia, up or down, that each loop should bear: a choice.
inline constexpr double kInertiaMargin = 1.5;

/// Poses that are looked at, beside the start: a choice.
inline constexpr int kPosesOfMargin = 6;

/// Growth from which a loop swings up, in e-folds [1/s]: a choice, above rounding.
inline constexpr double kGrows = 0.05;

/// The start, and poses of all joints uniform over their ranges (half a turn, or 0.5 m, around the
/// start at most), the same at every call.
std::vector<RobotState> poses_of_margin(const RobotConfig& robot);

/// Lags and delay of a joint that takes torque; without a law.
/// @param delay_cycles  from a sample to its torque [cycles of the bus]
LoopJoint lags_of(const JointSetup& setup, int delay_cycles);

}  // namespace jointrig
