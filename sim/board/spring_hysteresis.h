#pragma once
/// Torque that the material of a series spring adds to stiffness times deflection.

#include <cmath>

namespace jointrig::sim {

/// A torque H z that opposes the last motion of the spring's deflection δ:
///
///     dz/dδ = (s − z) / δ_h        s = sign(dδ), z within −1..1
///
/// (Dahl 1968, "A solid friction model", exponent 1). Exact for a deflection in one direction:
///
///     z⁺ = s − (s − z) e^{−|Δδ| / δ_h}
///
/// In a steady oscillation of δ between ± D, z is ± tanh(D / δ_h) at the ends, and a cycle
/// dissipates the energy 4 H (D − δ_h tanh(D / δ_h)).
class SpringHysteresis {
 public:
  SpringHysteresis() noexcept = default;  ///< no hysteresis

  /// @param most  H [N·m or N]; 0: none
  /// @param reach  δ_h, above 0 [rad or m]
  SpringHysteresis(double most, double reach) noexcept : most_(most), reach_(reach) {}

  [[nodiscard]] bool is_there() const noexcept { return most_ > 0.0; }

  /// z after this change of the deflection.
  [[nodiscard]] double advanced(double z, double change) const noexcept {
    if (most_ <= 0.0 || change == 0.0) return z;
    const double side = std::copysign(1.0, change);
    return side - (side - z) * std::exp(-std::abs(change) / reach_);
  }

  [[nodiscard]] double torque(double z) const noexcept { return most_ * z; }

 private:
  double most_ = 0.0;
  double reach_ = 1.0;
};

}  // namespace jointrig::sim
