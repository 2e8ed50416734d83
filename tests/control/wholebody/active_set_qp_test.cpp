#include "control/wholebody/active_set_qp.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace jointrig {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// A program with a feasible point: strictly convex, some variables bounded, some rows equalities.
struct RandomProgram {
  Eigen::VectorXd diagonal;
  Eigen::MatrixXd squares;
  Eigen::VectorXd gradient, low, high;
  Eigen::MatrixXd rows;  // transposed
  Eigen::VectorXd row_low, row_high;

  RandomProgram(int n, int equalities, int inequalities, std::mt19937& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const auto fill = [&](auto& matrix) {
      for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix(i) = normal(random);
    };
    squares.resize(n, n);
    fill(squares);
    diagonal.setConstant(n, 1e-3);
    gradient.resize(n);
    fill(gradient);
    gradient *= 10.0;
    Eigen::VectorXd inside(n);
    fill(inside);
    low = inside.array() - uniform(random);
    high = inside.array() + uniform(random);
    for (int i = 0; i < n; i += 3) low[i] = -kNone;
    for (int i = 1; i < n; i += 3) high[i] = kNone;
    const int m = equalities + inequalities;
    rows.resize(n, m);
    fill(rows);
    row_low = rows.transpose() * inside;
    row_high = row_low;
    row_low.tail(inequalities).array() -= 0.1;
    row_high.tail(inequalities).array() += 0.2;
  }

  [[nodiscard]] Eigen::MatrixXd hessian() const {
    return squares * squares.transpose() + Eigen::MatrixXd(diagonal.asDiagonal());
  }
  /// |x|² alone.
  void weigh_all_alike() {
    diagonal.setOnes();
    squares.setZero();
  }
  [[nodiscard]] QuadraticProgram program() const {
    return {diagonal, squares, gradient, low, high, rows, row_low, row_high};
  }
};

/// The part of a vector that no combination of the equalities' normals is.
Eigen::VectorXd beside_equalities(const RandomProgram& p, const Eigen::VectorXd& vector) {
  Eigen::MatrixXd normals(vector.size(), 0);
  for (Eigen::Index i = 0; i < p.row_low.size(); ++i) {
    if (p.row_low[i] != p.row_high[i]) continue;
    normals.conservativeResize(Eigen::NoChange, normals.cols() + 1);
    normals.rightCols<1>() = p.rows.col(i);
  }
  if (normals.cols() == 0) return vector;
  return vector - normals * normals.colPivHouseholderQr().solve(vector);
}

/// Optimality by Karush, Kuhn and Tucker: with all constraints met, H x + g is a sum of the normals
/// of active constraints, each with the sign that its side allows; equalities have any.
void expect_optimal(const RandomProgram& p, const ActiveSetQp& qp) {
  const Eigen::VectorXd x = qp.solution();
  const auto n = x.size();
  EXPECT_GE((x - p.low).minCoeff(), -1e-8);
  EXPECT_GE((p.high - x).minCoeff(), -1e-8);
  const Eigen::VectorXd values = p.rows.transpose() * x;
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    EXPECT_GE(values[i], p.row_low[i] - 1e-8);
    EXPECT_LE(values[i], p.row_high[i] + 1e-8);
  }
  Eigen::VectorXd rest = p.hessian() * x + p.gradient;
  for (const ActiveSetQp::Active& at : qp.active()) {
    if (!at.is_equality) {
      EXPECT_GE(at.multiplier, -1e-7);
    }
    if (at.index < n) {
      rest[at.index] -= at.side * at.multiplier;
    } else {
      rest -= at.side * at.multiplier * p.rows.col(at.index - n);
    }
  }
  EXPECT_LT(beside_equalities(p, rest).cwiseAbs().maxCoeff(), 1e-7 * (1.0 + p.gradient.norm()));
}

TEST(ActiveSetQp, SolutionsOfRandomProgramsMeetTheConditionsOfOptimality) {
  std::mt19937 random(7);
  ActiveSetQp qp(20, 15, 20);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const RandomProgram p(4 + i % 16, i % 4, i % 12, random);
    qp.forget();
    ASSERT_EQ(qp.solve(p.program(), 500), ActiveSetQp::Outcome::kSolved);
    expect_optimal(p, qp);
  }
}

