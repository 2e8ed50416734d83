#pragma once
/// The closed loop of all joints in one pose, sampled and delayed: linear, without limits.

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "control/laws/servo_law.h"

namespace jointrig {

/// Law and lags of a joint. Without `is_computed` it is the PID, or the compliant law with ki = 0:
///
///     τ = kp e + ki ∫e dt + kd ė
///     τ = M̂ (ω² e + 2ζω ė_f) − r     computed torque, with the observed load r
struct LoopJoint {
  bool is_computed = false;
  ServoDesign servo{};
  double kp = 0.0;            ///< [N·m/rad or N/m]
  double ki = 0.0;            ///< [N·m/(rad·s) or N/(m·s)]
  double kd = 0.0;            ///< [N·m·s/rad or N·s/m]
  double viscous = 0.0;       ///< of the joint itself [N·m·s/rad or N·s/m]
  double velocity_lag = 0.0;  ///< time constant of the velocity that the law gets [s]
  double torque_lag = 0.0;    ///< time constant of the torque loop [s]
  int cycle = 1;              ///< between two commands on the bus [periods of the loop]
  int delay = 0;              ///< between a sample and its torque [cycles of the bus]
};

/// Springs and dampers between joints, in place of their own laws: an arm's tool and posture, seen
/// from its joints.
///
///     τ = −K q − D v
struct CoupledGains {
  Eigen::MatrixXd stiffness;  ///< K (n, n) [N·m/rad, N, N/m]
  Eigen::MatrixXd damping;    ///< D (n, n) [N·m·s/rad, N·s, N·s/m]
};

/// The motion that lasts longest.
struct LoopGrowth {
  double rate = 0.0;          ///< of the amplitude, in e-folds [1/s]; negative: it decays
  std::size_t joint = 0;      ///< that moves most in it, by its energy
  double frequency_hz = 0.0;  ///< 0: it doesn't swing
};

/// Largest eigenvalue of the loop's transition over one period, by power iteration over 3 s, or
/// until only e^-12 of the start is left: the rate is ln |λ| / dt. Plants integrate M q̈ = τ − b q̇
/// exactly for the torque of a cycle, with b q̇ of its end.
///
/// @param model   M̂: inertia that the law counts with, (n, n) [kg·m², kg]
/// @param share   true inertia over the model's
/// @param dt      period of the loop [s]
/// @param coupled  replaces the laws in `joints`, of which lags and delays stay; null: there is
/// none
LoopGrowth loop_growth(const std::vector<LoopJoint>& joints, const Eigen::MatrixXd& model,
                       double share, double dt, const CoupledGains* coupled = nullptr);

}  // namespace jointrig
