#pragma once
/// External torque on a joint, which comes from no motor: of a contact, a hand, an unknown load.

namespace jointrig {

/// All torques on a joint change its momentum,
///
///     dp/dt = tau + β + tau_ext        p = M(q) v,  β = C(q, v)ᵀ v − g(q) − friction
///
/// since dM/dt = C + Cᵀ. The observer integrates the known torques and compares:
///
///     r = K (p − p₀ − ∫ (tau + β + r) dt)        so that  dr/dt = K (tau_ext − r)
///
/// needs no acceleration, and each joint's r is independent of the others' (De Luca, Mattone 2003,
/// "Actuator failure detection and isolation using generalized momenta"; De Luca et al. 2006,
/// "Collision detection and safe reaction with the DLR-III"). With tau constant in a cycle and β
/// the mean of both its ends this is
///
///     r_k = r_{k−1} + s ((p_k − p_{k−1})/dt − tau_k − (β_{k−1} + β_k)/2 − r_{k−1})
///     s   = 1 − e^{−K dt}
///
/// which has the time constant 1/K for any K dt, and no integral that could drift. r contains all
/// that the model lacks: an unknown payload, errors of masses and friction.
///
/// Plain data: copied, saved and restored as it is. For the cycle.
class MomentumObserver {
 public:
  /// Starts again, with no external torque.
  void restart() noexcept { *this = {}; }

  /// Skips a cycle with unknown torques: the estimate stays, and the next advance() continues from
  /// it.
  void pause() noexcept { runs_ = false; }

  /// Takes a change of the masses into account, which comes from no torque.
  /// @param change  of p, since the last advance() [N·m·s or N·s]
  void shift(double change) noexcept { momentum_ += change; }

  /// @param momentum  p at the end of the cycle [N·m·s or N·s]
  /// @param known  β there [N·m or N]
  /// @param tau  torque of the motor, in the cycle [N·m or N]
  /// @param share  s
  void advance(double momentum, double known, double tau, double share, double dt) noexcept {
    if (runs_) {
      const double all = (momentum - momentum_) / dt;
      external_ += share * (all - tau - 0.5 * (known + known_) - external_);
    }
    momentum_ = momentum;
    known_ = known;
    runs_ = true;
  }

  /// r [N·m or N]; 0 at the start.
  [[nodiscard]] double external() const noexcept { return external_; }

 private:
  double momentum_ = 0.0;
  double known_ = 0.0;
  double external_ = 0.0;
  bool runs_ = false;
};

}  // namespace jointrig
