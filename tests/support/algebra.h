#pragma once
/// Decompositions for tests, by Eigen at any size. They are compiled once: a test that has Eigen's
/// own of a fixed size takes the compiler ten seconds more for each.

#include <Eigen/Core>

namespace jointrig::testing {

/// Inverse of a square matrix that has one.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& matrix);

/// Eigenvalues of any square matrix, in no order.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& matrix);

/// Eigenvalues of a symmetric matrix (its lower half is read), rising.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

}  // namespace jointrig::testing
