#pragma once
/// A load: a rigid body at an arm's flange, the frame that robot.yaml names as the arm's tool.
///
///     mass      [kg]
///     centre    its centre of mass, in the flange frame [m]
///     inertia   Ixx Iyy Izz Ixy Ixz Iyz about that centre, along the axes of the flange frame
///               [kg·m²]; Ixy = −∫ x y dm, as in the tensor. All 0: a point mass

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

namespace jointrig {

using LoadInertia = std::array<double, 6>;

struct KnownPayload {
  double mass = 0.0;
  std::array<double, 3> centre{};
  LoadInertia inertia{};
  bool operator==(const KnownPayload&) const = default;
};

/// A violation of what a rigid body can have.
///
///     no mass    inertia without a mass: limit = value = largest moment
///     negative   value = the least principal moment, below 0
///     triangle   value = the largest principal moment, above limit = the sum of the other two
struct LoadFlaw {
  bool is_flawed = false;
  double value = 0.0;  ///< [kg·m²]
  double limit = 0.0;  ///< [kg·m²]
  explicit operator bool() const noexcept { return is_flawed; }
};

/// Principal moments, rising (Smith 1961, "Eigenvalues of a symmetric 3 × 3 matrix") [kg·m²].
inline std::array<double, 3> principal_moments(const LoadInertia& inertia) noexcept {
  const auto& [xx, yy, zz, xy, xz, yz] = inertia;
  const double mean = (xx + yy + zz) / 3.0;
  const double x = xx - mean;
  const double y = yy - mean;
  const double z = zz - mean;
  const double p = std::sqrt((x * x + y * y + z * z + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0);
  if (!(p > 0.0)) return {mean, mean, mean};
  const double determinant =
      x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  const double angle = std::acos(std::clamp(determinant / (2.0 * p * p * p), -1.0, 1.0)) / 3.0;
  const double largest = mean + 2.0 * p * std::cos(angle);
  const double least = mean + 2.0 * p * std::cos(angle + 2.0 * std::numbers::pi / 3.0);
  return {least, 3.0 * mean - largest - least, largest};
}

/// @param inertia  finite numbers; to a millionth of its largest moment it counts as possible: a
/// thin plate, rounded
inline LoadFlaw find_flaw(double mass, const LoadInertia& inertia) noexcept {
  const auto [least, middle, largest] = principal_moments(inertia);
  const double rounding = 1e-6 * std::max(std::abs(least), std::abs(largest));
  if (least < -rounding) return {true, least, 0.0};
  if (largest > least + middle + rounding) return {true, largest, least + middle};
  if (mass == 0.0 && largest > 0.0) return {true, largest, largest};
  return {};
}

/// The flaw as a sentence, with the way out.
[[nodiscard]] std::string describe_flaw(double value, double limit);

/// Two loads as one rigid body.
inline KnownPayload sum_of_loads(const KnownPayload& one, const KnownPayload& other) noexcept {
  KnownPayload sum;
  sum.mass = one.mass + other.mass;
  if (sum.mass <= 0.0) return sum;
  std::array<double, 3> between{};
  for (std::size_t i = 0; i < 3; ++i) {
    sum.centre[i] = (one.mass * one.centre[i] + other.mass * other.centre[i]) / sum.mass;
    between[i] = one.centre[i] - other.centre[i];
  }
  const auto& [x, y, z] = between;
  // Steiner, about the common centre: the distance of both centres counts with the reduced mass.
  const double reduced = one.mass * other.mass / sum.mass;
  const LoadInertia steiner{y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
  for (std::size_t i = 0; i < 6; ++i) {
    sum.inertia[i] = one.inertia[i] + other.inertia[i] + reduced * steiner[i];
  }
  return sum;
}

/// A share of a load: the same body, of less density.
inline KnownPayload share_of(const KnownPayload& load, double share) noexcept {
  KnownPayload part = load;
  part.mass *= share;
  for (double& moment : part.inertia) moment *= share;
  return part;
}

/// A mix of two loads: `share` of the one and the rest of the other. It is a rigid body, and all
/// torques change linearly with the share.
inline KnownPayload mix_loads(const KnownPayload& one, double share,
                              const KnownPayload& other) noexcept {
  return sum_of_loads(share_of(one, share), share_of(other, 1.0 - share));
}

}  // namespace jointrig
