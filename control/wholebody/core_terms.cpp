// The terms of the program: what the core's equations say, before anything is solved.

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/wholebody/columns.h"
#include "control/wholebody/core.h"

namespace jointrig {

namespace {

/// Six numbers along the axes of a task.
SixNumbers along_axes(const SpatialTask& task, const SixNumbers& in_world) noexcept {
  SixNumbers along;
  along << task.linear_axes.transpose() * in_world.head<3>(),
      task.angular_axes.transpose() * in_world.tail<3>();
  return along;
}

}  // namespace

/// The forces that there are, and the effect of them and of the external wrenches on the
/// velocities.
void WholeBodyCore::lay_out(FloatingModel& model, const WholeBodyCommand& command) noexcept {
  mode_ = command.mode;
  const bool has_forces = mode_ != CoreMode::kInverseKinematics;
  forces_ = 0;
  for (std::size_t c = 0; c < kMaxContacts; ++c) {
    const bool on = is_on(c, command);
    first_force_[c] = !on ? kOff : has_forces ? forces_ : kForceless;
    if (on && has_forces) add_contact(model, static_cast<int>(c), command.contacts[c]);
  }
  // Places of variables and rows have moved: the last active set means others.
  if (first_force_ != first_force_before_ || mode_ != mode_before_) qp_.forget();
  accelerations_ = mode_ == CoreMode::kVirtualModel ? 0 : joints_;
  base_ = has_forces ? 0 : FloatingModel::kBase;
  variables_ = accelerations_ + forces_ + base_;
  slacks_ = 0;
  rows_ = 0;
  objectives_ = 0;
  groups_.clear();
  limits_released_ = false;

  wrench_force_.setZero();
  wrench_momentum_.setZero();
  for (const ExternalWrench& external : command.wrenches) {
    if (!external.on) continue;
    model.jacobian(external.frame, jacobian_);
    for (Eigen::Index i = 0; i < wrench_force_.size(); ++i) {
      wrench_force_[i] += jacobian_.col(i).dot(external.wrench);
    }
    const Eigen::Vector3d arm = model.position(external.frame) - model.com();
    const Eigen::Vector3d force = external.wrench.head<3>();
    wrench_momentum_.head<3>() += force;
    wrench_momentum_.tail<3>() += external.wrench.tail<3>() + arm.cross(force);
  }
}

void WholeBodyCore::add_contact(FloatingModel& model, int contact,
                                const ContactCommand& command) noexcept {
  const ContactSetup& setup = contacts_[static_cast<std::size_t>(contact)];
  const Eigen::Matrix3d turn = model.rotation(setup.frame);
  const Eigen::Matrix3d axes = command.is_placed ? command.axes : turn;
  const Eigen::Vector3d origin = model.position(setup.frame);
  origin_[static_cast<std::size_t>(contact)] = origin;
  model.jacobian(setup.frame, jacobian_);
  for (const Eigen::Vector3d& point : setup.points) {
    const Eigen::Vector3d arm = turn * (command.is_placed ? command.point : point);
    for (int edge = 0; edge < kConeEdges; ++edge) {
      const double angle = std::numbers::pi * (0.25 + 2.0 * edge / kConeEdges);
      const Eigen::Vector3d along = axes * Eigen::Vector3d(command.friction * std::cos(angle),
                                                           command.friction * std::sin(angle), 1.0);
      SixNumbers wrench;
      wrench << along, arm.cross(along);
      forces_to_points_.col(forces_) = along;
      points_.col(forces_) = origin + arm;
      set_transposed_product(jacobian_, wrench, forces_to_velocities_.col(forces_));
      ++forces_;
    }
  }
}

/// Base and torques as functions of z.
void WholeBodyCore::eliminate(FloatingModel& model) noexcept {
  const int n = joints_;
  const Eigen::MatrixXd& inertia = model.inertia();
  const Eigen::VectorXd& bias = model.bias();
  const auto forces = forces_to_velocities_.leftCols(forces_);

  auto base_of = base_of_.leftCols(variables_);
  base_of.leftCols(n) = -inertia.topRightCorner(6, n);
  base_of.rightCols(forces_) = forces.topRows<6>();
  base_at_ = wrench_force_.head<6>() - bias.head<6>();
  const Eigen::Matrix<double, 6, 6> of_base = inertia.topLeftCorner<6, 6>();
  const Eigen::LLT<Eigen::Matrix<double, 6, 6>> cholesky(of_base);
  const Eigen::Matrix<double, 6, 6> inverse =
      cholesky.solve(Eigen::Matrix<double, 6, 6>::Identity());
  for (int c = 0; c < variables_; ++c) {
    const SixNumbers column = base_of.col(c);
    base_of.col(c) = inverse * column;
  }
  const SixNumbers at = base_at_;
  base_at_ = inverse * at;

  auto torque_of = torque_of_.topRows(variables_);
  torque_of.topRows(n) = inertia.bottomRightCorner(n, n);
  torque_of.bottomRows(forces_) = -forces.bottomRows(n).transpose();
  for (int i = 0; i < n; ++i) {
    const SixNumbers to_base = inertia.col(6 + i).head<6>();
    for (int c = 0; c < variables_; ++c) torque_of(c, i) += base_of.col(c).dot(to_base);
  }
  torque_at_ = bias.tail(n) - wrench_force_.tail(n);
  add_product(inertia.bottomLeftCorner(n, 6), base_at_, torque_at_);
}

template <typename Row>
double WholeBodyCore::row_in_variables(const Row& over_velocities, double wanted,
                                       Eigen::Ref<Eigen::VectorXd> row) const noexcept {
  const Eigen::Matrix<double, 6, 1> over_base = over_velocities.template head<6>().transpose();
  set_transposed_product(base_of_.leftCols(variables_), over_base, row);
  row.head(joints_) += over_velocities.tail(joints_).transpose();
  return wanted - over_base.dot(base_at_);
}

void WholeBodyCore::add_objective_row(double wanted, double weight) noexcept {
  const double root = std::sqrt(weight);
  auto square = objective_.col(objectives_).head(variables_);
  square = root * row_.head(variables_);
  gradient_.head(variables_) -= root * wanted * square;
  ++objectives_;
}

void WholeBodyCore::add_equality_row(double wanted) noexcept {
  constraint_.col(rows_).head(variables_) = row_.head(variables_);
  row_low_[rows_] = wanted;
  row_high_[rows_] = wanted;
  ++rows_;
  ++groups_.back().count;
}

void WholeBodyCore::add_objectives(FloatingModel& model, const WholeBodyCommand& command) noexcept {
  gradient_.head(variables_).setZero();
  diagonal_.head(variables_).setConstant(settings_.acceleration_weight);
  diagonal_.segment(accelerations_, forces_).setConstant(settings_.force_weight);
  const bool is_as_before = first_force_ == first_force_before_ && mode_ == mode_before_;
  if (settings_.change_weight > 0.0 && is_as_before) {
    diagonal_.head(variables_).array() += settings_.change_weight;
    gradient_.head(variables_) -= settings_.change_weight * before_.head(variables_);
  }
  if (mode_ == CoreMode::kVirtualModel) {
    add_virtual_momentum(model, command);
  } else {
    add_joint_task(command.joints);
    add_joint_task(command.privileged);
    add_spatial_tasks(model, command);
    if (mode_ == CoreMode::kInverseDynamics) add_momentum(model, command);
    if (mode_ == CoreMode::kInverseKinematics) add_momentum_of_motion(model, command);
  }
  add_pressure(model, command);
  if (settings_.torque_weight > 0.0 && mode_ != CoreMode::kInverseKinematics) {
    for (int i = 0; i < joints_; ++i) {
      row_.head(variables_) = torque_of_.col(i).head(variables_);
      add_objective_row(-torque_at_[i], settings_.torque_weight);
    }
  }
}

void WholeBodyCore::add_spatial_tasks(FloatingModel& model,
                                      const WholeBodyCommand& command) noexcept {
  for (std::size_t t = 0; t < command.spatial.size(); ++t) {
    const SpatialTask& task = command.spatial[t];
    if (!task.on) continue;
    const bool hard = task.firmness == Firmness::kHard;
    if (hard) groups_.push_back({{Yielding::kSpatialTask, static_cast<int>(t)}, rows_, 0, false});
    model.jacobian(task.frame, jacobian_);
    SixNumbers missing = task.acceleration - model.acceleration_bias(task.frame);
    if (task.is_turned) {
      missing = along_axes(task, missing);
      for (Eigen::Index c = 0; c < jacobian_.cols(); ++c) {
        jacobian_.col(c) = along_axes(task, jacobian_.col(c));
      }
    }
    for (int axis = 0; axis < 6; ++axis) {
      if (!task.axes[static_cast<std::size_t>(axis)]) continue;
      const double wanted =
          row_in_variables(jacobian_.row(axis), missing[axis], row_.head(variables_));
      if (hard) {
        add_equality_row(wanted);
      } else {
        add_objective_row(wanted, task.weights[axis]);
      }
    }
  }
}

void WholeBodyCore::add_joint_task(const JointTask& task) noexcept {
  if (!task.on || task.acceleration.size() != joints_ || task.weights.size() != joints_) return;
  diagonal_.head(joints_) += task.weights;
  gradient_.head(joints_) -= task.weights.cwiseProduct(task.acceleration);
}

/// dL/dt = Σ [f; (p - c) × f] + weight and external wrenches: over the forces alone.
void WholeBodyCore::add_momentum(const FloatingModel& model,
                                 const WholeBodyCommand& command) noexcept {
  const MomentumTask& task = command.momentum;
  if (!task.on) return;
  const bool hard = task.firmness == Firmness::kHard;
  if (hard) groups_.push_back({{Yielding::kMomentumTask, 0}, rows_, 0, false});
  SixNumbers missing = task.rate - wrench_momentum_;
  missing.head<3>() -= model.mass() * model.gravity();
  for (int axis = 0; axis < 6; ++axis) {
    if (!task.axes[static_cast<std::size_t>(axis)]) continue;
    momentum_row(model, axis);
    if (hard) {
      add_equality_row(missing[axis]);
    } else {
      add_objective_row(missing[axis], task.weights[axis]);
    }
  }
}

/// In inverse kinematics: dL/dt = A v̇ + (dA/dt) v.
void WholeBodyCore::add_momentum_of_motion(const FloatingModel& model,
                                           const WholeBodyCommand& command) noexcept {
  const MomentumTask& task = command.momentum;
  if (!task.on) return;
  const bool hard = task.firmness == Firmness::kHard;
  if (hard) groups_.push_back({{Yielding::kMomentumTask, 0}, rows_, 0, false});
  const SixNumbers missing = task.rate - model.momentum_bias();
  for (int axis = 0; axis < 6; ++axis) {
    if (!task.axes[static_cast<std::size_t>(axis)]) continue;
    const double wanted =
        row_in_variables(model.momentum_matrix().row(axis), missing[axis], row_.head(variables_));
    if (hard) {
      add_equality_row(wanted);
    } else {
      add_objective_row(wanted, task.weights[axis]);
    }
  }
}

/// Part of the contacts in one axis of dL/dt, as a row.
void WholeBodyCore::momentum_row(const FloatingModel& model, int axis) noexcept {
  row_.head(variables_).setZero();
  for (int i = 0; i < forces_; ++i) {
    const Eigen::Vector3d along = forces_to_points_.col(i);
    const Eigen::Vector3d arm = points_.col(i) - model.com();
    row_[accelerations_ + i] = axis < 3 ? along[axis] : arm.cross(along)[axis - 3];
  }
}

/// Wishes for the wrench of a contact, and for its centre of pressure: no moment about it.
void WholeBodyCore::add_pressure(FloatingModel& model, const WholeBodyCommand& command) noexcept {
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (first_force_[c] < 0) continue;
    const ContactCommand& contact = command.contacts[c];
    const int first = first_force_[c];
    const int count = kConeEdges * static_cast<int>(contacts_[c].points.size());
    const auto add = [&](const Eigen::Vector3d& about, const Eigen::Vector3d& axis, bool is_moment,
                         double wanted, double weight) {
      row_.head(variables_).setZero();
      for (int i = first; i < first + count; ++i) {
        const Eigen::Vector3d along = forces_to_points_.col(i);
        const Eigen::Vector3d moment = (points_.col(i) - about).cross(along);
        row_[accelerations_ + i] = axis.dot(is_moment ? moment : along);
      }
      add_objective_row(wanted, weight);
    };
    for (int axis = 0; axis < 6; ++axis) {
      if (contact.wrench_weights[axis] <= 0.0) continue;
      add(origin_[c], Eigen::Vector3d::Unit(axis % 3), axis >= 3, contact.wrench[axis],
          contact.wrench_weights[axis]);
    }
    if (contact.pressure_weight <= 0.0) continue;
    const Eigen::Matrix3d axes = model.rotation(contacts_[c].frame);
    const double height = contacts_[c].points.front().z();
    const Eigen::Vector3d centre =
        origin_[c] +
        axes * Eigen::Vector3d(contact.pressure_centre.x(), contact.pressure_centre.y(), height);
    for (const int axis : {0, 1}) {
      add(centre, axes.col(axis), true, 0.0, contact.pressure_weight);
    }
  }
}

