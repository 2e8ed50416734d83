#include "control/wholebody/equality_elimination.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jointrig {
namespace {

/// Least entry that determines a variable, over the length of its row: below it, T would be large
/// and the program in y badly conditioned. A choice.
constexpr double kLeastPivot = 1e-4;
/// How much larger the entry of a variable that comes last has to be, to be taken. A choice.
constexpr double kReluctance = 16.0;

constexpr int kDetermined = -1;

}  // namespace

EqualityElimination::EqualityElimination(int variables, int rows, int squares)
    : equalities_(variables, rows),
      wanted_(rows),
      lengths_(rows),
      t_(variables, rows),
      turned_(variables, squares + rows),
      weights_(squares + rows),
      start_(variables) {
  determined_.reserve(static_cast<std::size_t>(rows));
  kept_.reserve(static_cast<std::size_t>(variables));
  place_.reserve(static_cast<std::size_t>(variables));
}

bool EqualityElimination::take(const QuadraticProgram& program,
                               std::span<const std::uint8_t> is_last) noexcept {
  const auto n = static_cast<int>(program.gradient.size());
  determined_.clear();
  place_.assign(at(n), 0);
  int k = 0;
  for (Eigen::Index row = 0; row < program.row_low.size(); ++row) {
    if (program.row_low[row] != program.row_high[row]) continue;
    if (k == n) return false;
    equalities_.col(k).head(n) = program.rows_transposed.col(row);
    wanted_[k] = program.row_low[row];
    lengths_[k] = equalities_.col(k).head(n).norm();
    ++k;
  }
  for (int row = 0; row < k; ++row) {
    const int variable = most_decided(row, n, is_last);
    if (variable < 0) return false;
    determine(variable, row, k, n);
  }
  arrange(n, is_last);
  return true;
}

void EqualityElimination::take_none(const QuadraticProgram& program,
                                    std::span<const std::uint8_t> is_last) noexcept {
  const auto n = static_cast<int>(program.gradient.size());
  determined_.clear();
  place_.assign(at(n), 0);
  arrange(n, is_last);
}

/// The variable that a row determines best; -1: none.
int EqualityElimination::most_decided(int row, int variables,
                                      std::span<const std::uint8_t> is_last) const noexcept {
  const auto entries = equalities_.col(row);
  double largest = 0.0;
  int best = -1;
  for (int i = 0; i < variables; ++i) {
    if (place_[at(i)] == kDetermined) continue;
    const double entry = std::abs(entries[i]);
    const double score = is_last[at(i)] != 0 ? entry / kReluctance : entry;
    if (score <= largest) continue;
    largest = score;
    best = i;
  }
  // Also false if a number isn't finite.
  const bool is_enough = best >= 0 && std::abs(entries[best]) > kLeastPivot * lengths_[row];
  return is_enough ? best : -1;
}

void EqualityElimination::determine(int variable, int row, int rows, int variables) noexcept {
  auto own = equalities_.col(row).head(variables);
  const double pivot = own[variable];
  own /= pivot;
  wanted_[row] /= pivot;
  for (int other = 0; other < rows; ++other) {
    const double entry = equalities_(variable, other);
    if (other == row || entry == 0.0) continue;
    equalities_.col(other).head(variables) -= entry * own;
    equalities_(variable, other) = 0.0;
    wanted_[other] -= entry * wanted_[row];
  }
  determined_.push_back(variable);
  place_[at(variable)] = kDetermined;
}

/// Places in y, and T in their order.
void EqualityElimination::arrange(int variables, std::span<const std::uint8_t> is_last) noexcept {
  kept_.clear();
  for (const bool last : {false, true}) {
    for (int i = 0; i < variables; ++i) {
      if (place_[at(i)] != kDetermined && (is_last[at(i)] != 0) == last) kept_.push_back(i);
    }
  }
  for (int i = 0; i < size(); ++i) place_[at(kept_[at(i)])] = i;
  for (int e = 0; e < taken(); ++e) {
    place_[at(determined_[at(e)])] = kDetermined - e;
    for (int i = 0; i < size(); ++i) t_(i, e) = equalities_(kept_[at(i)], e);
  }
}

