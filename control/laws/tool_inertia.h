#pragma once

#include "control/laws/cholesky.h"

namespace jointrig {

/// Along what the spring and the inertia of a tool were diagonal together when that was last worked
/// out. From one cycle to the next it hardly changes.
struct DampingModes {
  Matrix6 directions = Matrix6::Identity();
  bool known = false;
};

/// How easily an arm's tool moves:
///
///     A = J M⁻¹ Jᵀ = U diag(a) Uᵀ          (6, 6) [1/kg, 1/(kg·m), 1/(kg·m²)]
///     Λ = A⁻¹                              inertia felt at the tool [kg, kg·m, kg·m²]
///
/// Near a singularity some aᵢ go to 0: nothing moves the tool that way, and Λ grows without bound.
/// An aᵢ below `floor` is therefore taken as floor where Λ says how heavy the tool is (damping),
/// and as floor²/aᵢ where Λ takes torque out of the posture (consistent_inverse): there the
/// direction fades out of the projector, so that the posture may use joints which can't move the
/// tool anyhow. Both are continuous in A.
///
/// Where the floor is surely out of reach, since 1 / trace(Λ) is a bound below all aᵢ, none of them
/// is needed: Λ comes from A = L Lᵀ, at a sixth of the price of A's eigenvalues.
///
/// (Khatib 1987, "A unified approach for motion and force control of robot manipulators".)
class ToolInertia {
 public:
  /// A tool that feels heavier than this can't be moved that way: a choice, [1/kg, 1/(kg·m²)].
  static constexpr double kFloor = 0.01;

  /// @param floor  as above; another where A isn't made with an inertia
  explicit ToolInertia(double floor = kFloor) noexcept : floor_(floor) {}

  /// @param mass_solved  M⁻¹ Jᵀ, as (6, n): its transpose
  void update(const ArmJacobian& jacobian, const ArmJacobian& mass_solved) noexcept;

  [[nodiscard]] const Matrix6& mobility() const noexcept { return mobility_; }

  /// Λ with the floor in it: bounded by 1/floor.
  [[nodiscard]] Matrix6 inertia() const noexcept;

  /// Λ with directions below the floor faded out.
  [[nodiscard]] Matrix6 consistent_inverse() const noexcept;

  /// The smallest aᵢ: below kFloor the arm is near a singularity.
  [[nodiscard]] double least_mobility() const noexcept;

  /// Damping that gives each of the six modes of the tool, on the spring K and with the inertia
  /// that it feels there, the damping ratio asked for:
  ///
  ///     K x = λ Λ x,  Qᵀ Λ Q = 1,  Qᵀ K Q = diag(λ)
  ///     D = 2 ζ Q⁻ᵀ diag(√λ) Q⁻¹
  ///
  /// (Albu-Schäffer, Ott, Frese, Hirzinger 2003, "Cartesian impedance control of redundant robots:
  /// recent results with the DLR-light-weight-arms", double diagonalisation.)
  /// @param stiffness  symmetric, positive semidefinite
  [[nodiscard]] Matrix6 damping(const Matrix6& stiffness, double ratio) const noexcept;

  /// The same, to three parts in 10⁴, for who asks each cycle: along the modes of an earlier one
  /// the matrix is nearly diagonal, diag(d) + E, and its root is, to first order,
  ///
  ///     Sᵢᵢ = √dᵢ,   Sᵢⱼ = Eᵢⱼ / (√dᵢ + √dⱼ)
  ///
  /// at a fifth of the price of eigenvectors. They are worked out again as soon as an Eᵢⱼ is larger
  /// than kNearlyDiagonal √(dᵢ dⱼ), which makes an error of some E² / 2.
  /// @param modes  of the last cycle; brought up to date
  [[nodiscard]] Matrix6 damping(const Matrix6& stiffness, double ratio,
                                DampingModes& modes) const noexcept;
  static constexpr double kNearlyDiagonal = 0.02;

 private:
  void roots(Matrix6& l, Matrix6& l_inverse) const noexcept;

  double floor_;
  Matrix6 mobility_ = Matrix6::Identity();
  bool is_regular_ = true;  // no aᵢ is below the floor
  // Of a regular one:
  SixRoots roots_ = SixRoots::of_identity();
  // Of another:
  Matrix6 vectors_ = Matrix6::Identity();  // U
  Vector6 values_ = Vector6::Ones();       // a, rising
};

}  // namespace jointrig
