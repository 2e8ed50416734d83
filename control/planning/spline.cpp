#include "control/planning/spline.h"

#include <cmath>
#include <utility>

namespace jointrig {
namespace {

/// Rows of the system: lower, diagonal and upper element.
struct Row {
  double lower = 0.0;
  double diagonal = 1.0;
  double upper = 0.0;
};

std::vector<Row> rows_of(const std::vector<double>& knots, bool is_clamped_first,
                         bool is_clamped_last) {
  const std::size_t last = knots.size() - 1;
  std::vector<Row> rows(knots.size());
  for (std::size_t k = 1; k < last; ++k) {
    const double before = knots[k] - knots[k - 1];
    const double after = knots[k + 1] - knots[k];
    rows[k] = {before, 2.0 * (before + after), after};
  }
  if (is_clamped_first) rows.front() = {0.0, 2.0 * (knots[1] - knots[0]), knots[1] - knots[0]};
  const double final = knots[last] - knots[last - 1];
  if (is_clamped_last) rows.back() = {final, 2.0 * final, 0.0};
  return rows;
}

/// Solves in place: elimination from the top, then substitution from the bottom.
void solve(const std::vector<Row>& rows, std::vector<double>& x) {
  std::vector<double> upper(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double pivot = rows[k].diagonal - (k > 0 ? rows[k].lower * upper[k - 1] : 0.0);
    upper[k] = rows[k].upper / pivot;
    x[k] = (x[k] - (k > 0 ? rows[k].lower * x[k - 1] : 0.0)) / pivot;
  }
  for (std::size_t k = rows.size() - 1; k-- > 0;) x[k] -= upper[k] * x[k + 1];
}

}  // namespace

CubicSpline::CubicSpline(const std::vector<std::vector<double>>& points, std::vector<double> knots,
                         const End& start, const End& end)
    : knots_(std::move(knots)), joints_(points.front().size()) {
  const std::size_t last = knots_.size() - 1;
  coefficients_.resize(last * joints_ * kCoefficients);
  const std::vector<Row> rows = rows_of(knots_, start.has_value(), end.has_value());
  std::vector<double> m(knots_.size());
  for (std::size_t j = 0; j < joints_; ++j) {
    const auto slope = [&](std::size_t k) {
      return (points[k + 1][j] - points[k][j]) / (knots_[k + 1] - knots_[k]);
    };
    m.front() = start ? 6.0 * (slope(0) - (*start)[j]) : 0.0;
    for (std::size_t k = 1; k < last; ++k) m[k] = 6.0 * (slope(k) - slope(k - 1));
    m.back() = end ? 6.0 * ((*end)[j] - slope(last - 1)) : 0.0;
    solve(rows, m);
    for (std::size_t k = 0; k < last; ++k) {
      const double h = knots_[k + 1] - knots_[k];
      double* c = &coefficients_[(k * joints_ + j) * kCoefficients];
      c[0] = points[k][j];
      c[1] = slope(k) - h * (2.0 * m[k] + m[k + 1]) / 6.0;
      c[2] = 0.5 * m[k];
      c[3] = (m[k + 1] - m[k]) / (6.0 * h);
    }
  }
}

void CubicSpline::append(const CubicSpline& other, std::size_t first) {
  const auto from = static_cast<std::ptrdiff_t>(first);
  const auto begin = static_cast<std::ptrdiff_t>(first * joints_ * kCoefficients);
  knots_.insert(knots_.end(), other.knots_.begin() + from + 1, other.knots_.end());
  coefficients_.insert(coefficients_.end(), other.coefficients_.begin() + begin,
                       other.coefficients_.end());
}

std::vector<double> chord_knots(const std::vector<std::vector<double>>& points,
                                const std::vector<double>& scale) {
  std::vector<double> knots{0.0};
  for (std::size_t k = 1; k < points.size(); ++k) {
    double squares = 0.0;
    for (std::size_t j = 0; j < scale.size(); ++j) {
      const double part = (points[k][j] - points[k - 1][j]) / scale[j];
      squares += part * part;
    }
    knots.push_back(knots.back() + std::sqrt(squares));
  }
  return knots;
}

}  // namespace jointrig
