// The controller's programs, solved once more by eiquadprog, which shares no line with ours.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <eiquadprog/eiquadprog-rt.hpp>
#include <memory>

#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig {
namespace {

constexpr int kVariables = 32 + 2 * 4 * 4;           // joints, edges
constexpr int kEqualities = 12;                      // two soles
constexpr int kInequalities = 2 * 32 + 32 + 2 * 32;  // accelerations, forces, torques

using Second = eiquadprog::solvers::RtEiquadprog<kVariables, kEqualities, kInequalities>;

/// Puts a program into eiquadprog's form: CE x + ce = 0, CI x + ci ≥ 0.
struct Stacked {
  Eigen::Matrix<double, kEqualities, kVariables> ce;
  Eigen::Matrix<double, kEqualities, 1> ce0;
  Eigen::Matrix<double, kInequalities, kVariables> ci;
  Eigen::Matrix<double, kInequalities, 1> ci0;

  explicit Stacked(const QuadraticProgram& p) {
    int equality = 0;
    int inequality = 0;
    const auto add = [&](const Eigen::VectorXd& row, double low, double high) {
      if (low == high) {
        ce.row(equality) = row;
        ce0[equality++] = -low;
        return;
      }
      if (std::isfinite(low)) {
        ci.row(inequality) = row;
        ci0[inequality++] = -low;
      }
      if (std::isfinite(high)) {
        ci.row(inequality) = -row;
        ci0[inequality++] = high;
      }
    };
    for (int i = 0; i < kVariables; ++i) {
      add(Eigen::VectorXd::Unit(kVariables, i), p.low[i], p.high[i]);
    }
    for (Eigen::Index i = 0; i < p.row_low.size(); ++i) {
      add(p.rows_transposed.col(i), p.row_low[i], p.row_high[i]);
    }
    EXPECT_EQ(equality, kEqualities);
    EXPECT_EQ(inequality, kInequalities);
  }
};

TEST(WholeBodyProgram, HasTheSolutionThatASecondSolverFindsInAThousandRandomStates) {
  soles::Icub icub;
  WholeBodyCore core(icub.model, soles::both_soles(icub.model), icub.bounds);
  std::mt19937 random(1000);
  const auto second = std::make_unique<Second>();
  int solved = 0;
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    icub.shake(random, 0.1, 0.3);
    const WholeBodySolution& answer = core.solve(icub.model, soles::stand(icub, random));
    if (answer.outcome != CoreOutcome::kSolved) continue;  // another program: it has slacks
    const QuadraticProgram program = core.program();
    ASSERT_EQ(program.gradient.size(), kVariables);
    const auto stacked = std::make_unique<Stacked>(program);
    Eigen::Matrix<double, kVariables, kVariables> hessian =
        program.squares * program.squares.transpose();
    hessian.diagonal() += program.diagonal;
    const Eigen::Matrix<double, kVariables, 1> gradient = program.gradient;
    Eigen::Matrix<double, kVariables, 1> x;
    const auto status = second->solve_quadprog(hessian, gradient, stacked->ce, stacked->ce0,
                                               stacked->ci, stacked->ci0, x);
    ASSERT_EQ(status, eiquadprog::solvers::RT_EIQUADPROG_OPTIMAL);
    EXPECT_LT((x - core.variables()).cwiseAbs().maxCoeff(), 1e-6);
    ++solved;
  }
  EXPECT_GE(solved, 900);
}

}  // namespace
}  // namespace jointrig
