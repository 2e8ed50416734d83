#include "control/wholebody/active_set_qp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/wholebody/columns.h"

namespace jointrig {
namespace {

constexpr double kTolerance = 1e-10;   ///< of a constraint, over the length of its row; a choice
constexpr double kIndependent = 1e-9;  ///< sine of the angle to the active rows, from which a row
                                       ///< counts as one of its own; a choice
constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

ActiveSetQp::ActiveSetQp(int variables, int rows, int squares)
    : elimination_(variables, rows, squares),
      j_(variables, variables),
      r_(variables, variables),
      x_(variables),
      y_(variables),
      free_minimum_(variables),
      d_(variables),
      row_(variables),
      pull_(variables + 1),
      reflector_(variables),
      product_(variables),
      row_lengths_(rows),
      is_active_(static_cast<std::size_t>(variables + rows), 0),
      is_bound_before_(static_cast<std::size_t>(variables), 0),
      side_before_(static_cast<std::size_t>(variables), 0.0) {
  active_.reserve(static_cast<std::size_t>(variables) + 1);
  wanted_.reserve(active_.capacity());
  conflict_.reserve(active_.capacity() + 1);
}

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
  place_on_active(program);
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

/// H = L Lᵀ, and the minimum without constraints. J comes with the first constraint.
bool ActiveSetQp::factor(const QuadraticProgram& program) noexcept {
  auto root = r_.topLeftCorner(size_, size_);  // R isn't in use yet
  elimination_.reduce_hessian(program, root);
  if (!factor_lower(root)) return false;
  is_inverted_ = false;
  auto minimum = free_minimum_.head(size_);
  elimination_.reduce_gradient(program, minimum);
  minimum *= -1.0;
  solve_factored(root, minimum);
  y_.head(size_) = minimum;
  expand();
  return minimum.allFinite();
}

/// J = L⁻ᵀ, column by column: each is a sum of those before it. Columns of the last variables come
/// first, the last one at the front: there they span the bounds of these variables.
void ActiveSetQp::invert() noexcept {
  if (is_inverted_) return;
  is_inverted_ = true;
  const int n = size_;
  bounds_before_ = 0;
  while (bounds_before_ < n && is_bound_before(n - 1 - bounds_before_)) ++bounds_before_;
  const auto column = [&](int i) {
    const int place = i < n - bounds_before_ ? i + bounds_before_ : n - 1 - i;
    return j_.col(place).head(n);
  };
  for (int i = 0; i < n; ++i) {
    auto own = column(i);
    own.setZero();
    int m = 0;
    for (; m + 4 <= i; m += 4) {
      const int length = m + 4;  // below it they are 0
      own.head(length) +=
          r_(i, m) * column(m).head(length) + r_(i, m + 1) * column(m + 1).head(length) +
          r_(i, m + 2) * column(m + 2).head(length) + r_(i, m + 3) * column(m + 3).head(length);
    }
    for (; m < i; ++m) own.head(m + 1) += r_(i, m) * column(m).head(m + 1);
    own.head(i) *= -1.0 / r_(i, i);
    own[i] = 1.0 / r_(i, i);
  }
}

/// Takes in what was active before, and lets go of what this program doesn't want.
void ActiveSetQp::start_from_before(const QuadraticProgram& program) noexcept {
  if (wanted_.empty()) return;
  invert();
  for (int c = 0; c < bounds_before_; ++c) {
    const int place = size_ - 1 - c;
    const int variable = elimination_.variable_at(place);
    const double side = side_before_[static_cast<std::size_t>(variable)];
    r_.col(c).head(c + 1) = side * j_.row(place).head(c + 1).transpose();
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
    project(program, constraint);
    if (!is_independent()) continue;
    append(constraint);
    ++iterations_;
  }
  if (active_.empty()) return;
  place_on_active(program);
  drop_wrong_signs();
  place_on_active(program);
}

void ActiveSetQp::drop_wrong_signs() noexcept {
  const int n = size_;
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
    // On the remaining rows: y = free + J₁ p, p of these rows kept, that of the freed one 0.
    const int k = count();
    auto multipliers = product_.head(k);
    multipliers = pull_.head(k);
    solve_upper(r_.topLeftCorner(k, k), multipliers);
    for (int i = 0; i < k; ++i) active_[static_cast<std::size_t>(i)].multiplier = multipliers[i];
    y_.head(n) = free_minimum_.head(n);
    add_product(j_.topLeftCorner(n, k), pull_, y_.head(n));
  }
  expand();
}

/// Exact y and multipliers u of the active set:
///
///     y = y_free + J₁ p,   Rᵀ p = b - Nᵀ y_free,   R u = p
void ActiveSetQp::place_on_active(const QuadraticProgram& program) noexcept {
  const int n = size_;
  const int k = count();
  y_.head(n) = free_minimum_.head(n);
  expand();
  if (k == 0) return;
  auto p = pull_.head(k);
  p.setZero();
  const auto r = r_.topLeftCorner(k, k);
  for (int pass = 0; pass < 2; ++pass) {  // the second takes away the first one's rounding
    for (int i = 0; i < k; ++i) {
      product_[i] = -slack(program, active_[static_cast<std::size_t>(i)]);
    }
    auto missing = product_.head(k);
    solve_upper_transposed(r, missing);
    p += missing;
    add_product(j_.topLeftCorner(n, k), missing, y_.head(n));
    expand();
  }
  product_.head(k) = p;
  auto multipliers = product_.head(k);
  solve_upper(r, multipliers);
  for (int i = 0; i < k; ++i) active_[static_cast<std::size_t>(i)].multiplier = multipliers[i];
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

/// d = side · Jᵀ a
void ActiveSetQp::project(const QuadraticProgram& program, const Active& at) noexcept {
  const int n = size_;
  const int row = at.index - variables_;
  if (row < 0 && elimination_.place_of(at.index) >= 0) {
    d_.head(n) = at.side * j_.row(elimination_.place_of(at.index)).head(n).transpose();
    return;
  }
  double length = 1.0;
  if (row < 0) {
    elimination_.reduce_unit(at.index, row_.head(n));
  } else {
    elimination_.reduce(program.rows_transposed.col(row), row_.head(n));
    length = row_lengths_[row];
  }
  // A row that the equalities decide is rounding: it depends on them.
  if (row_.head(n).norm() <= kIndependent * length) row_.head(n).setZero();
  set_transposed_product(j_.topLeftCorner(n, n), row_.head(n), d_.head(n));
  d_.head(n) *= at.side;
}

bool ActiveSetQp::is_independent() const noexcept {
  const int k = count();
  if (k >= size_) return false;
  const double rest = d_.segment(k, size_ - k).squaredNorm();
  return rest > kIndependent * kIndependent * d_.head(size_).squaredNorm();
}

/// pull = R⁻¹ d₁: how fast the active multipliers fall as the new one grows.
void ActiveSetQp::solve_multiplier_step() noexcept {
  const int k = count();
  if (k == 0) return;
  pull_.head(k) = d_.head(k);
  auto pull = pull_.head(k);
  solve_upper(r_.topLeftCorner(k, k), pull);
}

ActiveSetQp::Outcome ActiveSetQp::take_in(const QuadraticProgram& program, Active at,
                                          int iterations) noexcept {
  const int n = size_;
  invert();
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
    const double rise = d_.segment(k, n - k).squaredNorm();
    const double full = independent ? std::max(missing, 0.0) / rise : kInfinite;
    const double t = std::min(allowed, full);
    if (std::isinf(t)) {
      name_conflict(at);
      return Outcome::kInfeasible;
    }
    for (int i = 0; i < k; ++i) active_[static_cast<std::size_t>(i)].multiplier -= t * pull_[i];
    at.multiplier += t;
    if (independent) {
      product_.head(n - k) = t * d_.segment(k, n - k);
      add_product(j_.block(0, k, n, n - k), product_, y_.head(n));
      expand();
    }
    if (full <= allowed) {
      append(at);
      return Outcome::kSolved;
    }
    remove(blocking);
  }
}

/// Adds a constraint whose d is at hand: a reflection of J₂ leaves one entry of d₂.
void ActiveSetQp::append(const Active& at) noexcept {
  const int n = size_;
  const int k = count();
  auto rest = d_.segment(k, n - k);
  const double length = rest.norm();
  const double head = rest[0] > 0.0 ? -length : length;
  auto v = reflector_.head(n - k);
  v = rest;
  v[0] -= head;
  const double squared = v.squaredNorm();
  if (squared > 0.0) {
    auto j2 = j_.block(0, k, n, n - k);
    product_.head(n).setZero();
    add_product(j2, v, product_.head(n));
    product_.head(n) *= 2.0 / squared;
    for (int c = 0; c < n - k; ++c) j2.col(c) -= v[c] * product_.head(n);
  }
  r_.col(k).head(k) = d_.head(k);
  r_(k, k) = head;
  set_active(at);
}

void ActiveSetQp::set_active(const Active& at) noexcept {
  active_.push_back(at);
  is_active_[static_cast<std::size_t>(at.index)] = 1;
}

/// Removes a column of R and turns the rest, and J, back to a triangle. pull_ (p of
/// place_on_active) turns with them.
void ActiveSetQp::remove(int place) noexcept {
  const int n = size_;
  const int k = count();
  is_active_[static_cast<std::size_t>(active_[static_cast<std::size_t>(place)].index)] = 0;
  active_.erase(active_.begin() + place);
  for (int c = place; c + 1 < k; ++c) {
    r_.col(c).head(c + 2) = r_.col(c + 1).head(c + 2);
    const double a = r_(c, c);
    const double b = r_(c + 1, c);
    const double length = std::hypot(a, b);
    if (length == 0.0) continue;
    const double cosine = a / length;
    const double sine = b / length;
    r_(c, c) = length;
    r_(c + 1, c) = 0.0;
    for (int m = c + 2; m < k; ++m) {  // columns that have not moved yet
      const double upper = r_(c, m);
      const double lower = r_(c + 1, m);
      r_(c, m) = cosine * upper + sine * lower;
      r_(c + 1, m) = cosine * lower - sine * upper;
    }
    product_.head(n) = cosine * j_.col(c).head(n) + sine * j_.col(c + 1).head(n);
    j_.col(c + 1).head(n) = cosine * j_.col(c + 1).head(n) - sine * j_.col(c).head(n);
    j_.col(c).head(n) = product_.head(n);
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
