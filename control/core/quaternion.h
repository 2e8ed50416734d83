#pragma once
/// Unit quaternions as plain numbers, for code that passes poses on and does not compute with them.

#include <array>
#include <cmath>

namespace jointrig {

using Quaternion = std::array<double, 4>;  ///< w x y z

/// a ⊗ b: b's rotation first, then a's.
constexpr Quaternion product(const Quaternion& a, const Quaternion& b) noexcept {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

/// Inverse rotation.
constexpr Quaternion inverse(const Quaternion& q) noexcept { return {q[0], -q[1], -q[2], -q[3]}; }

/// Rotation about the vector (x, y, z), by its length [rad].
inline Quaternion of_turn(double x, double y, double z) noexcept {
  const double angle = std::sqrt(x * x + y * y + z * z);
  const double share = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
  return {std::cos(0.5 * angle), share * x, share * y, share * z};
}

/// q v q⁻¹: v rotated by q.
constexpr std::array<double, 3> turned(const Quaternion& q,
                                       const std::array<double, 3>& v) noexcept {
  const Quaternion r = product(product(q, {0.0, v[0], v[1], v[2]}), inverse(q));
  return {r[1], r[2], r[3]};
}

}  // namespace jointrig