void WholeBodyCore::add_constraints(FloatingModel& model,
                                    const WholeBodyCommand& command) noexcept {
  const bool has_motion = mode_ != CoreMode::kVirtualModel;
  for (std::size_t c = 0; c < contacts_.size() && has_motion; ++c) {
    if (!is_on(c, command)) continue;
    groups_.push_back({{Yielding::kContactMotion, static_cast<int>(c)}, rows_, 0, false});
    model.jacobian(contacts_[c].frame, jacobian_);
    const SixNumbers missing =
        command.contacts[c].acceleration - model.acceleration_bias(contacts_[c].frame);
    for (int axis = 0; axis < 6; ++axis) {
      const double wanted =
          row_in_variables(jacobian_.row(axis), missing[axis], row_.head(variables_));
      add_equality_row(wanted);
    }
  }
  first_torque_row_ = rows_;
  for (int i = 0; i < joints_ && mode_ == CoreMode::kInverseDynamics; ++i) {
    const double most = bounds_[static_cast<std::size_t>(i)].torque_max;
    if (std::isinf(most)) continue;
    constraint_.col(rows_).head(variables_) = torque_of_.col(i).head(variables_);
    row_low_[rows_] = -most - torque_at_[i];
    row_high_[rows_] = most - torque_at_[i];
    row_joint_[static_cast<std::size_t>(rows_ - first_torque_row_)] = i;
    ++rows_;
  }
  torque_rows_ = rows_ - first_torque_row_;
  // Last, so that no other row has another place while there is such a limit.
  limit_normal_forces(command);
  constexpr double kOpen = std::numeric_limits<double>::infinity();
  low_.segment(accelerations_, forces_).setZero();
  low_.segment(accelerations_ + forces_, base_).setConstant(-kOpen);
  high_.segment(accelerations_, forces_ + base_).setConstant(kOpen);
  if (accelerations_ > 0) bound_joints(model);
}

