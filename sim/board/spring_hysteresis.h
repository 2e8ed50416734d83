#pragma once
/// What the material of a series spring adds to stiffness times deflection.

#include <cmath>

namespace jointrig::sim {

/// A torque H z that leans against the last motion of the spring's deflection δ:
///
///     dz/dδ = (s − z) / δ_h        s = sign(dδ), z within −1..1
///
/// (Dahl 1968, "A solid friction model", exponent 1). Exact for a deflection that goes one way:
///
///     z⁺ = s − (s − z) e^{−|Δδ| / δ_h}
///
/// Where δ swings between ± D for good, z is ± tanh(D / δ_h) where it turns, and a cycle takes the
/// energy 4 H (D − δ_h tanh(D / δ_h)).
class SpringHysteresis {
 public:
  SpringHysteresis() noexcept = default;  ///< none

  /// @param most   H [N·m or N]; 0: none     @param reach  δ_h, above 0 [rad or m]
  SpringHysteresis(double most, double reach) noexcept : most_(most), reach_(reach) {}

  [[nodiscard]] bool is_there() const noexcept { return most_ > 0.0; }

  /// z after the deflection has changed by so much.
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
