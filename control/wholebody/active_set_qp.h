#pragma once
/// A small dense quadratic program, solved for the cycle:
///
///     min ½ xᵀ H x + gᵀ x   so that   low ≤ x ≤ high,   row_low ≤ A x ≤ row_high
///
///     H (n, n)  symmetric, positive definite
///     A (m, n)  rows with row_low = row_high are equalities
///
/// The dual method of Goldfarb and Idnani (1983, "A numerically stable dual method for solving
/// strictly convex quadratic programs"): from the minimum without constraints it takes in the
/// violated ones, most violated first, and lets go of those that pull the wrong way. It keeps
/// H⁻¹ = J Jᵀ and the triangular factor of the active rows, changed by reflections and rotations.
/// A solution is exact to rounding; equalities and active rows are met once more at the end.
///
/// Starts from the active set of the solution before, as far as the new problem still wants it.
/// After construction nothing allocates, locks or throws. One thread at a time.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace jointrig {

struct QuadraticProgram {
  using Matrix = Eigen::Ref<const Eigen::MatrixXd>;
  using Vector = Eigen::Ref<const Eigen::VectorXd>;

  Matrix hessian;   ///< H; the lower triangle is read
  Vector gradient;  ///< g
  Vector low;       ///< -infinity where there is none
  Vector high;
  Matrix rows_transposed;  ///< Aᵀ (n, m): one column for each row
  Vector row_low;
  Vector row_high;
};

/// A constraint of a program: variables' bounds count first, then rows.
using ConstraintIndex = int;

class ActiveSetQp {
 public:
  enum class Outcome : std::uint8_t {
    kSolved,
    kInfeasible,  ///< conflict() names the constraints that can't hold together
    kTooLong,     ///< the bound on iterations was met
    kNotConvex,   ///< H isn't positive definite, or a number isn't finite
  };

  struct Active {
    ConstraintIndex index = 0;
    double side = 1.0;  ///< 1 at the low end, -1 at the high end
    bool is_equality = false;
    double multiplier = 0.0;  ///< of side · (a·x - bound) ≥ 0
  };

  /// @param variables, rows  the largest program
  ActiveSetQp(int variables, int rows);

  /// @param iterations  bound on constraints taken in and let go of
  Outcome solve(const QuadraticProgram& program, int iterations) noexcept;

  /// The active set before the next solve() is forgotten: it starts from nothing.
  void forget() noexcept { active_.clear(); }
  /// The next solve() starts from this active set, as if it had been its own. Not for the cycle.
  void start_from(std::span<const Active> active) { active_.assign(active.begin(), active.end()); }

  /// The minimum, after kSolved. (n)
  [[nodiscard]] auto solution() const noexcept { return x_.head(variables_); }
  [[nodiscard]] std::span<const Active> active() const noexcept { return active_; }
  [[nodiscard]] std::span<const ConstraintIndex> conflict() const noexcept { return conflict_; }
  /// Constraints taken in and let go of, those of the start included.
  [[nodiscard]] int iterations() const noexcept { return iterations_; }

 private:
  struct Violation {
    Active constraint;
    double amount = 0.0;  ///< by how much it is violated, over the length of its row
  };

  bool factor(const QuadraticProgram& program) noexcept;
  void start_from_before(const QuadraticProgram& program) noexcept;
  void drop_wrong_signs() noexcept;
  void place_on_active(const QuadraticProgram& program) noexcept;
  [[nodiscard]] Violation most_violated(const QuadraticProgram& program) const noexcept;
  Outcome take_in(const QuadraticProgram& program, Active constraint, int iterations) noexcept;
  void project(const QuadraticProgram& program, const Active& constraint) noexcept;
  [[nodiscard]] bool is_independent() const noexcept;
  void append(const Active& constraint) noexcept;
  void remove(int place) noexcept;
  void solve_multiplier_step() noexcept;
  void name_conflict(const Active& constraint) noexcept;
  [[nodiscard]] double slack(const QuadraticProgram& program,
                             const Active& constraint) const noexcept;
  [[nodiscard]] int count() const noexcept { return static_cast<int>(active_.size()); }

  int variables_ = 0;
  int rows_ = 0;
  int iterations_ = 0;
  Eigen::MatrixXd j_;  // J (n, n): H⁻¹ = J Jᵀ; its first columns span the active rows
  Eigen::MatrixXd r_;  // upper triangle (k, k): Jᵀ N = [R; 0]
  Eigen::VectorXd x_;
  Eigen::VectorXd free_minimum_;  // without constraints
  Eigen::VectorXd d_;             // Jᵀ a of the constraint at hand
  Eigen::VectorXd step_;          // of x
  Eigen::VectorXd pull_;          // change of the active multipliers
  Eigen::VectorXd reflector_;
  Eigen::VectorXd product_;
  Eigen::VectorXd row_values_;
  Eigen::VectorXd row_lengths_;
  std::vector<Active> active_;  // capacity: variables + 1
  std::vector<Active> wanted_;
  std::vector<ConstraintIndex> conflict_;
  std::vector<std::uint8_t> is_active_;
};

}  // namespace jointrig