/// Each edge of the pyramid is 1 along the normal: Σ ρ is the normal force.
void WholeBodyCore::limit_normal_forces(const WholeBodyCommand& command) noexcept {
  load_rows_ = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const double most = command.contacts[c].force_max;
    if (first_force_[c] < 0 || std::isinf(most)) continue;
    const int count = kConeEdges * static_cast<int>(contacts_[c].points.size());
    constraint_.col(rows_).head(variables_).setZero();
    constraint_.col(rows_).segment(accelerations_ + first_force_[c], count).setOnes();
    row_low_[rows_] = -std::numeric_limits<double>::infinity();
    row_high_[rows_] = std::max(most, 0.0);
    row_contact_[static_cast<std::size_t>(load_rows_++)] = c;
    ++rows_;
  }
}

/// Accelerations that keep a joint in its range and under its speed limit: with a = 2 (d - v T) /
/// T² it has used up the way d after T. The range outranks the speed limit.
void WholeBodyCore::bound_joints(const FloatingModel& model) noexcept {
  const double horizon = settings_.limit_horizon;
  for (int i = 0; i < joints_; ++i) {
    const JointBounds& at = bounds_[static_cast<std::size_t>(i)];
    const double q = model.q()[static_cast<std::size_t>(i)];
    const double v = model.velocity()[FloatingModel::kBase + i];
    const auto reaching = [=](double end) {
      return 2.0 * (end - q - v * horizon) / (horizon * horizon);
    };
    const double most = settings_.acceleration_max;
    const double lowest = std::clamp(reaching(at.low), -most, most);
    const double highest = std::clamp(reaching(at.high), -most, most);
    low_[i] = std::clamp((-at.velocity_max - v) / horizon, lowest, highest);
    high_[i] = std::clamp((at.velocity_max - v) / horizon, lowest, highest);
  }
}

}  // namespace jointrig
