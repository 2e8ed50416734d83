#pragma once
/// A joint for tests of motion.

#include "control/core/robot_config.h"

namespace jointrig {

inline constexpr double kDt = 1e-3;
inline constexpr JointLimits kLimits{.q_min = -2.0,
                                     .q_max = 2.0,
                                     .soft_margin = 0.1,
                                     .v_max = 2.0,
                                     .a_max = 10.0,
                                     .tau_max = 1.0,
                                     .tau_rate_max = 1.0,
                                     .step_max = 0.02};

}  // namespace jointrig
