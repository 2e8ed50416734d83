#include "control/planning/damped_step.h"

#include <algorithm>
#include <cmath>

namespace jointrig {

DampedStep::DampedStep(std::size_t rows, std::size_t columns)
    : rows_(rows),
      columns_(columns),
      normal_(rows * rows),
      root_(rows * rows),
      rest_(rows),
      y_(rows),
      fixed_(columns) {}

void DampedStep::solve(std::span<const double> jacobian, std::span<const double> residual,
                       std::span<const double> low, std::span<const double> high, double damping,
                       std::span<double> x) noexcept {
  std::fill(fixed_.begin(), fixed_.end(), char{0});
  std::copy_n(residual.begin(), rows_, rest_.begin());
  std::fill(normal_.begin(), normal_.end(), 0.0);
  for (std::size_t i = 0; i < rows_; ++i) normal_[i * rows_ + i] = damping;
  add_columns(jacobian);
  for (bool is_beyond = true; is_beyond;) {
    if (!solve_free()) {
      std::fill(x.begin(), x.end(), 0.0);
      return;
    }
    is_beyond = false;
    for (std::size_t k = 0; k < columns_; ++k) {
      if (fixed_[k] != 0) continue;
      const std::span<const double> column = jacobian.subspan(k * rows_, rows_);
      double sum = 0.0;
      for (std::size_t i = 0; i < rows_; ++i) sum -= column[i] * y_[i];
      x[k] = std::clamp(sum, low[k], high[k]);
      if (x[k] == sum) continue;
      fixed_[k] = 1;
      is_beyond = true;
      fix(column, x[k]);
    }
  }
}

void DampedStep::add_columns(std::span<const double> jacobian) noexcept {
  for (std::size_t k = 0; k < columns_; ++k) {
    const double* column = jacobian.data() + k * rows_;
    for (std::size_t i = 0; i < rows_; ++i) {
      double* row = normal_.data() + i * rows_;
      for (std::size_t j = 0; j <= i; ++j) row[j] += column[i] * column[j];
    }
  }
}

// Takes a column out of the matrix and into the residual.
void DampedStep::fix(std::span<const double> column, double value) noexcept {
  for (std::size_t i = 0; i < rows_; ++i) {
    double* row = normal_.data() + i * rows_;
    for (std::size_t j = 0; j <= i; ++j) row[j] -= column[i] * column[j];
    rest_[i] += column[i] * value;
  }
}

// Solves normal_ y = rest_. Returns false if the matrix isn't positive definite.
bool DampedStep::solve_free() noexcept {
  for (std::size_t i = 0; i < rows_; ++i) {
    double* row = root_.data() + i * rows_;
    double value = rest_[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = root_.data() + j * rows_;
      double sum = normal_[i * rows_ + j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum * other[j];
        value -= row[j] * y_[j];
      } else {
        if (!(sum > 0.0)) return false;
        row[i] = 1.0 / std::sqrt(sum);
      }
    }
    y_[i] = value * row[i];
  }
  for (std::size_t i = rows_; i-- > 0;) {
    double value = y_[i];
    for (std::size_t k = i + 1; k < rows_; ++k) value -= root_[k * rows_ + i] * y_[k];
    y_[i] = value * root_[i * rows_ + i];
  }
  return true;
}

}  // namespace jointrig
