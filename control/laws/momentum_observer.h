#pragma once
/// Torque that acts on a joint and comes from no motor: of a contact, a hand, an unknown load.

namespace jointrig {

/// The momentum of a joint changes by all torques that act on it,
///
///     dp/dt = tau + β + tau_ext        p = M(q) v,  β = C(q, v)ᵀ v − g(q) − friction
///
/// since dM/dt = C + Cᵀ. The observer integrates what it knows of and compares:
///
///     r = K (p − p₀ − ∫ (tau + β + r) dt)        so that  dr/dt = K (tau_ext − r)
///
/// needs no acceleration, and each joint's r hears nothing of the others' (De Luca, Mattone 2003,
/// "Actuator failure detection and isolation using generalized momenta"; De Luca et al. 2006,
/// "Collision detection and safe reaction with the DLR-III"). Over one cycle, tau constant in it
/// and β the mean of both its ends, that is
///
///     r_k = r_{k−1} + s ((p_k − p_{k−1})/dt − tau_k − (β_{k−1} + β_k)/2 − r_{k−1})
///     s   = 1 − e^{−K dt}
///
/// which has the time constant 1/K whatever K dt, and no integral that could drift. What isn't in
/// the model is in r: a payload that nobody told of, errors of masses and friction.
///
/// Plain data: copied, saved and restored as it is. For the cycle.
class MomentumObserver {
 public:
  /// From here on, with nothing external.
  void restart() noexcept { *this = {}; }

  /// A cycle of which nothing is known: what was found stays, and counts on from the next.
  void pause() noexcept { runs_ = false; }

  /// @param momentum  p at the end of the cycle [N·m·s or N·s]
  /// @param known     β there [N·m or N]
  /// @param tau       of the motor, in the cycle [N·m or N]
  /// @param share     s
  void advance(double momentum, double known, double tau, double share, double dt) noexcept {
    if (runs_) {
      const double all = (momentum - momentum_) / dt;
      external_ += share * (all - tau - 0.5 * (known + known_) - external_);
    }
    momentum_ = momentum;
    known_ = known;
    runs_ = true;
  }

  /// r [N·m or N]; 0 at its start.
  [[nodiscard]] double external() const noexcept { return external_; }

 private:
  double momentum_ = 0.0;
  double known_ = 0.0;
  double external_ = 0.0;
  bool runs_ = false;
};

}  // namespace jointrig
