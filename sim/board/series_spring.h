#pragma once
/// Motor and spring of a series elastic joint, one step of the physics at a time.

#include "sim/board/spring_hysteresis.h"

namespace jointrig::sim {

/// State of the motor behind the spring, after the gear. Plain data.
struct SpringState {
  double q = 0.0;       ///< position; equal to the joint's q: the spring is slack [rad or m]
  double v = 0.0;       ///< [rad/s or m/s]
  double torque = 0.0;  ///< torque of the spring on the joint, in the last step [N·m or N]
  double bend = 0.0;    ///< z of the spring's material (spring_hysteresis.h)
};

/// Between motor (inertia J, angle θ, speed ω) and joint (q, v) sits a spring k with a damper d:
///
///     J dω/dt = tau_m - tau        tau = k (θ - q) + d (ω - v)        tau acts on the joint
///
/// The step h is that of the physics, which moves a joint by q⁺ = q + h v⁺; the motor here moves in
/// the same way. The torque in the step uses the spring half a step ahead and the damper at the
/// step's end:
///
///     tau = k δ + K (ω⁺ - v⁺)        δ = θ - q        K = k h / 2 + d
///
/// The motor's own equation gives ω⁺. The joint then gets a torque and a viscous damping, which the
/// physics integrates implicitly:
///
///     ω⁺ = (J ω + h (tau_m - k δ + K v⁺)) / A        A = J + h K
///     tau = α - β v⁺        α = k δ + K (J ω + h (tau_m - k δ)) / A        β = J K / A
///
/// The hysteresis torque of the spring's material, H z at the begin of the step, is added to k δ.
///
/// For a joint of inertia I and d = 0, with w² = k (1/J + 1/I), the eigenvalues of a step have |λ|²
/// = 1 / (1 + h² w² / 2): stable for any step, stiffness and inertias, with an additional numerical
/// damping ratio of h w / 4.
class SeriesSpring {
 public:
  SeriesSpring() noexcept = default;  ///< no spring: a motor without a joint

  /// @param inertia  J, above 0
  /// @param step  h [s]
  SeriesSpring(double inertia, double stiffness, double damping, double step,
               SpringHysteresis material = {}) noexcept
      : material_(material),
        inertia_(inertia),
        stiffness_(stiffness),
        grip_(0.5 * step * stiffness + damping),
        sum_(inertia + step * grip_),
        step_(step) {}

  /// β [N·m·s/rad or N·s/m]
  [[nodiscard]] double damping_on_joint() const noexcept { return inertia_ * grip_ / sum_; }

  /// α, for a joint that stands at q [N·m or N].
  [[nodiscard]] double pull(double motor_torque, double q,
                            const SpringState& motor) const noexcept {
    const double spring = stiffness_ * (motor.q - q) + material_.torque(motor.bend);
    return spring + grip_ * (inertia_ * motor.v + step_ * (motor_torque - spring)) / sum_;
  }

  /// Computes the motor's step from the joint's, which ends at q with speed v.
  void follow(double motor_torque, double q, double v, SpringState& motor) const noexcept {
    const double deflection = motor.q - (q - step_ * v);
    const double spring = stiffness_ * deflection + material_.torque(motor.bend);
    motor.v = (inertia_ * motor.v + step_ * (motor_torque - spring + grip_ * v)) / sum_;
    motor.q += step_ * motor.v;
    motor.torque = spring + grip_ * (motor.v - v);
    motor.bend = material_.advanced(motor.bend, motor.q - q - deflection);
  }

 private:
  SpringHysteresis material_;
  double inertia_ = 1.0;
  double stiffness_ = 0.0;
  double grip_ = 0.0;  ///< K
  double sum_ = 1.0;   ///< A
  double step_ = 0.0;
};

}  // namespace jointrig::sim
