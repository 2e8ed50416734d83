#pragma once
/// A joint for tests of motion.

#include "control/core/robot_config.h"
#include "control/motion/reference_generator.h"

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

/// Room of a motor that has ample torque and torque rate: 4 a_max within 10 ms.
inline constexpr MotionRoom kRoom{.a = 40.0, .jerk = 4000.0};

inline ReferenceGenerator with_room() noexcept {
  ReferenceGenerator generator;
  generator.set_room(kRoom);
  return generator;
}

}  // namespace jointrig
