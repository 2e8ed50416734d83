#pragma once
/// The torque loop of a series elastic drive, as in its firmware.

#include "sim/board/board_spec.h"

namespace jointrig::sim {

/// Torque is measured by the spring's deflection, tau = k round(δ / step) step. The loop makes the
/// motor's torque from it:
///
///     tau_m = tau_ref + a (tau_ref - tau) - c dtau/dt        1 + a = max(1, J w² / k)
///                                                             c = 2 w J / k
///
/// With the joint held, J/k d²tau/dt² = tau_m - tau, so tau follows tau_ref as a second-order
/// system at w = 2 π deflection_bandwidth, critically damped; the delay of its own cycle reduces
/// the damping. At rest tau = tau_ref for any gains. The joint feels J / (1 + a) of the motor's
/// inertia.
class DeflectionLoop {
 public:
  explicit DeflectionLoop(const BoardSpec& spec) noexcept;

  /// round(δ / step) step
  [[nodiscard]] double read(double deflection) const noexcept;
  [[nodiscard]] double torque(double read) const noexcept { return stiffness_ * read; }

  /// @param tau  measured torque
  /// @param rate  its rate [N·m/s or N/s]
  [[nodiscard]] double motor_torque(double wanted, double tau, double rate) const noexcept {
    return wanted + gain_ * (wanted - tau) - damping_ * rate;
  }

 private:
  double stiffness_;
  double step_;
  double gain_ = 0.0;     ///< a
  double damping_ = 0.0;  ///< c [s]
};

}  // namespace jointrig::sim
