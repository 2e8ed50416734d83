#include "control/wholebody/active_set_qp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "control/wholebody/columns.h"

namespace jointrig {
namespace {

constexpr double kTolerance = 1e-10;   ///< of a constraint, over the length of its row; a choice
constexpr double kIndependent = 1e-9;  ///< sine of the angle to the active rows, from which a row
                                       ///< counts as one of its own; a choice
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// R lies beside L in one matrix: L on its diagonal and below, R above, one column to the right.
auto upper_of(Eigen::MatrixXd& both, int k) noexcept { return both.block(0, 1, k, k); }

/// Minimum of ½ xᵀ L Lᵀ x with its last entries given, and the forces that hold these.
/// @param x     in: its last entries; out: all of it
/// @param hold  out: the last entries of L Lᵀ x; the others are 0
template <typename Matrix, typename Vector, typename Forces>
void push_last(const Matrix& l, int last, Vector& x, Forces& hold) noexcept {
  const Eigen::Index n = l.cols();
  const Eigen::Index free = n - last;
  for (Eigen::Index i = 0; i < free; ++i) x[i] = -l.col(i).tail(last).dot(x.tail(last));
  solve_lower_transposed(l.topLeftCorner(free, free), x.head(free));
  hold.setZero();
  for (Eigen::Index i = free; i < n; ++i) {
    const Eigen::Index rest = n - i;
    hold.tail(rest) += l.col(i).tail(rest).dot(x.tail(rest)) * l.col(i).tail(rest);
  }
}

}  // namespace

ActiveSetQp::ActiveSetQp(int variables, int rows, int squares)
    : elimination_(variables, rows, squares),
      q_(variables, variables),
      l_and_r_(variables, variables + 1),
      x_(variables),
      y_(variables),
      free_minimum_(variables),
      d_(variables),
      beside_(variables),
      way_(variables),
      pull_(variables + 1),
      product_(variables),
      row_lengths_(rows),
      is_active_(static_cast<std::size_t>(variables + rows), 0),
      is_bound_before_(static_cast<std::size_t>(variables), 0),
      side_before_(static_cast<std::size_t>(variables), 0.0) {
  active_.reserve(static_cast<std::size_t>(variables) + 1);
  wanted_.reserve(active_.capacity());
  conflict_.reserve(active_.capacity() + 1);
}

void ActiveSetQp::expand() noexcept { elimination_.expand(y_.head(size_), x_.head(variables_)); }

ActiveSetQp::Outcome ActiveSetQp::solve(const QuadraticProgram& program, int iterations) noexcept {
  variables_ = static_cast<int>(program.gradient.size());
  rows_ = static_cast<int>(program.rows_transposed.cols());
  iterations_ = 0;
  if (rows_ > 0) {
    row_lengths_.head(rows_) = program.rows_transposed.colwise().norm().cwiseMax(1e-12);
  }
  look_at_bounds_before(program);
  if (elimination_.take(program, is_bound_before_)) {
    const Outcome outcome = solve_reduced(program, iterations);
    if (outcome != Outcome::kInfeasible || elimination_.taken() == 0) return outcome;
    forget();
    look_at_bounds_before(program);
  }
  elimination_.take_none(program, is_bound_before_);
  return solve_reduced(program, iterations);
}

ActiveSetQp::Outcome ActiveSetQp::solve_reduced(const QuadraticProgram& program,
                                                int iterations) noexcept {
  const int most = iterations_ + iterations;  // of a second pass, too
  conflict_.clear();
  size_ = elimination_.size();
  std::swap(wanted_, active_);
  active_.clear();
  std::fill(is_active_.begin(), is_active_.end(), std::uint8_t{0});
  if (!factor(program)) return Outcome::kNotConvex;
  start_from_before(program);

  while (true) {
    const Violation worst = most_violated(program);
    if (worst.amount <= kTolerance) break;
    const Outcome outcome = take_in(program, worst.constraint, most);
    if (outcome != Outcome::kSolved) return outcome;
  }
  if (has_basis_) place_on_active(program);
  return x_.head(variables_).allFinite() ? Outcome::kSolved : Outcome::kNotConvex;
}

void ActiveSetQp::look_at_bounds_before(const QuadraticProgram& program) noexcept {
  std::fill(is_bound_before_.begin(), is_bound_before_.end(), std::uint8_t{0});
  for (const Active& constraint : active_) {
    const int i = constraint.index;
    if (i >= variables_) continue;
    if (std::isinf(constraint.side > 0.0 ? program.low[i] : program.high[i])) continue;
    is_bound_before_[static_cast<std::size_t>(i)] = 1;
    side_before_[static_cast<std::size_t>(i)] = constraint.side;
  }
}

/// H = L Lᵀ, and the minimum without constraints.
bool ActiveSetQp::factor(const QuadraticProgram& program) noexcept {
  auto root = l_and_r_.topLeftCorner(size_, size_);
  elimination_.reduce_hessian(program, root);
  if (!factor_lower(root)) return false;
  has_basis_ = false;
  bounds_before_ = 0;
  while (bounds_before_ < size_ && is_bound_before(size_ - 1 - bounds_before_)) ++bounds_before_;
  auto minimum = free_minimum_.head(size_);
  elimination_.reduce_gradient(program, minimum);
  minimum *= -1.0;
  solve_factored(root, minimum);
  y_.head(size_) = minimum;
  expand();
  return minimum.allFinite();
}

/// Q and R of the bounds that are active so far, those of the last variables W: unit vectors, the
/// last variable's at the front, and rows of L_WW⁻ᵀ, whose columns are sums of those before them.
void ActiveSetQp::make_basis() noexcept {
  if (has_basis_) return;
  has_basis_ = true;
  const int n = size_;
  const int k = count();
  const auto l = l_and_r_.block(n - k, n - k, k, k);
  auto inverse = q_.topLeftCorner(k, k);
  for (int i = 0; i < k; ++i) {
    auto own = inverse.col(i);
    own.setZero();
    for (int m = 0; m < i; ++m) own.head(m + 1) += l(i, m) * inverse.col(m).head(m + 1);
    own.head(i) *= -1.0 / l(i, i);
    own[i] = 1.0 / l(i, i);
  }
  auto r = upper_of(l_and_r_, k);
  for (int c = 0; c < k; ++c) {
    const double side = active_[static_cast<std::size_t>(c)].side;
    for (int b = 0; b <= c; ++b) r(b, c) = side * inverse(k - 1 - c, k - 1 - b);
  }
  for (int c = 0; c < k; ++c) q_.col(c).head(n) = Eigen::VectorXd::Unit(n, n - 1 - c);
}

/// Takes in what was active before, and lets go of what this program doesn't want.
void ActiveSetQp::start_from_before(const QuadraticProgram& program) noexcept {
  for (int c = 0; c < bounds_before_; ++c) {
    const int variable = elimination_.variable_at(size_ - 1 - c);
    const double side = side_before_[static_cast<std::size_t>(variable)];
    set_active({variable, side, program.low[variable] == program.high[variable], 0.0});
    ++iterations_;
  }
  for (Active constraint : wanted_) {
    if (constraint.index >= variables_ + rows_ || count() == size_) continue;
    if (is_active_[static_cast<std::size_t>(constraint.index)] != 0) continue;
    const int row = constraint.index - variables_;
    const double low = row < 0 ? program.low[constraint.index] : program.row_low[row];
    const double high = row < 0 ? program.high[constraint.index] : program.row_high[row];
    if (std::isinf(constraint.side > 0.0 ? low : high)) continue;
    constraint.is_equality = low == high;
    if (row >= 0 && constraint.is_equality && elimination_.taken() > 0) continue;
    make_basis();
    project(program, constraint);
    if (!is_independent()) continue;
    append(constraint);
    ++iterations_;
  }
  if (active_.empty()) return;
  place_on_active(program);
  const auto pulls_wrong = [](const Active& at) { return !at.is_equality && at.multiplier < 0.0; };
  if (std::none_of(active_.begin(), active_.end(), pulls_wrong)) return;
  if (!has_basis_) {
    make_basis();
    place_on_active(program);
  }
  drop_wrong_signs();
  place_on_active(program);
}

/// Multipliers alone follow: y is left for place_on_active.
void ActiveSetQp::drop_wrong_signs() noexcept {
  while (true) {
    int worst = -1;
    for (int i = 0; i < count(); ++i) {
      const Active& at = active_[static_cast<std::size_t>(i)];
      if (at.is_equality || at.multiplier >= 0.0) continue;
      if (worst < 0 || at.multiplier < active_[static_cast<std::size_t>(worst)].multiplier)
        worst = i;
    }
    if (worst < 0) break;
    // Without it: N u = H (y - free minimum) has no part along the direction that goes free.
    remove(worst);
    ++iterations_;
    // Of the remaining rows p is kept, that of the freed one is 0.
    const int k = count();
    auto multipliers = product_.head(k);
    multipliers = pull_.head(k);
    solve_upper(upper_of(l_and_r_, k), multipliers);
    for (int i = 0; i < k; ++i) active_[static_cast<std::size_t>(i)].multiplier = multipliers[i];
  }
}

/// Exact y and multipliers u of the active set:
///
///     y = y_free + L⁻ᵀ Q p,   Rᵀ p = b - Nᵀ y_free,   R u = p
void ActiveSetQp::place_on_active(const QuadraticProgram& program) noexcept {
  const int n = size_;
  const int k = count();
  y_.head(n) = free_minimum_.head(n);
  expand();
  if (k == 0) return;
  if (!has_basis_) {
    place_on_bounds(program);
    return;
  }
  auto p = pull_.head(k);
  p.setZero();
  const auto r = upper_of(l_and_r_, k);
  for (int pass = 0; pass < 2; ++pass) {  // the second takes away the first one's rounding
    for (int i = 0; i < k; ++i) {
      product_[i] = -slack(program, active_[static_cast<std::size_t>(i)]);
    }
    auto missing = product_.head(k);
    solve_upper_transposed(r, missing);
    p += missing;
    auto way = way_.head(n);
    way.setZero();
    add_product(q_.topLeftCorner(n, k), missing, way);
    solve_lower_transposed(l_and_r_.topLeftCorner(n, n), way);
    y_.head(n) += way;
    expand();
  }
  product_.head(k) = p;
  auto multipliers = product_.head(k);
  solve_upper(r, multipliers);
  for (int i = 0; i < k; ++i) active_[static_cast<std::size_t>(i)].multiplier = multipliers[i];
}

/// The same while bounds of the last variables alone are active: y_W is given.
void ActiveSetQp::place_on_bounds(const QuadraticProgram& program) noexcept {
  const int n = size_;
  const int k = count();
  const auto bound = [&](const Active& at) {
    return at.side > 0.0 ? program.low[at.index] : program.high[at.index];
  };
  auto way = way_.head(n);
  for (int i = 0; i < k; ++i) {
    way[n - 1 - i] = bound(active_[static_cast<std::size_t>(i)]) - y_[n - 1 - i];
  }
  auto pull = pull_.head(k);
  push_last(l_and_r_.topLeftCorner(n, n), k, way, pull);
  y_.head(n) += way;
  for (int i = 0; i < k; ++i) {
    Active& at = active_[static_cast<std::size_t>(i)];
    y_[n - 1 - i] = bound(at);
    at.multiplier = at.side * pull[k - 1 - i];
  }
  expand();
}

/// side · (a·x - bound): negative where violated.
double ActiveSetQp::slack(const QuadraticProgram& program, const Active& at) const noexcept {
  const int row = at.index - variables_;
  if (row < 0) {
    return at.side > 0.0 ? x_[at.index] - program.low[at.index]
                         : program.high[at.index] - x_[at.index];
  }
  const double value = program.rows_transposed.col(row).dot(x_.head(variables_));
  return at.side > 0.0 ? value - program.row_low[row] : program.row_high[row] - value;
}

ActiveSetQp::Violation ActiveSetQp::most_violated(const QuadraticProgram& program) const noexcept {
  Violation worst;
  const auto look = [&](int index, double value, double low, double high, double length) {
    if (is_active_[static_cast<std::size_t>(index)] != 0) return;
    const double below = (low - value) / length;
    const double above = (value - high) / length;
    const bool is_equality = low == high;
    // Equalities first: whatever else is active has to bear with them.
    const double lift = is_equality && std::max(below, above) > kTolerance ? 1e6 : 1.0;
    if (below * lift > worst.amount) worst = {{index, 1.0, is_equality, 0.0}, below * lift};
    if (above * lift > worst.amount) worst = {{index, -1.0, is_equality, 0.0}, above * lift};
  };
  for (int i = 0; i < variables_; ++i) look(i, x_[i], program.low[i], program.high[i], 1.0);
  for (int i = 0; i < rows_; ++i) {
    const bool is_taken_out = elimination_.taken() > 0 && program.row_low[i] == program.row_high[i];
    if (is_taken_out) continue;
    const double value = program.rows_transposed.col(i).dot(x_.head(variables_));
    look(variables_ + i, value, program.row_low[i], program.row_high[i], row_lengths_[i]);
  }
  return worst;
}

/// side · L⁻¹ a = Q d + z: d along the active rows, z (beside_) beside them. By Gram and Schmidt,
/// twice where it matters (Daniel, Gragg, Kaufman and Stewart 1976).
void ActiveSetQp::project(const QuadraticProgram& program, const Active& at) noexcept {
  const int n = size_;
  const int k = count();
  const int row = at.index - variables_;
  auto z = beside_.head(n);
  int first = 0;  // entry of the row that isn't 0
  if (row < 0 && elimination_.place_of(at.index) >= 0) {
    first = elimination_.place_of(at.index);
    z.setZero();
    z[first] = at.side;
  } else {
    double length = 1.0;
    if (row < 0) {
      elimination_.reduce_unit(at.index, z);
    } else {
      elimination_.reduce(program.rows_transposed.col(row), z);
      length = row_lengths_[row];
    }
    // A row that the equalities decide is rounding: it depends on them.
    if (z.norm() <= kIndependent * length) z.setZero();
    z *= at.side;
  }
  solve_lower(l_and_r_.topLeftCorner(n, n), z, first);
  const int units = bounds_before_;
  for (int c = 0; c < units; ++c) d_[c] = std::exchange(z[n - 1 - c], 0.0);
  for (int c = units; c < k; ++c) d_[c] = 0.0;
  const auto basis = q_.block(0, units, n, k - units);
  const double before = z.squaredNorm();
  for (int pass = 0; pass < 2 && units < k; ++pass) {
    auto along = product_.head(k - units);
    set_transposed_product(basis, z, along);
    d_.segment(units, k - units) += along;
    along *= -1.0;
    add_product(basis, along, z);
    // Where a row was mostly along the others, its rest is mostly rounding.
    if (z.squaredNorm() > 0.5 * before) break;
  }
}

bool ActiveSetQp::is_independent() const noexcept {
  const int k = count();
  if (k >= size_) return false;
  const double rest = beside_.head(size_).squaredNorm();
  return rest > kIndependent * kIndependent * (rest + d_.head(k).squaredNorm());
}

/// pull = R⁻¹ d₁: how fast the active multipliers fall as the new one grows.
void ActiveSetQp::solve_multiplier_step() noexcept {
  const int k = count();
  if (k == 0) return;
  pull_.head(k) = d_.head(k);
  auto pull = pull_.head(k);
  solve_upper(upper_of(l_and_r_, k), pull);
}

ActiveSetQp::Outcome ActiveSetQp::take_in(const QuadraticProgram& program, Active at,
                                          int iterations) noexcept {
  const int n = size_;
  make_basis();
  while (true) {
    if (++iterations_ > iterations) return Outcome::kTooLong;
    project(program, at);
    solve_multiplier_step();

    // How far the multipliers allow, and how far it is to the constraint.
    double allowed = kInfinite;
    int blocking = -1;
    const int k = count();
    for (int i = 0; i < k; ++i) {
      const Active& held = active_[static_cast<std::size_t>(i)];
      if (held.is_equality || pull_[i] <= kTolerance) continue;
      const double t = std::max(held.multiplier, 0.0) / pull_[i];
      if (t < allowed) {
        allowed = t;
        blocking = i;
      }
    }
    const bool independent = is_independent();
    const double missing = -slack(program, at);
    const double rise = beside_.head(n).squaredNorm();
    const double full = independent ? std::max(missing, 0.0) / rise : kInfinite;
    const double t = std::min(allowed, full);
    if (std::isinf(t)) {
      name_conflict(at);
      return Outcome::kInfeasible;
    }
    for (int i = 0; i < k; ++i) active_[static_cast<std::size_t>(i)].multiplier -= t * pull_[i];
    at.multiplier += t;
    if (independent) {
      auto way = way_.head(n);
      way = t * beside_.head(n);
      solve_lower_transposed(l_and_r_.topLeftCorner(n, n), way);
      y_.head(n) += way;
      expand();
    }
    if (full <= allowed) {
      append(at);
      return Outcome::kSolved;
    }
    remove(blocking);
  }
}

/// Adds a constraint whose d and z are at hand.
void ActiveSetQp::append(const Active& at) noexcept {
  const int n = size_;
  const int k = count();
  const double length = beside_.head(n).norm();
  q_.col(k).head(n) = beside_.head(n) / length;
  auto r = upper_of(l_and_r_, k + 1);
  r.col(k).head(k) = d_.head(k);
  r(k, k) = length;
  set_active(at);
}

void ActiveSetQp::set_active(const Active& at) noexcept {
  active_.push_back(at);
  is_active_[static_cast<std::size_t>(at.index)] = 1;
}

/// Removes a column of R and turns the rest, and Q, back to a triangle. pull_ (p of
/// place_on_active) turns with them.
void ActiveSetQp::remove(int place) noexcept {
  const int n = size_;
  const int k = count();
  is_active_[static_cast<std::size_t>(active_[static_cast<std::size_t>(place)].index)] = 0;
  active_.erase(active_.begin() + place);
  bounds_before_ = std::min(bounds_before_, place);
  auto r = upper_of(l_and_r_, k);
  for (int c = place; c + 1 < k; ++c) {
    const double a = r(c, c + 1);
    const double b = r(c + 1, c + 1);
    r.col(c).head(c) = r.col(c + 1).head(c);
    const double length = std::hypot(a, b);
    r(c, c) = length;
    if (length == 0.0) continue;
    const double cosine = a / length;
    const double sine = b / length;
    for (int m = c + 2; m < k; ++m) {  // columns that have not moved yet
      const double upper = r(c, m);
      const double lower = r(c + 1, m);
      r(c, m) = cosine * upper + sine * lower;
      r(c + 1, m) = cosine * lower - sine * upper;
    }
    product_.head(n) = cosine * q_.col(c).head(n) + sine * q_.col(c + 1).head(n);
    q_.col(c + 1).head(n) = cosine * q_.col(c + 1).head(n) - sine * q_.col(c).head(n);
    q_.col(c).head(n) = product_.head(n);
    const double upper = pull_[c];
    pull_[c] = cosine * upper + sine * pull_[c + 1];
    pull_[c + 1] = cosine * pull_[c + 1] - sine * upper;
  }
}

void ActiveSetQp::name_conflict(const Active& at) noexcept {
  conflict_.push_back(at.index);
  const double largest = count() > 0 ? pull_.head(count()).cwiseAbs().maxCoeff() : 0.0;
  for (int i = 0; i < count(); ++i) {
    if (std::abs(pull_[i]) <= 1e-6 * largest) continue;
    conflict_.push_back(active_[static_cast<std::size_t>(i)].index);
  }
}

}  // namespace jointrig
