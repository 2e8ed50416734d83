#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace jointrig {

/// Torques for wanted accelerations a_w, when some motors can't give theirs:
///
///     τ = M (a_w + μ) + h,   low ≤ τ ≤ high,   μ_i ≠ 0 only where τ_i is at its bound
///
/// The other joints get the accelerations that they want while those at a bound move as their
/// bounded torque lets them. It is Gauss's principle of least constraint: of all accelerations that
/// the motors can give, this one is nearest to a_w in the metric of the inertia,
///
///     min (a − a_w)ᵀ M (a − a_w)   so that   low ≤ M a + h ≤ high
///
/// so there is one solution, and it is continuous in a_w. Bounding each torque by itself gives the
/// others torques that count on accelerations which never come: an elbow that brakes beside a
/// saturated shoulder turns back, and throws the shoulder on.
///
/// Solved for μ, whose signs are known, by the active set of Lawson and Hanson (1974, "Solving
/// Least Squares Problems", 23.3). Functions are for the cycle unless they say otherwise.
class LeastConstraint {
 public:
  struct Bounds {
    double low = 0.0;
    double high = 0.0;
  };

  /// Not for the cycle.
  explicit LeastConstraint(std::size_t joint_count);

  /// Changes the torques of wanted accelerations into those above.
  ///
  /// @param inertia  M: (n, n), symmetric, positive definite [kg·m², kg]
  /// @param bounds   by joint; infinite for a joint that is to have what it wants [N·m or N]
  /// @param torques  in: M a_w + h, out: τ; of a joint at a bound the one beyond it stays, so that
  ///                 what bounds it later can say so [N·m or N]
  /// @return true if a torque was beyond its bound
  bool apply(const Eigen::MatrixXd& inertia, std::span<const Bounds> bounds,
             std::span<double> torques) noexcept;

  /// μ: what the last apply() took from the acceleration of a joint [rad/s² or m/s²]
  [[nodiscard]] double change(std::size_t joint) const noexcept { return mu_[joint]; }

 private:
  struct Bounded {
    std::size_t joint = 0;
    double bound = 0.0;
    double side = 1.0;  // of the bound: −1 low, 1 high; μ has the other sign
  };
  [[nodiscard]] Bounded beyond(std::size_t joint, const Bounds& bounds) const noexcept;
  bool take_worst(const Eigen::MatrixXd& inertia, std::span<const Bounds> bounds) noexcept;
  void solve_set(const Eigen::MatrixXd& inertia, std::span<const double> wanted) noexcept;
  bool step_to_solution() noexcept;
  void find_torques(const Eigen::MatrixXd& inertia, std::span<const double> wanted) noexcept;

  std::vector<Bounded> set_;      // S: joints at a bound
  std::vector<double> solution_;  // of S: M_SS⁻¹ (bound − wanted torque)
  Eigen::MatrixXd root_;          // L of M_SS
  std::vector<double> mu_;        // by joint; 0 outside of S
  std::vector<double> torques_;   // by joint: M (a_w + μ) + h
};

}  // namespace jointrig