void EqualityElimination::reduce_hessian(const QuadraticProgram& program,
                                         Eigen::Ref<Eigen::MatrixXd> reduced) noexcept {
  const int n = size();
  const int k = taken();
  const auto squares = static_cast<int>(program.squares.cols());
  for (int r = 0; r < squares; ++r) {
    reduce(program.squares.col(r), turned_.col(r).head(n));
    weights_[r] = 1.0;
  }
  for (int e = 0; e < k; ++e) {
    turned_.col(squares + e).head(n) = t_.col(e).head(n);
    weights_[squares + e] = program.diagonal[determined_[at(e)]];
  }
  for (int c = 0; c < n; ++c) {
    auto column = reduced.col(c).segment(c, n - c);
    column.setZero();
    column[0] = program.diagonal[kept_[at(c)]];
    add_squares(c, squares + k, column);
  }
}

/// Adds a column of Σ w v vᵀ from its diagonal down, four terms at a time. Many rows of an
/// objective have nothing to say about a variable.
void EqualityElimination::add_squares(int place, int terms,
                                      Eigen::Ref<Eigen::VectorXd> column) const noexcept {
  const auto rest = column.size();
  const auto factor = [&](int i) { return weights_[i] * turned_(place, i); };
  const auto below = [&](int i) { return turned_.col(i).segment(place, rest); };
  int i = 0;
  for (; i + 4 <= terms; i += 4) {
    const std::array<double, 4> f{factor(i), factor(i + 1), factor(i + 2), factor(i + 3)};
    if (f[0] == 0.0 && f[1] == 0.0 && f[2] == 0.0 && f[3] == 0.0) continue;
    column += f[0] * below(i) + f[1] * below(i + 1) + f[2] * below(i + 2) + f[3] * below(i + 3);
  }
  for (; i < terms; ++i) {
    if (const double f = factor(i); f != 0.0) column += f * below(i);
  }
}

void EqualityElimination::reduce_gradient(const QuadraticProgram& program,
                                          Eigen::Ref<Eigen::VectorXd> reduced) noexcept {
  const auto n = program.gradient.size();
  auto start = start_.head(n);
  start.setZero();
  for (int e = 0; e < taken(); ++e) start[determined_[at(e)]] = wanted_[e];
  for (Eigen::Index r = 0; r < program.squares.cols(); ++r) {
    double along = 0.0;
    for (int e = 0; e < taken(); ++e) {
      along += program.squares(determined_[at(e)], r) * wanted_[e];
    }
    weights_[r] = along;
  }
  start.array() *= program.diagonal.array();
  for (Eigen::Index r = 0; r < program.squares.cols(); ++r) {
    if (weights_[r] != 0.0) start += weights_[r] * program.squares.col(r);
  }
  start += program.gradient;
  reduce(start, reduced.head(size()));
}

void EqualityElimination::reduce(const Eigen::Ref<const Eigen::VectorXd>& row,
                                 Eigen::Ref<Eigen::VectorXd> reduced) const noexcept {
  for (int i = 0; i < size(); ++i) reduced[i] = row[kept_[at(i)]];
  for (int e = 0; e < taken(); ++e) {
    const double entry = row[determined_[at(e)]];
    if (entry != 0.0) reduced -= entry * t_.col(e).head(size());
  }
}

void EqualityElimination::reduce_unit(int variable,
                                      Eigen::Ref<Eigen::VectorXd> reduced) const noexcept {
  const int place = place_[at(variable)];
  if (place >= 0) {
    reduced.setZero();
    reduced[place] = 1.0;
  } else {
    reduced = -t_.col(kDetermined - place).head(size());
  }
}

void EqualityElimination::expand(const Eigen::Ref<const Eigen::VectorXd>& y,
                                 Eigen::Ref<Eigen::VectorXd> x) const noexcept {
  for (int i = 0; i < size(); ++i) x[kept_[at(i)]] = y[i];
  for (int e = 0; e < taken(); ++e) {
    x[determined_[at(e)]] = wanted_[e] - t_.col(e).head(size()).dot(y);
  }
}

}  // namespace jointrig
