#pragma once

#include "control/laws/cholesky.h"

namespace jointrig {

/// Directions that diagonalise the tool's spring and inertia together, from their last computation.
/// They change little from one cycle to the next.
struct DampingModes {
  Matrix6 directions = Matrix6::Identity();
  bool known = false;
};

/// Mobility and inertia of an arm's tool:
///
///     A = J M⁻¹ Jᵀ = U diag(a) Uᵀ          (6, 6) [1/kg, 1/(kg·m), 1/(kg·m²)]
///     Λ = A⁻¹                              inertia felt at the tool [kg, kg·m, kg·m²]
///
/// Near a singularity some aᵢ go to 0: the joints can't move the tool in that direction, and Λ
/// grows without bound. An aᵢ below the floor, min(`floor`, trace(A) / 1000), is therefore
/// replaced: by floor in inertia() and damping(), by floor²/aᵢ in consistent_inverse(), so that the
/// direction fades out of the posture's projector and the posture may use joints that can't move
/// the tool. Both are continuous in A.
///
/// 1 / trace(Λ) is a lower bound of all aᵢ. If it is above the floor, no eigenvalues are needed: Λ
/// comes from A = L Lᵀ, at a sixth of their cost.
///
/// (Khatib 1987, "A unified approach for motion and force control of robot manipulators".)
class ToolInertia {
 public:
  /// A direction with less mobility counts as immobile: a choice, [1/kg, 1/(kg·m²)].
  static constexpr double kFloor = 0.01;
  /// Or, of an arm that weighs tons, with less than this share of the trace: a choice. Others have
  /// a wrist that is lighter than 0.1 kg·m², so that kFloor is less.
  static constexpr double kShareOfTrace = 1e-3;

  ToolInertia() noexcept = default;
  /// @param floor  the floor itself, whatever the trace: for an A that isn't made with an inertia
  explicit ToolInertia(double floor) noexcept : is_floor_given_(true), floor_(floor) {}

  /// @param mass_solved  M⁻¹ Jᵀ, as (6, n): its transpose
  void update(const ArmJacobian& jacobian, const ArmJacobian& mass_solved) noexcept;

  [[nodiscard]] const Matrix6& mobility() const noexcept { return mobility_; }

  /// Mobility below which a direction counts as immobile.
  [[nodiscard]] double floor() const noexcept { return floor_; }

  /// Λ with the floor in it: bounded by 1/floor.
  [[nodiscard]] Matrix6 inertia() const noexcept;

  /// Λ with directions below the floor faded out.
  [[nodiscard]] Matrix6 consistent_inverse() const noexcept;

  /// The smallest aᵢ: below floor() the arm is near a singularity.
  [[nodiscard]] double least_mobility() const noexcept;

  /// Damping that gives each of the tool's six modes, with the spring K and the tool's inertia Λ,
  /// the wanted damping ratio:
  ///
  ///     K x = λ Λ x,  Qᵀ Λ Q = 1,  Qᵀ K Q = diag(λ)
  ///     D = 2 ζ Q⁻ᵀ diag(√λ) Q⁻¹
  ///
  /// (Albu-Schäffer, Ott, Frese, Hirzinger 2003, "Cartesian impedance control of redundant robots:
  /// recent results with the DLR-light-weight-arms", double diagonalisation.)
  /// @param stiffness  symmetric, positive semidefinite
  [[nodiscard]] Matrix6 damping(const Matrix6& stiffness, double ratio) const noexcept;

  /// The same damping to three parts in 10⁴, for use in each cycle. Along the modes of an earlier
  /// cycle the matrix is nearly diagonal, diag(d) + E, and its root is, to first order,
  ///
  ///     Sᵢᵢ = √dᵢ,   Sᵢⱼ = Eᵢⱼ / (√dᵢ + √dⱼ)
  ///
  /// at a fifth of the cost of eigenvectors. The modes are computed again as soon as an Eᵢⱼ is
  /// larger than kNearlyDiagonal √(dᵢ dⱼ), an error of about E² / 2.
  /// @param modes  of the last cycle; brought up to date
  [[nodiscard]] Matrix6 damping(const Matrix6& stiffness, double ratio,
                                DampingModes& modes) const noexcept;
  static constexpr double kNearlyDiagonal = 0.02;

  /// Cuts the modes of a gain G, a stiffness or a damping, that are too fast for the loop (Qᵀ Λ Q =
  /// 1, Qᵀ G Q = diag(λ)): G ← share G, and
  ///
  ///     share = Q⁻ᵀ diag(s) Qᵀ,   s = 1 for λ ≤ most, else max((most/λ)², most/(2 λ))
  ///
  /// takes from a wrench G x what is too much. A mode just beyond `most` is nearly what was asked
  /// for; one far beyond, which nobody can have meant, gets half of `most`. Modes below `most` are
  /// unchanged, so that a light joint costs no stiffness in the directions that it doesn't move.
  /// Without such modes, which needs no eigenvectors to see, nothing changes.
  /// @param gain  symmetric, positive semidefinite; brought within
  /// @param most  largest λ: LoopBounds [1/s², 1/s]
  /// @param share  written if the gain was cut
  /// @return true if it was cut
  bool cut(Matrix6& gain, double most, Matrix6& share) const noexcept;

 private:
  void roots(Matrix6& l, Matrix6& l_inverse) const noexcept;

  bool is_floor_given_ = false;
  double floor_ = kFloor;
  Matrix6 mobility_ = Matrix6::Identity();
  bool is_regular_ = true;  // no aᵢ is below the floor
  // If regular:
  SixRoots roots_ = SixRoots::of_identity();
  // If not regular:
  Matrix6 vectors_ = Matrix6::Identity();  // U
  Vector6 values_ = Vector6::Ones();       // a, rising
};

}  // namespace jointrig
