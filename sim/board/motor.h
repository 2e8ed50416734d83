#pragma once
/// Winding, current loop and output stage of a drive, in units of the joint (after the gear).

#include "sim/board/board_spec.h"

namespace jointrig::sim {

struct MotorState {
  double current_A = 0.0;      ///< present current
  double expected_A = 0.0;     ///< current that would flow with a working output stage
  double temperature_C = 0.0;  ///< of the winding

  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    const auto& [current, expected, temperature] = *this;
    hash.add(current, expected, temperature);
  }
};

/// A direct-current motor behind an ideal gear. With kt joint torque per ampere, energy is
/// conserved only if the back-EMF per joint speed is the same kt:
///
///     tau = kt i        U_terminal = R i + kt v        |U_terminal| <= U_supply
///
/// so at speed v the current lies within [(-U - kt v)/R, (U - kt v)/R], the torque at rest is at
/// most kt U/R and the no-load speed U/kt. Beyond the no-load speed the stage's diodes brake, with
/// at most current_max. The winding's inductance appears only as the bandwidth of the current loop,
/// a first-order lag, discretised exactly; an interval's torque is the mean over the interval.
///
/// Back-EMF damps with kt²/R. If an inertia I is so light that this takes less than a period dt, a
/// torque held for a whole period would reverse the joint. For brakes and duty R then counts as kt²
/// dt / I, which brings the joint to the no-load speed within the period.
///
/// Winding: C dT/dt = R i² - (T - ambient)/R_th, thermal_time = R_th C, discretised exactly.
class Motor {
 public:
  explicit Motor(const BoardSpec& spec) noexcept;

  /// Current that duty · U at the terminals drives against the back-EMF [A].
  [[nodiscard]] double current_of_duty(double duty, double supply_V, double v) const noexcept {
    return (duty * supply_V - kt_ * v) / braking_ohm_;
  }
  [[nodiscard]] double current_of_torque(double tau) const noexcept { return tau / kt_; }
  [[nodiscard]] double torque_of_current(double i) const noexcept { return kt_ * i; }

  /// Limits a wanted current: by the drive's limits, then by supply minus back-EMF.
  /// @param share  share of its torque limit that the drive allows, 0 to 1
  [[nodiscard]] double possible(double wanted_A, double supply_V, double v,
                                double share = 1.0) const noexcept;

  /// Runs one interval with the setpoint `wanted_A`; returns the mean torque [N·m or N].
  double drive(double wanted_A, bool stage_alive, MotorState& state) const noexcept;

  /// Runs one interval with the output stage off: no current.
  void rest(MotorState& state) const noexcept;

 private:
  void warm(double current_A, MotorState& state) const noexcept;

  double kt_;
  double resistance_;
  double braking_ohm_;  ///< resistance for the back-EMF
  double limit_A_;      ///< current limit of control: current_max, and tau_max of a rigid joint
  double max_A_;
  /// Share of the step to the wanted current reached at an interval's end.
  double end_share_ = 1.0;
  double mean_share_ = 1.0;  ///< its mean over an interval
  double warm_share_;
  double thermal_resistance_;
  double ambient_C_;
};

}  // namespace jointrig::sim
