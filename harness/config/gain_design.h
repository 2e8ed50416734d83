#pragma once
/// The stiff law's gains from quantities that people know. On an inertia I with viscous friction b
/// the gains of control/discovery/default_gains.h are, with natural frequency w and damping ratio z
///
///     kp = I w^2 + b w      kd = 2 z I w      ki = c kp w
///
/// Each of these functions changes one of I, w and z and keeps the others, and c. They need I > 0.

#include "control/core/robot_config.h"

namespace jointrig::harness {

/// Also keeps the natural frequency and the damping ratio of the compliant law.
void change_inertia(JointConfig& joint, double inertia);
void change_bandwidth(JointConfig& joint, double bandwidth_hz);
void change_damping_ratio(JointConfig& joint, double damping_ratio);

}  // namespace jointrig::harness
