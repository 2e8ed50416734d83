#include "control/wholebody/equality_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace jointrig {
namespace {

constexpr int kVariables = 9;
constexpr int kEqualities = 3;
constexpr int kSquares = 5;

/// Three equalities and one inequality over nine variables.
struct Program {
  explicit Program(unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const auto fill = [&](auto&& matrix) {
      for (double& entry : matrix.reshaped()) entry = normal(random);
    };
    diagonal.resize(kVariables);
    squares.resize(kVariables, kSquares);
    gradient.resize(kVariables);
    rows.resize(kVariables, kEqualities + 1);
    row_low.resize(kEqualities + 1);
    fill(diagonal);
    diagonal = diagonal.cwiseAbs();
    fill(squares);
    fill(gradient);
    fill(rows);
    fill(row_low);
    row_high = row_low;
    row_high[1] += 1.0;
    free.setConstant(kVariables, std::numeric_limits<double>::infinity());
    none = -free;
  }

  [[nodiscard]] QuadraticProgram get() const {
    return {diagonal, squares, gradient, none, free, rows, row_low, row_high};
  }
  [[nodiscard]] double objective(const Eigen::VectorXd& x) const {
    return 0.5 * x.dot(diagonal.cwiseProduct(x)) + 0.5 * (squares.transpose() * x).squaredNorm() +
           gradient.dot(x);
  }

  Eigen::VectorXd diagonal, gradient, none, free, row_low, row_high;
  Eigen::MatrixXd squares, rows;
};

const std::vector<std::uint8_t> kNoneLast(kVariables, 0);

Eigen::VectorXd some_point(int size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd y(size);
  for (double& entry : y) entry = normal(random);
  return y;
}

Eigen::VectorXd expanded(const EqualityElimination& elimination, const Eigen::VectorXd& y) {
  Eigen::VectorXd x(kVariables);
  elimination.expand(y, x);
  return x;
}

TEST(EqualityElimination, EveryPointOfTheSmallerProgramMeetsTheEqualities) {
  const Program p(1);
  EqualityElimination elimination(kVariables, kEqualities + 1, kSquares);
  ASSERT_TRUE(elimination.take(p.get(), kNoneLast));
  EXPECT_EQ(elimination.taken(), kEqualities);
  ASSERT_EQ(elimination.size(), kVariables - kEqualities);
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd x = expanded(elimination, some_point(elimination.size(), random));
    for (const int row : {0, 2, 3}) EXPECT_NEAR(p.rows.col(row).dot(x), p.row_low[row], 1e-12);
  }
}

TEST(EqualityElimination, TheSmallerProgramHasTheObjectiveAndTheRowsOfTheWholeOne) {
  const Program p(3);
  EqualityElimination elimination(kVariables, kEqualities + 1, kSquares);
  ASSERT_TRUE(elimination.take(p.get(), kNoneLast));
  const int n = elimination.size();
  Eigen::MatrixXd lower = Eigen::MatrixXd::Zero(n, n);
  elimination.reduce_hessian(p.get(), lower);
  const Eigen::MatrixXd hessian = lower.selfadjointView<Eigen::Lower>();
  Eigen::VectorXd gradient(n);
  elimination.reduce_gradient(p.get(), gradient);
  Eigen::VectorXd row(n);
  Eigen::VectorXd unit(n);
  elimination.reduce(p.rows.col(1), row);
  const Eigen::VectorXd x0 = expanded(elimination, Eigen::VectorXd::Zero(n));
  std::mt19937 random(4);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd y = some_point(n, random);
    const Eigen::VectorXd x = expanded(elimination, y);
    EXPECT_NEAR(0.5 * y.dot(hessian * y) + gradient.dot(y), p.objective(x) - p.objective(x0),
                1e-11);
    EXPECT_NEAR(row.dot(y), p.rows.col(1).dot(x) - p.rows.col(1).dot(x0), 1e-12);
    for (int variable = 0; variable < kVariables; ++variable) {
      elimination.reduce_unit(variable, unit);
      EXPECT_NEAR(unit.dot(y), x[variable] - x0[variable], 1e-12);
    }
  }
}

TEST(EqualityElimination, VariablesThatComeLastStayAndHaveTheLastPlaces) {
  const Program p(5);
  EqualityElimination elimination(kVariables, kEqualities + 1, kSquares);
  std::vector<std::uint8_t> is_last = kNoneLast;
  is_last[0] = is_last[4] = 1;
  ASSERT_TRUE(elimination.take(p.get(), is_last));
  EXPECT_EQ(elimination.place_of(0), elimination.size() - 2);
  EXPECT_EQ(elimination.place_of(4), elimination.size() - 1);
  EXPECT_EQ(elimination.variable_at(elimination.size() - 1), 4);
}

TEST(EqualityElimination, TakesNothingWhereARowIsASumOfOthersOrIsNotFinite) {
  Program p(6);
  EqualityElimination elimination(kVariables, kEqualities + 1, kSquares);
  p.rows.col(3) = p.rows.col(0) - 2.0 * p.rows.col(2);
  EXPECT_FALSE(elimination.take(p.get(), kNoneLast));
  p.rows(2, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(elimination.take(p.get(), kNoneLast));
  elimination.take_none(p.get(), kNoneLast);
  EXPECT_EQ(elimination.size(), kVariables);
  EXPECT_EQ(elimination.taken(), 0);
}

}  // namespace
}  // namespace jointrig
