#include "control/planning/damped_step.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace jointrig {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DampedStep, SolvesOneEquationByHand) {
  // 2 x = 3 with damping 4: x = 2·3 / (2² + 4).
  DampedStep step(1, 1);
  std::array<double, 1> x{};
  step.solve(std::array{2.0}, std::array{-3.0}, std::array{-10.0}, std::array{10.0}, 4.0, x);
  EXPECT_NEAR(x[0], 6.0 / 8.0, 1e-15);
}

TEST(DampedStep, TakesTheShortestOfManySteps) {
  // x + y = 2: the shortest is (1, 1).
  DampedStep step(1, 2);
  std::array<double, 2> x{};
  step.solve(std::array{1.0, 1.0}, std::array{-2.0}, std::array{-9.0, -9.0}, std::array{9.0, 9.0},
             1e-12, x);
  EXPECT_NEAR(x[0], 1.0, 1e-9);
  EXPECT_NEAR(x[1], 1.0, 1e-9);
}

TEST(DampedStep, LeavesWhatABoundHoldsToTheOthers) {
  // x + y = 2 with x <= 0.25: y does the rest.
  DampedStep step(1, 2);
  std::array<double, 2> x{};
  step.solve(std::array{1.0, 1.0}, std::array{-2.0}, std::array{-9.0, -9.0}, std::array{0.25, 9.0},
             1e-12, x);
  EXPECT_EQ(x[0], 0.25);
  EXPECT_NEAR(x[1], 1.75, 1e-9);
}

TEST(DampedStep, StaysWhereEverythingIsAtItsBound) {
  DampedStep step(1, 2);
  std::array<double, 2> x{5.0, 5.0};
  step.solve(std::array{1.0, 1.0}, std::array{-2.0}, std::array{-1.0, -1.0}, std::array{0.0, 0.0},
             1e-12, x);
  EXPECT_EQ(x[0], 0.0);
  EXPECT_EQ(x[1], 0.0);
}

TEST(DampedStep, AgreesWithTheNormalEquationsAtAnySize) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (const auto& [rows, columns] : {std::pair{6, 7}, {6, 6}, {12, 17}, {6, 3}, {3, 9}}) {
    SCOPED_TRACE(std::to_string(rows) + " rows, " + std::to_string(columns) + " columns");
    Eigen::MatrixXd jacobian(rows, columns);
    Eigen::VectorXd residual(rows);
    for (double& entry : jacobian.reshaped()) entry = normal(random);
    for (double& entry : residual) entry = normal(random);
    constexpr double kDamping = 0.1;
    const Eigen::MatrixXd normal_matrix =
        jacobian.transpose() * jacobian + kDamping * Eigen::MatrixXd::Identity(columns, columns);
    const Eigen::VectorXd expected = normal_matrix.ldlt().solve(-jacobian.transpose() * residual);

    DampedStep step(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns));
    const std::vector<double> low(static_cast<std::size_t>(columns), -kInfinity);
    const std::vector<double> high(static_cast<std::size_t>(columns), kInfinity);
    std::vector<double> x(static_cast<std::size_t>(columns));
    step.solve({jacobian.data(), static_cast<std::size_t>(jacobian.size())},
               {residual.data(), static_cast<std::size_t>(rows)}, low, high, kDamping, x);
    for (int i = 0; i < columns; ++i) {
      EXPECT_NEAR(x[static_cast<std::size_t>(i)], expected[i], 1e-12);
    }
  }
}

}  // namespace
}  // namespace jointrig
