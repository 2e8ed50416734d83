// Inverse kinematics and virtual model control: what they have in place of the terms of inverse
// dynamics.

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>

#include "control/wholebody/columns.h"
#include "control/wholebody/core.h"

namespace jointrig {
namespace {

/// A chain to a sole with no more joints than this has no motion of its own while the sole stands.
constexpr int kJointsOfALeg = 6;
/// Fewest points of a contact that can take a moment about each axis.
constexpr std::size_t kPointsOfASole = 3;

}  // namespace

// Inverse kinematics -----------------------------------------------------------------------------

/// The acceleration of the base is the last six variables.
void WholeBodyCore::free_the_base() noexcept {
  auto base_of = base_of_.leftCols(variables_);
  base_of.setZero();
  base_of.rightCols<FloatingModel::kBase>().setIdentity();
  base_at_.setZero();
}

// Virtual model control --------------------------------------------------------------------------

/// Torques as functions of ρ, with the virtual forces in them.
void WholeBodyCore::pull(FloatingModel& model, const WholeBodyCommand& command) noexcept {
  const int n = joints_;
  torque_of_.topRows(forces_) = -forces_to_velocities_.leftCols(forces_).bottomRows(n).transpose();
  torque_at_ = model.bias().tail(n) - wrench_force_.tail(n);
  virtual_momentum_.setZero();
  factor_ = model.inertia();
  // False where a number isn't finite: then the program has no answer either.
  if (!factor_lower(factor_)) return;
  for (const SpatialTask& task : command.spatial) {
    if (task.on) pull_frame(model, task);
  }
  pull_joints(model, command);
}

void WholeBodyCore::pull_frame(FloatingModel& model, const SpatialTask& task) noexcept {
  model.jacobian(task.frame, jacobian_);
  const SixNumbers missing = task.acceleration - model.acceleration_bias(task.frame);
  const Eigen::Vector3d arm = model.position(task.frame) - model.com();
  // Of the chosen axes: rows of J, what is missing, and the momentum's rate by a unit along each.
  SixNumbers wanted = SixNumbers::Zero();
  Eigen::Matrix<double, 6, 6> unit = Eigen::Matrix<double, 6, 6>::Zero();
  int chosen = 0;
  for (int axis = 0; axis < 6; ++axis) {
    if (!task.axes[static_cast<std::size_t>(axis)]) continue;
    const bool is_linear = axis < 3;
    Eigen::Vector3d along = Eigen::Vector3d::Unit(axis % 3);
    if (task.is_turned) along = (is_linear ? task.linear_axes : task.angular_axes).col(axis % 3);
    const int first = is_linear ? 0 : 3;
    for (Eigen::Index i = 0; i < pulled_.rows(); ++i) {
      pulled_(i, chosen) = along.dot(jacobian_.col(i).segment<3>(first));
    }
    wanted[chosen] = along.dot(missing.segment<3>(first));
    unit.col(chosen).segment<3>(first) = along;
    if (is_linear) unit.col(chosen).tail<3>() = arm.cross(along);
    ++chosen;
  }
  Eigen::Matrix<double, 6, 6> mobility = Eigen::Matrix<double, 6, 6>::Identity();
  for (int k = 0; k < chosen; ++k) {
    moved_.col(k) = pulled_.col(k);
    solve_factored(factor_, moved_.col(k));
  }
  for (int k = 0; k < chosen; ++k) {
    for (int l = 0; l < chosen; ++l) mobility(k, l) = pulled_.col(k).dot(moved_.col(l));
  }
  // The base moves along with each axis: the mobility is never singular.
  const SixNumbers force = mobility.llt().solve(wanted);
  for (int k = 0; k < chosen; ++k) {
    torque_at_ += force[k] * pulled_.col(k).tail(joints_);
    virtual_momentum_ += force[k] * unit.col(k);
  }
}

/// A leg that stands on its sole is moved by the contact's forces alone: what pulls its joints to a
/// posture would pull the robot aside.
void WholeBodyCore::pull_joints(FloatingModel& model, const WholeBodyCommand& command) noexcept {
  const auto fits = [this](const JointTask& task) {
    return task.on && task.acceleration.size() == joints_ && task.weights.size() == joints_;
  };
  const auto inertia = [&](int i) {
    return model.inertia()(FloatingModel::kBase + i, FloatingModel::kBase + i);
  };
  if (fits(command.joints)) {
    const double most = command.joints.weights.maxCoeff();
    for (int i = 0; i < joints_ && most > 0.0; ++i) {
      torque_at_[i] +=
          command.joints.weights[i] / most * inertia(i) * command.joints.acceleration[i];
    }
  }
  if (!fits(command.privileged)) return;
  row_.head(joints_).setOnes();  // 0 for the joints of legs that stand
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (!is_on(c, command) || contacts_[c].points.size() < kPointsOfASole) continue;
    model.jacobian(contacts_[c].frame, jacobian_);
    const auto moves = [this](int i) {
      return jacobian_.col(FloatingModel::kBase + i).squaredNorm() > 0.0;
    };
    int chain = 0;
    for (int i = 0; i < joints_; ++i) chain += moves(i) ? 1 : 0;
    for (int i = 0; i < joints_ && chain <= kJointsOfALeg; ++i) {
      if (moves(i)) row_[i] = 0.0;
    }
  }
  const double most = command.privileged.weights.maxCoeff();
  for (int i = 0; i < joints_ && most > 0.0; ++i) {
    torque_at_[i] += row_[i] * command.privileged.weights[i] / most * inertia(i) *
                     command.privileged.acceleration[i];
  }
}

/// All six rows: where the command leaves an axis out, the virtual forces alone decide.
void WholeBodyCore::add_virtual_momentum(const FloatingModel& model,
                                         const WholeBodyCommand& command) noexcept {
  const MomentumTask& task = command.momentum;
  SixNumbers missing = -wrench_momentum_;
  missing.head<3>() -= model.mass() * model.gravity();
  for (int axis = 0; axis < 6; ++axis) {
    const bool is_wanted = task.on && task.axes[static_cast<std::size_t>(axis)];
    if (is_wanted) missing[axis] += task.rate[axis];
    if (!is_wanted || axis >= 3) missing[axis] += virtual_momentum_[axis];
    momentum_row(model, axis);
    add_objective_row(missing[axis], task.on ? task.weights[axis] : 1.0);
  }
}

}  // namespace jointrig