TEST(ActiveSetQp, AWarmStartGivesTheSolutionOfAColdOne) {
  std::mt19937 random(8);
  ActiveSetQp warm(20, 15, 20);
  ActiveSetQp cold(20, 15, 20);
  std::normal_distribution<double> normal;
  int warm_work = 0;
  int cold_work = 0;
  for (int i = 0; i < 60; ++i) {
    RandomProgram p(18, 3, 10, random);
    warm.forget();
    for (int k = 0; k < 5; ++k) {
      for (Eigen::Index j = 0; j < p.gradient.size(); ++j) p.gradient[j] += 0.3 * normal(random);
      cold.forget();
      ASSERT_EQ(warm.solve(p.program(), 500), ActiveSetQp::Outcome::kSolved);
      ASSERT_EQ(cold.solve(p.program(), 500), ActiveSetQp::Outcome::kSolved);
      EXPECT_LT((warm.solution() - cold.solution()).cwiseAbs().maxCoeff(), 1e-7);
      expect_optimal(p, warm);
      warm_work += warm.iterations();
      cold_work += cold.iterations();
    }
  }
  EXPECT_LT(warm_work, cold_work);
}

TEST(ActiveSetQp, BoundsThatStayActiveAreTakenInOnceEachAndGiveTheSolutionAgain) {
  std::mt19937 random(9);
  std::size_t most = 0;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const RandomProgram p(18, i % 4, 0, random);
    ActiveSetQp qp(20, 15, 20);
    ASSERT_EQ(qp.solve(p.program(), 500), ActiveSetQp::Outcome::kSolved);
    const Eigen::VectorXd before = qp.solution();
    ASSERT_EQ(qp.solve(p.program(), 500), ActiveSetQp::Outcome::kSolved);
    EXPECT_LT((qp.solution() - before).cwiseAbs().maxCoeff(), 1e-9);
    expect_optimal(p, qp);
    EXPECT_EQ(qp.iterations(), static_cast<int>(qp.active().size()));
    most = std::max(most, qp.active().size());
  }
  EXPECT_GT(most, 5u);
}

TEST(ActiveSetQp, ARowAlongAnActiveBoundIsTakenForIt) {
  std::mt19937 random(10);
  RandomProgram p(3, 0, 1, random);
  p.weigh_all_alike();
  p.gradient << -5.0, 0.25, 3.0;
  p.low << -1.0, -1.0, -1.0;
  p.high << 1.0, 1.0, 1.0;
  p.rows << 2.0, 0.0, 0.0;  // x₀ ≤ 1 once more
  p.row_low << -kNone;
  p.row_high << 2.0;
  ActiveSetQp qp(3, 1, 3);
  const std::vector<ActiveSetQp::Active> both{{0, -1.0}, {3, -1.0}, {2, 1.0}};
  qp.start_from(both);
  ASSERT_EQ(qp.solve(p.program(), 50), ActiveSetQp::Outcome::kSolved);
  EXPECT_EQ(qp.active().size(), 2u);
  EXPECT_LT((qp.solution() - Eigen::Vector3d(1.0, -0.25, -1.0)).norm(), 1e-14);
}

TEST(ActiveSetQp, ABoxGivesTheNearestPointByHand) {
  std::mt19937 random(1);
  RandomProgram p(3, 0, 0, random);
  p.weigh_all_alike();
  p.gradient << -5.0, 0.25, 3.0;
  p.low << -1.0, -1.0, -1.0;
  p.high << 1.0, 1.0, 1.0;
  ActiveSetQp qp(3, 1, 3);
  ASSERT_EQ(qp.solve(p.program(), 50), ActiveSetQp::Outcome::kSolved);
  EXPECT_EQ(qp.solution(), Eigen::Vector3d(1.0, -0.25, -1.0));
}

