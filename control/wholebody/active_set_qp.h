#pragma once
/// Solves a quadratic program (quadratic_program.h), for the cycle.
///
/// First the equalities are taken out (equality_elimination.h): the program in y is smaller. If
/// their rows depend on each other, or constraints can't hold together, they are constraints like
/// the others, so that a conflict names them.
///
/// Then the dual method of Goldfarb and Idnani (1983, "A numerically stable dual method for solving
/// strictly convex quadratic programs"): from the minimum without constraints it takes in the
/// violated ones, most violated first, and lets go of those that pull the wrong way. It keeps
/// H = L Lᵀ and L⁻¹ N = Q R of the active rows N, changed by Gram and Schmidt's projections and by
/// rotations. A solution is exact to rounding; active rows are met once more at the end.
///
/// Starts from the active set of the solution before, as far as the new problem still wants it.
/// Bounds in it cost next to nothing: with their variables last, L alone tells minimum and
/// multipliers. Q and R are made where another constraint comes or one goes; their first columns
/// are unit vectors, and rows of an inverse of L's last block.
///
/// After construction nothing allocates, locks or throws. One thread at a time.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "control/wholebody/equality_elimination.h"
#include "control/wholebody/quadratic_program.h"

namespace jointrig {

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

  /// @param variables, rows, squares  the largest program
  ActiveSetQp(int variables, int rows, int squares);

  /// @param iterations  bound on constraints taken in and let go of; once more where constraints
  ///                    that can't hold together are to be named
  Outcome solve(const QuadraticProgram& program, int iterations) noexcept;

  /// The active set before the next solve() is forgotten: it starts from nothing.
  void forget() noexcept { active_.clear(); }
  /// The next solve() starts from this active set, as if it had been its own. Not for the cycle.
  void start_from(std::span<const Active> active) { active_.assign(active.begin(), active.end()); }

  /// The minimum, after kSolved. (n)
  [[nodiscard]] auto solution() const noexcept { return x_.head(variables_); }
  /// Without the equalities that were taken out.
  [[nodiscard]] std::span<const Active> active() const noexcept { return active_; }
  [[nodiscard]] std::span<const ConstraintIndex> conflict() const noexcept { return conflict_; }
  /// Constraints taken in and let go of, those of the start included.
  [[nodiscard]] int iterations() const noexcept { return iterations_; }

 private:
  struct Violation {
    Active constraint;
    double amount = 0.0;  ///< by how much it is violated, over the length of its row
  };

  Outcome solve_reduced(const QuadraticProgram& program, int iterations) noexcept;
  void look_at_bounds_before(const QuadraticProgram& program) noexcept;
  bool factor(const QuadraticProgram& program) noexcept;
  void make_basis() noexcept;
  void start_from_before(const QuadraticProgram& program) noexcept;
  void drop_wrong_signs() noexcept;
  void place_on_active(const QuadraticProgram& program) noexcept;
  void place_on_bounds(const QuadraticProgram& program) noexcept;
  [[nodiscard]] bool is_bound_before(int place) const noexcept {
    return is_bound_before_[static_cast<std::size_t>(elimination_.variable_at(place))] != 0;
  }
  void expand() noexcept;
  [[nodiscard]] Violation most_violated(const QuadraticProgram& program) const noexcept;
  Outcome take_in(const QuadraticProgram& program, Active constraint, int iterations) noexcept;
  void project(const QuadraticProgram& program, const Active& constraint) noexcept;
  [[nodiscard]] bool is_independent() const noexcept;
  void append(const Active& constraint) noexcept;
  void set_active(const Active& constraint) noexcept;
  void remove(int place) noexcept;
  void solve_multiplier_step() noexcept;
  void name_conflict(const Active& constraint) noexcept;
  [[nodiscard]] double slack(const QuadraticProgram& program,
                             const Active& constraint) const noexcept;
  [[nodiscard]] int count() const noexcept { return static_cast<int>(active_.size()); }

  int variables_ = 0;
  int rows_ = 0;
  int size_ = 0;            ///< of y
  int bounds_before_ = 0;   ///< of the last variables of y: active, and unit vectors in Q
  bool has_basis_ = false;  ///< Q and R are there
  int iterations_ = 0;
  EqualityElimination elimination_;
  Eigen::MatrixXd q_;        // Q (size, k): orthonormal
  Eigen::MatrixXd l_and_r_;  // L (size, size), and R (k, k) above it, one column to the right
  Eigen::VectorXd x_;
  Eigen::VectorXd y_;
  Eigen::VectorXd free_minimum_;  // y without constraints
  Eigen::VectorXd d_;             // of the constraint at hand: along Q (k)
  Eigen::VectorXd beside_;        // beside Q (size)
  Eigen::VectorXd way_;           // over y
  Eigen::VectorXd pull_;          // change of the active multipliers
  Eigen::VectorXd product_;
  Eigen::VectorXd row_lengths_;
  std::vector<Active> active_;  // capacity: variables + 1
  std::vector<Active> wanted_;
  std::vector<ConstraintIndex> conflict_;
  std::vector<std::uint8_t> is_active_;
  std::vector<std::uint8_t> is_bound_before_;  // of the variables: active before, and still there
  std::vector<double> side_before_;            // of these
};

}  // namespace jointrig
