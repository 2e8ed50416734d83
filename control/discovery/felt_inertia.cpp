#include "control/discovery/felt_inertia.h"

#include <Eigen/Dense>

namespace jointrig {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

/// Rows of the equality constraints' Jacobian, transposed: (nv, rows).
Matrix equality_jacobian_transposed(const mjModel& m, const mjData& d) {
  std::vector<int> rows;
  for (int i = 0; i < d.nefc; ++i) {
    if (d.efc_type[i] == mjCNSTR_EQUALITY) rows.push_back(i);
  }
  Matrix result(m.nv, static_cast<Eigen::Index>(rows.size()));
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(d.nefc);
  Eigen::VectorXd column(m.nv);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    unit[rows[k]] = 1.0;
    mj_mulJacTVec(&m, &d, column.data(), unit.data());
    unit[rows[k]] = 0.0;
    result.col(static_cast<Eigen::Index>(k)) = column;
  }
  return result;
}

/// M⁻¹ b for each column b.
Matrix solve(const mjModel& m, mjData& d, const Matrix& b) {
  Matrix result(b.rows(), b.cols());
  mj_solveM(&m, &d, result.data(), b.data(), static_cast<int>(b.cols()));
  return result;
}

}  // namespace

std::vector<double> felt_inertia(const mjModel& model, mjData& data) {
  mj_forward(&model, &data);
  const Eigen::VectorXd free = solve(model, data, Matrix::Identity(model.nv, model.nv)).diagonal();
  Eigen::VectorXd allowed = free;
  const Matrix jacobian_t = equality_jacobian_transposed(model, data);
  if (jacobian_t.cols() > 0) {
    const Matrix b = solve(model, data, jacobian_t);  // M⁻¹ Jᵀ, (nv, rows)
    const Matrix a = jacobian_t.transpose() * b;
    const Matrix taken = a.completeOrthogonalDecomposition().solve(b.transpose());
    for (Eigen::Index i = 0; i < model.nv; ++i) allowed[i] -= b.row(i).dot(taken.col(i));
  }
  std::vector<double> inertia(static_cast<std::size_t>(model.nv));
  for (Eigen::Index i = 0; i < model.nv; ++i) {
    const bool held_still = allowed[i] * kHeldStill < free[i];
    inertia[static_cast<std::size_t>(i)] = 1.0 / (held_still ? free[i] : allowed[i]);
  }
  return inertia;
}

}  // namespace jointrig