TEST(ActiveSetQp, ConstraintsThatCantHoldTogetherAreNamedAndOthersAreNot) {
  std::mt19937 random(1);
  RandomProgram p(3, 0, 0, random);
  p.weigh_all_alike();
  p.gradient << 0.0, 0.0, 5.0;
  p.low.setConstant(-1.0);  // the third is active, and no part of the conflict
  p.high << 1.0, kNone, kNone;
  p.rows.resize(3, 2);
  p.rows << 1.0, 1.0, 0.0, 1.0, 0.0, 0.0;
  p.row_low.resize(2);
  p.row_high.resize(2);
  p.row_low << 2.0, -kNone;  // x ≥ 2 and x ≤ 1
  p.row_high << kNone, kNone;
  ActiveSetQp qp(3, 2, 3);
  ASSERT_EQ(qp.solve(p.program(), 50), ActiveSetQp::Outcome::kInfeasible);
  std::vector<int> named(qp.conflict().begin(), qp.conflict().end());
  std::sort(named.begin(), named.end());
  EXPECT_EQ(named, (std::vector<int>{0, 3}));
}

TEST(ActiveSetQp, AnEqualityThatABoundContradictsIsNamedAndTheNextProgramIsSolved) {
  std::mt19937 random(1);
  RandomProgram p(3, 0, 0, random);
  p.weigh_all_alike();
  p.gradient.setZero();
  p.low.setConstant(-kNone);
  p.high << 1.0, 1.0, kNone;
  p.rows.resize(3, 2);
  p.rows << 1.0, 0.0, 1.0, 0.0, 0.0, 1.0;
  p.row_low.resize(2);
  p.row_low << 3.0, 0.5;  // x + y = 3, and both are at most 1
  p.row_high = p.row_low;
  ActiveSetQp qp(3, 2, 3);
  ASSERT_EQ(qp.solve(p.program(), 50), ActiveSetQp::Outcome::kInfeasible);
  std::vector<int> named(qp.conflict().begin(), qp.conflict().end());
  std::sort(named.begin(), named.end());
  EXPECT_EQ(named, (std::vector<int>{0, 1, 3}));
  p.row_low[0] = p.row_high[0] = 1.5;
  ASSERT_EQ(qp.solve(p.program(), 50), ActiveSetQp::Outcome::kSolved);
  EXPECT_LT((qp.solution() - Eigen::Vector3d(0.75, 0.75, 0.5)).norm(), 1e-12);
}

TEST(ActiveSetQp, ARowThatRepeatsAnotherOneIsNoHindrance) {
  std::mt19937 random(1);
  RandomProgram p(3, 0, 0, random);
  p.weigh_all_alike();
  p.gradient.setZero();
  p.low.setConstant(-kNone);
  p.high.setConstant(kNone);
  p.rows.resize(3, 3);
  p.rows << 1.0, 2.0, 1.0, 1.0, 2.0, 1.0, 0.0, 0.0, 0.0;
  p.row_low.resize(3);
  p.row_low << 2.0, 4.0, 2.0;
  p.row_high = p.row_low;
  ActiveSetQp qp(3, 3, 3);
  for (int i = 0; i < 2; ++i) {  // cold, then warm
    ASSERT_EQ(qp.solve(p.program(), 50), ActiveSetQp::Outcome::kSolved);
    EXPECT_LT((qp.solution() - Eigen::Vector3d(1.0, 1.0, 0.0)).norm(), 1e-12);
  }
}

TEST(ActiveSetQp, WorkIsBoundedAndWhatIsNotConvexOrNotFiniteIsToldApart) {
  std::mt19937 random(9);
  RandomProgram p(18, 3, 10, random);
  ActiveSetQp qp(18, 13, 18);
  EXPECT_EQ(qp.solve(p.program(), 2), ActiveSetQp::Outcome::kTooLong);
  EXPECT_EQ(qp.iterations(), 3);
  qp.forget();
  p.diagonal[0] = -100.0;
  EXPECT_EQ(qp.solve(p.program(), 500), ActiveSetQp::Outcome::kNotConvex);
  p.diagonal[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(qp.solve(p.program(), 500), ActiveSetQp::Outcome::kNotConvex);
}

}  // namespace
}  // namespace jointrig
